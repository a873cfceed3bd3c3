// Tests that compare the contract of the chip space with the evaluator. Both give the same verdict on
// legality and the same figures, on random cases and on decisions changed in one place. NESTOR_CHIP_CASES
// sets the number of cases.
#include "check/chip/contract.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <span>

#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "model/chip/evaluate.h"
#include "report/results/chip/evaluation_json.h"
#include "support/chip_cases.h"
#include "support/expect_json.h"
#include "support/setting.h"

namespace nestor::tests::chip_contract_test {
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

// Notes the values below `path`, of which `schema` is the schema.
void note_values(const io::Json& schema, const io::Json& machine, const std::string& path, Values& values) {
  for (const auto& [key, part] : schema.at("properties").items()) {
    const auto at = path + "/" + key;
    if (part.contains("properties"))
      note_values(part, machine, at, values);
    else
      values[at].insert(machine.value(io::Json::json_pointer(at), io::Json()).dump());
  }
}

void note_values(const chip::ChipMachine& machine, Values& values) {
  const auto schema = io::chip_machine_schema();
  const auto json = io::chip_machine_to_json(machine);
  for (const auto* part : {"/chip", "/core", "/crossbar", "/energy"})
    note_values(schema["properties"].at(io::Json::json_pointer(part)), json, part, values);
}

check::Contract contract_of(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                            const io::Json& decisions) {
  return check::chip::contract_of(io::chip_machine_to_json(machine), io::chip_network_to_json(network),
                                  decisions);
}

void expect_figures(const chip::ChipProblem& problem, const chip::Decisions& decisions,
                    const check::Contract& found) {
  ASSERT_EQ(found.faults, std::vector<std::string>());
  const auto evaluated = chip::evaluate(problem, decisions);
  const io::Json expected = {{"evaluation", io::chip_evaluation_to_json(evaluated, problem.network)},
                             {"throughput", io::write_fields([&](io::Fields& fields) {
                                io::describe_throughput(fields, evaluated);
                              })}};
  expect_equal(expected, found.figures, "figures");
}

// Seeds of cases in which a row of a stream rests at the time of the peak, as in one of 10,000 cases.
constexpr std::array<std::uint64_t, 3> seeds_of_rests = {15054, 21605, 28785};

TEST(ChipContract, AgreesWithTheEvaluatorOnRandomCases) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 3000);
  Coverage coverage;
  Values values;
  std::uint64_t checked = 0;
  for (std::uint64_t i = 0; checked < cases; ++i) {
    const std::uint64_t seed = i < seeds_of_rests.size() ? seeds_of_rests[i] : i;
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    ++checked;
    Random random(seed);
    auto machine = sample->machine;
    machine.energy = random_energies(random);
    if (random.chance(0.3)) machine.l0.strict = true;
    if (random.chance(0.3)) machine.clock = 1e9;
    if (machine.l0.size == chip::left_out && random.chance(0.3)) machine.l0.size = random.between(200, 20000);
    note_values(machine, values);
    const auto problem = chip::make_problem(machine, sample->network);
    auto decisions = sample->decisions;
    if (random.chance(0.5)) make_streams(machine.mode, decisions, random);
    for (const auto& segment : decisions.segments) coverage["streams"] += static_cast<int>(segment.stream);
    const bool legal = !chip::find_violation(problem, decisions);
    coverage["legal"] += static_cast<int>(legal);
    coverage["illegal"] += static_cast<int>(!legal);
    const auto found =
        contract_of(machine, sample->network, io::chip_decisions_to_json(decisions, sample->network));
    ASSERT_EQ(legal, found.faults.empty()) << "seed " << seed;
    if (!legal) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_figures(problem, decisions, found);
    ASSERT_FALSE(HasFailure());
    const auto& throughput = found.figures["throughput"];
    ASSERT_LE(throughput["interval_cycles"], found.figures["evaluation"]["latency_cycles"]);
    coverage["images per second"] += static_cast<int>(throughput.contains("images_per_second"));
    add_coverage(*sample, coverage);
  }
  for (const auto& [feature, count] : coverage) EXPECT_GT(count, 0) << feature;
  // A parameter with the same value in all cases would not be compared. These two change no figure.
  values.erase("/crossbar/adc");
  values.erase("/crossbar/type");
  for (const auto& [path, found] : values) EXPECT_GT(found.size(), 1U) << path;
}

