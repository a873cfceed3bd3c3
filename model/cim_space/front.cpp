#include "model/cim_space/front.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nestor::cim {
namespace {

// What counts as cheaper than an energy.
double cheaper_than(double energy) {
  constexpr double tolerance = 1e-9;
  return std::min(energy - std::abs(energy) * tolerance,
                  std::nextafter(energy, -std::numeric_limits<double>::infinity()));
}

}  // namespace

Problem front_problem(Problem problem, double typical_energy) {
  problem.objective.kind = ObjectiveKind::blended;
  problem.objective.leakage = 0;
  problem.objective.latency_weight = 1;
  problem.objective.additive_weight = typical_energy > 0 ? 0.5 / typical_energy : 0;
  return problem;
}

FrontPoint front_point(const Problem& problem, const Mapping& mapping) {
  const Evaluation evaluation = evaluate(problem.layer, problem.machine, mapping);
  return {mapping, evaluation.cycles(problem.objective.latency_model), evaluation.energy_pj};
}

bool GrowingStairs::add(const FrontPoint& point) {
  if (view().cover(point.latency, point.energy)) return false;
  const Stair stair{point.latency, cheaper_than(point.energy)};
  const auto begin =
      std::lower_bound(stairs_.begin(), stairs_.end(), point.latency,
                       [](const Stair& other, Int latency) { return other.latency < latency; });
  const auto end =
      std::find_if(begin, stairs_.end(), [&](const Stair& other) { return other.additive < stair.additive; });
  stairs_.insert(stairs_.erase(begin, end), stair);
  return true;
}

void FrontCollector::deliver(std::size_t branch, std::vector<FrontPoint> points) {
  if (points.empty()) return;
  const std::lock_guard lock(mutex_);
  delivered_.emplace_back(branch, std::move(points));
}

void FrontCollector::round_ended() {
  std::sort(delivered_.begin(), delivered_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [branch, points] : delivered_)
    for (const FrontPoint& point : points)
      if (stairs_.add(point)) points_.push_back(point);
  delivered_.clear();
}

std::vector<FrontPoint> FrontCollector::front(const Problem& problem) const {
  // Leakage charges slow points more: what it makes as dear as a faster one is no choice.
  const auto total = [&](const FrontPoint& point) {
    return point.energy + problem.machine.leakage * static_cast<double>(point.latency);
  };
  std::vector<const FrontPoint*> ordered;
  ordered.reserve(points_.size());
  for (const FrontPoint& point : points_) ordered.push_back(&point);
  std::stable_sort(ordered.begin(), ordered.end(), [](const FrontPoint* a, const FrontPoint* b) {
    return a->latency < b->latency || (a->latency == b->latency && a->energy < b->energy);
  });
  std::vector<FrontPoint> front;
  for (const FrontPoint* point : ordered)
    if (front.empty() || total(*point) < cheaper_than(total(front.back()))) front.push_back(*point);
  return front;
}

}  // namespace nestor::cim
