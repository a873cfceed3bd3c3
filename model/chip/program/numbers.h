// The numbers that a program works on, where a model has weights (docs/models/chip-program.md, "Weights"): of
// every operator its integers in the order of the weight file. Simulator and reference take them from here.
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

/// Integers of one operator. Which are there its type says; absent ones are empty.
struct OperatorNumbers {
  std::vector<Int> bias, mul, shift;
  std::vector<Int> zero;    ///< in, weight, out; of two and more operands: of each, then out
  std::vector<Int> limits;  ///< low, high
  std::vector<Int> table, constant;
  std::vector<std::int32_t> matrix;  ///< [G, K, N]
  std::array<Int, 3> extents = {0, 0, 0};
  std::vector<double> scales;                 ///< of the operands, then of the result
  std::optional<chip::TensorLayout> in, out;  ///< of who reads the model's input, makes its output
  bool operator==(const OperatorNumbers&) const = default;
};

struct ProgramNumbers {
  std::vector<OperatorNumbers> operators;  ///< as the program's
  bool operator==(const ProgramNumbers&) const = default;
};

/// The lists of an operator by the names of the weight file, but for `matrix`.
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

/// Of the operators of `fitted`, cut from those of `whole`.
ProgramNumbers cut_numbers(const chip::ChipNetwork& whole, const ProgramNumbers& numbers,
                           const chip::ChipNetwork& fitted);

/// Back from a program's pieces to the operators of a network that it was made of; nothing if it was not.
std::optional<ProgramNumbers> join_numbers(const chip::ChipNetwork& whole, const Program& program);

}  // namespace nestor::chip_program
