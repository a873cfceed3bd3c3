// A toy space for tests of the search: cheapest paths through random layered graphs, with a limit on the
// resource that edges use. It is small enough to enumerate and has all features that the search depends on:
// keys (the current node of a path), a bound (the cost so far, plus the cost of the cheapest completion
// without the limit or a fraction of it), dominance (lower cost and lower use of the resource), and branches
// without any path.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.h"
#include "solver/engine/host_storage.h"
#include "solver/search/label_search.h"

namespace nestor::tests {

using Path = std::vector<int>;  ///< the node in each layer

class LayeredGraph {
 public:
  static constexpr int layers = 6;
  static constexpr int width = 4;

  struct Label {
    int depth = 0;
    int node = 0;
    int cost = 0;
    int used = 0;
    int code = 0;  ///< the whole path, as digits in base `width`
  };

  /// `looseness` is the fraction of the cost of the cheapest completion that the bound includes (0: nothing,
  /// 1: all of it).
  LayeredGraph(std::uint64_t seed, double looseness, int offset = 0)
      : looseness_(looseness), offset_(offset) {
    Random random(seed);
    capacity_ = 5 + static_cast<int>(random.below(12));
    for (auto& layer : edges_)
      for (auto& from : layer)
        for (Edge& edge : from) {
          edge.open = random.below(10) < 7;
          edge.cost = static_cast<int>(random.below(20));
          edge.use = static_cast<int>(random.below(6));
        }
    for (int depth = layers - 1; depth >= 0; --depth)
      for (int node = 0; node < width; ++node) {
        rest_[depth][node] = unreachable;
        for (int to = 0; to < width; ++to) {
          const Edge& edge = edge_of(depth, node, to);
          if (edge.open) rest_[depth][node] = std::min(rest_[depth][node], edge.cost + rest_[depth + 1][to]);
        }
      }
  }

  Label root() const { return {.cost = offset_}; }
  double root_bound() const { return bound(root()); }
  int max_depth() const { return layers; }
  int depth(const Label& label) const { return label.depth; }
  std::uint64_t key(const Label& label) const {
    return static_cast<std::uint64_t>(std::int64_t{label.depth} * width + label.node);
  }
  bool dominates(const Label& a, const Label& b, double /*cut*/) const {
    return a.cost <= b.cost && a.used <= b.used;
  }
  double preference(const Label& label) const { return label.cost; }

  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const {
    double beyond = no_cost;
    for_each_child(label, [&](const Label& child) {
      const double child_bound = bound(child);
      const bool complete = child.depth == layers;
      if (complete ? child_bound >= cut : child_bound >= below) {
        beyond = std::min(beyond, child_bound);
      } else if (complete || child_bound >= from) {
        ++emitted_[child.depth * 10000 + child.code];
        emit(child, child_bound);
      }
    });
    return beyond;
  }

  /// Returns how often the most frequent child was emitted.
  int most_repeated() const {
    int most = 0;
    for (const auto& [child, times] : emitted_) most = std::max(most, times);
    return most;
  }

  /// Returns the cost of the cheapest path by trying all paths; no_cost if there is none.
  double cheapest() const { return cheapest(root()); }
  /// Returns the cost of a path; no_cost if it is invalid.
  double cost(const Path& path) const {
    Label label = root();
    for (const int node : path) {
      std::optional<Label> next;
      for_each_child(label, [&](const Label& child) {
        if (child.node == node) next = child;
      });
      if (!next) return no_cost;
      label = *next;
    }
    return label.depth == layers ? label.cost : no_cost;
  }

 private:
  struct Edge {
    bool open = false;
    int cost = 0;
    int use = 0;
  };
  static constexpr int unreachable = 1000000;

  const Edge& edge_of(int depth, int node, int to) const {
    return edges_[static_cast<std::size_t>(depth)][static_cast<std::size_t>(node)]
                 [static_cast<std::size_t>(to)];
  }
  template <typename Visit>
  void for_each_child(const Label& label, Visit visit) const {
    for (int to = 0; to < width; ++to) {
      const Edge& edge = edge_of(label.depth, label.node, to);
      const Label child{label.depth + 1, to, label.cost + edge.cost, label.used + edge.use,
                        label.code * width + to};
      if (edge.open && child.used <= capacity_ && rest_[child.depth][to] < unreachable) visit(child);
    }
  }
  double bound(const Label& label) const {
    const int rest = rest_[label.depth][label.node];
    return rest >= unreachable ? no_cost : label.cost + looseness_ * rest;
  }
  double cheapest(const Label& label) const {
    if (label.depth == layers) return label.cost;
    double least = no_cost;
    for_each_child(label, [&](const Label& child) { least = std::min(least, cheapest(child)); });
    return least;
  }

  using Layer = std::array<std::array<Edge, width>, width>;
  std::array<Layer, layers> edges_{};
  int rest_[layers + 1][width] = {};
  double looseness_;
  int offset_;
  int capacity_ = 0;
  mutable std::map<int, int> emitted_;
};

/// Returns the nodes on the path that a finished search found.
template <typename Search>
Path path_of(const Search& search) {
  Path path;
  search.walk_back([&](const auto& /*parent*/, const auto& child) { path.push_back(child.node); });
  std::reverse(path.begin(), path.end());
  return path;
}

/// Several graphs, each a branch of one space.
class GraphSpace {
 public:
  using Solution = Path;

  class Run {
   public:
    Run(const LayeredGraph& graph, HostStorage storage, std::atomic<std::uint64_t>& work)
        : graph_(graph), search_(graph_, storage), work_(work) {}
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() { work_ += search_.counts().expanded; }
    SearchEnd advance(double target, double cut, const SearchBudget& budget) {
      return search_.advance(target, cut, budget);
    }
    SearchEnd dive(double cut, const SearchBudget& budget) { return search_.dive(cut, budget); }
    double least_open() const { return search_.least_open(); }
    bool untouched() const { return search_.untouched(); }
    double best_cost() const { return search_.best_cost(); }
    const SearchCounts& counts() const { return search_.counts(); }
    Path solution() const { return path_of(search_); }

   private:
    LayeredGraph graph_;
    LabelSearch<LayeredGraph, HostStorage> search_;
    std::atomic<std::uint64_t>& work_;
  };

  GraphSpace(std::uint64_t seed, std::size_t branches, double looseness) {
    Random random(seed);
    for (std::size_t i = 0; i < branches; ++i)
      graphs_.emplace_back(seed * 1000 + i, looseness, static_cast<int>(random.below(30)));
  }

  std::size_t branch_count() const { return graphs_.size(); }
  /// Returns a weak bound that never exceeds the bound of the root.
  double branch_bound(std::size_t branch) const { return graphs_[branch].root().cost; }
  std::unique_ptr<Run> open(std::size_t branch, HostStorage storage) {
    return std::make_unique<Run>(graphs_[branch], storage, work_);
  }
  /// Returns the number of expansions of all finished searches.
  std::uint64_t work() const { return work_; }
  const LayeredGraph& graph(std::size_t branch) const { return graphs_[branch]; }

  /// Returns the cost of the cheapest path of each branch that has a path, in ascending order.
  std::vector<double> cheapest() const {
    std::vector<double> costs;
    for (const LayeredGraph& graph : graphs_)
      if (const double cost = graph.cheapest(); cost < no_cost) costs.push_back(cost);
    std::sort(costs.begin(), costs.end());
    return costs;
  }

 private:
  std::vector<LayeredGraph> graphs_;
  std::atomic<std::uint64_t> work_{0};
};

}  // namespace nestor::tests
