// Tests of the digital functions of a chip: their format in machine files, the functions to which operators
// are lowered, products that the digital unit cannot compute, and the calls in programs.
#include "model/chip/functions.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/chip/contract.h"
#include "heuristics/chip/baselines.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "mapper/chip/compile_network.h"
#include "model/chip/evaluate.h"
#include "model/chip/program/generate.h"
#include "solver/engine/executor.h"

namespace nestor::tests::functions_test {
namespace {

chip::ChipMachine machine_of(const std::string& functions) {
  const auto read = io::parse_chip_machine(
      "{name: m, kind: chip, mode: XBM, chip: {cores: 8, alu: 16}, core: "
      "{crossbars: 2}, crossbar: {size: [16, 16], cell_bits: 8, type: SRAM}" +
          (functions.empty() ? "" : ", functions: " + functions) + "}",
      "m.yaml");
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().to_string());
  return read.ok() ? *read : chip::ChipMachine{};
}

std::string lowered(const chip::ChipMachine& machine, const std::string& type,
                    const chip::DigitalWork& work) {
  const auto found = chip::lower(machine, type, work);
  if (const auto* lacks = std::get_if<std::string>(&found)) return *lacks;
  const auto& lowering = std::get<chip::Lowering>(found);
  return fmt::format("{}: {}", lowering.operations, fmt::join(lowering.calls, " "));
}

TEST(ChipFunctions, AreReadAndWrittenAgain) {
  const auto machine =
      machine_of("{relu: 1, MAXPOOL: 2, gelu9: {does: Gelu, ops: 0}, Norm: {does: LayerNorm, ops: 7}}");
  const std::vector<chip::ChipFunction> expected = {
      {"relu", "relu", 1}, {"MAXPOOL", "maxpool", 2}, {"gelu9", "gelu", 0}, {"Norm", "layernorm", 7}};
  ASSERT_TRUE(machine.functions);
  EXPECT_EQ(*machine.functions, expected);
  const auto json = io::chip_machine_to_json(machine);
  EXPECT_EQ(json["functions"].dump(),
            R"({"relu":1,"MAXPOOL":2,"gelu9":{"does":"gelu","ops":0},"Norm":{"does":"layernorm","ops":7}})");
  const auto again = io::parse_chip_machine(json.dump(), "again.json");
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(*again->functions, expected);
  EXPECT_FALSE(machine_of("").functions) << "all, at the usual costs";
}

TEST(ChipFunctions, OperatorsUseTheFirstAvailableAlternative) {
  const chip::DigitalWork work{10, 40, true};
  const auto basic =
      machine_of("{max: 1, sub: 2, exp: 3, sum: 4, div: 5, mul: 6, add: 7, sqrt: 8, table: 9}");
  EXPECT_EQ(lowered(basic, "Relu", work), "40: max");
  EXPECT_EQ(lowered(basic, "Clip", work), "80: max max");
  EXPECT_EQ(lowered(basic, "Tanh", work), "90: table");
  EXPECT_EQ(lowered(basic, "Sub", work), "20: sub") << "a function of its own";
  EXPECT_EQ(lowered(basic, "Div", work), "50: div");
  EXPECT_EQ(lowered(basic, "Softmax", work), "300: max sub exp sum div") << "max and sum per element read";
  EXPECT_EQ(lowered(basic, "MaxPool", work), "40: max");
  EXPECT_EQ(lowered(basic, "AveragePool", work), "220: sum mul");
  EXPECT_EQ(lowered(basic, "GlobalAveragePool", work), "220: sum mul");
  EXPECT_EQ(lowered(basic, "BatchNormalization", work), "130: mul add");
  EXPECT_EQ(lowered(basic, "LayerNormalization", work), "590: sum mul sum mul sub sqrt div");
  EXPECT_EQ(lowered(basic, "Add", work), "70: add");
  const auto tables = machine_of("{max: 1, sub: 2, sum: 4, mul: 6, add: 7, table: 9}");
  EXPECT_EQ(lowered(tables, "Softmax", work), "460: max sub table sum table mul");
  EXPECT_EQ(lowered(tables, "LayerNormalization", work), "610: sum mul sum mul sub table mul");
  EXPECT_EQ(lowered(tables, "Div", work), "150: table mul");
  EXPECT_EQ(lowered(machine_of("{mul: 6, add: 7}"), "Sub", work), "130: mul add");
  EXPECT_EQ(lowered(machine_of("{table: 9}"), "Relu", work), "90: table");
  EXPECT_EQ(lowered(machine_of("{table: 9}"), "Max", {10, 20, false}),
            "the chip has no function for it; missing: max");
  EXPECT_EQ(lowered(machine_of("{}"), "Div", work),
            "the chip has no function for it; missing: div; for table mul: table, mul");
}

constexpr auto product_network = R"({"name": "n", "kind": "chip-network",
  "inputs": [{"name": "x", "rows": 4, "width": 1, "channels": 8}],
  "operators": [
   {"name": "scores", "kind": "product", "rows": 4, "width": 1, "channels": 4, "in_channels": 8, "row_in": 8,
    "alu_ops": 64, "matrix": {"rows": 8, "columns": 4},
    "inputs": [{"from": "x", "need": [1, 0, 1]}, {"from": "x", "gate": true}]},
   {"name": "act", "kind": "alu", "rows": 4, "width": 1, "channels": 4, "in_channels": 4, "row_in": 4, "alu_ops": 4,
    "function": "relu", "inputs": [{"from": "scores", "need": [1, 0, 1]}]}]})";

