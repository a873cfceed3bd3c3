// Integers of a program whose model has weights (docs/models/chip-program.md, "Weights"): weights, biases,
// scales and tables of each operator. The simulator and the reference both get them from here.
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

/// Integers of one operator. Its type determines which lists are present; missing lists are empty.
struct OperatorNumbers {
  std::vector<Int> bias, mul, shift;
  /// Zero points of in, weight, out; with two or more operands: one per operand, then out.
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

/// Lists of an operator and their names in the weight file, except `matrix`.
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

/// Returns the numbers for the operators of `fitted`, which were split from the operators of `whole`.
ProgramNumbers cut_numbers(const chip::ChipNetwork& whole, const ProgramNumbers& numbers,
                           const chip::ChipNetwork& fitted);

/// Combines the numbers of a program's pieces into numbers of the operators of `whole`. Returns nothing if
/// the program was not generated from that network.
std::optional<ProgramNumbers> join_numbers(const chip::ChipNetwork& whole, const Program& program);

}  // namespace nestor::chip_program
