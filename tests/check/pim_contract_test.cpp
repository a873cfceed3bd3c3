// Tests that compare the contract of the pim space with the search's rules and the evaluator. Verdicts and
// figures are equal on random mappings, even after a change in one place. Another test checks the rule of
// even blocks on every mapping that is built from levels and stored sets. NESTOR_PIM_CONTRACT_CASES sets the
// number of cases.
#include "check/pim/contract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "io/layer_file.h"
#include "io/pim/mapping_file.h"
#include "model/pim/dataflow.h"
#include "model/pim/evaluate.h"
#include "model/pim/legality.h"
#include "report/results/pim/result_file.h"
#include "report/verify/comparison.h"
#include "support/corrupted_pim_cases.h"
#include "support/expect_json.h"
#include "support/setting.h"

namespace nestor::tests::pim_contract_test {
namespace {

using io::Json;

io::pim::NamedPimMachine named(const NamedPimCase& sample) {
  io::pim::NamedPimMachine named;
  named.name = "random";
  named.machine = sample.small.machine;
  named.memory_names = sample.memories;
  named.axis_names = sample.axes;
  return named;
}

// Writes a mapping that may name a memory which does not exist, or double buffers.
Json written(const NamedPimCase& sample) {
  NamedPimCase nameable = sample;
  nameable.memories.resize(max_memories, "nowhere");
  Json json = io::pim::mapping_to_json(sample.mapping, named(nameable));
  auto doubled = sample.mapping.nest.double_buffered;
  const io::NestFields nest(nameable.memories, nameable.axes);
  json.update(io::write_fields([&](io::Fields& fields) {
    nest.describe_pairs(fields, "double_buffer", io::optional, "", doubled, "");
  }));
  return json;
}

check::Contract contract(const NamedPimCase& sample) {
  Layer layer;
  layer.name = "random";
  layer.shape = sample.small.layer;
  return check::pim::contract_of(io::pim::machine_to_json(named(sample)), io::layer_to_json(layer),
                                 written(sample));
}

std::string text(const NamedPimCase& sample) {
  const auto faults = contract(sample).faults;
  return faults.empty() ? "the contract finds nothing" : faults.front();
}

void expect_equal_figures(const NamedPimCase& sample, const Json& found) {
  const auto& [layer, machine] = sample.small;
  pim::RowCounter rows;
  const auto expected = evaluate(layer, machine, sample.mapping, rows);
  const auto all = named(sample);
  expect_equal(io::pim::evaluation_to_json(expected, sample.mapping, all), found["evaluation"], "evaluation");
  EXPECT_EQ(found["latency_cycles"], expected.latency_cycles);
  EXPECT_TRUE(io::nearly_equal(found["energy_pj"], expected.total_energy_pj(machine)));
  EXPECT_TRUE(io::nearly_equal(
      found["edp"], expected.total_energy_pj(machine) * static_cast<double>(expected.latency_cycles)));
  EXPECT_EQ(found["dataflow"], to_string(dataflow_of(layer, machine, sample.mapping)));
}

// True if a file can state the case. The contract has no rule for other cases, such as figures that might not
// fit 64 bits.
bool is_of_a_file(const NamedPimCase& sample, const std::string& verdict) {
  const auto& [layer, machine] = sample.small;
  const auto& layouts = sample.mapping.layouts;
  const bool has_blocks = std::all_of(layouts.begin(), layouts.end(), [](const pim::Layout& layout) {
    return layout.block_height >= 1 && layout.block_width >= 1;
  });
  if (verdict == "legal" && !has_blocks) return false;  // the search ignores layouts outside DRAM
  const bool has_operands = std::all_of(machine.memories.begin(), machine.memories.end(),
                                        [](const Memory& memory) { return !memory.operands.empty(); });
  const bool has_dims = std::all_of(machine.axes.begin(), machine.axes.end(),
                                    [](const Axis& axis) { return !axis.dims.empty(); });
  const bool has_all_dims = std::all_of(group_dims.begin(), group_dims.end(), [&](Dim dim) {
    return sample.axes[0] != "vaults" || machine.axes[0].dims.contains(dim);
  });
  return has_operands && has_dims && has_all_dims && verdict != "too large" &&
         machine.reduction_latency <= Int{1} << 31U && layer.bits.partial_sum >= layer.bits.output;
}

TEST(PimContract, AgreesWithTheEvaluatorOnRandomAndInvalidMappings) {
  const auto cases = setting("NESTOR_PIM_CONTRACT_CASES", 4000);
  const auto seed = setting("NESTOR_PIM_SEED", 1);
  FeatureTally met;
  for (const char* word : {"legal",
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
                           "legal with leakage",
                           "weight stationary",
                           "output stationary",
                           "input stationary",
                           "row stationary",
                           "mixed"})
    met[word] = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    auto sample = random_named_pim_case(seed + i, 96);
    if (!sample) continue;
    Random random(seed + i);
    if (random.chance(0.2)) sample->small.machine.leakage = 0.75;
    for (int change = 0; change < 6; ++change) {  // the first round changes nothing
      NamedPimCase corrupted = *sample;
      for (int times = 0; times < change; times += 2) corrupt(corrupted, random);
      const auto word = verdict(corrupted);
      if (!is_of_a_file(corrupted, word)) continue;
      ++met[word];
      const auto found = contract(corrupted);
      ASSERT_EQ(word == "legal", found.faults.empty())
          << "seed " << seed + i << ", change " << change << ": " << word << "; " << text(corrupted);
      if (word != "legal") continue;
      expect_equal_figures(corrupted, found.figures);
      ASSERT_FALSE(HasFailure()) << "seed " << seed + i << ", change " << change;
      const auto& stored = corrupted.mapping.stored;
      met["legal with stored pairs"] +=
          std::any_of(stored.begin(), stored.end(), [](OperandSet set) { return !set.empty(); }) ? 1 : 0;
      met["legal on vaults"] +=
          product_of(corrupted.mapping.nest.spatial[0]) > 1 && corrupted.axes[0] == "vaults";
      met["legal with leakage"] += corrupted.small.machine.leakage > 0;
      ++met[found.figures["dataflow"].get<std::string>()];
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

TEST(PimContract, AcceptsAsEvenOnlyMappingsOfLevelsAndStoredSets) {
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
      ASSERT_EQ(expected, contract(*sample).faults.empty()) << "seed " << seed << ": " << text(*sample);
    });
    ASSERT_FALSE(HasFailure());
  }
  std::cout << even << " mappings with even blocks, " << uneven << " with uneven ones\n";
  EXPECT_GE(even, 2000);
  EXPECT_GE(uneven, 2000);
}

TEST(PimContract, ComparesMappingsWithTheBypassTable) {
  int pairs = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto sample = random_named_pim_case(seed, 96);
    if (!sample) continue;
    const auto& machine = sample->small.machine;
    pim::RowCounter rows;
    auto table = evaluate(sample->small.layer, machine, sample->mapping, rows).used;
    const auto all = named(*sample);
    const auto architecture = io::pim::machine_to_json(all);
    const auto faults = [&] {
      return check::pim::bypass_faults(architecture, written(*sample),
                                       io::pim::bypass_table_to_json(table, all));
    };
    EXPECT_TRUE(faults().empty()) << faults().front();
    for (const Operand operand : all_operands)
      for (std::size_t m = machine.home(operand) + 1; m < machine.innermost(operand); ++m) {
        const bool used = table[m].contains(operand);
        used ? table[m].erase(operand) : table[m].insert(operand);
        EXPECT_EQ(faults().size(), 1U) << "seed " << seed;
        used ? table[m].insert(operand) : table[m].erase(operand);
        ++pairs;
      }
  }
  EXPECT_GE(pairs, 300);
}

// Breaks, one by one, the properties of a machine that the reader of architecture files checks.
TEST(PimContract, NamesTheFaultsOfAMachine) {
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
    with([](NamedPimCase& s) { s.small.machine.memories[1].row = 4096; }, "two memories have rows");
    with(
        [](NamedPimCase& s) {
          s.axes[0] = "rows";
          for (Memory& memory : s.small.machine.memories)
            memory.axes_above = std::max<std::uint8_t>(memory.axes_above, 1);
        },
        "an axis other than vaults and units");
    with([](NamedPimCase& s) { std::swap(s.small.machine.memories[0].row, s.small.machine.memories[1].row); },
         "is not the home of");
  }
  EXPECT_GE(machines, 100);
}

}  // namespace
}  // namespace nestor::tests::pim_contract_test
