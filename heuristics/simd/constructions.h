// Starting points of a worker. Orders based on the structure of the netlist are tried one after another. Each
// order is evaluated in every candidate array alone, and spread over many arrays (spread_machine.h). A step
// that is stopped is discarded, so a limit on work can reproduce a stop by the clock.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/simd/annealer.h"
#include "heuristics/simd/orders.h"

namespace nestor::simd {

/// Returns the candidates for a single working array: arrays that contain inputs and have a free row, and one
/// array that is initially empty. A netlist without gates needs no free row.
std::vector<std::uint32_t> candidate_arrays(const ScheduleProblem& problem);

/// Returns `working` with further working arrays, at most `count` arrays in total.
WorkingArrays widened(const ScheduleProblem& problem, WorkingArrays working, std::uint8_t count);

class Constructions {
 public:
  /// Netlists with more gates are not annealed, because their constructions take all the available time.
  static constexpr std::uint32_t most_annealed = 400'000;

  /// `netlist` is needed for schedules that the evaluator cannot describe; without it, they are skipped. If
  /// the netlist is too large for each worker to try all constructions, the workers share them.
  Constructions(const ScheduleProblem& problem, const Netlist* netlist, std::uint32_t index, const Stop& stop,
                std::uint64_t planned_work = ~std::uint64_t{0});

  bool left() const;
  /// Makes step() run all constructions again, with different tie-breaking.
  void start_over();
  /// Runs the next construction; returns false if it was stopped.
  bool step(Random& random);
  /// True if all constructions together take a large part of a short run.
  bool take_long() const;
  /// In every second worker, builds a schedule as quickly as possible: for a small netlist, from the order of
  /// the file; for a very large one, by SIMPLER or, if that takes too long, from one order in one array.
  /// Returns false if stopped.
  bool start_at_once(Random& random, Found& found);
  /// In every second worker, evaluates one order in one array, unless this was done before; returns false if
  /// stopped.
  bool start_in_one_array(Random& random, Found& found);
  /// Spreads one order, which is fast and usually gives a good result; returns false if stopped.
  bool start_quickly(Random& random);
  /// Evaluates an order in every candidate array; returns false if stopped.
  bool count(const Order& order, Found& best);
  /// Spreads an order over many arrays; returns false if stopped.
  bool spread(const Order& order);
  /// Runs MASIM's machine on the order of the file; returns false if stopped.
  bool derive_by_masim(std::uint64_t seed);

  /// True if the inputs alone almost fill an array, so that gates need other arrays.
  bool inputs_apart() const;
  std::uint64_t take_work() { return std::exchange(work_, 0); }

  Found single;     ///< best schedule in one working array
  Found many;       ///< best schedule in several working arrays, as the evaluator describes it
  Found elsewhere;  ///< best schedule that the evaluator cannot describe

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
  std::uint64_t patience_;  ///< limit on stop polls while computing another scheduler's order
  std::uint32_t step_ = 0;
  bool again_ = false;            ///< start_over() was called
  Order quick_;                   ///< order of the quick start
  std::uint32_t quick_step_ = 0;  ///< construction step of the quick start
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd
