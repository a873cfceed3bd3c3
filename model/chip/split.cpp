#include "model/chip/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/chip/crossbars.h"

namespace nestor::chip {
namespace {

// Cuts one operator into `pieces`. Readers of the operator then read the pieces whose indices are in `ends`.
class Splitter {
 public:
  explicit Splitter(const ChipMachine& machine) : machine_(machine) {}

  bool cut(const Operator& op) {
    if (op.kind != OperatorKind::array) return keep(op);
    const Int usable = usable_crossbars(machine_, op.bits);
    if (usable < 1) {
      const Int need = machine_.cell.rows * op.bits.I +
                       machine_.cell.columns / ceil_divide(op.bits.W, machine_.cell.cell_bits) * op.bits.O;
      return refuse(
          fmt::format("operator '{}' needs {} bits of L1 for the input and output of one crossbar, "
                      "but l1.size is {} bits",
                      op.name, need, machine_.l1.size));
    }
    const Int capacity = machine_.cores.count() * usable;
    const CrossbarLayout layout = layout_of(machine_, op.matrix, op.bits.W);
    if (layout.crossbars(layout.least_parts) <= capacity) return keep(op);
    if (op.matrix.groups > 1) return cut_groups(op, layout, capacity);
    return cut_matrix(op, layout, capacity);
  }

  std::vector<Operator> pieces;
  std::vector<std::size_t> ends;
  std::vector<std::size_t> sums;  ///< indices of the adding pieces, whose inputs are indices into `pieces`
  std::string refusal;
  // Limit on the number of operators after splitting; a useful compilation has far fewer.
  static constexpr std::size_t most_pieces = 10000;

 private:
  bool keep(const Operator& op) {
    ends.push_back(pieces.size());
    pieces.push_back(op);
    return true;
  }

  bool refuse(std::string message) {
    refusal = std::move(message);
    return false;
  }

  static Operator piece_of(const Operator& op, std::string name) {
    Operator piece = op;
    piece.name = std::move(name);
    if (piece.piece.of.empty()) piece.piece.of = op.name;
    return piece;
  }

  bool cut_groups(const Operator& op, const CrossbarLayout& layout, Int capacity) {
    const Int groups = op.matrix.groups;
    const Int each = layout.packed
                         ? capacity * layout.groups_packed
                         : std::max<Int>(1, capacity / (layout.crossbars(layout.least_parts) / groups));
    Int k = 0;
    for (Int first = 0; first < groups && pieces.size() <= most_pieces; first += each, ++k) {
      const Int count = std::min(each, groups - first);
      Operator piece = piece_of(op, fmt::format("{}.{}", op.name, k));
      piece.matrix.groups = count;
      piece.channels = op.channels * count / groups;
      piece.in_channels = op.in_channels * count / groups;
      piece.row_in = op.in_channels > 0 ? op.row_in * piece.in_channels / op.in_channels : op.row_in;
      piece.piece.first_group = first;
      if (!cut(piece)) return false;  // a single group may still be too large
    }
    return true;
  }

  Int columns_needed(const Operator& op, Int columns) const {
    return layout_of(machine_, {op.matrix.rows, columns, 1}, op.bits.W).columns;
  }

