#include "support/mip_referee.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "io/lp/lp_model.h"
#include "report/mip/model_file.h"
#include "support/setting.h"

namespace nestor::testing {
namespace {

// The optimum that CBC proves of a file; nothing if it proves none. "Optimal" and no solution differ.
std::optional<double> solved_by_cbc(const std::string& file, bool& infeasible) {
  const auto out = file + ".cbc";
  const auto command = "cbc " + file + " -sec 60 -timeMode elapsed -ratio 0 -allow 0 -solve -solution " +
                       out + " -quit > " + file + ".log 2>&1";
  if (std::system(command.c_str()) != 0) return std::nullopt;
  std::ifstream in(out);
  std::string line;
  std::getline(in, line);
  infeasible = line.rfind("Infeasible", 0) == 0 || line.rfind("Integer infeasible", 0) == 0;
  const auto at = line.find("objective value ");
  if (line.rfind("Optimal", 0) != 0 || at == std::string::npos) return std::nullopt;
  return std::strtod(line.c_str() + at + 16, nullptr);
}

}  // namespace

MipReferee::MipReferee()
    : asked_(setting("NESTOR_MIP_CBC", 0) != 0 && std::system("cbc -quit > /dev/null 2>&1") == 0) {}

MipReferee::~MipReferee() {
  if (asked_) std::printf("%d of %d programs proved by CBC\n", proved_, tried_);
}

void MipReferee::judge(const mip::Program& program, double expected, const std::string& name,
                       const std::string& what) {
  if (!asked_ || program.columns().size() > setting("NESTOR_MIP_COLUMNS", 600)) return;
  ++tried_;
  const auto file = ::testing::TempDir() + name + ".mps";
  ASSERT_FALSE(io::write_lp_model(file, report::lp_model(program, "model")));
  bool infeasible = false;
  const auto optimum = solved_by_cbc(file, infeasible);
  EXPECT_FALSE(infeasible) << file << ' ' << what;
  if (!optimum) return;
  ++proved_;
  EXPECT_NEAR(*optimum, expected, 1e-6 * std::max(1.0, std::abs(expected))) << file << ' ' << what;
}

}  // namespace nestor::testing
