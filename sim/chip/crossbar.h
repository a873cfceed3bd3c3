// One crossbar as a device (internal to sim/chip): cells of a few bits, inputs in slices as wide as the
// converter allows, and column sums that are clipped, shifted and added. It is independent of weights, parts
// and windows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/chip/machine.h"

namespace nestor::sim::chip {

class Crossbar {
 public:
  explicit Crossbar(const nestor::chip::CellArray& cell)
      : cell_(cell),
        narrow_(cell.cell_bits <= narrow_bits ? count_of(cell) : 0),
        wide_(cell.cell_bits <= narrow_bits ? 0 : count_of(cell)),
        inputs_(static_cast<std::size_t>(cell.rows)),
        sums_(static_cast<std::size_t>(cell.columns)) {}

  void erase_rows(Int row, Int count);
  void set_cell(Int row, Int column, Int value) {
    const auto at = static_cast<std::size_t>(row * cell_.columns + column);
    if (wide_.empty())
      narrow_[at] = static_cast<std::int16_t>(value);
    else
      wide_[at] = static_cast<std::int32_t>(value);
  }
  /// Clears inputs and sums at the start of a gather operation.
  void clear();
  void set_input(Int row, Int value) { inputs_[static_cast<std::size_t>(row)] = value; }
  Int input(Int row) const { return inputs_[static_cast<std::size_t>(row)]; }

  /// Reads rows row .. row + count - 1 at the same time, with all slices of inputs that have `bits` bits.
  void read(Int row, Int count, Int bits);
  bool was_read(Int row) const {
    return row < static_cast<Int>(read_.size()) && read_[static_cast<std::size_t>(row)];
  }

  /// Returns the sum of a column, modulo 2^32, as a signed number.
  Int sum(Int column) const { return static_cast<std::int32_t>(sums_[static_cast<std::size_t>(column)]); }

 private:
  static constexpr Int narrow_bits = 15;
  static std::size_t count_of(const nestor::chip::CellArray& cell) {
    return static_cast<std::size_t>(cell.rows * cell.columns);
  }
  template <typename Cell>
  void read_cells(const Cell* cells, std::size_t first, std::size_t count, Int bits);
  bool add_narrow(std::size_t first, std::size_t count);

  const nestor::chip::CellArray& cell_;
  /// The cells if they have at most narrow_bits bits; otherwise empty, and the cells are in wide_.
  std::vector<std::int16_t> narrow_;
  std::vector<std::int32_t> wide_;
  std::vector<Int> inputs_;
  std::vector<std::int16_t> row_sums_;  ///< column sums of one read
  std::vector<std::uint32_t> sums_;     ///< sums per column, modulo 2^32
  std::vector<bool> read_;
};

}  // namespace nestor::sim::chip
