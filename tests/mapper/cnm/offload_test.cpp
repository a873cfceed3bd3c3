// Tests of the search that places the operations of a program on systems: the reference cases, an enumeration
// with the cost function of the checker, and the limits of the search (docs/models/cnm.md, "Offloading").
#include "mapper/cnm/offload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/random.h"
#include "check/cnm/contract.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "places.h"

namespace nestor::cnm::offload_test {
namespace {

std::vector<OffloadSystem> systems_of(const std::vector<System>& systems) {
  std::vector<OffloadSystem> list;
  for (const System& system : systems)
    list.push_back({system.name, system.target == Target::host, system.link});
  return list;
}

TEST(Offload, EqualsTheReferenceCases) {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/examples2.json");
  if (!file) GTEST_SKIP() << "no reference data";
  const auto examples = io::Json::parse(file);
  int cases = 0;
  for (const auto& example : examples["offload"]) {
    std::vector<System> systems;
    for (const auto& name : example["systems"]) {
      auto system = io::read_cnm_system(name, {});
      ASSERT_TRUE(system.ok()) << system.error().to_string();
      systems.push_back(std::move(*system));
    }
    for (const std::string setting : example["set"]) {
      const auto colon = setting.find(':');
      const std::vector<std::string> values = {setting.substr(colon + 1)};
      for (System& system : systems)
        if (system.name == setting.substr(0, colon)) {
          const auto changed = io::with_settings(system, values);
          ASSERT_TRUE(changed) << changed.error().to_string();
          system = *changed;
        }
    }
    const auto document = io::Document::parse(example["program"].dump(), "program.json");
    ASSERT_TRUE(document.ok());
    auto program = io::program_from(document->root());
    ASSERT_TRUE(program.ok()) << program.error().to_string();
    OffloadProblem problem{std::move(*program), systems_of(systems), CountedTransfers::all,
                           example["weights"] == "move" ? Weights::move : Weights::resident};
    ASSERT_EQ(find_fault(problem), "");
    const auto result = place_operations(problem, StopSource());
    EXPECT_EQ(result.cost.time_ps, example["time_ps"]) << cases;
    EXPECT_EQ(result.cost.transfers, example["transfers"]) << cases;
    EXPECT_EQ(result.bound_ps, result.cost.time_ps);
    const auto cost = cost_of_placement(problem, result.placement);
    EXPECT_EQ(cost.time_ps, result.cost.time_ps);
    for (std::size_t i = 0; i < result.placement.size(); ++i)
      EXPECT_EQ(problem.systems[result.placement[i]].name, example["placement"][i].get<std::string>())
          << cases << ' ' << i;
    for (std::size_t s = 0; s < systems.size(); ++s) {
      const auto known = example["alone_ps"].find(systems[s].name);
      ASSERT_EQ(result.alone[s].has_value(), known != example["alone_ps"].end());
      if (!result.alone[s]) continue;
      EXPECT_EQ(result.alone[s]->time_ps, *known);
    }
    ++cases;
  }
  EXPECT_GE(cases, 10);
}

// A problem as a result states it, for the checker's cost of placements (check/cnm/contract_placement.cpp).
class StatedProblem {
 public:
  explicit StatedProblem(const OffloadProblem& problem)
      : offload_({{"program", io::to_json(problem.program)},
                  {"counted", counted_transfers.word(problem.transfers)},
                  {"weights", weight_words.word(problem.weights)}}) {
    for (const auto& [name, is_host, link] : problem.systems)
      systems_.push_back({{"name", name},
                          {"target", is_host ? "host" : "upmem"},
                          {"link", {{"to_gbs", link.to_gbs}, {"from_gbs", link.from_gbs}, {"us", link.us}}}});
  }

  PlacementCost cost(const std::vector<std::size_t>& placement) const {
    auto names = io::Json::array();
    for (const std::size_t system : placement) names.push_back(systems_[system]["name"]);
    const auto cost = check::cnm::cost_of_placement(systems_, offload_, names);
    return {cost.time_ps, cost.transfers};
  }

