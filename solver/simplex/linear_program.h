// A linear program in the form of the bundled simplex:
//
//     minimise  offset + cost . x   subject to   row_lower <= A x <= row_upper,  lower <= x <= upper
//
// A missing bound is represented by +-infinity, and an equality by a row with equal bounds. The matrix is
// sparse and stored by columns. Callers build the program with add_column and add_row (in any order) and pass
// it to Simplex (simplex.h). Names, maximisation and files are handled by io/lp.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace nestor::simplex {

using Index = std::uint32_t;

inline constexpr Index no_index = std::numeric_limits<Index>::max();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// One coefficient. `index` is the column if the entry is part of a row, and the row if it is part of a
/// column.
struct Entry {
  Index index = 0;
  double value = 0;
};

struct Interval {
  double lower = -infinity;
  double upper = infinity;
};

class LinearProgram {
 public:
  /// Adds a column and returns its index. `entries` must refer to existing rows, with distinct indices (see
  /// sum_duplicates).
  Index add_column(double cost, Interval bounds, std::span<const Entry> entries = {});
  /// Adds a row and returns its index. `entries` must refer to existing columns, with distinct indices.
  Index add_row(Interval bounds, std::span<const Entry> entries = {});
  /// Replaces the coefficients of a row.
  void set_row(Index row, std::span<const Entry> entries);
  /// Removes all rows except the first `count`.
  void truncate_rows(Index count);

  void set_cost(Index column, double cost) { cost_[column] = cost; }
  void set_column_bounds(Index column, Interval bounds) { column_bounds_[column] = bounds; }
  void set_row_bounds(Index row, Interval bounds) { row_bounds_[row] = bounds; }
  void set_offset(double offset) { offset_ = offset; }

  Index columns() const { return static_cast<Index>(cost_.size()); }
  Index rows() const { return static_cast<Index>(row_bounds_.size()); }
  std::size_t entries() const;
  double cost(Index column) const { return cost_[column]; }
  double offset() const { return offset_; }
  const Interval& column_bounds(Index column) const { return column_bounds_[column]; }
  const Interval& row_bounds(Index row) const { return row_bounds_[row]; }
  std::span<const Entry> column(Index column) const { return matrix_[column]; }

 private:
  double offset_ = 0;
  std::vector<double> cost_;
  std::vector<Interval> column_bounds_;
  std::vector<Interval> row_bounds_;
  std::vector<std::vector<Entry>> matrix_;  ///< by column; entries refer to rows
};

/// Sorts by index, adds up equal indices and drops zeros, for callers that cannot guarantee distinct indices.
void sum_duplicates(std::vector<Entry>& entries);

}  // namespace nestor::simplex
