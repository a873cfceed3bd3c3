#include "sim/chip/crossbar.h"

#include <algorithm>

namespace nestor::sim::chip {
namespace {

struct Slice {
  Int shift;
  Int width;
  bool top;
};

// Least slice first; the top one may be narrower, and its highest bit counts negative.
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
  std::fill_n(cells_.begin() + static_cast<std::ptrdiff_t>(row * cell_.columns), count * cell_.columns, 0);
}

void Crossbar::clear() {
  std::fill(inputs_.begin(), inputs_.end(), 0);
  std::fill(sums_.begin(), sums_.end(), 0);
  read_.assign(static_cast<std::size_t>(cell_.rows), false);
}

void Crossbar::read(Int row, Int count, Int bits) {
  const Int columns = cell_.columns;
  const auto first = static_cast<std::size_t>(row);
  if (read_.empty()) clear();
  for (std::size_t r = first; r < first + static_cast<std::size_t>(count); ++r) read_[r] = true;
  const Int largest_digit = (Int{1} << std::min<Int>(cell_.dac <= 0 ? bits : cell_.dac, bits)) - 1;
  const Int most = cell_.adc <= 0 || cell_.adc > 40 ? 0 : (Int{1} << cell_.adc) - 1;
  const bool clips = most > 0 && count * largest_digit * ((Int{1} << cell_.cell_bits) - 1) > most;
  std::vector<Int> column(static_cast<std::size_t>(columns));
  const auto pass = [&](auto value_of, Int shift) {
    std::fill(column.begin(), column.end(), 0);
    for (std::size_t r = first; r < first + static_cast<std::size_t>(count); ++r) {
      const Int value = value_of(inputs_[r]);
      if (value == 0) continue;
      const std::int32_t* cells = &cells_[r * static_cast<std::size_t>(columns)];
      for (std::size_t c = 0; c < column.size(); ++c) column[c] += value * cells[c];
    }
    for (std::size_t c = 0; c < column.size(); ++c) {
      const Int sum = clips ? std::clamp(column[c], -most, most) : column[c];
      sums_[c] += static_cast<Int>(static_cast<std::uint64_t>(sum) << shift);
    }
  };
  // Where no sum can reach the converter's limit, all slices together give the same as one after another.
  if (!clips) return pass([](Int value) { return value; }, 0);
  for (const Slice& slice : slices_of(bits, cell_.dac)) {
    pass([&](Int value) { return digit(value, slice); }, slice.shift);
  }
}

}  // namespace nestor::sim::chip
