// Latency-energy front of a layer, found by a single search that tracks both parts of the cost. Branches are
// searched in the order of latency; energy breaks ties. A mapping is pruned if some point found so far
// dominates it, that is, has no greater latency and no greater energy (Staircase). When no open node remains,
// the points found dominate every mapping, so they contain the front.
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
  Int latency = 0;    ///< cycles under the selected latency model
  double energy = 0;  ///< pJ, without leakage
};

/// Returns the threshold below which another energy is considered lower than `energy`: energies within a
/// relative 1e-9 are considered equal.
double cheaper_than(double energy);

/// A staircase to which points can be added.
class GrowingStaircase {
 public:
  /// Returns false if the staircase already dominates the point.
  bool add(Int latency, double energy);
  Staircase view() const { return {staircase_.data(), staircase_.size()}; }

 private:
  std::vector<StaircasePoint> staircase_;
};

/// Collects the points that the branches find. Branches use the points of a round only from the next round
/// on, so that results do not depend on timing.
template <typename Solution>
class FrontCollector {
 public:
  using Point = FrontPoint<Solution>;

  FrontCollector() = default;
  /// `covered` contains points that prune mappings from the start but are not collected.
  explicit FrontCollector(GrowingStaircase covered) : covered_(std::move(covered)), staircase_(covered_) {}

  /// Accepts the points found in one turn of a branch. Thread-safe.
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
  /// Writes or reads all points found up to the last round (KeepsState).
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
  /// Returns the points that no other point dominates, by ascending latency and descending energy. Energy
  /// here includes `leakage` (pJ per cycle), so a slow point is dropped if leakage makes it no cheaper than a
  /// faster one.
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
  std::vector<Point> points_;  // in order of arrival; later points may dominate earlier ones
  GrowingStaircase covered_;
  GrowingStaircase staircase_;
};

}  // namespace nestor
