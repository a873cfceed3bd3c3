#include "sim/chip/crossbar.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace nestor::sim::chip {
namespace {

struct Slice {
  Int shift;
  Int width;
  bool top;
};

// Returns the slices of an input of `bits` bits, least significant first. The top slice can be narrower, and
// its highest bit has a negative weight.
std::vector<Slice> slices_of(Int bits, Int dac) {
  std::vector<Slice> slices;
  const Int width = dac <= 0 ? bits : dac;
  for (Int at = 0; at < bits; at += width)
    slices.push_back({at, std::min(width, bits - at), at + width >= bits});
  return slices;
}

Int digit(Int value, const Slice& slice) {
  const Int low = (value >> slice.shift) & ((Int{1} << slice.width) - 1);
  const Int sign = Int{1} << (slice.width - 1);
  return slice.top && (low & sign) != 0 ? low - 2 * sign : low;
}

}  // namespace

void Crossbar::erase_rows(Int row, Int count) {
  const auto erase = [&](auto& cells) {
    std::fill_n(cells.begin() + static_cast<std::ptrdiff_t>(row * cell_.columns), count * cell_.columns, 0);
  };
  if (wide_.empty())
    erase(narrow_);
  else
    erase(wide_);
}

void Crossbar::clear() {
  std::fill(inputs_.begin(), inputs_.end(), 0);
  std::fill(sums_.begin(), sums_.end(), 0);
  read_.assign(static_cast<std::size_t>(cell_.rows), false);
}

void Crossbar::read(Int row, Int count, Int bits) {
  const auto first = static_cast<std::size_t>(row);
  const auto rows = static_cast<std::size_t>(count);
  if (read_.empty()) clear();
  for (std::size_t r = first; r < first + rows; ++r) read_[r] = true;
  if (wide_.empty())
    read_cells(narrow_.data(), first, rows, bits);
  else
    read_cells(wide_.data(), first, rows, bits);
}

template <typename Cell>
void Crossbar::read_cells(const Cell* cells, std::size_t first, std::size_t count, Int bits) {
  const Int largest_digit = (Int{1} << std::min<Int>(cell_.dac <= 0 ? bits : cell_.dac, bits)) - 1;
  const Int most = cell_.adc <= 0 || cell_.adc > 40 ? 0 : (Int{1} << cell_.adc) - 1;
  const bool clips =
      most > 0 && static_cast<Int>(count) * largest_digit * ((Int{1} << cell_.cell_bits) - 1) > most;
  if (!clips && add_narrow(first, count)) return;
  const auto columns = static_cast<std::size_t>(cell_.columns);
  std::vector<Int> column(columns);
  const auto pass = [&](auto value_of, Int shift) {
    std::fill(column.begin(), column.end(), 0);
    for (std::size_t r = first; r < first + count; ++r) {
      const Int value = value_of(inputs_[r]);
      if (value == 0) continue;
      const Cell* const in_row = cells + r * columns;
      for (std::size_t c = 0; c < columns; ++c) column[c] += value * in_row[c];
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const Int sum = clips ? std::clamp(column[c], -most, most) : column[c];
      sums_[c] += static_cast<std::uint32_t>(static_cast<std::uint64_t>(sum) << shift);
    }
  };
  // If no sum can exceed the converter's limit, a single pass over whole inputs gives the same result as a
  // pass per slice.
  if (!clips) return pass([](Int value) { return value; }, 0);
  for (const Slice& slice : slices_of(bits, cell_.dac)) {
    pass([&](Int value) { return digit(value, slice); }, slice.shift);
  }
}

// Adds the sums of a read in 16-bit arithmetic. Returns false, without effect, if the cells are wide or a sum
// over these inputs could exceed the 16-bit range.
bool Crossbar::add_narrow(std::size_t first, std::size_t count) {
  if (!wide_.empty()) return false;
  constexpr Int largest_sum = std::numeric_limits<std::int16_t>::max();
  Int reach = 0;
  for (std::size_t r = first; r < first + count; ++r) {
    if (inputs_[r] > largest_sum || inputs_[r] < -largest_sum) return false;
    reach += std::abs(inputs_[r]);
  }
  if (reach * ((Int{1} << cell_.cell_bits) - 1) > largest_sum) return false;
  if (reach == 0) return true;
  const auto columns = static_cast<std::size_t>(cell_.columns);
  row_sums_.assign(columns, 0);
  for (std::size_t r = first; r < first + count; ++r) {
    const auto value = static_cast<std::int16_t>(inputs_[r]);
    if (value == 0) continue;
    const std::int16_t* const in_row = &narrow_[r * columns];
    for (std::size_t c = 0; c < columns; ++c)
      row_sums_[c] = static_cast<std::int16_t>(row_sums_[c] + value * in_row[c]);
  }
  for (std::size_t c = 0; c < columns; ++c) sums_[c] += static_cast<std::uint32_t>(row_sums_[c]);
  return true;
}

}  // namespace nestor::sim::chip
