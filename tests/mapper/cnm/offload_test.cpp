// Tests of the search that places the operations of a program on systems: the reference cases, an enumeration
// with a separate cost function, and the limits of the search (docs/models/cnm.md, "Offloading").
#include "mapper/cnm/offload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "base/random.h"
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

// Computes the cost by its definition, with sets of named places instead of place numbers.
using Place = std::tuple<std::string, std::string, Int>;
PlacementCost cost_by_definition(const OffloadProblem& problem, const std::vector<std::size_t>& placement) {
  const KernelProgram& program = problem.program;
  const Place host{"", "", 0};
  PlacementCost cost;
  const auto pay = [&](double gbs, double us, Int bytes) {
    const double ps = (gbs > 0 ? 1000 * static_cast<double>(bytes) / gbs : 0.0) + us * 1e6;
    cost.time_ps += static_cast<Int>(std::floor(ps + 0.5));
    ++cost.transfers;
  };
  const auto form = [&](std::size_t operation, std::size_t value) {
    const auto& system = problem.systems[placement[operation]];
    Place place{system.name, "", program.values[value].bytes};
    const auto& parts = program.operations[operation].parts;
    if (const auto known = parts.find(system.name); known != parts.end())
      if (const auto part = known->second.find(value); part != known->second.end()) {
        std::get<1>(place) = part->second.token.value_or("");
        std::get<2>(place) = part->second.bytes.value_or(std::get<2>(place));
      }
    return place;
  };
  const auto link_of = [&](const std::string& name) {
    for (const auto& system : problem.systems)
      if (system.name == name) return system.link;
    return Link{};
  };
  for (std::size_t i = 0; i < placement.size(); ++i) {
    const auto& name = problem.systems[placement[i]].name;
    cost.time_ps += *picoseconds_of(program.operations[i].time_ms.at(name));
  }
  if (problem.transfers == CountedTransfers::none) return cost;
  const auto contains = [](const std::vector<std::size_t>& list, std::size_t value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  const bool all = problem.transfers == CountedTransfers::all;
  for (std::size_t v = 0; v < program.values.size(); ++v) {
    if (contains(program.inputs, v) && !all) continue;
    if (contains(program.constants, v) && problem.weights == Weights::resident) continue;
    Place made = host;
    for (std::size_t i = 0; i < placement.size(); ++i) {
      if (!contains(program.operations[i].writes, v) || problem.systems[placement[i]].is_host) continue;
      made = form(i, v);
      if (std::get<1>(made) != "@host") continue;
      const Link link = link_of(std::get<0>(made));
      pay(link.from_gbs, link.us, std::get<2>(made));
      made = host;
    }
    std::set<Place> reads;
    for (std::size_t i = 0; i < placement.size(); ++i) {
      if (!contains(program.operations[i].reads, v)) continue;
      const Place place = form(i, v);
      reads.insert(problem.systems[placement[i]].is_host || std::get<1>(place) == "@host" ? host : place);
    }
    if (contains(program.outputs, v) && all) reads.insert(host);
    reads.erase(made);
    if (reads.empty()) continue;
    if (made != host)
      pay(link_of(std::get<0>(made)).from_gbs, link_of(std::get<0>(made)).us, std::get<2>(made));
    for (const Place& place : reads)
      if (place != host)
        pay(link_of(std::get<0>(place)).to_gbs, link_of(std::get<0>(place)).us, std::get<2>(place));
  }
  return cost;
}

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
    std::vector<std::size_t> at(problem.program.operations.size(), 0), best;
    PlacementCost least;
    for (bool more = true; more;) {
      bool runs = true;
      for (std::size_t i = 0; i < at.size(); ++i)
        runs = runs && problem.program.operations[i].time_ms.contains(problem.systems[at[i]].name);
      if (runs) {
        const auto cost = cost_by_definition(problem, at);
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
