// What a proof has to show: that no mapping is better than some threshold, or that a front covers them all.
// A node is closed if every pair (latency, energy) from its bounds upward is so. Thresholds lie one part in
// 10^9 below what is claimed, the tolerance of every claim of the tool.
#pragma once

#include <vector>

#include "check/problem.h"

namespace nestor::check {

class Claim {
 public:
  /// `places` of the machine's energies.
  Claim(const Objective& objective, const Machine& machine)
      : objective_(objective), leakage_(machine.leakage), places_(machine.places) {}

  /// In units of 10^-cost_places().
  Wide cost(Int latency, Wide energy) const {
    switch (objective_.kind) {
      case Kind::latency:
        return latency;
      case Kind::energy:
        return energy;
      case Kind::edp:
        return wide_times(latency, energy);
      case Kind::blended:
        return plus(times(times(Wide{latency}, objective_.alpha), power_of_ten(places_)),
                    times(objective_.beta, energy));
    }
    return 0;
  }
  int cost_places() const {
    if (objective_.kind == Kind::latency) return 0;
    return places_ + (objective_.kind == Kind::blended ? objective_.weight_places : 0);
  }
  Wide with_leakage(Int latency, Wide energy) const {
    return leakage_ == 0 ? energy : plus(energy, wide_times(latency, leakage_));
  }

  void nothing_is_below(Wide cost) { threshold_ = cost - cost / part; }
  /// Costs need not be followed then, unless a proof is replayed whose nests differ by them.
  void nothing_is_possible(bool costs_are_followed = false) {
    impossible_ = true;
    follows_ = costs_are_followed;
  }
  bool is_of_impossibility() const { return impossible_; }
  void is_covered_by(Int latency, Wide energy) { points_.push_back({latency, energy - energy / part}); }
  void is_a_front() { front_ = true; }

  bool follows_latency() const {
    return follows_ && (front_ || objective_.kind != Kind::energy || leakage_ != 0);
  }
  bool follows_energy() const { return follows_ && (front_ || objective_.kind != Kind::latency); }
  const Objective& objective() const { return objective_; }

  /// `energy` without leakage.
  bool closes(Int latency, Wide energy) const {
    if (impossible_) return false;
    const Wide all = with_leakage(latency, energy);
    if (!front_) return cost(latency, all) >= threshold_;
    for (const auto& point : points_)
      if (latency >= point.latency && all >= point.energy) return true;
    return false;
  }

 private:
  static constexpr Wide part = 1'000'000'000;
  struct Point {
    Int latency;
    Wide energy;
  };
  Objective objective_;
  Wide leakage_;
  int places_;
  Wide threshold_ = 0;
  bool impossible_ = false;
  bool follows_ = true;
  bool front_ = false;
  std::vector<Point> points_;
};

}  // namespace nestor::check
