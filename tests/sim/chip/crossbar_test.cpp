// Tests that compare the reads of one crossbar with plain sums over its rows, slice by slice, for cells and
// inputs of all widths, with and without a clipping converter.
#include "sim/chip/crossbar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace nestor::sim::chip::crossbar_test {
namespace {

// Returns the value of the `width` bits from bit `at`. If `top`, the highest of them has a negative weight.
Int digit_of(Int value, Int at, Int width, bool top) {
  Int digit = 0;
  for (Int bit = 0; bit < width; ++bit) {
    const Int weight = Int{1} << bit;
    if (((value >> (at + bit)) & 1) != 0) digit += top && bit == width - 1 ? -weight : weight;
  }
  return digit;
}

TEST(Crossbar, ReadsTheSumOfItsRows) {
  int clipped = 0;
  int wide = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    nestor::chip::CellArray cell;
    cell.rows = random.between(1, 24);
    cell.columns = random.between(1, 40);
    cell.cell_bits = random.chance(0.8) ? random.between(1, 4) : random.between(14, 18);
    cell.dac = random.chance(0.5) ? random.between(1, 4) : nestor::chip::left_out;
    cell.adc = random.chance(0.5) ? random.between(3, 12) : nestor::chip::left_out;
    const Int bits = random.chance(0.7) ? random.between(2, 8) : random.between(9, 20);
    Crossbar crossbar(cell);
    std::vector<std::vector<Int>> cells(static_cast<std::size_t>(cell.rows));
    std::vector<Int> inputs;
    crossbar.clear();
    for (Int row = 0; row < cell.rows; ++row) {
      for (Int column = 0; column < cell.columns; ++column) {
        cells[static_cast<std::size_t>(row)].push_back(random.between(0, (Int{1} << cell.cell_bits) - 1));
        crossbar.set_cell(row, column, cells[static_cast<std::size_t>(row)].back());
      }
      inputs.push_back(random.between(-(Int{1} << (bits - 1)), (Int{1} << (bits - 1)) - 1));
      crossbar.set_input(row, inputs.back());
    }
    const Int first = random.between(0, cell.rows - 1);
    const Int count = random.between(1, cell.rows - first);
    crossbar.read(first, count, bits);

    const Int width = cell.dac <= 0 ? bits : cell.dac;
    const Int most = cell.adc <= 0 ? 0 : (Int{1} << cell.adc) - 1;
    wide += cell.cell_bits > 15 ? 1 : 0;
    for (Int column = 0; column < cell.columns; ++column) {
      Int expected = 0;
      for (Int at = 0; at < bits; at += width) {
        Int sum = 0;
        for (Int row = first; row < first + count; ++row)
          sum += digit_of(inputs[static_cast<std::size_t>(row)], at, std::min(width, bits - at),
                          at + width >= bits) *
                 cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        if (most > 0 && std::abs(sum) > most) {
          ++clipped;
          sum = sum < 0 ? -most : most;
        }
        expected += sum * (Int{1} << at);
      }
      ASSERT_EQ(static_cast<std::int32_t>(crossbar.sum(column)), static_cast<std::int32_t>(expected))
          << "seed " << seed << " column " << column;
    }
  }
  EXPECT_GT(clipped, 100);
  EXPECT_GT(wide, 20);
}

}  // namespace
}  // namespace nestor::sim::chip::crossbar_test
