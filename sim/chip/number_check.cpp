// Check of the integers (weights, biases, multipliers, tables) with which the program of a quantised model is
// executed: their counts match the operators, and all values are small enough for the arithmetic.
#include <algorithm>

#include "model/chip/program/numbers.h"
#include "sim/chip/check.h"
#include "sim/chip/memory.h"

namespace nestor::sim::chip {
namespace {

using chip_program::OperatorNumbers;
using chip_program::ProgramOperator;
using chip_program::Tensor;
using nestor::chip::FunctionKind;

constexpr Int largest_zero = Int{1} << 16;
constexpr Int largest_limit = Int{1} << 31;
constexpr Int largest_mul = Int{1} << 31;
constexpr Int largest_shift = 62;
constexpr Int largest_bias = Int{1} << 62;

bool within(const std::vector<Int>& values, Int low, Int high) {
  return std::all_of(values.begin(), values.end(), [&](Int v) { return v >= low && v <= high; });
}

class NumberCheck {
 public:
  NumberCheck(const ProgramOperator& op, const OperatorNumbers& numbers, const Tensor& out,
              std::size_t operands)
      : op_(op), n_(numbers), out_(out), operands_(operands) {}

  /// Returns the first fault, or an empty string.
  std::string_view run() const {
    if (!within(n_.zero, -largest_zero, largest_zero)) return "zero points beyond 16 bits";
    if (!within(n_.limits, -largest_limit, largest_limit) ||
        (n_.limits.size() == 2 && n_.limits[0] > n_.limits[1]))
      return "limits beyond 32 bits, or in the wrong order";
    if (!within(n_.mul, -largest_mul, largest_mul) || !within(n_.shift, 0, largest_shift))
      return "multipliers or shifts that are too large";
    if (n_.zero.size() < std::max<std::size_t>(2, operands_ + 1)) return "zero points are missing";
    if (!n_.mul.empty() && (n_.limits.size() != 2 || n_.shift.empty())) return "limits or shifts are missing";
    return by_type();
  }

 private:
  bool multipliers(std::size_t count) const {
    return n_.mul.size() == count && (n_.shift.size() == count || n_.shift.size() == 1);
  }
  std::string_view by_type() const {
    const auto channels = static_cast<std::size_t>(out_.channels);
    const std::string_view wrong = "wrong number of multipliers";
    switch (op_.type) {
      case FunctionKind::convolution:
        if (const auto fault = matrix(); !fault.empty()) return fault;
        [[fallthrough]];
      case FunctionKind::sum:
        if (!n_.bias.empty() && n_.bias.size() != channels)
          return "the number of biases differs from the number of channels";
        return n_.mul.empty() || multipliers(channels) ? "" : wrong;
      case FunctionKind::add:
      case FunctionKind::subtract:
        return n_.mul.size() == operands_ && n_.shift.size() == 1 ? "" : wrong;
      case FunctionKind::concat:
      case FunctionKind::concat_rows:
        if (static_cast<Int>(n_.constant.size()) != op_.keys.constant_rows * out_.width * out_.channels)
          return "the number of constants differs from the number of elements per row";
        return multipliers(operands_) ? "" : wrong;
      case FunctionKind::average_pool:
        return multipliers(1) ||
                       multipliers(static_cast<std::size_t>(op_.keys.kernel[0] * op_.keys.kernel[1]))
                   ? ""
                   : wrong;
      case FunctionKind::layer_norm: {
        const auto run = channels / static_cast<std::size_t>(std::max<Int>(1, op_.keys.groups));
        if (n_.bias.size() != run || !within(n_.bias, -largest_bias, largest_bias))
          return "the number of biases differs from the number of channels";
        return multipliers(run) ? "" : wrong;
      }
      case FunctionKind::table:
        return n_.table.empty() ? "its table is missing" : "";
      case FunctionKind::softmax:
        if (n_.table.empty() || !within(n_.table, 0, largest_limit) || n_.table.front() < 1)
          return "its table is missing or does not contain powers";
        return n_.mul.empty() || multipliers(1) ? "" : wrong;
      case FunctionKind::max_pool:
      case FunctionKind::copy:
        return n_.mul.empty() || multipliers(1) ? "" : wrong;
      case FunctionKind::unknown:
        return "";
      default:
        return multipliers(1) ? "" : wrong;
    }
  }
  std::string_view matrix() const {
    const auto& k = op_.keys;
    if (n_.extents != std::array{k.groups, k.matrix[0], k.matrix[1]} ||
        static_cast<Int>(n_.matrix.size()) != k.groups * k.matrix[0] * k.matrix[1])
      return "weights whose shape differs from its matrix";
    const Int half = Int{1} << (k.bits[1] - 1);
    const bool fits =
        std::all_of(n_.matrix.begin(), n_.matrix.end(), [&](Int w) { return w >= -half && w < half; });
    if (!fits) return "weights of more bits than it states";
    if (n_.zero.size() < 3) return "zero points are missing";
    return within(n_.bias, -largest_limit, largest_limit - 1) ? "" : "biases of more than 32 bits";
  }

  const ProgramOperator& op_;
  const OperatorNumbers& n_;
  const Tensor& out_;
  std::size_t operands_;
};

}  // namespace

MaybeFault check_numbers(const Program& program) {
  if (!program.numbers) return std::nullopt;
  if (program.numbers->operators.size() != program.operators.size())
    return Fault{"the numbers belong to a different program"};
  for (std::size_t i = 0; i < program.operators.size(); ++i) {
    const ProgramOperator& op = program.operators[i];
    const bool joins = op.type == FunctionKind::concat;
    const std::size_t operands = joins ? op.inputs.size() : operands_of(program, op).size();
    const bool adds_sums = op.type == FunctionKind::sum;
    const auto wrong =
        NumberCheck(op, program.numbers->operators[i], program.tensors[op.output], adds_sums ? 1 : operands)
            .run();
    if (!wrong.empty()) return Fault{fmt::format("weights of operator '{}': {}", op.name, wrong)};
  }
  return std::nullopt;
}

}  // namespace nestor::sim::chip
