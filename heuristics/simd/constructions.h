// Starting points of a worker: orders from the netlist's structure, one after another, counted in every array
// worth computing in alone, and spread over many (spread_machine.h). A step that is stopped counts for
// nothing, so that what the clock cuts off a limit on work cuts off, too.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/simd/annealer.h"
#include "heuristics/simd/orders.h"

namespace nestor::simd {

/// Arrays worth computing in alone: those that hold inputs and have a row left, and one that begins empty. A
/// netlist without gates needs no row.
std::vector<std::uint32_t> candidate_arrays(const ScheduleProblem& problem);

/// `working` and further arrays to compute in, up to `count` of them.
WorkingArrays widened(const ScheduleProblem& problem, WorkingArrays working, std::uint8_t count);

class Constructions {
 public:
  /// Netlists with more gates are not annealed: their constructions take all the time there is.
  static constexpr std::uint32_t most_annealed = 400'000;

  /// `netlist`: for schedules that the evaluator cannot describe; without it they are left out. Workers share
  /// the constructions of a netlist that leaves no time to try them all.
  Constructions(const ScheduleProblem& problem, const Netlist* netlist, std::uint32_t index, const Stop& stop,
                std::uint64_t planned_work = ~std::uint64_t{0});

  bool left() const;
  /// The same again, with other ties.
  void start_over();
  /// The next construction; false if it was stopped.
  bool step(Random& random);
  /// Do all constructions take much of a short run?
  bool take_long() const;
  /// What takes the least time of all, so that there is a schedule: of a small netlist the order of the file,
  /// of a large one SIMPLER's schedule as it is, or else one order in one array; false if stopped.
  bool start_at_once(Random& random, Found& found);
  /// One order in one array, if that is not done yet; false if stopped.
  bool start_in_one_array(Random& random, Found& found);
  /// What takes little time and is good for much: one order, spread; false if stopped.
  bool start_quickly(Random& random);
  /// Counts an order in every candidate array; false if stopped.
  bool count(const Order& order, Found& best);
  /// Spreads an order over many arrays; false if stopped.
  bool spread(const Order& order);
  /// MASIM's machine on the order of the file; false if stopped.
  bool derive_by_masim(std::uint64_t seed);

  /// Do the inputs leave an array too little room to work in?
  bool inputs_apart() const;
  std::uint64_t take_work() { return std::exchange(work_, 0); }

  Found single;     ///< the best in one array and a pool
  Found many;       ///< the best in several, as the evaluator counts it
  Found elsewhere;  ///< the best of other machines, as a schedule

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
  std::uint64_t patience_;  ///< questions that an order of other schedulers may ask
  std::uint32_t step_ = 0;
  bool again_ = false;            ///< with other ties than at first
  Order quick_;                   ///< the order of a quick start,
  std::uint32_t quick_step_ = 0;  ///< and the construction that it is
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd
