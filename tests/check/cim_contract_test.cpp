// Tests that compare the contract of the cim space with the evaluator and the search's rules, on random
// machines and mappings, and with the reference files.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "model/cim/evaluate.h"
#include "model/cim/waits.h"
#include "model/loopnest/rules/legality.h"
#include "report/results/cim/evaluation_json.h"
#include "support/case_features.h"
#include "support/cim_contract.h"
#include "support/expect_json.h"
#include "support/random_cases.h"
#include "support/reference_data.h"

namespace nestor::cim_contract_test {
namespace {

using tests::FeatureCount;
using tests::RandomCase;
using tests::StatedMapping;

constexpr std::uint64_t cases = 20000;

TEST(CimContract, AgreesWithTheEvaluatorOnEveryFigure) {
  FeatureCount features;
  for (std::uint64_t seed = 1; seed <= cases && !HasFailure(); ++seed) {
    const RandomCase random = tests::random_case(seed, {.groups = seed % 5 == 4});
    const Architecture& machine = random.architecture.machine;
    features.add(machine, random.layer, random.mapping);
    SCOPED_TRACE(random.describe());
    ASSERT_FALSE(find_violation(random.layer, machine, random.mapping).has_value());
    const auto found = StatedMapping(random.layer, random.architecture, random.mapping).contract();
    ASSERT_TRUE(found.faults.empty()) << found.faults.front();
    const auto expected = cim::evaluate(random.layer, machine, random.mapping);
    tests::expect_equal(io::evaluation_to_json(expected, random.architecture), found.figures, "evaluation");
  }
  EXPECT_EQ(features.below_five_per_cent(), "");
  std::cout << cases << " cases: " << features.to_string() << "\n";
}

class CimReference : public ::testing::TestWithParam<const char*> {};

TEST_P(CimReference, IsReproducedByTheContract) {
  const auto references = tests::load_reference_cases(GetParam());
  if (references.empty()) GTEST_SKIP() << "reference file " << GetParam() << " is not on this machine";
  for (std::size_t i = 0; i < references.size(); ++i) {
    const auto& reference = references[i];
    const auto found = StatedMapping(reference.layer, reference.architecture, reference.mapping).contract();
    ASSERT_TRUE(found.faults.empty()) << found.faults.front();
    io::Json expected;
    for (const auto& [key, value] : found.figures.items()) expected[key] = reference.evaluation.at(key);
    tests::expect_equal(expected, found.figures, "case " + std::to_string(i));
  }
}

INSTANTIATE_TEST_SUITE_P(Cim, CimReference, ::testing::Values("examples.json", "mappings.json", "tiny.json"));

/// Changes one property of a legal case. The result may still be legal.
void corrupt(Random& random, RandomCase& target) {
  Architecture& machine = target.architecture.machine;
  Mapping& mapping = target.mapping;
  const auto loops = mapping.loops.size();
  const auto memory = random.below(machine.memories.size());
  const auto operand = all_operands[random.below(operand_count)];
  const auto axis = random.below(machine.axes.size());
  const auto dim = all_dims[random.below(dim_count)];
  switch (random.below(10)) {
    case 0:
      if (loops > 0) mapping.loops[random.below(loops)].factor += random.between(-2, 2);
      break;
    case 1:
      if (loops > 0)
        mapping.loops[random.below(loops)].at[index_of(operand)] = static_cast<std::uint8_t>(memory);
      break;
    case 2:
      if (loops > 1) std::swap(mapping.loops[0], mapping.loops[random.below(loops)]);
      break;
    case 3:
      if (loops > 0) mapping.loops.erase_at(random.below(loops));
      break;
    case 4:
      if (mapping.double_buffered[memory].contains(operand))
        mapping.double_buffered[memory].erase(operand);
      else
        mapping.double_buffered[memory].insert(operand);
      break;
    case 5:
      mapping.spatial[axis][index_of(dim)] += random.between(-1, 1);
      break;
    case 6:
      if (machine.memories[memory].capacity != unlimited_capacity) --machine.memories[memory].capacity;
      break;
    case 7:
      machine.axes[axis].size -= 1;
      break;
    case 8:
      machine.axes[axis].dims.erase(dim);
      break;
    default:
      if (loops > 0) mapping.loops[random.below(loops)].dim = dim;
      break;
  }
}

// True if a file can state a machine: its memories hold a bit, and its axes have lanes and dimensions.
bool can_be_stated(const Architecture& machine) {
  return std::all_of(machine.memories.begin(), machine.memories.end(),
                     [](const Memory& memory) { return memory.capacity > 0; }) &&
         std::all_of(machine.axes.begin(), machine.axes.end(),
                     [](const Axis& axis) { return axis.size > 0 && !axis.dims.empty(); });
}

// Checks that the spent cycles add up to the latency, and that each wait is the increase in latency when its
// port is added to all earlier ports.
TEST(CimContract, SpentCyclesAddUpToTheLatency) {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= cases / 4 && !HasFailure(); ++seed) {
    const RandomCase random = tests::random_case(seed);
    const Architecture& machine = random.architecture.machine;
    const auto evaluation = cim::evaluate(random.layer, machine, random.mapping);
    for (const auto model : {cim::LatencyModel::miredo, cim::LatencyModel::stall}) {
      const auto spent = cim::spent_cycles(random.layer, machine, random.mapping, model);
      EXPECT_EQ(spent.compute, evaluation.steps * machine.mvm_cycles) << random.describe();
      const StatedMapping stated(random.layer, random.architecture, random.mapping);
      const bool stall = model == cim::LatencyModel::stall;
      cim::PortSet timed{};
      std::set<std::string> ports;
      Int sum = spent.compute;
      for (const auto& wait : spent.waits) {
        EXPECT_GE(wait.cycles, 0);
        timed[wait.memory].insert(wait.operand);
        ports.insert(random.architecture.memory_names[wait.memory] + "/" + letter(wait.operand));
        sum += wait.cycles;
        EXPECT_EQ(sum, cim::cycles_through(timed, random.layer, machine, random.mapping, model));
        EXPECT_EQ(sum,
                  check::cim::cycles_through(ports, stall, stated.architecture, stated.layer, stated.mapping))
            << random.describe();
      }
      EXPECT_EQ(sum, evaluation.cycles(model)) << random.describe();
      several += spent.waits.size() > 2 ? 1U : 0U;
    }
  }
  EXPECT_GT(several, cases / 20);
}

TEST(CimContract, RefusesTheMappingsThatTheSearchRefuses) {
  Random random(1);
  std::map<Rule, int> refused;
  int legal = 0;
  for (std::uint64_t seed = 1; seed <= cases && !HasFailure(); ++seed) {
    RandomCase corrupted = tests::random_case(seed);
    corrupt(random, corrupted);
    if (!can_be_stated(corrupted.architecture.machine)) continue;
    const auto violation = find_violation(corrupted.layer, corrupted.architecture.machine, corrupted.mapping);
    const auto broken =
        StatedMapping(corrupted.layer, corrupted.architecture, corrupted.mapping).contract().faults;
    EXPECT_EQ(violation.has_value(), !broken.empty())
        << (violation ? "rule " + std::to_string(static_cast<int>(violation->rule)) : broken.front()) << "\n"
        << corrupted.describe();
    if (violation)
      ++refused[violation->rule];
    else
      ++legal;
  }
  EXPECT_GT(legal, 1000);
  EXPECT_EQ(refused.size(), static_cast<std::size_t>(Rule::not_canonical) + 1)
      << "some rule was never broken";
  for (const auto& [rule, count] : refused) EXPECT_GE(count, 20) << "rule " << static_cast<int>(rule);
}

}  // namespace
}  // namespace nestor::cim_contract_test
