// Tests that compare the independent checker of the chip model with the evaluator. Both give the same verdict
// on legality and the same figures, on random cases and on decisions changed in one place. NESTOR_CHIP_CASES
// sets the number of cases.
#include "model/chip/second_reading/reading.h"

#include <gtest/gtest.h>

#include "io/chip/machine_file.h"
#include "report/results/chip/evaluation_json.h"
#include "support/chip_cases.h"
#include "support/chip_reference.h"
#include "support/setting.h"

namespace nestor::tests::second_reading_test {
namespace {

chip::Energies random_energies(Random& random) {
  const auto some = [&] { return random.chance(0.3) ? 0 : static_cast<double>(random.between(1, 40)) / 8; };
  chip::Energies energies;
  for (double* energy : {&energies.crossbar, &energies.adc, &energies.dac, &energies.alu, &energies.l0,
                         &energies.l1, &energies.off_chip, &energies.noc, &energies.write, &energies.leakage})
    *energy = some();
  return energies;
}

/// Values of every parameter of the machines, by path.
using Values = std::map<std::string, std::set<std::string>>;

void note_values(const chip::ChipMachine& machine, Values& values) {
  namespace keys = io::chip_machine_keys;
  const auto json = io::chip_machine_to_json(machine);
  const auto note = [&](const std::string& part, std::span<const std::string_view> names) {
    for (const auto name : names) {
      const auto path = part + "/" + std::string(name);
      values[path].insert(json.value(io::Json::json_pointer(path), io::Json()).dump());
    }
  };
  note("/chip", keys::chip);
  note("/chip/l0", keys::l0);
  note("/chip/off_chip", keys::off_chip);
  note("/chip/noc", keys::noc);
  note("/core", keys::core);
  note("/core/l1", keys::l1);
  note("/core/noc", keys::noc);
  note("/crossbar", keys::crossbar);
  note("/energy", keys::energy);
}

TEST(ChipSecondReading, AgreesWithTheEvaluatorOnRandomCases) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 3000);
  Coverage coverage;
  Values values;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = 1; checked < cases; ++seed) {
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    ++checked;
    Random random(seed);
    auto machine = sample->machine;
    machine.energy = random_energies(random);
    if (random.chance(0.3)) machine.l0.strict = true;
    if (machine.l0.size == chip::left_out && random.chance(0.3)) machine.l0.size = random.between(200, 20000);
    note_values(machine, values);
    const auto problem = chip::make_problem(machine, sample->network);
    auto decisions = sample->decisions;
    if (random.chance(0.5)) make_streams(machine.mode, decisions, random);
    for (const auto& segment : decisions.segments) coverage["streams"] += static_cast<int>(segment.stream);
    const bool legal = !chip::find_violation(problem, decisions);
    coverage["legal"] += static_cast<int>(legal);
    coverage["illegal"] += static_cast<int>(!legal);
    ASSERT_EQ(legal, chip_reading::broken_rules(machine, sample->network, decisions).empty()) << seed;
    if (!legal) continue;
    const auto evaluated = chip::evaluate(problem, decisions);
    const auto read = chip_reading::recompute(machine, sample->network, decisions);
    ASSERT_EQ(difference(io::chip_evaluation_to_json(evaluated, sample->network),
                         io::chip_evaluation_to_json(read, sample->network)),
              "")
        << "seed " << seed;
    ASSERT_EQ(evaluated.interval_cycles, read.interval_cycles) << "seed " << seed;
    ASSERT_LE(read.interval_cycles, read.latency_cycles) << "seed " << seed;
    add_coverage(*sample, coverage);
  }
  for (const auto& [feature, count] : coverage) EXPECT_GT(count, 0) << feature;
  // A parameter with the same value in all cases would not be compared. These two change no figure.
  values.erase("/crossbar/adc");
  values.erase("/crossbar/type");
  for (const auto& [path, found] : values) EXPECT_GT(found.size(), 1U) << path;
}

// Changes one decision. The checker and the evaluator must give the same verdict on the result.
void corrupt(const chip::ChipNetwork& network, chip::Decisions& decisions, Random& random) {
  const auto on_crossbars = [&](std::size_t i) {
    return network.operators[i].kind == chip::OperatorKind::array || decisions.operators[i].on_array;
  };
  auto& op = decisions.operators[random.below(decisions.operators.size())];
  auto& segment = decisions.segments[random.below(decisions.segments.size())];
  switch (random.below(14)) {
    case 0:
      op.copies += random.between(-2, 40);
      break;
    case 1:
      op.parts += random.between(-1, 3);
      break;
    case 2:
      op.phases += random.between(-1, 3);
      break;
    case 3:
      op.on_array = !op.on_array;
      break;
    case 4:
      op.first_core = random.between(-1, 5);
      break;
    case 5:
      segment.last += 1;
      break;
    case 6:
      segment.pipeline = !segment.pipeline;
      break;
    case 7:
      decisions.levels.vvm = !decisions.levels.vvm;
      break;
    case 9:  // places every operator of the segment at random, perhaps on the same cores
      for (std::size_t i = segment.first; i <= segment.last; ++i)
        if (on_crossbars(i)) decisions.operators[i].first_core = random.between(0, 6);
      break;
    case 11:
      segment.stream = !segment.stream;
      break;
    case 12:
      decisions.levels.stream = !decisions.levels.stream;
      break;
    default:
      op.first_core.reset();
  }
}

TEST(ChipSecondReading, AgreesWithTheEvaluatorOnInvalidDecisions) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 3000);
  std::uint64_t checked = 0;
  int broken = 0;
  for (std::uint64_t seed = 1; checked < cases; ++seed) {
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    ++checked;
    Random random(seed + 1);
    auto decisions = sample->decisions;
    corrupt(sample->network, decisions, random);
    // The evaluator accepts any levels. Readers reject levels that the mode lacks.
    if (decisions.levels.vvm && !chip::allowed(decisions.levels, sample->machine.mode).vvm) continue;
    if (decisions.levels.stream && !chip::allowed(decisions.levels, sample->machine.mode).stream) continue;
    const auto violation = chip::find_violation(*sample->problem, decisions);
    const auto rules = chip_reading::broken_rules(sample->machine, sample->network, decisions);
    broken += static_cast<int>(violation.has_value());
    ASSERT_EQ(violation.has_value(), !rules.empty())
        << "seed " << seed << ": " << (violation ? violation->message : rules.front());
    if (violation) continue;
    const auto expected =
        io::chip_evaluation_to_json(chip::evaluate(*sample->problem, decisions), sample->network);
    const auto found = io::chip_evaluation_to_json(
        chip_reading::recompute(sample->machine, sample->network, decisions), sample->network);
    ASSERT_EQ(difference(expected, found), "") << "seed " << seed;
  }
  EXPECT_GT(broken, static_cast<int>(cases) / 10);
}

}  // namespace
}  // namespace nestor::tests::second_reading_test
