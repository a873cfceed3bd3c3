// Tests that compare the independent checker of the pim model with the search's rules and the evaluator.
// Verdicts and figures are equal on random mappings, even after a change in one place. Another test checks
// the rule of even blocks on every mapping that is built from levels and stored sets.
// NESTOR_PIM_READING_CASES sets the number of cases.
#include "model/pim/second_reading/reading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/pim/dataflow.h"
#include "model/pim/evaluate.h"
#include "model/pim/legality.h"
#include "support/corrupted_pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::second_reading_test {
namespace {

std::vector<std::string> reading(const NamedPimCase& sample) {
  return pim_reading::broken_rules(sample.small.layer, sample.small.machine, {sample.memories, sample.axes},
                                   sample.mapping);
}

void expect_equal_figures(const NamedPimCase& sample) {
  const auto& [layer, machine] = sample.small;
  pim::RowCounter rows;
  const auto expected = evaluate(layer, machine, sample.mapping, rows);
  const auto found = pim_reading::recompute(layer, machine, sample.mapping);
  const auto same = [](Int a, pim_reading::Wide b) { return pim_reading::Wide{a} == b; };
  EXPECT_TRUE(same(expected.compute_cycles, found.compute_cycles));
  std::array<OperandSet, max_memories> used{};
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    bool home = true;
    for (const auto& filling : found.fillings[x]) {
      const std::size_t m = filling.memory;
      used[m].insert(operand);
      if (!home) {
        EXPECT_EQ(expected.source[m][x], filling.source);
        EXPECT_TRUE(same(expected.times[m][x], filling.times));
        EXPECT_TRUE(same(expected.size_bits[m][x], filling.size_bits));
      }
      home = false;
    }
  }
  EXPECT_EQ(expected.used, used);
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    EXPECT_TRUE(same(expected.usage_bits[m], found.usage_bits[m]));
  EXPECT_EQ(to_string(dataflow_of(layer, machine, sample.mapping)),
            pim_reading::dataflow(layer, sample.mapping));
}

std::string text(const NamedPimCase& sample) {
  const auto rules = reading(sample);
  return rules.empty() ? "the second reading finds nothing" : rules.front();
}

TEST(PimSecondReading, AgreesWithTheEvaluatorOnRandomAndInvalidMappings) {
  const auto cases = setting("NESTOR_PIM_READING_CASES", 4000);
  const auto seed = setting("NESTOR_PIM_SEED", 1);
  FeatureTally met;
  for (const char* word : {"legal",
                           "too large",
                           "nonpositive",
                           "operand without memory",
                           "row too short",
                           "factor below one",
                           "dim not of the axis",
                           "axis overflow",
                           "bound mismatch",
                           "memory without operand",
                           "block moves outward",
                           "double buffer not allowed",
                           "double buffer home",
                           "capacity",
                           "not canonical",
                           "dim twice",
                           "stored nowhere",
                           "stored capacity",
                           "uneven",
                           "layout kind",
                           "layout block",
                           "legal with stored pairs",
                           "legal on vaults",
                           "legal on the brink of 64 bits",
                           "weight stationary",
                           "output stationary",
                           "input stationary",
                           "row stationary",
                           "mixed"})
    met[word] = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto sample = random_named_pim_case(seed + i, 96);
    if (!sample) continue;
    Random random(seed + i);
    for (int change = 0; change < 6; ++change) {  // the first round changes nothing
      NamedPimCase corrupted = *sample;
      for (int times = 0; times < change; times += 2) corrupt(corrupted, random);
      const auto word = verdict(corrupted);
      ++met[word];
      ASSERT_EQ(word == "legal", reading(corrupted).empty())
          << "seed " << seed + i << ", change " << change << ": " << word << "; " << text(corrupted);
      if (word != "legal") continue;
      expect_equal_figures(corrupted);
      ASSERT_FALSE(HasFailure()) << "seed " << seed + i << ", change " << change;
      const auto& stored = corrupted.mapping.stored;
      met["legal with stored pairs"] +=
          std::any_of(stored.begin(), stored.end(), [](OperandSet set) { return !set.empty(); }) ? 1 : 0;
      met["legal on vaults"] +=
          product_of(corrupted.mapping.nest.spatial[0]) > 1 && corrupted.axes[0] == "vaults";
      met["legal on the brink of 64 bits"] +=
          corrupted.small.machine.reduction_latency > Int{1} << 60U ? 1 : 0;
      ++met[std::string(pim_reading::dataflow(corrupted.small.layer, corrupted.mapping))];
    }
  }
  for (const auto& [word, count] : met) {
    std::cout << word << ' ' << count << ", ";
    EXPECT_GE(count, static_cast<int>(cases) / 200) << word;
  }
  std::cout << "in " << cases << " cases from seed " << seed << '\n';
}

