// Removal of options that no schedule below the limit uses. There are three tests: the longest path with all
// other operators at their best speeds, the cores that remain if all other operators use their fewest, and
// the mixed bound.
#include <algorithm>
#include <cmath>

#include "model/chip/search/segment_node.h"

namespace nestor::chip {

Int SegmentSearch::Worker::least_cores(const Node& node) const {
  Int sum = 0;
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    Int least = never;
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o)
      if (node.alive[o] != 0) least = std::min(least, search_.options_[o].cores);
    sum += least;
  }
  return sum;
}

void SegmentSearch::Worker::take_best_speeds(const Node& node) {
  speeds_.resize(search_.graph_.size());
  for (std::size_t k = 0; k < speeds_.size(); ++k) {
    Speed best = slowest_speed;
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o)
      if (node.alive[o] != 0) best = best_of(best, speed_of(search_.options_[o]));
    speeds_[k] = best;
  }
}

// Removes options with which the longest path reaches the limit even if all other operators are at their best
// speeds. Returns false if an operator has no options left.
bool SegmentSearch::Worker::shave_by_paths(Node& node) {
  const auto& graph = search_.graph_;
  for (bool changed = true; changed;) {
    changed = false;
    take_best_speeds(node);
    const Int schedule = graph.heads(speeds_, times_);
    node.bound = std::max(node.bound, schedule);
    if (schedule >= limit_) return false;
    graph.tails(speeds_, times_);
    for (std::size_t k = 0; k < graph.size(); ++k) {
      const auto begin = search_.option_begin_[k];
      const auto end = search_.option_begin_[k + 1];
      if (end - begin < 2) continue;
      if (stopped()) return true;
      bool best_moved = false;
      for (auto o = begin; o < end; ++o) {
        if (node.alive[o] == 0) continue;
        if (graph.with(k, speed_of(search_.options_[o]), times_, scratch_) < limit_) continue;
        node.alive[o] = 0;
        outcome_.counts.shaved += 1;
        const LatencyOption& option = search_.options_[o];
        best_moved |= graph.is_stream() || option.row == speeds_[k].row || option.out == speeds_[k].out ||
                      option.lanes == speeds_[k].lanes;
      }
      if (std::none_of(node.alive.begin() + begin, node.alive.begin() + end,
                       [](std::uint8_t a) { return a != 0; }))
        return false;
      changed |= best_moved && end - begin > 1;
    }
    if (changed) {
      const auto before = speeds_;
      take_best_speeds(node);
      changed = before != speeds_;
    }
  }
  return true;
}

// Removes options that leave too few cores for all other operators, even if these use their fewest cores.
bool SegmentSearch::Worker::shave_by_cores(Node& node) {
  const Int spare = search_.problem_.machine.cores.count() - least_cores(node);
  if (spare < 0) return false;
  for (std::size_t k = 0; k < search_.graph_.size(); ++k) {
    Int least = never;
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o)
      if (node.alive[o] != 0) least = std::min(least, search_.options_[o].cores);
    for (auto o = search_.option_begin_[k]; o < search_.option_begin_[k + 1]; ++o)
      if (node.alive[o] != 0 && search_.options_[o].cores - least > spare) {
        node.alive[o] = 0;
        outcome_.counts.shaved += 1;
      }
  }
  return true;
}

bool SegmentSearch::Worker::shave(Node& node) {
  const std::uint64_t before = outcome_.counts.shaved;
  if (!shave_by_paths(node)) return false;
  if (!shave_by_cores(node)) return false;
  // Without the options that take many cores, the best speeds may be slower.
  return outcome_.counts.shaved == before || shave_by_paths(node);
}

// Removes options whose least total under the mix reaches the limit. Returns false if an operator has no
// options left.
bool SegmentSearch::Worker::shave_by_knapsack(Node& node) {
  mix(node, node.shares);
  if (!fill_knapsack(node)) return false;
  const auto with = knapsack_.with_each();
  for (std::size_t g = 0; g < group_operator_.size(); ++g) {
    bool any = false;
    for (std::size_t p = knapsack_.group_begin(g); p < knapsack_.group_end(g); ++p) {
      if (std::isfinite(with[p]) && proved_cycles(with[p] + fixed_cost_) < limit_) {
        any = true;
        continue;
      }
      node.alive[knapsack_.item(p).option] = 0;
      outcome_.counts.shaved += 1;
    }
    if (!any) return false;
  }
  return true;
}

}  // namespace nestor::chip