std::variant<chip::ChipNetwork, chip::ChipRefusal> fitted(const chip::ChipMachine& machine) {
  return chip::fit(machine, *io::parse_chip_network(product_network, "n.json"));
}

TEST(ChipFunctions, ProductsNeedMultiplyAndAddOnTheDigitalUnit) {
  for (const std::string functions : {"{relu: 1}", "{relu: 1, mul: 1}", "{relu: 1, mul: 1, add: 1}", ""}) {
    auto machine = machine_of(functions);
    machine.cell.write_cycles = 100;  // the digital unit is faster
    const bool may = functions.empty() || functions.find("add") != functions.npos;
    const auto network = std::get<chip::ChipNetwork>(fitted(machine));
    const auto problem = chip::make_problem(machine, network);
    EXPECT_EQ(problem.facts[0].may_use_alu, may) << functions;
    chip::Decisions digital{{}, {{0, 1, true}}, std::vector<chip::OperatorDecision>(2)};
    EXPECT_EQ(chip::find_violation(problem, digital).has_value(), !may);
    const auto contract =
        check::chip::contract_of(io::chip_machine_to_json(machine), io::chip_network_to_json(network),
                                 io::chip_decisions_to_json(digital, network));
    EXPECT_EQ(contract.faults.empty(), may);
    StopSource stop;
    const auto executor = make_executor(ExecutorKind::serial, 1);
    const auto result = chip::compile_network(problem, {}, {*executor, stop});
    ASSERT_TRUE(result.outcome.best && result.fault.empty()) << result.fault;
    EXPECT_EQ(result.outcome.status, Status::optimal);
    EXPECT_EQ(result.outcome.best->operators[0].on_array, !may) << functions;
    EXPECT_EQ(result.baselines.size(), chip::all_baselines.size()) << "all of them are legal";
    for (const auto& run : result.baselines) EXPECT_EQ(run.decisions.operators[0].on_array, !may);
  }
}

TEST(ChipFunctions, RefusesNetworksThatNeedMissingFunctions) {
  const auto refused = [&](const chip::ChipMachine& machine) {
    const auto found = fitted(machine);
    const auto* refusal = std::get_if<chip::ChipRefusal>(&found);
    if (refusal == nullptr) return std::string("fits");
    EXPECT_TRUE(refusal->lacks_function);
    return refusal->message;
  };
  EXPECT_EQ(refused(machine_of("{table: 1}")),
            "operator 'act' requires relu, which no function of m computes");
  auto fixed = machine_of("{relu: 1, add: 1}");
  EXPECT_EQ(refused(fixed), "fits");
  fixed.cell.runtime_write = false;
  EXPECT_EQ(
      refused(fixed),
      "product 'scores' does not fit the crossbars of m, which also has no functions mul and add for it");
}

TEST(ChipFunctions, ProgramsCallThemByName) {
  const auto machine = machine_of("{rect: {does: relu, ops: 1}, times: {does: mul, ops: 1}, add: 1}");
  const auto network = std::get<chip::ChipNetwork>(fitted(machine));
  const auto problem = chip::make_problem(machine, network);
  const chip::Decisions decisions{{}, {{0, 1, true}}, std::vector<chip::OperatorDecision>(2)};
  const auto program = chip_program::generate(problem, decisions, chip::evaluate(problem, decisions));
  EXPECT_EQ(program.operators[0].calls, (std::vector<std::string>{"times", "add"}));
  EXPECT_EQ(program.operators[1].calls, (std::vector<std::string>{"rect"}));
}

}  // namespace
}  // namespace nestor::tests::functions_test
