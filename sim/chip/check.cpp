#include "sim/chip/check.h"

#include <initializer_list>

#include "model/chip/program/keys.h"

namespace nestor::sim::chip {
namespace {

using chip_program::Keys;
using chip_program::ProgramOperator;
using chip_program::Tensor;
using nestor::chip::ChipMachine;

constexpr Int largest_key = Int{1} << 31;
constexpr Int largest_window = Int{1} << 20;
constexpr Int most_rows = Int{1} << 24;
constexpr Int largest_tensor = Int{1} << 40;  // bytes of a tensor

std::optional<Int> product(std::initializer_list<Int> factors) {
  std::optional<Int> result = 1;
  for (const Int factor : factors) result = result ? checked_multiply(*result, factor) : std::nullopt;
  return result;
}

MaybeFault check_tensor(const Tensor& tensor, Int l0_bytes) {
  const auto bytes = product({tensor.rows, tensor.width, tensor.channels, ceil_divide(tensor.bits, 8)});
  if (!bytes || *bytes > largest_tensor || tensor.rows > most_rows)
    return Fault{fmt::format("tensor '{}' is too large", tensor.name)};
  if (tensor.address > l0_bytes || *bytes > l0_bytes - tensor.address) {
    return Fault{fmt::format("tensor '{}' at {} ends beyond the {} bytes of L0", tensor.name, tensor.address,
                             l0_bytes)};
  }
  return std::nullopt;
}

MaybeFault check_operator(const Program& program, const ProgramOperator& op, const ChipMachine& machine) {
  const auto fault = [&](std::string_view what) {
    return Fault{fmt::format("operator '{}': {}", op.name, what)};
  };
  for (const auto& key : chip_program::operator_keys()) {
    for (const Int value : chip_program::values_of(key, op.keys)) {
      if (value > largest_key || value < -largest_key) return fault(fmt::format("{} is too large", key.name));
    }
  }
  const Keys& keys = op.keys;
  for (const Int bits : keys.bits) {
    if (bits > 32) return fault("more than 32 bits");
  }
  for (const auto& pair : {keys.kernel, keys.stride, keys.pad, keys.dilation}) {
    for (const Int value : pair) {
      if (value > largest_window || value < -largest_window) return fault("a window of more than 2^20");
    }
  }
  const auto pixels = product({program.tensors[op.output].channels, keys.bits[2], keys.copies});
  if (!pixels || *pixels > largest_tensor) return fault("pixels that are too large");
  if (keys.requant[1] > 30) return fault("a shift of more than 30 bits");
  for (const auto& view : {keys.view, keys.view2}) {
    const auto elements = product({view[0], view[1], view[2]});
    if (!elements || *elements > largest_tensor) return fault("a view that is too large");
  }
  const auto weights = product({keys.matrix[0], keys.matrix[1], keys.groups, keys.bits[1]});
  if (!weights || *weights > largest_tensor) return fault("a matrix that is too large");
  if (keys.columns == 0) return std::nullopt;
  if (keys.usable < 1 || keys.usable > machine.crossbars.count()) {
    return fault(
        fmt::format("usable is {}; a core has {} crossbars", keys.usable, machine.crossbars.count()));
  }
  if (keys.parts < 1 || keys.matrix[0] < 1 || keys.matrix[1] < 1 || keys.groups < 1)
    return fault("an empty matrix");
  const Int counted = machine.cores.count() * keys.usable;
  const auto copy = product({keys.parts, keys.columns});
  const auto before = product({keys.copies - 1, keys.spacing});
  if (!copy || !before || keys.spacing < *copy || *copy > counted || *before > counted ||
      keys.xb > counted - *copy - *before) {
    return fault("its copies are outside the chip or overlap");
  }
  return std::nullopt;
}

bool within(Int value, Int count) { return value >= 0 && value < count; }

}  // namespace

MaybeFault check(const Program& program, const ChipMachine& machine) {
  if (program.l0_bytes > largest_tensor) return Fault{"L0 has more than 2^40 bytes"};
  for (const Tensor& tensor : program.tensors) {
    if (auto fault = check_tensor(tensor, program.l0_bytes)) return fault;
  }
  for (const ProgramOperator& op : program.operators) {
    if (auto fault = check_operator(program, op, machine)) return fault;
  }
  if (program.mode > machine.mode) {
    return Fault{fmt::format("the program is for mode {}, but the machine has mode {}",
                             nestor::chip::to_string(program.mode), nestor::chip::to_string(machine.mode))};
  }
  return std::nullopt;
}

MaybeFault check(const Program& program, const ChipMachine& machine, const Op& op) {
  const Int crossbars = machine.cores.count() * machine.crossbars.count();
  const auto pixel = [&](std::size_t at) {
    const Tensor& out = program.tensors[program.operators[op.op()].output];
    return within(op.at[at], out.rows) && within(op.at[at + 1], out.width);
  };
  bool right = true;
  switch (op.kind()) {
    case Kind::write_crossbar:
      right = within(op.at[0], crossbars);
      break;
    case Kind::write_rows:
      right = within(op.at[0], crossbars) && op.at[1] >= 0 && op.at[2] >= 0 &&
              op.at[2] <= machine.cell.rows && op.at[1] <= machine.cell.rows - op.at[2];
      break;
    case Kind::read_crossbars:
      right = within(op.at[0], crossbars) && op.at[1] >= 1 && op.at[1] <= crossbars - op.at[0];
      break;
    case Kind::read_rows:
      right = within(op.at[0], crossbars) && op.at[1] >= 0 && op.at[2] >= 0 &&
              op.at[2] <= machine.cell.parallel_rows && op.at[1] <= machine.cell.rows - op.at[2];
      break;
    case Kind::read_core: {
      const Tensor& out = program.tensors[program.operators[op.op()].output];
      right = within(op.at[0], machine.cores.count()) && 0 <= op.at[1] && op.at[1] <= op.at[2] &&
              op.at[2] <= out.rows && 0 <= op.at[3] && op.at[3] <= op.at[4] && op.at[4] <= out.width;
      break;
    }
    case Kind::gather:
      right = within(op.at[0], crossbars) && pixel(1);
      break;
    case Kind::store:
      right = within(op.at[0], program.operators[op.op()].keys.copies) && pixel(1);
      break;
    case Kind::digital_row:
      right = within(op.at[0], program.tensors[program.operators[op.op()].output].rows);
      break;
    default:
      break;
  }
  if (right) return std::nullopt;
  std::string values;
  for (std::size_t i = 0; i < op.statement->arguments.size(); ++i) {
    values += fmt::format("{}{}", i == 0 ? "" : ", ", op.at[i]);
  }
  const auto* form = chip_program::form_of(op.kind());
  return Fault{fmt::format("{}: no such crossbar, row, core, copy or pixel ({})",
                           form == nullptr ? "a digital operation" : form->word, values)};
}

}  // namespace nestor::sim::chip
