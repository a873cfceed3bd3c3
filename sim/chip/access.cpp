#include "sim/chip/access.h"

#include <algorithm>

namespace nestor::sim::chip {

using nestor::chip::FunctionKind;

AccessMap::AccessMap(const Program& program, const nestor::chip::ChipMachine& machine)
    : program_(program), machine_(machine) {
  for (const auto& op : program.operators) operands_.push_back(operands_of(program, op));
}

void join(std::vector<Range>& ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::size_t last = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin <= ranges[last].end) {
      ranges[last].end = std::max(ranges[last].end, ranges[i].end);
    } else {
      ranges[++last] = ranges[i];
    }
  }
  if (!ranges.empty()) ranges.resize(last + 1);
}

// Adds reads of rows [from, to) of an operand, in each of its tensors. Rows outside the operand are left out,
// and `shift` is added to the addresses.
void AccessMap::read_rows(const TensorOperand& operand, Int from, Int to, Accesses& into, Int shift) const {
  from = std::max<Int>(0, from);
  to = std::min(to, operand.rows());
  if (operand.rows() == 1 && to >= 0) {
    from = 0;
    to = 1;
  }
  if (from >= to || !operand.right()) return;
  Int channel = 0;
  const bool one = operand.parts().size() == 1;
  for (const auto& part : operand.parts()) {
    // Elements are in order, so the first and last elements of the rows bound the range read from a part.
    const Int last_channel = one ? operand.channels() - 1 : channel + part.channels - 1;
    const auto first = operand.place(from, 0, one ? 0 : channel);
    const auto last = operand.place(to - 1, operand.width() - 1, last_channel);
    into.reads.push_back({first.address + shift, last.address + last.bytes + shift});
    channel += part.channels;
  }
}

void AccessMap::read_window(std::size_t index, Int y0, Int y1, Accesses& into, Int shift) const {
  const auto& op = program_.operators[index];
  const auto& k = op.keys;
  if (operands_[index].empty()) return;
  const TensorOperand& in = operands_[index].front();
  const bool slides = op.type == FunctionKind::convolution || op.type == FunctionKind::max_pool ||
                      op.type == FunctionKind::average_pool;
  const Int from = slides ? y0 * k.stride[0] - k.pad[0] : y0;
  const Int to = slides ? (y1 - 1) * k.stride[0] - k.pad[0] + (k.kernel[0] - 1) * k.dilation[0] + 1 : y1;
  read_rows(in, from, to, into, shift);
}

void AccessMap::copy_crossbars(std::size_t index, Int copy, std::vector<Range>& into) const {
  const auto& k = program_.operators[index].keys;
  for (Int i = 0; i < k.parts * k.columns;) {
    const Int counted = k.xb + copy * k.spacing + i;
    const Int run = std::min(k.parts * k.columns - i, k.usable - counted % k.usable);
    const Int number = counted / k.usable * machine_.crossbars.count() + counted % k.usable;
    into.push_back({first_crossbar + number, first_crossbar + number + run});
    i += run;
  }
}

Range AccessMap::result(std::size_t index, Int y, Int x, Int pixels) const {
  const auto& out = program_.tensors[program_.operators[index].output];
  const Int pixel = out.channels * bytes_for(out.bits);
  const Int begin = out.address + (y * out.width + x) * pixel;
  return {begin, begin + pixels * pixel};
}

Accesses AccessMap::of(const Op& op) const {
  Accesses made;
  const auto crossbars = [](Int first, Int count) {
    return Range{first_crossbar + first, first_crossbar + first + count};
  };
  switch (op.kind()) {
    case Kind::write_crossbar:
    case Kind::write_rows:
      made.writes.push_back(crossbars(op.at[0], 1));
      if (program_.operators[op.op()].type == FunctionKind::product && operands_[op.op()].size() > 1) {
        const TensorOperand& right = operands_[op.op()][1];
        read_rows(right, 0, right.rows(), made, 0);
      }
      break;
    case Kind::read_crossbars:
      made.writes.push_back(crossbars(op.at[0], op.at[1]));
      break;
    case Kind::read_rows:
      made.writes.push_back(crossbars(op.at[0], 1));
      break;
    case Kind::gather:
      made.writes.push_back(crossbars(op.at[0], 1));
      read_window(op.op(), op.at[1], op.at[1] + 1, made, 0);
      break;
    case Kind::store:
      copy_crossbars(op.op(), op.at[0], made.reads);
      made.writes.push_back(result(op.op(), op.at[1], op.at[2], 1));
      break;
    case Kind::read_core: {
      const auto& k = program_.operators[op.op()].keys;
      const auto& out = program_.tensors[program_.operators[op.op()].output];
      const Int counted = op.at[0] * k.usable - k.xb;
      if (k.spacing > 0 && counted >= 0) copy_crossbars(op.op(), counted / k.spacing, made.writes);
      if (!operands_[op.op()].empty()) {
        const TensorOperand& in = operands_[op.op()].front();
        const auto expected = in.place(std::max<Int>(0, op.at[1] * k.stride[0] - k.pad[0]), 0, 0);
        read_window(op.op(), op.at[1], op.at[2], made, op.at[5] - expected.address);
      }
      // at[6] is the address of the block's result, which consists of whole rows or of some pixels of each
      // row.
      const Int pixel = out.channels * bytes_for(out.bits);
      for (Int y = 0; y < op.at[2] - op.at[1]; ++y) {
        const Int begin = op.at[6] + y * out.width * pixel;
        made.writes.push_back({begin, begin + (op.at[4] - op.at[3]) * pixel});
      }
      break;
    }
    case Kind::digital_row: {
      const auto& operands = operands_[op.op()];
      read_window(op.op(), op.at[0], op.at[0] + 1, made, 0);
      const auto type = program_.operators[op.op()].type;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const bool whole = (type == FunctionKind::product && i == 1) || type == FunctionKind::concat_rows ||
                           type == FunctionKind::unknown;
        if (whole)
          read_rows(operands[i], 0, operands[i].rows(), made, 0);
        else if (i > 0)
          read_rows(operands[i], op.at[0], op.at[0] + 1, made, 0);
      }
      made.writes.push_back(
          result(op.op(), op.at[0], 0, program_.tensors[program_.operators[op.op()].output].width));
      break;
    }
    default: {
      const std::size_t count = op.statement->arguments.size();
      const Int length = op.at[count - 1];
      for (std::size_t i = 0; i + 1 < count; i += 2) {
        if (op.at[i] != in_l0) continue;
        auto& to = i + 3 == count ? made.writes : made.reads;
        to.push_back({op.at[i + 1], op.at[i + 1] + length});
      }
    }
  }
  return made;
}

}  // namespace nestor::sim::chip
