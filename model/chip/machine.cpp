#include "model/chip/machine.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace nestor::chip {
namespace {

// Returns the level of the smallest block of an H-tree that contains both positions, along one axis. A block
// of level k has 2^k positions.
Int levels_apart(Int low, Int high) {
  return static_cast<Int>(std::bit_width(static_cast<std::uint64_t>(low ^ high)));
}

}  // namespace

Int core_noc_cost(const ChipMachine& machine) {
  const Noc& noc = machine.core_noc;
  if (noc.kind == NocKind::mesh)
    return (machine.crossbars.rows - 1 + machine.crossbars.columns - 1) * noc.hop_cycles;
  if (noc.kind == NocKind::h_tree)
    return 2 * noc.hop_cycles *
           std::max(levels_apart(0, machine.crossbars.rows - 1),
                    levels_apart(0, machine.crossbars.columns - 1));
  Int largest = 0;
  if (noc.kind == NocKind::matrix)
    for (const auto& row : noc.cost)
      for (const Int cost : row) largest = std::max(largest, cost);
  return largest;
}

namespace {

// Extremes of row + column and of row - column over consecutive positions of a grid. The largest Manhattan
// distance between two sets of positions is the difference between an extreme of one set and an extreme of
// the other.
struct Corners {
  Int least_sum, most_sum, least_difference, most_difference;
};

Corners corners_of(const Grid& grid, CoreRange range) {
  const auto row = [&](Int core) { return core / grid.columns; };
  const auto column = [&](Int core) { return core % grid.columns; };
  const Int last = range.end() - 1;
  Corners corners{row(range.first) + column(range.first), 0, 0, row(range.first) - column(range.first)};
  corners.most_sum = corners.least_sum;
  corners.least_difference = corners.most_difference;
  const auto include = [&](Int core) {
    const Int sum = row(core) + column(core);
    const Int difference = row(core) - column(core);
    corners.least_sum = std::min(corners.least_sum, sum);
    corners.most_sum = std::max(corners.most_sum, sum);
    corners.least_difference = std::min(corners.least_difference, difference);
    corners.most_difference = std::max(corners.most_difference, difference);
  };
  include(last);
  // Rows in between are complete, so the extremes are at the ends of the first two and the last two rows.
  for (const Int at : {row(range.first), row(range.first) + 1, row(last) - 1, row(last)}) {
    if (at < row(range.first) || at > row(last)) continue;
    include(std::max(range.first, at * grid.columns));
    include(std::min(last, at * grid.columns + grid.columns - 1));
  }
  return corners;
}

// Returns the level of the smallest block of the H-tree that contains both ranges. A block contains all cores
// of the ranges if and only if it contains their smallest and largest rows and columns.
Int h_tree_levels(const Grid& grid, CoreRange a, CoreRange b) {
  const Int first = std::min(a.first, b.first) / grid.columns;
  const Int last = (std::max(a.end(), b.end()) - 1) / grid.columns;
  const auto crosses_rows = [&](CoreRange range) {
    return range.first / grid.columns != (range.end() - 1) / grid.columns;
  };
  if (crosses_rows(a) || crosses_rows(b))
    return std::max(levels_apart(first, last), levels_apart(0, grid.columns - 1));
  const auto column = [&](Int core) { return core % grid.columns; };
  const Int left = std::min(column(a.first), column(b.first));
  const Int right = std::max(column(a.end() - 1), column(b.end() - 1));
  return std::max(levels_apart(first, last), levels_apart(left, right));
}

}  // namespace

Int chip_noc_cost(const ChipMachine& machine, CoreRange from, CoreRange to) {
  const Noc& noc = machine.chip_noc;
  if (noc.kind == NocKind::ideal || from.count < 1 || to.count < 1) return 0;
  if (noc.kind == NocKind::mesh) {
    if (noc.hop_cycles == 0) return 0;
    const Corners a = corners_of(machine.cores, from);
    const Corners b = corners_of(machine.cores, to);
    return noc.hop_cycles *
           std::max({a.most_sum - b.least_sum, b.most_sum - a.least_sum,
                     a.most_difference - b.least_difference, b.most_difference - a.least_difference});
  }
  if (noc.kind == NocKind::h_tree) return 2 * noc.hop_cycles * h_tree_levels(machine.cores, from, to);
  Int largest = 0;
  for (Int i = from.first; i < from.end(); ++i)
    for (Int j = to.first; j < to.end(); ++j)
      largest = std::max(largest, noc.cost[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  return largest;
}

bool has_noc_cost(const ChipMachine& machine) {
  const Noc& noc = machine.chip_noc;
  if (noc.kind == NocKind::mesh || noc.kind == NocKind::h_tree)
    return noc.hop_cycles > 0 && machine.cores.count() > 1;
  if (noc.kind == NocKind::ideal) return false;
  return std::any_of(noc.cost.begin(), noc.cost.end(), [](const std::vector<Int>& row) {
    return std::any_of(row.begin(), row.end(), [](Int cost) { return cost > 0; });
  });
}

}  // namespace nestor::chip
