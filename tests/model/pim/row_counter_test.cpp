// Tests that compare exact row counts with an element-by-element trace. Other tests compare lower bounds and
// the choice of layouts with exact row counts.
#include "model/pim/rows/row_counter.h"

#include <gtest/gtest.h>

#include "model/pim/rows/activation_floor.h"
#include "sim/pim/row_trace.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::row_counter_test {
namespace {

TEST(RowCounter, EqualsTheTraceOnAdversarialWalks) {
  const std::uint64_t cases = setting("NESTOR_PIM_ROW_CASES", 4000);
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  pim::RowCounter counter;
  int banks = 0;
  int blocks = 0;
  int returning = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto made = random_row_walk(seed + i, 60000);
    const auto& [walk, layout] = std::tie(made.walk, made.layout);
    ASSERT_EQ(counter.count(walk, layout), sim::pim::trace_rows(walk, layout).activations)
        << "seed " << seed + i;
    banks += static_cast<int>(walk.banks > 1);
    blocks += static_cast<int>(layout.kind == pim::LayoutKind::row_aligned && layout.block_height > 1);
    returning += static_cast<int>(sums_return(walk));
  }
  const int least = static_cast<int>(cases / 20);
  EXPECT_GT(banks, least);
  EXPECT_GT(blocks, least);
  EXPECT_GT(returning, least);
}

TEST(ActivationFloor, NeverExceedsTheCount) {
  const std::uint64_t cases = setting("NESTOR_PIM_ROW_CASES", 4000);
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  pim::RowCounter counter;
  std::uint64_t positive = 0;
  std::uint64_t tight = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto made = random_row_walk(seed + i, 60000);
    const auto& [walk, layout] = std::tie(made.walk, made.layout);
    const Int floor = passes(walk) * pass_floor(walk, layout);
    const Int count = counter.count(walk, layout);
    ASSERT_LE(floor, count) << "seed " << seed + i;
    ASSERT_LE(passes(walk) * pass_floor(walk, pim::LayoutSet::of(layout.kind)), count) << "seed " << seed + i;
    positive += static_cast<std::uint64_t>(floor > 0);
    tight += static_cast<std::uint64_t>(2 * floor >= count);
  }
  EXPECT_GT(positive, cases / 8);
  EXPECT_GT(tight, cases / 20);
}

// Each iteration of a loop sweeps the content of the loop, in pieces of any size.
TEST(SweepFloor, NeverExceedsTheCount) {
  const std::uint64_t cases = setting("NESTOR_PIM_ROW_CASES", 4000);
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  pim::RowCounter counter;
  std::uint64_t positive = 0;
  std::uint64_t gaps = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto made = random_row_walk(seed + i, 60000);
    const Int count = counter.count(made.walk, made.layout);
    Int times = 1;
    for (std::size_t loop = 0; loop < made.walk.loops.size(); ++loop) {
      times *= made.walk.loops[loop].count;
      pim::RowWalk content = made.walk;
      pim::Coordinates steps{};
      content.tile = pim::read_places(made.layer, made.walk.operand, made.contents[loop], steps);
      const Int floor = pim::sweep_floor(content, pim::LayoutSet::of(made.layout.kind), steps);
      ASSERT_LE(times * floor, count) << "seed " << seed + i << ", loop " << loop;
      positive += static_cast<std::uint64_t>(floor > 0);
      gaps += static_cast<std::uint64_t>(floor > 0 && steps[2] * steps[3] > 1);
    }
  }
  EXPECT_GT(positive, cases / 4);
  EXPECT_GT(gaps, cases / 40);
}

// Layouts whose count is skipped affect neither the least activations nor the choice among equally good
// layouts.
TEST(LayoutChoice, EqualsTheBestOfAllCounts) {
  const std::uint64_t cases = setting("NESTOR_PIM_ROW_CASES", 4000) / 4;
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  pim::RowCounter counter;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto walk = random_row_walk(seed + i, 20000).walk;
    pim::ChosenLayout best{.layout = {}, .activations = counter.count(walk, {})};
    const auto consider = [&](const pim::Layout& layout) {
      const Int count = counter.count(walk, layout);
      if (count < best.activations) best = {layout, count};
    };
    if (walk.operand != Operand::W) consider(pim::Layout{.kind = pim::LayoutKind::hwc});
    consider(pim::Layout{pim::LayoutKind::row_aligned, 1, walk.operand == Operand::W ? 1 : walk.size[3]});
    for (Int height = 2; walk.operand != Operand::W && height <= walk.size[2]; ++height)
      for (Int width = 1; width < walk.size[3]; ++width)
        if (walk.size[2] % height == 0 && walk.size[3] % width == 0)
          consider(pim::Layout{pim::LayoutKind::row_aligned, height, width});
    const auto found = best_layout(counter, walk, pim::all_layouts, 0);
    ASSERT_EQ(found.activations, best.activations) << "seed " << seed + i;
    ASSERT_EQ(found.layout, best.layout) << "seed " << seed + i;
    const Int limit = std::max<Int>(1, best.activations - static_cast<Int>(i % 3));
    ASSERT_EQ(best_layout(counter, walk, pim::all_layouts, 0, limit).activations,
              std::min(best.activations, limit));
  }
}

