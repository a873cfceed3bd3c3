// Greedy instruction generation of the baselines (docs/scheduling.md, section 6.2). Every value is stored in
// one place. A gate runs in the array that needs the fewest fanins copied in, among the arrays with enough
// free rows; the first array wins ties. Copied fanins are discarded as soon as the gate has run. The machine
// is a problem for heuristics/priority with a given order, so only the array varies.
#pragma once

#include <span>
#include <vector>

#include "base/random.h"
#include "heuristics/simd/recorder.h"

namespace nestor::simd {

class GreedyMachine {
 public:
  struct Choice {
    std::uint32_t gate = 0;
    std::uint32_t array = 0;
  };
  struct Priority {
    std::uint32_t copies = 0;
    std::uint32_t array = 0;
    friend bool operator<(const Priority& a, const Priority& b) {
      return a.copies != b.copies ? a.copies > b.copies : a.array > b.array;
    }
  };
  using Cost = std::uint32_t;

  explicit GreedyMachine(const ScheduleProblem& problem);

  void reset();
  bool complete() const { return computed_ == problem_->gate_count(); }
  Cost cost() const { return copies_; }
  void apply(const Choice& choice);
  /// Visits nothing, because the order is given.
  template <typename Visit>
  void for_each_choice(Visit&&) const {}
  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit) const {
    for (std::uint32_t array = 0; array < arrays_open(); ++array)
      if (const std::uint32_t missing = missing_in(choice.gate, array); has_room(choice.gate, array, missing))
        visit(Choice{choice.gate, array}, Priority{missing, array});
  }
  std::size_t perturb(std::span<Choice> sequence, Random& random);

  /// Returns the schedule of a complete sequence, or one without instructions if stopped.
  Schedule record(const Netlist& netlist, std::span<const Choice> sequence, const Stop& stop = {});
  std::uint64_t work() const { return work_; }

 private:
  std::uint32_t arrays_open() const;
  std::uint32_t missing_in(std::uint32_t gate, std::uint32_t array) const;
  bool has_room(std::uint32_t gate, std::uint32_t array, std::uint32_t missing) const;
  bool dies_with_next_read(Value value) const;
  std::uint32_t take_row(std::uint32_t array);
  void grow(std::uint32_t array);

  const ScheduleProblem* problem_;
  std::vector<Place> place_;
  std::vector<std::uint32_t> unread_;
  std::vector<std::vector<std::uint32_t>> free_rows_;
  std::uint32_t computed_ = 0, copies_ = 0;
  std::vector<std::uint32_t> position_;
  mutable std::uint64_t work_ = 0;
  Recorder recorder_;
};

}  // namespace nestor::simd
