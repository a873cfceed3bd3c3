// Factored basis: B = L U from the elimination, followed by a product-form eta for each later pivot. All
// vectors are indexed by row; the basic variable at place r is the variable whose column was pivoted in row
// r.
#pragma once

#include "solver/simplex/markowitz.h"
#include "solver/simplex/triangular.h"

namespace nestor::simplex {

class Factorization {
 public:
  struct Repair {
    Index column;  ///< index into the given columns
    Index row;     ///< row whose logical replaces the column
  };

  /// Factors the square matrix. Dependent columns are replaced by logicals (entry -1 in their row), and the
  /// replacements are returned. Afterwards, row_of_column(c) is the place of the variable of column c.
  std::vector<Repair> factor(std::span<const std::span<const Entry>> columns, double threshold);
  Index row_of_column(Index column) const { return row_of_column_[column]; }

  /// v := B^-1 v.
  void forward(SparseVector& v);
  /// v := B^-T v.
  void backward(SparseVector& v);
  /// Updates the factors after the variable at place `row` was replaced by a variable whose column is B *
  /// `direction`.
  void update(Index row, const SparseVector& direction);

  std::size_t updates() const { return etas_.size(); }
  /// True if there are so many eta entries that refactoring would make solves cheaper.
  bool is_long() const;

 private:
  struct Eta {
    Index row;
    double pivot;
    std::size_t begin;
    std::size_t end;
  };

  void build(const Elimination& elimination);

  Markowitz markowitz_;
  TriangularFactor lower_, upper_, upper_transposed_, lower_transposed_;
  std::vector<Index> row_of_column_;
  std::vector<Eta> etas_;
  std::vector<Entry> eta_entries_;
};

}  // namespace nestor::simplex