  // Returns the largest number of columns whose row part fits into `crossbars` crossbars, or 0 if no column
  // fits.
  Int most_columns(const Operator& op, Int crossbars) const {
    Int low = 0;
    Int high = op.matrix.columns;
    while (low < high) {
      const Int middle = high - (high - low) / 2;
      if (columns_needed(op, middle) <= crossbars)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  bool cut_matrix(const Operator& op, const CrossbarLayout& layout, Int capacity) {
    const Int one = columns_needed(op, 1);
    if (one > capacity)
      return refuse(
          fmt::format("one weight of operator '{}' takes {} crossbars ({} slices of {} bits), but the "
                      "chip has {} it can use",
                      op.name, one, layout.slices_per_weight, machine_.cell.cell_bits, capacity));
    const Int columns = layout.least_parts <= capacity ? most_columns(op, capacity / layout.least_parts) : 0;
    if (columns > 0) {
      for_blocks(op.matrix.columns, columns, [&](Int k, Int first, Int count) {
        keep(columns_of(op, fmt::format("{}.{}", op.name, k), first, count));
      });
    } else {
      Operator part = op;
      part.bits.O = 32;
      if (one > machine_.cores.count() * usable_crossbars(machine_, part.bits))
        return refuse(
            fmt::format("operator '{}' must be cut into blocks of rows, but their 32-bit sums do not fit "
                        "into an l1.size of {} bits",
                        op.name, machine_.l1.size));
      const Int blocks =
          std::min(capacity, machine_.cores.count() * usable_crossbars(machine_, part.bits)) / one;
      for_blocks(op.matrix.columns, most_columns(op, one), [&](Int k, Int first, Int count) {
        cut_rows(columns_of(op, fmt::format("{}.{}", op.name, k), first, count), blocks);
      });
    }
    return true;
  }

  template <typename Use>
  void for_blocks(Int total, Int each, Use use) {
    for (Int first = 0, k = 0; first < total && pieces.size() <= most_pieces; first += each, ++k)
      use(k, first, std::min(each, total - first));
  }

  static Operator columns_of(const Operator& op, std::string name, Int first, Int count) {
    Operator piece = piece_of(op, std::move(name));
    piece.matrix.columns = count;
    piece.channels = count;
    piece.piece.first_column = first;
    return piece;
  }

  // Creates the row blocks of one block of columns, and the operator that adds their partial sums.
  void cut_rows(const Operator& block, Int row_parts) {
    Operator sum = block;
    sum.kind = OperatorKind::alu;
    sum.matrix = {};
    sum.inputs.clear();
    sum.in_channels = block.channels;
    sum.bits.I = 32;
    sum.piece.adds = true;
    for_blocks(block.matrix.rows, row_parts * machine_.cell.rows, [&](Int j, Int first, Int count) {
      Operator piece = piece_of(block, fmt::format("{}.{}", block.name, j));
      piece.matrix.rows = count;
      piece.bits.O = 32;
      piece.piece.first_row = first;
      for (auto& input : piece.inputs) {
        input.taps = 1;
        input.tap_step = 0;
      }
      // split() replaces this index of a piece with the number of its tensor.
      sum.inputs.push_back({pieces.size(), {1, 0, 1}, false});
      pieces.push_back(std::move(piece));
    });
    const Int blocks = static_cast<Int>(sum.inputs.size());
    sum.alu_ops = (blocks - 1) * block.width * block.channels;
    sum.row_in = blocks * block.width * block.channels;
    sums.push_back(pieces.size());
    ends.push_back(pieces.size());
    pieces.push_back(std::move(sum));
  }

  const ChipMachine& machine_;
};

}  // namespace

std::optional<ChipRefusal> split(const ChipMachine& machine, ChipNetwork& network) {
  std::vector<Operator> operators;
  // For every tensor of the original network, the tensors that replace it.
  std::vector<std::vector<std::size_t>> now;
  for (std::size_t t = 0; t < network.inputs.size(); ++t) now.push_back({t});
  for (const Operator& op : network.operators) {
    Splitter splitter(machine);
    if (!splitter.cut(op)) return ChipRefusal{splitter.refusal};
    if (splitter.pieces.size() + operators.size() > Splitter::most_pieces)
      return ChipRefusal{
          fmt::format("operator '{}' must be cut into more pieces than the limit of {} operators allows",
                      op.name, Splitter::most_pieces)};
    const std::size_t base = network.inputs.size() + operators.size();
    for (std::size_t p = 0; p < splitter.pieces.size(); ++p) {
      Operator& piece = splitter.pieces[p];
      // piece.adds cannot be used here: a network may contain sums of an earlier split, whose inputs are
      // already numbers of tensors.
      if (std::find(splitter.sums.begin(), splitter.sums.end(), p) != splitter.sums.end()) {
        for (auto& input : piece.inputs) input.tensor += base;
      } else {
        std::vector<OperatorInput> inputs;
        for (const auto& input : piece.inputs)
          for (const std::size_t tensor : now[input.tensor]) {
            inputs.push_back(input);
            inputs.back().tensor = tensor;
          }
        piece.inputs = std::move(inputs);
      }
      operators.push_back(std::move(piece));
    }
    for (auto& end : splitter.ends) end += base;
    now.push_back(std::move(splitter.ends));
  }
  std::vector<std::size_t> outputs;
  for (const std::size_t output : network.outputs)
    for (const std::size_t tensor : now[network.tensor_of(output)])
      outputs.push_back(tensor - network.inputs.size());
  network.operators = std::move(operators);
  network.outputs = std::move(outputs);
  return std::nullopt;
}

}  // namespace nestor::chip
