// Networks on a chip (docs/models/chip.md, section 1): the cost of a transfer between two cores, or between
// two crossbars of a core.
#pragma once

#include <array>
#include <vector>

#include "check/json.h"

namespace nestor::check::chip {

/// Consecutive places of a grid, which are numbered row by row.
struct Places {
  Int first = 0;
  Int count = 0;
};

struct Noc {
  enum class Kind { ideal, mesh, h_tree, matrix };
  Kind kind = Kind::ideal;
  Int rows = 1, columns = 1;
  Int hop = 1;
  std::vector<std::vector<Int>> cost{};  ///< from row to column; for a matrix only

  Int between(Int from, Int to) const;
  /// Returns the largest cost from a place of one range to a place of the other, or 0 if a range is empty.
  Int way(const Places& from, const Places& to) const;
  Int longest_way() const { return way({0, rows * columns}, {0, rows * columns}); }

 private:
  std::vector<Int> extremes(const Places& range) const;
};

/// Reads the key "noc" of a chip or a core whose cores or crossbars form a grid.
Noc read_noc(const Json& holder, const std::array<Int, 2>& grid);

}  // namespace nestor::check::chip
