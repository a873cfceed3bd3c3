// One triangular factor, prepared for solving. For each node in order, a solve divides by the node's pivot
// and then subtracts multiples from the nodes to which its edges lead. Solves with L, U and their transposes
// all have this form. For right-hand sides with few nonzeros, a solve visits only the nodes reachable from
// them (Gilbert and Peierls 1988).
#pragma once

#include <vector>

#include "solver/simplex/sparse_vector.h"

namespace nestor::simplex {

class TriangularFactor {
 public:
  /// Edges are added in any order between begin() and finish().
  void begin(std::size_t nodes);
  void add_edge(Index from, Index to, double value) { edges_.push_back({from, to, value}); }
  /// `order` lists each node once, sources of edges before their targets. An empty `pivots` means that all
  /// pivots are 1.
  void finish(std::vector<Index> order, std::vector<double> pivots);

  void solve(SparseVector& vector);
  std::size_t entries() const { return targets_.size(); }

 private:
  struct Edge {
    Index from;
    Index to;
    double value;
  };

  void solve_in_order(SparseVector& vector);
  void solve_reached(SparseVector& vector);
  void visit(Index root);
  void apply(Index node, SparseVector& vector);

  std::vector<Edge> edges_;
  std::vector<Index> start_;
  std::vector<Entry> targets_;
  std::vector<Index> order_;
  std::vector<double> pivots_;
  std::vector<unsigned char> seen_;
  std::vector<Index> reached_;  ///< nodes that the right-hand side reaches, in post-order
  struct Frame {
    Index node;
    Index next;
  };
  std::vector<Frame> stack_;
};

}  // namespace nestor::simplex
