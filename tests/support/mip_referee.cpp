#include "support/mip_referee.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "io/lp/lp_model.h"
#include "io/lp/solution_file.h"
#include "places.h"
#include "report/mip/model_file.h"
#include "support/setting.h"

namespace nestor::tests {
namespace {

// Runs a solver and returns the optimum if the solver proves it within a minute. Sets `infeasible` if the
// solver reports that there is no solution.
std::optional<double> solved(const std::string& command, const std::string& out, bool& infeasible) {
  std::error_code ignored;
  std::filesystem::remove(out, ignored);
  if (std::system(command.c_str()) != 0) return std::nullopt;
  std::ifstream in(out);
  std::stringstream text;
  text << in.rdbuf();
  const auto solution = io::parse_solution(text.str(), out);
  if (!solution) return std::nullopt;
  const auto has = [&](const char* word) { return solution->status.find(word) != std::string::npos; };
  infeasible = has("nfeasible");
  return has("Optimal") ? solution->objective : std::nullopt;
}

bool runs(const char* variable, const char* command) {
  return setting(variable, 0) != 0 && std::system(command) == 0;
}

}  // namespace

MipReferee::MipReferee() {
  if (runs("NESTOR_MIP_CBC", "cbc -quit > /dev/null 2>&1"))
    solvers_.push_back(
        {"CBC", "cbc MODEL -sec 60 -timeMode elapsed -ratio 0 -allow 0 -solve -solution OUT -quit"});
  if (runs("NESTOR_MIP_HIGHS", "node -e 'require(\"highs\")' > /dev/null 2>&1"))
    solvers_.push_back({"HiGHS", "node '" NESTOR_SOURCE_DIR "/scripts/highs-solve.mjs' MODEL OUT 60"});
}

MipReferee::~MipReferee() {
  for (const Solver& solver : solvers_)
    std::printf("%d of %d programs proved by %s\n", solver.proved, solver.tried, solver.name);
}

void MipReferee::judge(const mip::Program& program, double expected, const std::string& name,
                       const std::string& what) {
  if (solvers_.empty() || program.columns().size() > setting("NESTOR_MIP_COLUMNS", 600)) return;
  const auto file = ::testing::TempDir() + name + ".mps";
  ASSERT_FALSE(io::write_lp_model(file, report::lp_model(program, "model")));
  for (Solver& solver : solvers_) {
    ++solver.tried;
    const auto out = file + ".solution";
    auto command = solver.command + " > " + file + ".log 2>&1";
    command.replace(command.find("MODEL"), 5, file);
    command.replace(command.find("OUT"), 3, out);
    bool infeasible = false;
    const auto optimum = solved(command, out, infeasible);
    EXPECT_FALSE(infeasible) << solver.name << ' ' << file << ' ' << what;
    if (!optimum) continue;
    ++solver.proved;
    EXPECT_NEAR(*optimum, expected, 1e-6 * std::max(1.0, std::abs(expected)))
        << solver.name << ' ' << file << ' ' << what;
  }
}

}  // namespace nestor::tests
