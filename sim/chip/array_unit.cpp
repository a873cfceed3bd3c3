#include "sim/chip/array_unit.h"

#include <algorithm>
#include <variant>

#include "model/chip/program/constants.h"

namespace nestor::sim::chip {

using chip_program::ProgramOperator;
using nestor::chip::FunctionKind;

namespace {

// Returns sum - offset * inputs. Only the 32 lower bits are significant.
Int wrapping_difference(Int sum, Int offset, Int inputs) {
  return static_cast<Int>(static_cast<std::uint64_t>(sum) -
                          static_cast<std::uint64_t>(offset) * static_cast<std::uint64_t>(inputs));
}

}  // namespace

std::variant<ArrayUnit::Plan*, Fault> ArrayUnit::plan_of(std::size_t index) {
  if (plans_[index]) return &*plans_[index];
  const ProgramOperator& op = program_.operators[index];
  const auto fault = [&](std::string_view what) {
    return Fault{fmt::format("operator '{}': {}", op.name, what)};
  };
  if (op.keys.columns == 0) return fault("it is not on crossbars");
  if (op.type != FunctionKind::convolution && op.type != FunctionKind::product)
    return fault("its function is unknown");
  Plan plan;
  const auto packing = packing_of(machine_, op);
  if (!packing) return fault("its matrix does not have this number of parts and columns");
  plan.packing = *packing;
  plan.operands = operands_of(program_, op);
  if (plan.operands.empty()) return fault("it reads nothing");
  for (const TensorOperand& operand : plan.operands) {
    if (!operand.right()) return fault("its operands do not match");
  }
  const auto& k = op.keys;
  const auto& out = program_.tensors[op.output];
  if (out.channels != k.groups * k.matrix[1])
    return fault("the columns of its matrix do not match its channels");
  if (op.type == FunctionKind::product) {
    const Int length = plan.operands.size() == 2 ? plan.operands[1].rows() * plan.operands[1].width() : 0;
    const Int channels = plan.operands.size() == 2 ? plan.operands[1].channels() : 0;
    const bool turned = k.transposed != 0;
    if (length < k.matrix[turned ? 1 : 0] || channels < k.groups * k.matrix[turned ? 0 : 1] ||
        plan.operands[0].channels() < k.groups * k.matrix[0] || plan.operands[0].rows() < out.rows) {
      return fault("factors that do not match");
    }
  } else {
    const Int channels = k.in_channels / k.groups;
    const Int last = channels * (k.piece[0] + k.groups);
    if (channels < 1 || last > plan.operands[0].channels() ||
        k.piece[2] + k.matrix[0] > k.kernel[0] * k.kernel[1] * channels) {
      return fault("the rows of its matrix do not match its kernel and channels");
    }
  }
  plan.address = out.address;
  if (program_.numbers) plan.numbers = &program_.numbers->operators[index];
  plans_[index] = std::move(plan);
  return &*plans_[index];
}

// Returns an element of the matrix in the crossbars: a weight of the model, a seeded weight, or an element of
// the second factor in L0.
Int ArrayUnit::weight(const Plan& plan, const ProgramOperator& op, Int group, Int row, Int column) const {
  const auto& k = op.keys;
  if (op.type == FunctionKind::convolution) {
    if (plan.numbers != nullptr)
      return plan.numbers
          ->matrix[static_cast<std::size_t>((group * k.matrix[0] + row) * k.matrix[1] + column)];
    return chip_program::weight(k.seed, k.piece[0] + group, k.piece[1] + column, k.piece[2] + row, k.bits[1]);
  }
  const TensorOperand& right = plan.operands[1];
  const Int pixel = k.transposed != 0 ? column : row;
  const Int channel = k.transposed != 0 ? group * k.matrix[0] + row : group * k.matrix[1] + column;
  const auto place = right.place(pixel / right.width(), pixel % right.width(), channel);
  const Int value = memory_.read(place.address, place.bytes);
  return plan.numbers != nullptr ? value : saturated(value, k.bits[1]);
}

MaybeFault ArrayUnit::write(std::size_t index, Int number, Int part, Int column, Int row, Int rows) {
  auto plan = plan_of(index);
  if (auto* fault = std::get_if<Fault>(&plan)) return std::move(*fault);
  const Plan& p = *std::get<Plan*>(plan);
  const ProgramOperator& op = program_.operators[index];
  if (part < 0 || part >= op.keys.parts || column < 0 || column >= op.keys.columns) {
    return Fault{fmt::format("operator '{}' has no part {} and column {}", op.name, part, column)};
  }
  auto found = held_.find(number);
  if (found == held_.end())
    found = held_.emplace(number, Held{index, part, column, Crossbar(machine_.cell)}).first;
  Held& held = found->second;
  held.op = index;
  held.part = part;
  held.column = column;
  held.crossbar.erase_rows(row, rows);
  if (op.type == FunctionKind::product) plans_[index]->of_zero.clear();
  const Int offset = Int{1} << (op.keys.bits[1] - 1);
  const Int mask = (Int{1} << p.packing.slice_bits) - 1;
  p.packing.each_row(part, column, [&](Int group, Int k, Int at) {
    if (at < row || at >= row + rows) return;
    p.packing.each_column(
        part, column, machine_.cell.columns, [&](Int of_group, Int n, Int slice, Int cell_column) {
          if (of_group != group) return;
          const Int stored = weight(p, op, group, k, n) + offset;
          held.crossbar.set_cell(at, cell_column, (stored >> (slice * p.packing.slice_bits)) & mask);
        });
  });
  return std::nullopt;
}

Int ArrayUnit::window_element(const Plan& plan, const ProgramOperator& op, Int group, Int row, Int y,
                              Int x) const {
  const auto& k = op.keys;
  const TensorOperand& in = plan.operands.front();
  Int at_y = y;
  Int at_x = x;
  Int channel = group * k.matrix[0] + row;
  if (op.type == FunctionKind::convolution) {
    const Int channels = k.in_channels / k.groups;
    const Int in_window = k.piece[2] + row;
    const Int tap = in_window / channels;
    at_y = y * k.stride[0] - k.pad[0] + tap / k.kernel[1] * k.dilation[0];
    at_x = x * k.stride[1] - k.pad[1] + tap % k.kernel[1] * k.dilation[1];
    channel = (k.piece[0] + group) * channels + in_window % channels;
    if (at_y < 0 || at_x < 0 || at_y >= in.rows() || at_x >= in.width())
      return plan.numbers != nullptr ? plan.numbers->zero[0] : 0;
  }
  const auto place = in.place(at_y, at_x, channel);
  const Int value = memory_.read(place.address, place.bytes);
  return plan.numbers != nullptr ? value : saturated(value, k.bits[0]);
}

MaybeFault ArrayUnit::gather(std::size_t index, Int number, Int y, Int x) {
  const auto found = held_.find(number);
  const ProgramOperator& op = program_.operators[index];
  if (found == held_.end() || found->second.op != index) {
    return Fault{fmt::format("crossbar {} contains no weights of '{}'", number, op.name)};
  }
  Held& held = found->second;
  const Plan& plan = *plans_[index];
  held.crossbar.clear();
  plan.packing.each_row(held.part, held.column, [&](Int group, Int row, Int at) {
    held.crossbar.set_input(at, window_element(plan, op, group, row, y, x));
  });
  return std::nullopt;
}

MaybeFault ArrayUnit::read(Int number, Int row, Int rows) {
  const auto found = held_.find(number);
  if (found == held_.end())
    return Fault{fmt::format("crossbar {} is read, but nothing was written to it", number)};
  Held& held = found->second;
  held.crossbar.read(row, rows, program_.operators[held.op].keys.bits[0]);
  return std::nullopt;
}

MaybeFault ArrayUnit::read_all(Int number) {
  const Int rho = machine_.cell.parallel_rows;
  for (Int row = 0; row < machine_.cell.rows; row += rho) {
    if (auto fault = read(number, row, std::min(rho, machine_.cell.rows - row))) return fault;
  }
  return std::nullopt;
}

// Returns the chip-wide number of crossbar `index` of a copy. `xb` and `spacing` count only the usable
// crossbars of each core.
Int ArrayUnit::crossbar_of(const ProgramOperator& op, Int copy, Int index) const {
  const Int counted = op.keys.xb + copy * op.keys.spacing + index;
  return counted / op.keys.usable * machine_.crossbars.count() + counted % op.keys.usable;
}

// Shifts the column sums of one crossbar by their slices and adds them to `sums`. Subtracts the contribution
// of the offset in the stored weights once per weight.
void ArrayUnit::add_sums(const Plan& plan, const Held& held, Int offset, std::vector<Int>& sums) const {
  std::vector<Int> inputs;  // by group, sum of the inputs of rows that were read; a part may have no rows
  Int first = 0;
  plan.packing.each_row(held.part, held.column, [&](Int group, Int, Int at) {
    if (inputs.empty()) first = group;
    const auto i = static_cast<std::size_t>(group - first);
    if (i >= inputs.size()) inputs.resize(i + 1);
    if (held.crossbar.was_read(at)) inputs[i] += held.crossbar.input(at);
  });
  const auto inputs_of = [&](Int group) {
    const auto i = static_cast<std::size_t>(group - first);
    return i < inputs.size() ? inputs[i] : 0;
  };
  plan.packing.each_column(
      held.part, held.column, machine_.cell.columns, [&](Int group, Int n, Int slice, Int column) {
        Int& sum = sums[static_cast<std::size_t>(group * plan.packing.matrix_columns + n)];
        sum = static_cast<Int>(
            static_cast<std::uint64_t>(sum) +
            (static_cast<std::uint64_t>(held.crossbar.sum(column)) << (slice * plan.packing.slice_bits)));
        if (slice == 0) sum = wrapping_difference(sum, offset, inputs_of(group));
      });
}

// Subtracts the contribution of the input's zero point. Stored weights and inputs include their zero points,
// and (w - zw) * (x - zx) = (w - zw) * x - (w - zw) * zx. This function subtracts the last term.
void ArrayUnit::add_zeros(Plan& plan, const ProgramOperator& op, std::vector<Int>& sums) const {
  const auto& k = op.keys;
  const auto& zero = plan.numbers->zero;
  if (zero[0] == 0) return;
  if (plan.of_zero.empty()) {
    plan.of_zero.resize(sums.size());
    for (Int g = 0; g < k.groups; ++g)
      for (Int row = 0; row < k.matrix[0]; ++row)
        for (Int n = 0; n < k.matrix[1]; ++n)
          plan.of_zero[static_cast<std::size_t>(g * k.matrix[1] + n)] +=
              (weight(plan, op, g, row, n) - zero[1]) * zero[0];
  }
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] = wrapping_difference(sums[c], plan.of_zero[c], 1);
}

