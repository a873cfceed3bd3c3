// Test of the lower bound on the rows of an operand with sliding windows.
#include "model/pim/search/row_floor.h"

#include <gtest/gtest.h>

#include <set>

namespace nestor::tests::row_floor_test {
namespace {

// Returns the number of distinct places p * stride + r * dilation for the given outputs and taps.
Int places(Int outputs, Int taps, Int stride, Int dilation) {
  std::set<Int> seen;
  for (Int p = 0; p < outputs; ++p)
    for (Int r = 0; r < taps; ++r) seen.insert(p * stride + r * dilation);
  return static_cast<Int>(seen.size());
}

// For any operand with sliding windows, the floor is at most the number of rows that contain an element that
// is read. A row holds one element here.
TEST(RowFloor, ExcludesGapsBetweenSlidingWindows) {
  Memory dram;
  dram.row = 8;
  dram.banks = 1;
  int gaps = 0;
  for (Int stride = 1; stride <= 4; ++stride)
    for (Int dilation = 1; dilation <= 4; ++dilation)
      for (Int outputs = 1; outputs <= 4; ++outputs)
        for (Int taps = 1; taps <= 4; ++taps) {
          LayerShape convolution;
          convolution.stride = {stride, 1};
          convolution.dilation = {dilation, 1};
          LayerShape swapped = convolution;  // W and O have sliding windows, I does not
          swapped.relevance.dims = {convolution.relevance.of(Operand::W),
                                    convolution.relevance.of(Operand::I),
                                    convolution.relevance.of(Operand::I)};
          Extents extents = unit_extents;
          extents[index_of(Dim::P)] = outputs;
          extents[index_of(Dim::R)] = taps;
          const auto floor = [&](const LayerShape& layer, Operand operand) {
            return pim::RowFloor(layer, dram, operand, extents).activations({}, {}, layer);
          };
          const Int read = places(outputs, taps, stride, dilation);
          const Int expected = floor(convolution, Operand::I);
          EXPECT_LE(expected, read);
          EXPECT_EQ(floor(swapped, Operand::W), expected);
          EXPECT_EQ(floor(swapped, Operand::O), floor(convolution, Operand::I));
          EXPECT_EQ(floor(swapped, Operand::I), taps);
          gaps += static_cast<int>(read < (outputs - 1) * stride + (taps - 1) * dilation + 1);
        }
  EXPECT_GT(gaps, 50);
}

}  // namespace
}  // namespace nestor::tests::row_floor_test
