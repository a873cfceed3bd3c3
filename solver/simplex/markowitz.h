// Sparse Gaussian elimination of a basis matrix. Pivots are chosen by Markowitz's rule (least bound on
// fill-in) among entries that are large enough in their row (threshold pivoting). Only a few of the shortest
// rows and columns are searched (Suhl and Suhl 1990). The same rule finds singletons, which make up most of a
// simplex basis, at no extra cost. For a singular matrix, the result lists the columns to replace and the
// rows whose logicals replace them.
#pragma once

#include <span>
#include <vector>

#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

struct Elimination {
  struct Pivot {
    Index row;
    Index column;
    double value;
  };
  struct Element {
    Index from;
    Index to;
    double value;
  };
  std::vector<Pivot> pivots;   ///< in order of elimination
  std::vector<Element> lower;  ///< `value` times pivot row `from` is subtracted from row `to`
  std::vector<Element> upper;  ///< entry of pivot row `from` in matrix column `to`
  std::vector<Index> unpivoted_rows;
  std::vector<Index> unpivoted_columns;  ///< same length as unpivoted_rows
};

class Markowitz {
 public:
  /// `columns` form the square matrix. An entry qualifies as pivot if its absolute value is at least
  /// `threshold` times the largest in its row.
  const Elimination& eliminate(std::span<const std::span<const Entry>> columns, double threshold);

 private:
  // Doubly linked lists of rows (or columns), one list for each number of active entries.
  struct CountLists {
    std::vector<Index> head, next, previous;
    void reset(std::size_t size);
    void insert(Index item, std::size_t count);
    void remove(Index item, std::size_t count);
  };
  struct Candidate {
    Index row = no_index;
    Index column = no_index;
    double size = 0;
    double merit = infinity;
  };

  void load(std::span<const std::span<const Entry>> columns);
  Candidate find_pivot();
  void scan_column(Index column, Candidate& best);
  void scan_row(Index row, Candidate& best);
  void consider(Index row, Index column, double value, Candidate& best);
  double row_maximum(Index row);
  double take_from_row(Index row, Index column);
  double look_up(Index row, Index column) const;
  void pivot_on(Index row, Index column);
  void subtract_row(Index target, double multiplier, Index pivot_row);

  double threshold_ = 0.1;
  Elimination result_;
  std::vector<std::vector<Entry>> rows_;     ///< active part by row, with values
  std::vector<std::vector<Index>> columns_;  ///< active part by column, pattern only
  std::vector<double> row_maximum_;          ///< largest absolute value in each row, or -1 if unknown
  std::vector<double> work_;                 ///< by column; zero between uses
  CountLists row_lists_, column_lists_;
};

}  // namespace nestor::simplex