MaybeFault ArrayUnit::store(std::size_t index, Int copy, Int y, Int x) {
  const ProgramOperator& op = program_.operators[index];
  if (!plans_[index]) return Fault{fmt::format("no weights of '{}' were written to crossbars", op.name)};
  Plan& plan = *plans_[index];
  const auto& k = op.keys;
  std::vector<Int> sums(static_cast<std::size_t>(k.groups * k.matrix[1]));
  for (Int i = 0; i < k.parts * k.columns; ++i) {
    const Int number = crossbar_of(op, copy, i);
    const auto found = held_.find(number);
    if (found == held_.end() || found->second.op != index || found->second.part != i / k.columns ||
        found->second.column != i % k.columns) {
      return Fault{fmt::format("crossbar {} does not contain part {}, column {} of '{}'", number,
                               i / k.columns, i % k.columns, op.name)};
    }
    const Int offset = Int{1} << (k.bits[1] - 1);
    add_sums(plan, found->second, plan.numbers == nullptr ? offset : offset + plan.numbers->zero[1], sums);
  }
  if (plan.numbers != nullptr) add_zeros(plan, op, sums);
  const auto& out = program_.tensors[op.output];
  const Int bytes = bytes_for(out.bits);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const Int at = static_cast<Int>(c);
    Int sum = wrapped(sums[c]);
    if (plan.numbers != nullptr) {
      if (!plan.numbers->bias.empty()) sum = wrapped(sum + plan.numbers->bias[c]);
    } else if (op.type == FunctionKind::convolution && k.partial == 0) {
      sum = wrapped(sum + chip_program::bias(k.seed, k.piece[0] + at / k.matrix[1],
                                             k.piece[1] + at % k.matrix[1], k.bits[1]));
    }
    const Int address = plan.address + ((y * out.width + x) * out.channels + at) * bytes;
    if (!memory_.holds(address, bytes)) return Fault{fmt::format("a result of '{}' is outside L0", op.name)};
    memory_.write(address, bytes,
                  plan.numbers != nullptr ? rescaled(*plan.numbers, sum, c)
                  : k.partial != 0        ? sum
                                          : requantised(sum, k.requant, k.bits[2]));
  }
  return std::nullopt;
}

