// Helpers that import an ONNX model with weights, compile and run it, and compare the results with integer
// loops over its graph.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "filled_model.h"
#include "heuristics/chip/baselines.h"
#include "io/chip/machine_file.h"
#include "io/onnx/chip/import.h"
#include "model/chip/program/generate.h"
#include "model/chip/split.h"
#include "sim/chip/agreement.h"
#include "sim/chip/model_reference.h"
#include "sim/chip/quantise.h"

namespace nestor::tests {

struct Model {
  chip::ChipNetwork whole;
  chip::RealModel real;
};

inline Model import_filled(const ::onnx::ModelProto& proto, const chip::ChipMachine& machine) {
  Model made;
  auto network = io::import_chip_model_bytes(proto.SerializeAsString(), "built.onnx", machine, {}, made.real);
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  if (network) made.whole = std::move(*network);
  return made;
}

inline chip_program::ProgramNumbers quantised(const Model& model,
                                              const sim::chip::Calibration& calibration = {}) {
  auto numbers = sim::chip::quantise(model.whole, model.real, calibration);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&numbers))
    return ADD_FAILURE() << fault->message, chip_program::ProgramNumbers{};
  return std::get<0>(std::move(numbers));
}

inline std::vector<Int> random_input(const Model& model, Random& random) {
  const auto& input = model.whole.inputs.front();
  std::vector<Int> made;
  for (Int i = 0; i < input.rows * input.width * input.channels; ++i)
    made.push_back(random.between(-127, 127));
  return made;
}

inline std::variant<chip_program::Program, std::string> compile_filled(
    const Model& model, const chip_program::ProgramNumbers& numbers, const chip::ChipMachine& machine) {
  auto network = model.whole;
  if (const auto refused = chip::split(machine, network)) return refused->message;
  const auto problem = chip::make_problem(machine, network);
  auto decisions = chip::run_baseline(problem, chip::CompileMethod::cim_mlc, chip::offered(machine.mode));
  if (!decisions) return "no schedule";
  const auto evaluation = chip::evaluate(problem, *decisions);
  auto program = chip_program::generate(problem, *decisions, evaluation);
  program.numbers = std::make_shared<const chip_program::ProgramNumbers>(
      chip_program::cut_numbers(model.whole, numbers, network));
  return program;
}

/// Returns the number of compared elements, or a message if a step fails or an element differs.
inline std::variant<Int, std::string> run_program(const Model& model,
                                                  const chip_program::ProgramNumbers& numbers,
                                                  const chip::ChipMachine& machine,
                                                  const std::vector<Int>& input) {
  const auto program = compile_filled(model, numbers, machine);
  if (const auto* message = std::get_if<std::string>(&program)) return *message;
  const auto expected = sim::chip::model_results(model.whole, numbers, input);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&expected)) return fault->message;
  const auto made = sim::chip::execute(std::get<0>(program), machine, {}, {&input, {}});
  if (const auto* fault = std::get_if<sim::chip::Fault>(&made)) return fault->message;
  const auto verdict = sim::chip::compare_with_results(model.whole, std::get<0>(program), std::get<0>(made),
                                                       std::get<0>(expected));
  if (const auto* fault = std::get_if<sim::chip::Fault>(&verdict)) return fault->message;
  return std::get<Int>(verdict);
}

inline chip::ChipMachine isaac(chip::Mode mode = chip::Mode::XBM) {
  auto machine = *io::read_chip_machine("isaac-table3");
  machine.mode = mode;
  machine.cell.adc = 0;  // 0 makes the converter exact
  return machine;
}

}  // namespace nestor::tests
