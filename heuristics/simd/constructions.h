// Starting points of a worker. Orders from the structure of the netlist are tried one after another. Each is
// evaluated in every array worth computing in alone, and spread over many arrays (spread_machine.h). A step
// that is stopped is discarded, so a limit on work can reproduce a stop by the clock.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/simd/annealer.h"
#include "heuristics/simd/orders.h"

namespace nestor::simd {

/// Returns the arrays worth computing in alone: those that hold inputs and have a free row, and one that
/// begins empty. A netlist without gates needs no row.
std::vector<std::uint32_t> candidate_arrays(const ScheduleProblem& problem);

/// Returns `working` with further arrays to compute in, at most `count` of them.
WorkingArrays widened(const ScheduleProblem& problem, WorkingArrays working, std::uint8_t count);

class Constructions {
 public:
  /// Netlists with more gates are not annealed, because their constructions take all the available time.
  static constexpr std::uint32_t most_annealed = 400'000;

  /// `netlist` is needed for schedules that the evaluator cannot describe; without it they are left out.
  /// Workers share the constructions of a netlist that is too large for each to try them all.
  Constructions(const ScheduleProblem& problem, const Netlist* netlist, std::uint32_t index, const Stop& stop,
                std::uint64_t planned_work = ~std::uint64_t{0});

  bool left() const;
  /// Starts over with different tie-breaking.
  void start_over();
  /// Runs the next construction; returns false if it was stopped.
  bool step(Random& random);
  /// True if all constructions together take a large part of a short run.
  bool take_long() const;
  /// Builds a schedule as quickly as possible: for a small netlist, from the order of the file; for a large
  /// one, SIMPLER's schedule, or otherwise one order in one array. Returns false if stopped.
  bool start_at_once(Random& random, Found& found);
  /// Evaluates one order in one array unless that was done before; returns false if stopped.
  bool start_in_one_array(Random& random, Found& found);
  /// Spreads one order, which takes little time and usually gives a good result; returns false if stopped.
  bool start_quickly(Random& random);
  /// Evaluates an order in every candidate array; returns false if stopped.
  bool count(const Order& order, Found& best);
  /// Spreads an order over many arrays; returns false if stopped.
  bool spread(const Order& order);
  /// Runs MASIM's machine on the order of the file; returns false if stopped.
  bool derive_by_masim(std::uint64_t seed);

  /// True if the inputs leave too few rows in an array to compute in it.
  bool inputs_apart() const;
  std::uint64_t take_work() { return std::exchange(work_, 0); }

  Found single;     ///< the best in one array and the pool
  Found many;       ///< the best in several arrays that the evaluator can describe
  Found elsewhere;  ///< the best that the evaluator cannot describe, as a schedule

 private:
  Order next_order(Random& random, const Stop& stop);
  bool is_first() const;
  bool schedule_by_simpler(Random& random);
  bool count_in(std::uint32_t array, const Sequence& sequence, const Order& order, Found& best);
  bool import(const Order& order, std::span<const std::uint32_t> array_of_gate);

  const ScheduleProblem* problem_;
  const Netlist* netlist_;
  std::uint32_t index_;
  const Stop* stop_;
  std::uint64_t patience_;  ///< limit on polls while another scheduler's order is computed
  std::uint32_t step_ = 0;
  bool again_ = false;            ///< started over, with different tie-breaking
  Order quick_;                   ///< order of a quick start
  std::uint32_t quick_step_ = 0;  ///< step of that construction
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd
