// The whole latency-energy front of a layer by one search, which follows both parts of the cost. Branches are
// searched in the order of latency, energy breaking ties (front_problem); what some point found so far
// covers, being no slower and no dearer, is left out (Stairs). When nothing is open any more, every mapping
// is covered by one of the points found: they are the front.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "model/cim/evaluate.h"
#include "model/cim/space/problem.h"
#include "model/cim/space/stairs.h"

namespace nestor::cim {

struct FrontPoint {
  Mapping mapping;
  Int latency = 0;    ///< cycles under the model in force
  double energy = 0;  ///< pJ, without leakage
};

/// The problem that a search of the front solves. Energies around `typical_energy` weigh half a cycle, which
/// matters to the order only.
Problem front_problem(Problem problem, double typical_energy);

FrontPoint front_point(const Problem& problem, const Mapping& mapping);

/// Stairs that grow. Energies closer than 1e-9, relatively, count as equal.
class GrowingStairs {
 public:
  /// False if they cover the point already.
  bool add(const FrontPoint& point);
  Stairs view() const { return {stairs_.data(), stairs_.size()}; }

 private:
  std::vector<Stair> stairs_;
};

/// What the branches find. Points of a round count for other branches from the next round on, so that nothing
/// depends on timing.
class FrontCollector {
 public:
  /// Of one branch's turn. Thread-safe.
  void deliver(std::size_t branch, std::vector<FrontPoint> points);
  void round_ended();
  const GrowingStairs& stairs() const { return stairs_; }
  /// What no other point covers: ascending latency, descending energy with leakage.
  std::vector<FrontPoint> front(const Problem& problem) const;

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, std::vector<FrontPoint>>> delivered_;
  std::vector<FrontPoint> points_;  // as they came: later ones may cover earlier ones
  GrowingStairs stairs_;
};

}  // namespace nestor::cim
