// Numbers of a program whose model has weights (docs/models/chip-program.md, "Weights"): weights, biases,
// scales and tables of each operator. Both the simulator and the reference use them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/network.h"
#include "model/chip/program/program.h"
#include "model/chip/real_model.h"

namespace nestor::chip_program {

/// Numbers of one operator. The operator's type determines which lists are present; missing lists are empty.
struct OperatorNumbers {
  std::vector<Int> bias, mul, shift;
  /// Zero points of the input, the weights and the output; with two or more operands: of each operand, then
  /// of the output.
  std::vector<Int> zero;
  std::vector<Int> limits;  ///< low, high
  std::vector<Int> table, constant;
  std::vector<std::int32_t> matrix;  ///< [G, K, N]
  std::array<Int, 3> extents = {0, 0, 0};
  std::vector<double> scales;  ///< scale of each operand, then of the result
  /// Layouts of the model's input and output, if this operator reads or produces them.
  std::optional<chip::TensorLayout> in, out;
  bool operator==(const OperatorNumbers&) const = default;
};

struct ProgramNumbers {
  std::vector<OperatorNumbers> operators;  ///< one per operator of the program, in its order
  bool operator==(const ProgramNumbers&) const = default;
};

/// List of integers in OperatorNumbers, with its name in the weight file. The matrix is written separately.
struct NumberList {
  std::string_view what;
  std::vector<Int> OperatorNumbers::*values;
};
inline constexpr std::array<NumberList, 7> number_lists = {{{"bias", &OperatorNumbers::bias},
                                                            {"mul", &OperatorNumbers::mul},
                                                            {"shift", &OperatorNumbers::shift},
                                                            {"zero", &OperatorNumbers::zero},
                                                            {"limits", &OperatorNumbers::limits},
                                                            {"table", &OperatorNumbers::table},
                                                            {"constant", &OperatorNumbers::constant}}};

/// Returns the numbers for the operators of `fitted`, the network that results from splitting `whole`.
ProgramNumbers cut_numbers(const chip::ChipNetwork& whole, const ProgramNumbers& numbers,
                           const chip::ChipNetwork& fitted);

/// Combines the numbers of a program's pieces into numbers of the operators of `whole`. Returns nothing if
/// the program has no numbers or was not generated from that network.
std::optional<ProgramNumbers> join_numbers(const chip::ChipNetwork& whole, const Program& program);

}  // namespace nestor::chip_program
