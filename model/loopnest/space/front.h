// The whole latency-energy front of a layer by one search, which follows both parts of the cost. Branches are
// searched in the order of latency, energy breaking ties; what some point found so far covers, being no
// slower and no dearer, is left out (Staircase). When nothing is open any more, every mapping is covered by
// one of the points found: they are the front.
#pragma once

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "model/loopnest/search/staircase.h"
#include "solver/engine/state.h"

namespace nestor {

template <typename Solution>
struct FrontPoint {
  Solution mapping;
  Int latency = 0;    ///< cycles under the model in force
  double energy = 0;  ///< pJ, without leakage
};

/// What counts as cheaper than an energy: energies closer than 1e-9, relatively, count as equal.
double cheaper_than(double energy);

/// Staircase that grow.
class GrowingStaircase {
 public:
  /// False if they cover the point already.
  bool add(Int latency, double energy);
  Staircase view() const { return {staircase_.data(), staircase_.size()}; }

 private:
  std::vector<StaircasePoint> staircase_;
};

/// What the branches find. Points of a round count for other branches from the next round on, so that nothing
/// depends on timing.
template <typename Solution>
class FrontCollector {
 public:
  using Point = FrontPoint<Solution>;

  FrontCollector() = default;
  /// What is covered from the start, by points that are not collected.
  explicit FrontCollector(GrowingStaircase covered) : covered_(std::move(covered)), staircase_(covered_) {}

  /// Of one branch's turn. Thread-safe.
  void deliver(std::size_t branch, std::vector<Point> points) {
    if (points.empty()) return;
    const std::lock_guard lock(mutex_);
    delivered_.emplace_back(branch, std::move(points));
  }
  void round_ended() {
    std::sort(delivered_.begin(), delivered_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [branch, points] : delivered_)
      for (const Point& point : points)
        if (staircase_.add(point.latency, point.energy)) points_.push_back(point);
    delivered_.clear();
  }
  /// All that was found up to the last round, written or read (KeepsState).
  template <typename State>
  bool exchange(State& state) {
    std::vector<Point> points = points_;
    const bool whole = state.list(points, [&](Point& point) {
      return state.values(point.mapping, point.latency, point.energy) && is_whole(point.mapping);
    });
    if (!State::reads || !whole) return whole;
    points_ = std::move(points);
    staircase_ = covered_;
    for (const Point& point : points_) staircase_.add(point.latency, point.energy);
    return true;
  }
  const GrowingStaircase& staircase() const { return staircase_; }
  /// What no other point covers: ascending latency, descending energy with leakage (pJ per cycle), which
  /// charges slow points more: what it makes as dear as a faster one is no choice.
  std::vector<Point> front(double leakage) const {
    const auto total = [&](const Point& point) {
      return point.energy + leakage * static_cast<double>(point.latency);
    };
    std::vector<const Point*> ordered;
    ordered.reserve(points_.size());
    for (const Point& point : points_) ordered.push_back(&point);
    std::stable_sort(ordered.begin(), ordered.end(), [](const Point* a, const Point* b) {
      return a->latency < b->latency || (a->latency == b->latency && a->energy < b->energy);
    });
    std::vector<Point> front;
    for (const Point* point : ordered)
      if (front.empty() || total(*point) < cheaper_than(total(front.back()))) front.push_back(*point);
    return front;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, std::vector<Point>>> delivered_;
  std::vector<Point> points_;  // as they came: later ones may cover earlier ones
  GrowingStaircase covered_;
  GrowingStaircase staircase_;
};

}  // namespace nestor
