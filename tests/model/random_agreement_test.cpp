// Tests that compare the evaluator with the independent checker in model/cim/second_reading, on random
// machines and mappings.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>

#include "model/cim/evaluate.h"
#include "model/cim/second_reading/figures.h"
#include "model/cim/second_reading/rules.h"
#include "model/cim/waits.h"
#include "model/loopnest/rules/legality.h"
#include "support/case_features.h"
#include "support/random_cases.h"

namespace nestor::random_agreement_test {
namespace {

using tests::FeatureCount;
using tests::RandomCase;

constexpr std::uint64_t cases = 20000;

void expect_same(long double expected, double found, const char* what, const RandomCase& random) {
  EXPECT_LE(std::fabs(static_cast<double>(expected) - found), 1e-9 * std::fabs(found)) << what << "\n"
                                                                                       << random.describe();
}

TEST(RandomAgreement, EvaluatorAndIndependentCheckerAgreeOnEveryFigure) {
  FeatureCount features;
  for (std::uint64_t seed = 1; seed <= cases && !HasFailure(); ++seed) {
    const RandomCase random =
        tests::random_case(seed, {.any_relevance = seed % 4 == 3, .groups = seed % 5 == 4});
    const Architecture& machine = random.architecture.machine;
    features.add(machine, random.layer, random.mapping);
    SCOPED_TRACE(random.describe());
    const auto broken = verify::broken_rules(random.layer, random.architecture, random.mapping);
    ASSERT_TRUE(broken.empty()) << broken.front();
    ASSERT_FALSE(find_violation(random.layer, machine, random.mapping).has_value());

    const auto a = cim::evaluate(random.layer, machine, random.mapping);
    const auto b = verify::recompute(random.layer, machine, random.mapping);
    EXPECT_EQ(a.miredo_cycles, static_cast<Int>(b.miredo_cycles));
    EXPECT_EQ(a.stall_cycles, static_cast<Int>(b.stall_cycles));
    EXPECT_EQ(a.fill_cycles, static_cast<Int>(b.fill_cycles));
    EXPECT_EQ(a.drain_cycles, static_cast<Int>(b.drain_cycles));
    EXPECT_EQ(a.steps, static_cast<Int>(b.steps));
    EXPECT_EQ(a.macs, static_cast<Int>(b.macs));
    EXPECT_EQ(a.used, b.used);
    expect_same(b.energy_pj, a.energy_pj, "energy", random);
    expect_same(b.compute_energy_pj, a.compute_energy_pj, "compute energy", random);
    for (const auto model : {cim::LatencyModel::miredo, cim::LatencyModel::stall})
      expect_same(b.edp(machine, a.cycles(model)), a.edp(machine, model), "edp", random);
    for (std::size_t m = 0; m < machine.memories.size(); ++m) {
      EXPECT_EQ(a.usage_bits[m], static_cast<Int>(b.usage_bits[m])) << "memory " << m;
      for (std::size_t x = 0; x < operand_count; ++x) {
        EXPECT_EQ(a.size_bits[m][x], static_cast<Int>(b.size_bits[m][x])) << "memory " << m;
        EXPECT_EQ(a.read_bits[m][x], static_cast<Int>(b.read_bits[m][x])) << "memory " << m;
        EXPECT_EQ(a.write_bits[m][x], static_cast<Int>(b.write_bits[m][x])) << "memory " << m;
        expect_same(b.memory_energy_pj[m][x], a.memory_energy_pj[m][x], "memory energy", random);
      }
    }
  }
  EXPECT_EQ(features.below_five_per_cent(), "");
  std::cout << cases << " cases: " << features.to_string() << "\n";
}

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

// Checks that the spent cycles add up to the latency, and that each wait is the increase in latency when its
// port is added to all earlier ports.
TEST(RandomAgreement, SpentCyclesAddUpToTheLatency) {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= cases / 4 && !HasFailure(); ++seed) {
    const RandomCase random = tests::random_case(seed);
    const Architecture& machine = random.architecture.machine;
    const auto evaluation = cim::evaluate(random.layer, machine, random.mapping);
    for (const auto model : {cim::LatencyModel::miredo, cim::LatencyModel::stall}) {
      const auto spent = cim::spent_cycles(random.layer, machine, random.mapping, model);
      EXPECT_EQ(spent.compute, evaluation.steps * machine.mvm_cycles) << random.describe();
      cim::PortSet timed{};
      Int sum = spent.compute;
      for (const auto& wait : spent.waits) {
        EXPECT_GE(wait.cycles, 0);
        timed[wait.memory].insert(wait.operand);
        sum += wait.cycles;
        EXPECT_EQ(sum, cim::cycles_through(timed, random.layer, machine, random.mapping, model));
      }
      EXPECT_EQ(sum, evaluation.cycles(model)) << random.describe();
      const bool stall = model == cim::LatencyModel::stall;
      EXPECT_TRUE(verify::cycles_through(timed, stall, random.layer, machine, random.mapping) == sum)
          << random.describe();
      several += spent.waits.size() > 2 ? 1U : 0U;
    }
  }
  EXPECT_GT(several, cases / 20);
}

TEST(RandomAgreement, EvaluatorAndIndependentCheckerRefuseTheSameMappings) {
  Random random(1);
  std::map<Rule, int> refused;
  int legal = 0;
  for (std::uint64_t seed = 1; seed <= cases && !HasFailure(); ++seed) {
    RandomCase corrupted = tests::random_case(seed);
    corrupt(random, corrupted);
    const auto violation = find_violation(corrupted.layer, corrupted.architecture.machine, corrupted.mapping);
    const auto broken = verify::broken_rules(corrupted.layer, corrupted.architecture, corrupted.mapping);
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
}  // namespace nestor::random_agreement_test
