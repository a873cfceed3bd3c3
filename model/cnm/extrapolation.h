// Estimation of programs that are too long to simulate (docs/models/cnm.md, "The engine"). Loops are run with
// few trips, and then once or twice more for each reduced loop, with additional trips of this loop. The cost
// of an additional trip is used for the omitted trips. This class determines the necessary runs and combines
// their results. The caller makes the runs, so it can combine the runs of many programs.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Total cycles, then the cycles of each cause: issue, barrier, dma, gap.
using CycleCounts = std::array<double, 5>;

class Extrapolation {
 public:
  Extrapolation(const EngineSettings& settings, const FlatProgram& program);

  /// Returns the number of runs needed next, or 0 if the estimate is complete.
  std::size_t needed() const { return needed_; }
  /// Returns the trips of a needed run, by loop number.
  std::span<const Int> trips_of(std::size_t run) const {
    return std::span(trips_).subspan(run * loops_.size(), loops_.size());
  }
  /// Processes the results of the needed runs, in their order.
  void take(std::span<const CycleCounts> runs);

  const CycleCounts& estimate() const { return estimate_; }
  bool linear() const { return linear_; }  ///< true if the cost of every reduced innermost loop grew linearly
  Int k() const { return k_; }             ///< trips of reduced innermost loops; 0: complete run

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// Loops with the numbers that flatten() assigns, linked as a tree.
  struct Loop {
    Int trips = 0;
    std::size_t around = none;
    std::size_t first_inside = none, next = none;  // in program order
    std::uint32_t depth = 0;
    Int step = 0, reduced = 0;  // numbers of added trips and of kept trips
    CycleCounts delta{};        // cost of `step` additional trips
    bool innermost() const { return first_inside == none; }
    bool whole() const { return reduced == trips; }
  };
  void link_loops(const FlatProgram& program);
  void want(std::size_t more_of, Int more);
  void plan();
  double runs_of(std::size_t q) const;
  CycleCounts extra(std::size_t q) const;

  const EngineSettings& settings_;
  std::vector<Loop> loops_;
  std::size_t first_outermost_ = none;
  std::size_t needed_ = 0;
  std::vector<Int> trips_;  ///< trips of the needed runs
  Int k_ = 0;
  bool linear_ = true;
  CycleCounts estimate_{};
};

}  // namespace nestor::cnm
