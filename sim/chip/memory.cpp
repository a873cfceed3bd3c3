#include "sim/chip/memory.h"

#include <algorithm>

namespace nestor::sim::chip {

using chip_program::Program;
using chip_program::ProgramOperator;
using chip_program::Tensor;
using nestor::chip::FunctionKind;

TensorOperand::TensorOperand(std::vector<Part> parts, Int rows, Int width, const std::array<Int, 4>& view)
    : parts_(std::move(parts)), rows_(rows), width_(width) {
  for (const Part& part : parts_) made_channels_ += part.channels;
  channels_ = made_channels_;
  right_ = !parts_.empty() && rows > 0;
  if (view[0] == 0) return;
  const Int made = rows_ * width_ * made_channels_;
  rows_ = view[0];
  width_ = view[1];
  channels_ = view[2];
  first_ = view[3];
  right_ =
      right_ && width_ > 0 && channels_ > 0 && first_ <= made && rows_ * width_ * channels_ <= made - first_;
}

TensorOperand::Place TensorOperand::place(Int y, Int x, Int c) const {
  const Int row = rows_ == 1 ? 0 : y;
  const Int column = width_ == 1 ? 0 : x;
  const Int channel = channels_ == 1 ? 0 : c;
  const Int at = (row * width_ + column) * channels_ + channel + first_;
  const Int pixel = at / made_channels_;
  Int inside = at % made_channels_;
  for (const Part& part : parts_) {
    if (inside < part.channels)
      return {part.address + (pixel * part.channels + inside) * part.bytes, part.bytes};
    inside -= part.channels;
  }
  return {0, 1};
}

namespace {

TensorOperand::Part part_of(const Tensor& tensor) {
  return {tensor.address, tensor.channels, bytes_for(tensor.bits)};
}

// Joins tensors side by side, starting with input `at`, until they have at least `channels` channels. If
// `channels` is negative, joins all remaining inputs.
TensorOperand side_by_side(const Program& program, const ProgramOperator& op, std::size_t& at, Int channels,
                           const std::array<Int, 4>& view) {
  std::vector<TensorOperand::Part> parts;
  Int rows = 0;
  Int width = 0;
  Int have = 0;
  while (at < op.inputs.size() && (parts.empty() || channels < 0 || have < channels)) {
    const Tensor& tensor = program.tensors[op.inputs[at++]];
    if (parts.empty()) {
      rows = tensor.rows;
      width = tensor.width;
    } else if (tensor.rows != rows || tensor.width != width) {
      rows = 0;  // marks extents that do not fit
    }
    parts.push_back(part_of(tensor));
    have += tensor.channels;
    if (view[0] > 0 && channels >= 0) break;  // if there are several operands, a view applies to one tensor
  }
  return {std::move(parts), rows, width, view};
}

}  // namespace

std::vector<TensorOperand> operands_of(const Program& program, const ProgramOperator& op) {
  std::vector<TensorOperand> operands;
  std::size_t at = 0;
  const auto& keys = op.keys;
  const Int channels = program.tensors[op.output].channels;
  switch (op.type) {
    case FunctionKind::add:
    case FunctionKind::subtract:
    case FunctionKind::multiply:
      while (at < op.inputs.size()) {
        operands.push_back(
            side_by_side(program, op, at, channels, operands.empty() ? keys.view : keys.view2));
      }
      break;
    case FunctionKind::product:
      operands.push_back(side_by_side(program, op, at, keys.in_channels, keys.view));
      operands.push_back(side_by_side(program, op, at, -1, keys.view2));
      break;
    case FunctionKind::sum:
      while (at < op.inputs.size()) operands.push_back(side_by_side(program, op, at, 0, {0, 0, 0, 0}));
      break;
    case FunctionKind::concat_rows:
      while (at < op.inputs.size()) {
        const auto& view = operands.empty()       ? keys.view
                           : operands.size() == 1 ? keys.view2
                                                  : std::array<Int, 4>{};
        operands.push_back(side_by_side(program, op, at, channels, view));
      }
      break;
    default:
      operands.push_back(side_by_side(program, op, at, -1, keys.view));
  }
  return operands;
}

Int requantised(Int sum, const std::array<Int, 2>& requant, Int bits) {
  const auto [multiplier, shift] = requant;
  if (bits >= 32) return sum;
  const Int half = shift == 0 ? 0 : Int{1} << (shift - 1);
  const Int scaled = (sum * multiplier + half) >> shift;
  const Int most = (Int{1} << (bits - 1)) - 1;
  return std::clamp(scaled, -most, most);
}

Int rescaled(const chip_program::OperatorNumbers& numbers, Int sum, std::size_t channel, Int add) {
  if (numbers.mul.empty()) return sum;
  const std::size_t at = numbers.mul.size() == 1 ? 0 : channel;
  const Int shift = numbers.shift[numbers.shift.size() == 1 ? 0 : at];
  const Int half = shift == 0 ? 0 : Int{1} << (shift - 1);
  const Int scaled = ((sum * numbers.mul[at] + add + half) >> shift) + numbers.zero.back();
  return std::clamp(scaled, numbers.limits[0], numbers.limits[1]);
}

}  // namespace nestor::sim::chip