 private:
  io::Json systems_ = io::Json::array();
  io::Json offload_;
};

// Returns a random problem with small numbers, so that ties are frequent.
OffloadProblem random_problem(Random& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.below(n)); };
  OffloadProblem problem;
  const std::vector<std::string> names = {"host", "near", "far"};
  std::vector<std::size_t> order = {0, 1, 2};
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  order.resize(1 + below(3));
  const auto some = [&](std::size_t n, double unit) { return static_cast<double>(below(n)) * unit; };
  for (const auto s : order)
    problem.systems.push_back(
        {names[s], s == 0, s == 0 ? Link{} : Link{some(3, 1.5), some(3, 1.5), some(2, 1e-6)}});
  problem.transfers = counted_transfers.values[below(8) < 6 ? 0 : 1 + below(2)];
  problem.weights = weight_words.values[below(2)];
  KernelProgram& program = problem.program;
  const auto add_value = [&] {
    program.values.push_back({"v" + std::to_string(program.values.size()), "", static_cast<Int>(below(4))});
    return program.values.size() - 1;
  };
  for (std::size_t i = below(3); i-- > 0;) program.inputs.push_back(add_value());
  const std::vector<std::string> tokens = {"", "a", "b", "@host"};
  const std::size_t operations = 1 + below(8);
  for (std::size_t i = 0; i < operations; ++i) {
    ProgramOperation operation;
    operation.name = "op" + std::to_string(i);
    std::set<std::size_t> reads;
    if (below(3) == 0) {
      program.constants.push_back(add_value());
      reads.insert(program.constants.back());
    }
    const std::size_t known = program.values.size();
    for (std::size_t r = 1 + below(2); r-- > 0 && known > 0;) reads.insert(below(known));
    operation.reads.assign(reads.begin(), reads.end());
    operation.writes.push_back(add_value());
    if (below(6) == 0) operation.writes.push_back(add_value());
    for (const auto& system : problem.systems) {
      if (below(5) > 0) operation.time_ms[system.name] = static_cast<double>(below(4)) * 1e-6;
      for (const auto* const list : {&operation.reads, &operation.writes})
        for (const std::size_t value : *list) {
          if (below(2) == 0) operation.parts[system.name][value].token = tokens[below(tokens.size())];
          if (below(4) == 0) operation.parts[system.name][value].bytes = static_cast<Int>(below(5));
        }
    }
    if (operation.time_ms.empty()) operation.time_ms[problem.systems[0].name] = 1e-6;
    for (const std::size_t value : operation.writes)
      if (below(4) == 0 || i + 1 == operations) program.outputs.push_back(value);
    program.operations.push_back(std::move(operation));
  }
  return problem;
}

TEST(Offload, EqualsEnumerationOfAllPlacements) {
  Random random(35);
  std::size_t placements = 0, ties = 0, returned = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto problem = random_problem(random);
    ASSERT_EQ(find_fault(problem), "");
    const StatedProblem stated(problem);
    std::vector<std::size_t> at(problem.program.operations.size(), 0), best;
    PlacementCost least;
    for (bool more = true; more;) {
      bool runs = true;
      for (std::size_t i = 0; i < at.size(); ++i)
        runs = runs && problem.program.operations[i].time_ms.contains(problem.systems[at[i]].name);
      if (runs) {
        const auto cost = stated.cost(at);
        const bool same = !best.empty() && cost.time_ps == least.time_ps && cost.transfers == least.transfers;
        ties += same ? 1 : 0;
        if (best.empty() ||
            std::pair(cost.time_ps, cost.transfers) < std::pair(least.time_ps, least.transfers)) {
          least = cost;
          best = at;
        }
        ++placements;
      }
      std::size_t digit = at.size();  // the last operation changes fastest: the order that breaks ties
      while (digit > 0 && ++at[digit - 1] == problem.systems.size()) at[--digit] = 0;
      more = digit > 0;
    }
    const auto result = place_operations(problem, StopSource());
    ASSERT_EQ(result.cost.time_ps, least.time_ps) << trial;
    ASSERT_EQ(result.cost.transfers, least.transfers) << trial;
    ASSERT_EQ(result.placement, best) << trial;
    ASSERT_EQ(result.bound_ps, least.time_ps);
    ASSERT_EQ(cost_of_placement(problem, best).time_ps, least.time_ps) << trial;
    for (const auto& operation : problem.program.operations)
      for (const auto& [system, parts] : operation.parts)
        for (const auto& [value, part] : parts) returned += part.token == "@host" ? 1U : 0U;
  }
  EXPECT_GT(placements, 10'000U);
  EXPECT_GT(ties, 100U);
  EXPECT_GT(returned, 500U);
}

TEST(Offload, AStoppedSearchHasASafeBound) {
  Random random(36);
  for (int trial = 0; trial < 200; ++trial) {
    const auto problem = random_problem(random);
    const auto best = place_operations(problem, StopSource());
    const auto cut = place_operations(problem, StopSource(), 1 + random.below(3));
    EXPECT_LE(cut.bound_ps, best.cost.time_ps);
    EXPECT_GE(cut.cost.time_ps, best.cost.time_ps);
    EXPECT_EQ(cut.cost.time_ps, cost_of_placement(problem, cut.placement).time_ps);
  }
}

TEST(Offload, AChainOfAHundredOperationsKeepsFewStates) {
  OffloadProblem problem;
  problem.systems = {{"host", true, {}}, {"near", false, {1, 1, 0}}, {"far", false, {2, 2, 0}}};
  KernelProgram& program = problem.program;
  program.values.push_back({"x", "", 1000});
  program.inputs = {0};
  for (std::size_t i = 0; i < 100; ++i) {
    program.values.push_back({"v" + std::to_string(i), "", 1000});
    ProgramOperation operation;
    operation.name = "op" + std::to_string(i);
    operation.reads = {i};
    operation.writes = {i + 1};
    operation.time_ms = {{"host", 0.002}, {"near", i % 7 < 3 ? 0.0001 : 0.003}, {"far", 0.0015}};
    program.operations.push_back(std::move(operation));
  }
  program.outputs = {100};
  const auto result = place_operations(problem, StopSource());
  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_LE(result.states, 600U);
}

}  // namespace
}  // namespace nestor::cnm::offload_test