// Returns axes, loops and blocks as a key that identifies a mapping.
std::vector<Int> key_of(const pim::PimMapping& mapping) {
  std::vector<Int> key;
  for (const Extents& factors : mapping.nest.spatial) key.insert(key.end(), factors.begin(), factors.end());
  for (const Loop& loop : mapping.nest.loops) {
    key.push_back(static_cast<Int>(index_of(loop.dim)));
    key.push_back(loop.factor);
    key.insert(key.end(), loop.at.begin(), loop.at.end());
  }
  return key;
}

TEST(PimSecondReading, AcceptsAsEvenOnlyMappingsOfLevelsAndStoredSets) {
  int even = 0;
  int uneven = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    auto sample = random_named_pim_case(seed, 8);
    if (!sample) continue;
    auto& machine = sample->small.machine;
    machine.blocks = pim::BlockRule::even;
    std::set<std::vector<Int>> given;
    if (!each_pim_mapping(sample->small, 20000, [&](const auto& mapping) { given.insert(key_of(mapping)); }))
      continue;
    PimCase other = sample->small;
    other.machine.blocks = pim::BlockRule::uneven;
    each_pim_mapping(other, 20000, [&](const pim::PimMapping& mapping) {
      sample->mapping = mapping;
      const bool expected = given.contains(key_of(mapping));
      const auto violation = find_violation(other.layer, other.machine, mapping);
      if (violation) return;  // the mapping places a dimension twice
      ++(expected ? even : uneven);
      ASSERT_EQ(expected, reading(*sample).empty()) << "seed " << seed << ": " << text(*sample);
    });
    ASSERT_FALSE(HasFailure());
  }
  std::cout << even << " mappings with even blocks, " << uneven << " with uneven ones\n";
  EXPECT_GE(even, 2000);
  EXPECT_GE(uneven, 2000);
}

TEST(PimSecondReading, ChecksMappingsAgainstTheBypassTable) {
  int pairs = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto sample = random_named_pim_case(seed, 96);
    if (!sample) continue;
    const auto& machine = sample->small.machine;
    pim::RowCounter rows;
    auto table = evaluate(sample->small.layer, machine, sample->mapping, rows).used;
    const auto broken = [&] {
      return pim_reading::broken_table(machine, {sample->memories, sample->axes}, sample->mapping, table);
    };
    EXPECT_TRUE(broken().empty()) << broken().front();
    for (const Operand operand : all_operands)
      for (std::size_t m = machine.home(operand) + 1; m < machine.innermost(operand); ++m) {
        const bool used = table[m].contains(operand);
        used ? table[m].erase(operand) : table[m].insert(operand);
        EXPECT_EQ(broken().size(), 1U) << "seed " << seed;
        used ? table[m].insert(operand) : table[m].erase(operand);
        ++pairs;
      }
  }
  EXPECT_GE(pairs, 300);
}

// Breaks, one by one, the properties that the reader of architecture files checks and the search assumes.
TEST(PimSecondReading, NamesTheFaultsOfAMachine) {
  int machines = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto sample = random_named_pim_case(seed, 96);
    if (!sample || sample->small.machine.memories[0].row == 0) continue;
    ++machines;
    const auto with = [&](auto change, const char* expected) {
      NamedPimCase changed = *sample;
      change(changed);
      EXPECT_NE(text(changed).find(expected), std::string::npos) << "seed " << seed << ": " << text(changed);
    };
    with([](NamedPimCase& s) { s.small.machine.memories[1].row = 4096; }, "another memory already has rows");
    with([](NamedPimCase& s) { s.small.machine.memories[1].double_buffer = true; }, "has double_buffer");
    with(
        [](NamedPimCase& s) {
          s.axes[0] = "rows";
          for (Memory& memory : s.small.machine.memories)
            memory.axes_above = std::max<std::uint8_t>(memory.axes_above, 1);
        },
        "neither vaults nor units");
    with([](NamedPimCase& s) { std::swap(s.small.machine.memories[0].row, s.small.machine.memories[1].row); },
         "is not the home of");
  }
  EXPECT_GE(machines, 100);
}

}  // namespace
}  // namespace nestor::tests::second_reading_test