// Decisions as a file may state them: with every value of every operator that differs from the default.
io::Json stated(const chip::Decisions& decisions, const chip::ChipNetwork& network) {
  io::Json json = io::chip_decisions_to_json(decisions, network);
  for (auto& segment : json["segments"]) segment["operators"] = io::Json::array();
  for (std::size_t s = 0; s < decisions.segments.size(); ++s)
    for (std::size_t i = decisions.segments[s].first; i <= decisions.segments[s].last; ++i) {
      const auto& decision = decisions.operators[i];
      io::Json op = {{"name", network.operators[i].name},
                     {"copies", decision.copies},
                     {"parts", decision.parts},
                     {"phases", decision.phases}};
      const auto kind = network.operators[i].kind;
      if (kind == chip::OperatorKind::product ||
          decision.on_array)  // an array on the digital unit if changed
        op["on"] = decision.on_array != (kind == chip::OperatorKind::array) ? "array" : "alu";
      if (decision.first_core) op["first_core"] = *decision.first_core;
      json["segments"][s]["operators"].push_back(op);
    }
  return json;
}

// Changes one decision.
void corrupt(chip::Decisions& decisions, const chip::ChipNetwork& network, Random& random) {
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
      segment.last = std::min(segment.last + 1, decisions.operators.size() - 1);
      break;
    case 6:
      segment.pipeline = !segment.pipeline;
      break;
    case 7:
      decisions.levels.vvm = !decisions.levels.vvm;
      break;
    case 8:
      decisions.levels.mvm = !decisions.levels.mvm;
      break;
    case 9:  // places every operator of the segment at random, perhaps on the same cores
      for (std::size_t i = segment.first; i <= segment.last; ++i)
        if (on_crossbars(i)) decisions.operators[i].first_core = random.between(0, 6);
      break;
    case 10:
      segment.first = segment.first == 0 ? 1 : segment.first - 1;
      segment.first = std::min(segment.first, segment.last);
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

// Lists an operator in another segment, if there is one.
void list_elsewhere(io::Json& segments, Random& random) {
  auto& from = segments[random.below(segments.size())]["operators"];
  auto& to = segments[random.below(segments.size())]["operators"];
  if (&from == &to || from.empty()) return;
  to.push_back(from.back());
  from.erase(from.size() - 1);
}

// The reader of files is the reference for what decisions may state, and the search's rules for the rest.
TEST(ChipContract, AgreesWithTheReaderAndTheRulesOnChangedDecisions) {
  const auto cases = setting("NESTOR_CHIP_CASES", 3000);
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = 1; checked < cases; ++seed) {
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    ++checked;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed + 1);
    auto changed = sample->decisions;
    if (random.chance(0.5)) make_streams(sample->machine.mode, changed, random);
    corrupt(changed, sample->network, random);
    auto json = stated(changed, sample->network);
    if (random.chance(0.1)) list_elsewhere(json["segments"], random);
    const auto found = contract_of(sample->machine, sample->network, json);
    const auto document = io::Document::parse(json.dump(), "decisions.json");
    io::Reading reading;
    const auto decisions =
        io::read_chip_decisions_node(document->root(), sample->network, sample->machine.mode, reading);
    if (reading.failed()) {
      ++coverage["unreadable"];
      ASSERT_FALSE(found.faults.empty()) << reading.error().to_string();
      continue;
    }
    const auto violation = chip::find_violation(*sample->problem, decisions);
    ++coverage[violation ? "illegal" : "legal"];
    ASSERT_EQ(violation.has_value(), !found.faults.empty())
        << (violation ? violation->message : found.faults.front());
    if (!violation) expect_figures(*sample->problem, decisions, found);
    ASSERT_FALSE(HasFailure());
  }
  for (const char* word : {"unreadable", "illegal", "legal"}) EXPECT_GT(coverage[word], cases / 50) << word;
}

}  // namespace
}  // namespace nestor::tests::chip_contract_test