// Gathers, reads and stores every window of the block. Source and destination are the addresses of the
// block's input and result.
MaybeFault ArrayUnit::read_core(std::size_t index, const Op& read) {
  auto planned = plan_of(index);
  if (auto* fault = std::get_if<Fault>(&planned)) return std::move(*fault);
  Plan& plan = *std::get<Plan*>(planned);
  const ProgramOperator& op = program_.operators[index];
  const auto& k = op.keys;
  const auto& out = program_.tensors[op.output];
  const auto [core, y0, y1, x0, x1, source, destination] =
      std::array{read.at[0], read.at[1], read.at[2], read.at[3], read.at[4], read.at[5], read.at[6]};
  const Int counted = core * k.usable - k.xb;
  if (k.spacing < 1 || counted < 0 || counted % k.spacing != 0 || counted / k.spacing >= k.copies) {
    return Fault{fmt::format("no copy of '{}' starts at core {}", op.name, core)};
  }
  const auto& in = plan.operands.front().parts().front();
  const Int row_bytes = plan.operands.front().width() * (k.view[0] > 0 ? k.view[2] : in.channels) * in.bytes;
  const TensorOperand declared = plan.operands.front();
  const Int base = source - std::max<Int>(0, y0 * k.stride[0] - k.pad[0]) * row_bytes;
  const Int in_bytes = in.bytes * in.channels * program_.tensors[op.inputs.front()].rows *
                       program_.tensors[op.inputs.front()].width;
  if (!memory_.holds(base, in_bytes)) return Fault{fmt::format("the source of '{}' is outside L0", op.name)};
  plan.operands.front().move_first(base);
  plan.address = destination - (y0 * out.width + x0) * out.channels * bytes_for(out.bits);
  MaybeFault fault;
  for (Int y = y0; y < y1 && !fault; ++y) {
    for (Int x = x0; x < x1 && !fault; ++x) {
      for (Int i = 0; i < k.parts * k.columns && !fault; ++i) {
        const Int number = crossbar_of(op, counted / k.spacing, i);
        fault = gather(index, number, y, x);
        if (!fault) fault = read_all(number);
      }
      if (!fault) fault = store(index, counted / k.spacing, y, x);
    }
  }
  plan.operands.front() = declared;
  plan.address = out.address;
  return fault;
}

}  // namespace nestor::sim::chip