// The trace stores the address offsets of a coordinate only if it is short.
TEST(RowCounter, EqualsTheTraceAlongAVeryLongCoordinate) {
  for (const Int banks : {1, 3})
    for (const std::size_t along : {std::size_t{0}, std::size_t{3}})
      for (const auto kind : {pim::LayoutKind::sequential, pim::LayoutKind::row_aligned}) {
        pim::RowWalk walk{.operand = Operand::W,
                          .planes = false,
                          .size = {1, 1, 1, 1},
                          .tile = {1, 1, 1, 1},
                          .loops = {},
                          .row_elements = 7,
                          .banks = banks};
        walk.size[along] = 100000;
        walk.size[1] = 3;
        walk.tile[along] = 5;
        walk.tile[1] = 3;
        walk.loops.push_back({.coordinate = pim::VisitLoop::repeats, .count = 2, .step = 0});
        walk.loops.push_back({.coordinate = static_cast<std::uint8_t>(along), .count = 20000, .step = 5});
        const auto trace = sim::pim::trace_rows(walk, pim::Layout{.kind = kind});
        EXPECT_EQ(trace.accesses, 600000);
        EXPECT_EQ(pim::RowCounter().count(walk, pim::Layout{.kind = kind}), trace.activations);
      }
}

// The coordinates of a tile depend on its operand's dimensions, not on the operand's name.
TEST(RowWalk, TakesTheCoordinatesFromTheLayer) {
  LayerShape sum;  // sum of two tensors: all operands have the same shape
  sum.relevance.dims.fill(sum.relevance.of(Operand::O));
  LayerShape swapped;  // W has sliding windows, I does not
  swapped.stride = {2, 3};
  swapped.dilation = {1, 4};
  LayerShape convolution = swapped;
  std::swap(swapped.relevance.dims[index_of(Operand::I)], swapped.relevance.dims[index_of(Operand::W)]);
  const Extents extents = {2, 3, 5, 7, 11, 2, 4, 1};
  const auto expect_equal = [&](const LayerShape& a, Operand x, const LayerShape& b, Operand y) {
    EXPECT_EQ(pim::tile_box(a, x, extents), pim::tile_box(b, y, extents));
    EXPECT_EQ(pim::has_planes(a, x), pim::has_planes(b, y));
    pim::Coordinates steps_a{}, steps_b{};
    EXPECT_EQ(pim::read_places(a, x, extents, steps_a), pim::read_places(b, y, extents, steps_b));
    EXPECT_EQ(steps_a, steps_b);
    for (const Dim dim : all_dims)
      EXPECT_EQ(pim::visit_loop(a, x, dim, 2, 3), pim::visit_loop(b, y, dim, 2, 3)) << letter(dim);
  };
  for (const Operand operand : all_operands) expect_equal(sum, operand, convolution, Operand::O);
  expect_equal(swapped, Operand::I, convolution, Operand::W);
  expect_equal(swapped, Operand::W, convolution, Operand::I);
  EXPECT_EQ(pim::tile_box(convolution, Operand::I, extents), (pim::Coordinates{2, 5, 14, 43}));
  EXPECT_EQ(pim::tile_box(convolution, Operand::W, extents), (pim::Coordinates{3, 5, 2, 4}));
  EXPECT_EQ(pim::tile_box(convolution, Operand::O, extents), (pim::Coordinates{2, 3, 7, 11}));
  EXPECT_EQ(pim::visit_loop(convolution, Operand::I, Dim::Q, 2, 3),
            (pim::VisitLoop{.coordinate = 3, .count = 2, .step = 9}));
  EXPECT_EQ(pim::visit_loop(convolution, Operand::W, Dim::S, 2, 3),
            (pim::VisitLoop{.coordinate = 3, .count = 2, .step = 3}));
}

TEST(RowCounter, CountsWalksTooLongToTrace) {
  // There are 2^40 visits of one element each in rows of 16, and each of the 2^36 rows is opened once.
  pim::RowWalk walk;
  walk.operand = Operand::W;
  walk.planes = false;
  walk.size = {Int{1} << 20, Int{1} << 20, 1, 1};
  walk.loops.push_back({.coordinate = 0, .count = Int{1} << 20, .step = 1});
  walk.loops.push_back({.coordinate = 1, .count = Int{1} << 20, .step = 1});
  walk.row_elements = 16;
  EXPECT_EQ(pim::RowCounter().count(walk, {}), Int{1} << 36);
}

}  // namespace
}  // namespace nestor::tests::row_counter_test
