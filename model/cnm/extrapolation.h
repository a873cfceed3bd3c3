// Estimation of programs too long to simulate (docs/models/cnm.md, "The engine"): loops are run with
// few trips, each loop once or twice more with some added, and what a trip adds stands for the trips left
// out. This says which runs are needed and puts together what they took; who makes them is not its business,
// so those of many programs can be made together.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

/// Cycles, then those of each cause: issue, barrier, dma, gap.
using CycleCounts = std::array<double, 5>;

class Extrapolation {
 public:
  Extrapolation(const EngineSettings& settings, const FlatProgram& program);

  /// Runs that are needed next; none once the program is estimated.
  std::size_t needed() const { return needed_; }
  /// Their trips, by loop number.
  std::span<const Int> trips_of(std::size_t run) const {
    return std::span(trips_).subspan(run * loops_.size(), loops_.size());
  }
  /// What each of them took.
  void take(std::span<const CycleCounts> runs);

  const CycleCounts& estimate() const { return estimate_; }
  bool linear() const { return linear_; }  ///< every loop's cost grew linearly at the end
  Int k() const { return k_; }             ///< 0: simulated whole

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// Loops as a tree over the numbers that flatten() gives them.
  struct Loop {
    Int trips = 0;
    std::size_t around = none;
    std::size_t first_inside = none, next = none;  // in the order of the program
    std::uint32_t depth = 0;
    Int step = 0, reduced = 0;  // trips more, trips left
    CycleCounts delta{};        // what `step` more trips take
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
  std::vector<Int> trips_;  ///< of the runs needed
  Int k_ = 0;
  bool linear_ = true;
  CycleCounts estimate_{};
};

}  // namespace nestor::cnm
