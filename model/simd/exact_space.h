// The simd problem as a search space: states, their children, a bound and dominance (solver.md, "What a space
// gives the engine"), for netlists of at most 64 inputs and gates on at most 8 arrays. A state is the set of
// computed gates and what each array holds; rows do not matter, because any row may be copied to any other.
//
// Why the children suffice: a value nobody needs leaves at once; a needed value leaves only when its row is
// wanted, and only if another array holds it too (otherwise a copy must be made first, which is a step of its
// own). Arrays that begin empty are alike: states are compared with the contents of those sorted. A gate that
// can run where one of its fanins dies in its row is run at once if no other array holds that fanin: whatever
// a schedule does later with it, it can do with the result instead. (A fanin held elsewhere too could be
// dropped for now, which the result could not; on machines without a row to spare that matters.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/simd/emit.h"

namespace nestor::simd {

class ExactSpace {
 public:
  static constexpr std::size_t most_arrays = 8;
  static constexpr std::uint32_t most_values = 64;
  using Set = std::uint64_t;  ///< of values, one bit each

  struct State {
    Set computed = 0;
    std::array<Set, most_arrays> held{};  ///< inputs at home left out
    friend bool operator==(const State&, const State&) = default;
  };
  struct Step {
    bool compute = false;
    std::uint8_t value = 0;  ///< the gate's or the copied value
    std::uint8_t from = 0, to = 0;
    std::uint8_t victim = no_victim;  ///< leaves `to` for it
  };
  static constexpr std::uint8_t no_victim = 255;

  /// Nothing if the problem is too large. `arrays` beyond those that hold inputs are used only as far as
  /// `copies` copies can reach them.
  static std::optional<ExactSpace> make(const Problem& problem, std::uint32_t copies);

  State root() const { return {}; }
  bool complete(const State& state) const { return state.computed == all_gates_; }
  /// Copies that every completion still needs.
  std::uint32_t bound(const State& state) const;
  /// States with different keys are never compared.
  std::uint64_t key(const State& state) const { return state.computed; }
  /// The same for all states that differ in nothing but which of the arrays that began empty is which.
  State canonical(State state) const;
  /// Can `a` do whatever `b` can at no more cost? (That holds for the states these are canonical forms of,
  /// too: renaming arrays that began empty changes nothing that can be done.)
  bool dominates(const State& a, const State& b) const;
  /// visit(child, step) for each child in a fixed order; a copy costs 1, a compute nothing.
  template <typename Visit>
  void expand(const State& state, Visit&& visit) const;

  /// The instructions of a sequence of steps from the root to a complete state.
  Schedule schedule(const Netlist& netlist, const std::vector<Step>& steps) const;
  std::uint32_t arrays() const { return arrays_; }

 private:
  explicit ExactSpace(const Problem& problem) : problem_(&problem) {}
  static constexpr Set bit(std::uint32_t value) { return Set{1} << value; }
  Set present(const State& state, std::size_t array) const { return state.held[array] | home_[array]; }
  void describe();
  std::uint32_t most_needed() const;
  Set needed(Set computed) const;
  Set elsewhere(const State& state, std::size_t array) const;
  bool ready(const State& state, std::uint32_t gate) const;
  std::uint32_t capacity(std::size_t array) const { return capacity_[array]; }
  void settle(State& state) const;
  std::optional<Step> forced(const State& state) const;
  State after(const State& state, const Step& step) const;
  bool repeats_empty(const State& state, std::size_t array) const;

  const Problem* problem_;
  std::uint8_t arrays_ = 0;
  std::uint32_t gates_ = 0, inputs_ = 0;
  Set all_gates_ = 0, must_stay_ = 0, stuck_inputs_ = 0;
  std::array<Set, most_arrays> home_{};
  std::array<std::uint32_t, most_arrays> capacity_{};
  std::vector<Set> fanins_;   ///< per gate: values
  std::vector<Set> readers_;  ///< per value: gates' values
};

template <typename Visit>
void ExactSpace::expand(const State& state, Visit&& visit) const {
  if (const auto step = forced(state)) {
    visit(after(state, *step), *step);
    return;
  }
  const auto with_victims = [&](Step step, Set wanted) {
    const std::size_t to = step.to;
    if (static_cast<std::uint32_t>(__builtin_popcountll(state.held[to] & wanted)) < capacity(to)) {
      visit(after(state, step), step);
      return;
    }
    for (Set left = state.held[to] & wanted & elsewhere(state, to); left != 0; left &= left - 1) {
      step.victim = static_cast<std::uint8_t>(__builtin_ctzll(left));
      // A copy may not push out what it is needed together with: the victim may be anything else.
      visit(after(state, step), step);
    }
  };
  for (std::uint32_t gate = 0; gate < gates_; ++gate) {
    if (!ready(state, gate)) continue;
    const std::uint32_t value = inputs_ + gate;
    for (std::uint8_t array = 0; array < arrays_; ++array) {
      if ((fanins_[gate] & ~present(state, array)) != 0 || repeats_empty(state, array)) continue;
      with_victims({true, static_cast<std::uint8_t>(value), array, array, no_victim},
                   needed(state.computed | bit(value)));
    }
  }
  const Set wanted = needed(state.computed);
  Set anywhere = 0;
  for (std::size_t array = 0; array < arrays_; ++array) anywhere |= present(state, array);
  for (std::uint8_t to = 0; to < arrays_; ++to) {
    if (capacity(to) == 0 || repeats_empty(state, to)) continue;
    for (Set left = anywhere & wanted & ~present(state, to); left != 0; left &= left - 1) {
      const auto value = static_cast<std::uint8_t>(__builtin_ctzll(left));
      std::uint8_t from = 0;
      while ((present(state, from) & bit(value)) == 0) ++from;
      with_victims({false, value, from, to, no_victim}, wanted);
    }
  }
}

}  // namespace nestor::simd
