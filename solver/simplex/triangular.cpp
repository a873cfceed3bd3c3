#include "solver/simplex/triangular.h"

#include <cmath>

namespace nestor::simplex {
namespace {

// Smaller results are treated as rounding noise and dropped.
constexpr double drop_tolerance = 1e-14;
// Right-hand sides with a lower density use the reachability search.
constexpr double reach_density = 0.05;

}  // namespace

void TriangularFactor::begin(std::size_t nodes) {
  edges_.clear();
  start_.assign(nodes + 1, 0);
  seen_.assign(nodes, 0);
}

void TriangularFactor::finish(std::vector<Index> order, std::vector<double> pivots) {
  order_ = std::move(order);
  pivots_ = std::move(pivots);
  for (const Edge& edge : edges_) ++start_[edge.from + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  targets_.resize(edges_.size());
  std::vector<Index> place(start_.begin(), start_.end() - 1);
  for (const Edge& edge : edges_) targets_[place[edge.from]++] = {edge.to, edge.value};
  edges_.clear();
}

void TriangularFactor::solve(SparseVector& vector) {
  if (static_cast<double>(vector.index.size()) < reach_density * static_cast<double>(order_.size()))
    solve_reached(vector);
  else
    solve_in_order(vector);
}

void TriangularFactor::apply(Index node, SparseVector& vector) {
  double x = vector.value[node];
  if (x == 0) return;
  if (std::abs(x) < drop_tolerance) {
    vector.value[node] = 0;
    return;
  }
  if (!pivots_.empty()) x /= pivots_[node];
  vector.value[node] = x;
  vector.index.push_back(node);
  for (Index k = start_[node]; k < start_[node + 1]; ++k)
    vector.value[targets_[k].index] -= targets_[k].value * x;
}

void TriangularFactor::solve_in_order(SparseVector& vector) {
  vector.index.clear();
  for (const Index node : order_) apply(node, vector);
}

void TriangularFactor::visit(Index root) {
  if (seen_[root]) return;
  seen_[root] = 1;
  stack_.push_back({root, start_[root]});
  while (!stack_.empty()) {
    Frame& top = stack_.back();
    if (top.next == start_[top.node + 1]) {
      reached_.push_back(top.node);
      stack_.pop_back();
      continue;
    }
    const Index target = targets_[top.next++].index;
    if (seen_[target]) continue;
    seen_[target] = 1;
    stack_.push_back({target, start_[target]});
  }
}

void TriangularFactor::solve_reached(SparseVector& vector) {
  reached_.clear();
  for (const Index i : vector.index) visit(i);
  vector.index.clear();
  for (std::size_t k = reached_.size(); k-- > 0;) {
    seen_[reached_[k]] = 0;
    apply(reached_[k], vector);
  }
}

}  // namespace nestor::simplex
