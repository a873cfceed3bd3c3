#include "sim/chip/stream_reads.h"

#include <algorithm>

namespace nestor::sim::chip {

using chip_program::Program;
using chip_program::ProgramOperator;
using nestor::chip::FunctionKind;

StreamReads::StreamReads(const Program& program, const nestor::chip::ChipMachine& machine)
    : program_(program) {
  for (const ProgramOperator& op : program.operators) {
    Plan& plan = plans_.emplace_back();
    plan.operands = operands_of(program, op);
    std::size_t at = 0;
    for (const TensorOperand& operand : plan.operands) {
      auto& tensors = plan.tensors.emplace_back();
      for (std::size_t i = 0; i < operand.parts().size(); ++i) tensors.push_back(op.inputs[at++]);
    }
    if (op.keys.columns > 0) plan.packing = packing_of(machine, op);
  }
}

// The elements of a view can be in several rows of the tensor. Only the last pixel of each row matters.
void StreamReads::add(std::size_t index, std::size_t place, Int y, Int x, Int first, Int last,
                      std::vector<PixelRead>& reads) const {
  const Plan& plan = plans_[index];
  const TensorOperand& operand = plan.operands[place];
  if (!operand.right()) return;
  const Int row = operand.rows() == 1 ? 0 : y;
  const Int column = operand.width() == 1 ? 0 : x;
  if (row < 0 || column < 0 || row >= operand.rows() || column >= operand.width()) return;
  const Int from = operand.made_pixel(row, column, std::min(first, operand.channels() - 1));
  const Int to = operand.made_pixel(row, column, std::min(last, operand.channels() - 1));
  for (const std::size_t tensor : plan.tensors[place]) {
    const Int width = program_.tensors[tensor].width;
    for (Int made = from / width; made <= to / width; ++made) {
      const Int pixel = made == to / width ? to % width : width - 1;
      const auto known = std::find_if(reads.begin(), reads.end(), [&](const PixelRead& read) {
        return read.tensor == tensor && read.row == made;
      });
      if (known == reads.end())
        reads.push_back({tensor, made, pixel});
      else
        known->pixel = std::max(known->pixel, pixel);
    }
  }
}

// Adds the reads of taps first .. last of a window: for each kernel row, the last pixel inside the image.
// Pixels outside are zeros, even for operands whose single row or pixel is broadcast.
void StreamReads::taps(std::size_t index, Int y, Int x, Taps range, std::vector<PixelRead>& reads) const {
  const auto& k = program_.operators[index].keys;
  const TensorOperand& in = plans_[index].operands.front();
  const Int top = y * k.stride[0] - k.pad[0];
  const Int left = x * k.stride[1] - k.pad[1];
  const Int low = range.first / k.kernel[1];
  const Int high = std::min(range.last / k.kernel[1], k.kernel[0] - 1);
  const Int above = top < 0 ? ceil_divide(-top, k.dilation[0]) : 0;
  for (Int ky = std::max(low, above); ky <= high && top + ky * k.dilation[0] < in.rows(); ++ky) {
    const Int from = ky == low ? range.first % k.kernel[1] : 0;
    Int kx = ky == range.last / k.kernel[1] ? range.last % k.kernel[1] : k.kernel[1] - 1;
    if (left + kx * k.dilation[1] >= in.width()) kx = (in.width() - 1 - left) / k.dilation[1];
    const Int pixel = left + kx * k.dilation[1];
    if (kx < from || pixel < 0 || pixel >= in.width()) continue;
    add(index, 0, top + ky * k.dilation[0], pixel, range.low, range.high, reads);
  }
}

void StreamReads::of_part(std::size_t index, Int part, Int y, Int x, std::vector<PixelRead>& reads) const {
  const ProgramOperator& op = program_.operators[index];
  const Plan& plan = plans_[index];
  const auto& k = op.keys;
  const bool known = op.type == FunctionKind::convolution || op.type == FunctionKind::product;
  if (!known || !plan.packing || plan.operands.empty()) return;
  const Packing& packing = *plan.packing;
  const Int from = packing.packed ? 0 : part * packing.rows;
  const Int to = packing.packed ? packing.matrix_rows : std::min(packing.matrix_rows, from + packing.rows);
  if (from >= to) return;  // an empty part
  if (op.type == FunctionKind::product) {
    add(index, 0, y, x, 0, plan.operands.front().channels() - 1, reads);
    return;
  }
  const Int channels = k.in_channels / k.groups;
  if (channels < 1) return;
  const Int first = k.piece[2] + from;
  const Int last = k.piece[2] + to - 1;
  const bool grouped = k.groups > 1 || k.piece[0] > 0;
  Taps range{first / channels, last / channels, 0, plan.operands.front().channels() - 1};
  if (range.first == range.last && !grouped) {
    range.low = first % channels;
    range.high = last % channels;
  }
  taps(index, y, x, range, reads);
}

void StreamReads::of_pixel(std::size_t index, Int y, Int x, std::vector<PixelRead>& reads) const {
  const ProgramOperator& op = program_.operators[index];
  const Plan& plan = plans_[index];
  const auto& k = op.keys;
  const auto whole = [&](std::size_t operand, Int row) {
    add(index, operand, row, x, 0, plan.operands[operand].channels() - 1, reads);
  };
  switch (op.type) {
    case FunctionKind::unknown:
      return;
    case FunctionKind::max_pool:
    case FunctionKind::average_pool:
      return taps(index, y, x, {0, k.kernel[0] * k.kernel[1] - 1, 0, plan.operands.front().channels() - 1},
                  reads);
    case FunctionKind::concat_rows: {
      Int row = y - k.constant_rows;
      for (std::size_t i = 0; i < plan.operands.size() && row >= 0; row -= plan.operands[i++].rows())
        if (row < plan.operands[i].rows()) return whole(i, row);
      return;
    }
    case FunctionKind::product:
      return whole(0, y);
    default:
      for (std::size_t i = 0; i < plan.operands.size(); ++i) whole(i, y);
  }
}

}  // namespace nestor::sim::chip
