// The exported mixed-integer programs against the search, the evaluator and, where they are installed, MIP
// solvers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "io/lp/lp_model.h"
#include "model/cim/mip/formulation.h"
#include "model/cim/search/admission.h"
#include "model/loopnest/rules/legality.h"
#include "model/search_cases.h"
#include "report/mip/model_file.h"
#include "solver/engine/engine.h"
#include "support/constraint_cases.h"
#include "support/reference_data.h"

namespace nestor::cim {
namespace {

using nestor::testing::random_case;

std::uint64_t number_from(const char* variable, std::uint64_t fallback) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

Engine<Space>::Outcome solve(const CimProblem& problem) {
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto space = make_space<HostStorage>(problem, Direction::outward);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  return Engine<Space>(*space, *executor, memory, {}, stop).run();
}

RandomCase tiny_case(std::uint64_t seed) {
  auto sample = random_case(seed, {.max_steps = 12, .max_loops = 3, .graded = seed % 2 == 0});
  Random random(seed);
  if (random.chance(0.7)) tighten(sample, random);
  return sample;
}

void expect_solution(const MiredoProgram& made, double expected, const std::string& what) {
  ASSERT_TRUE(made.nest().knows()) << what;
  const auto& program = made.program();
  EXPECT_EQ(program.broken(program.known(), 1e-9), "") << what;
  EXPECT_NEAR(program.objective(program.known()), expected, 1e-9 * std::max(1.0, std::abs(expected))) << what;
}

// Where NESTOR_MIP_CBC is set and CBC is installed, it solves every file: the nightly run.
bool has_cbc() {
  return number_from("NESTOR_MIP_CBC", 0) != 0 && std::system("cbc -quit > /dev/null 2>&1") == 0;
}

// What a solver says is the optimum of a file; nothing if it is not installed.
std::optional<double> solved_by_cbc(const std::string& file) {
  const auto out = file + ".cbc";
  const auto command = "timeout 300 cbc " + file + " -ratio 0 -allow 0 -solve -solution " + out +
                       " -quit > " + file + ".log 2>&1";
  if (std::system(command.c_str()) != 0) return std::nullopt;
  std::ifstream in(out);
  std::string line;
  std::getline(in, line);
  const auto at = line.find("objective value ");
  if (line.rfind("Optimal", 0) != 0 || at == std::string::npos) return std::nullopt;
  return std::strtod(line.c_str() + at + 16, nullptr);
}

TEST(MiredoProgram, HoldsEveryLegalMappingAtItsCost) {
  const auto first = number_from("NESTOR_MIP_SEED", 1);
  for (std::uint64_t seed = first; seed < first + number_from("NESTOR_MIP_CASES", 60); ++seed) {
    const auto sample = random_case(seed, {.max_steps = 200, .max_loops = 6, .graded = seed % 2 == 0});
    for (const CimObjective& objective : objectives()) {
      if (objective.kind == ObjectiveKind::edp) continue;
      const auto problem = make_problem(sample.layer, sample.architecture.machine, objective);
      const MiredoProgram made(problem, &sample.mapping, std::nullopt);
      const auto evaluation = evaluate(sample.layer, sample.architecture.machine, sample.mapping);
      expect_solution(made, objective_value(problem.objective, evaluation, problem.machine),
                      sample.describe() + " objective " + std::to_string(static_cast<int>(objective.kind)));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(MiredoProgram, HasTheOptimumOfTheSearch) {
  const auto first = number_from("NESTOR_MIP_SEED", 1);
  const bool cbc = has_cbc();
  for (std::uint64_t seed = first; seed < first + number_from("NESTOR_MIP_CASES", 20); ++seed) {
    const auto sample = tiny_case(seed);
    std::size_t k = 0;
    for (const CimObjective& objective : objectives()) {
      if (objective.kind == ObjectiveKind::edp) continue;
      auto problem = make_problem(sample.layer, sample.architecture.machine, objective);
      if ((seed + k++) % 3 == 0)
        problem.constraints =
            nestor::testing::random_constraints(seed, sample.layer, problem.machine, sample.mapping.loops);
      const auto outcome = solve(problem);
      if (outcome.best.empty()) continue;
      const auto& best = outcome.best.front();
      const auto what = sample.describe() + " objective " + std::to_string(static_cast<int>(objective.kind));
      const MiredoProgram made(problem, &best.solution, best.cost);
      expect_solution(made, best.cost, what);
      if (::testing::Test::HasFailure()) return;
      if (!cbc) continue;
      const auto file =
          ::testing::TempDir() + "mip_" + std::to_string(seed) + "_" + std::to_string(k) + ".mps";
      ASSERT_FALSE(io::write_lp_model(file, report::lp_model(made.program(), "model")));
      const auto optimum = solved_by_cbc(file);
      EXPECT_TRUE(optimum) << file << what;
      EXPECT_NEAR(optimum.value_or(0), best.cost, 1e-6 * std::max(1.0, std::abs(best.cost))) << file << what;
    }
  }
}

TEST(MiredoProgram, OfReferenceCasesHasTheProvedOptima) {
  const auto cases = nestor::testing::load_reference_cases("tiny.json");
  if (cases.empty()) GTEST_SKIP() << "the reference cases are not on this machine";
  const bool cbc = has_cbc();
  const std::vector<std::pair<const char*, CimObjective>> goals = {
      {"latency_cycles", {{.kind = ObjectiveKind::latency}, LatencyModel::miredo}},
      {"stall_cycles", {{.kind = ObjectiveKind::latency}, LatencyModel::stall}},
      {"energy_pj", {{.kind = ObjectiveKind::energy}, LatencyModel::stall}}};
  for (std::size_t i = number_from("NESTOR_MIP_FIRST", 0); i < cases.size(); ++i)
    for (const auto& [key, objective] : goals) {
      const double expected = cases[i].proved_optimal.at(key).get<double>();
      const auto what = "case " + std::to_string(i) + " " + key;
      const auto problem = make_problem(cases[i].layer, cases[i].architecture.machine, objective);
      const auto best = solve(problem).best.front();
      const MiredoProgram made(problem, &best.solution, best.cost);
      expect_solution(made, expected, what);
      const auto file = ::testing::TempDir() + "tiny_" + std::to_string(i) + "_" + key + ".mps";
      ASSERT_FALSE(io::write_lp_model(file, report::lp_model(made.program(), "model")));
      if (!cbc) continue;
      const auto optimum = solved_by_cbc(file);
      EXPECT_NEAR(optimum.value_or(-1), expected, 1e-6 * expected) << what;
    }
}

}  // namespace
}  // namespace nestor::cim
