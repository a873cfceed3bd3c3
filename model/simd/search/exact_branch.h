// The simd problem as the single branch of a label search (solver/search/label_search.h), for netlists of at
// most 64 inputs and gates in total, on at most 12 arrays. A label consists of the set of computed gates and
// the contents of each array. Rows are ignored, because any row may be copied to any other. A copy costs 1
// and a compute nothing.
//
// Completeness of the children: a value that is no longer needed is removed immediately. A needed value is
// removed only when its row is needed, and only if another array also stores it. (Otherwise a copy must be
// made first, which is a separate step.) Arrays that begin empty are interchangeable, so each label sorts the
// contents of these arrays. If a gate can run where one of its fanins is read for the last time, and no other
// array stores this fanin, it runs immediately: the result can replace the fanin in every continuation of the
// schedule. (A fanin that is also stored elsewhere could be dropped temporarily, but the result could not.
// This matters on machines without a spare row.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/simd/emit.h"
#include "model/simd/search/completion_table.h"
#include "model/simd/search/load_bound.h"
#include "model/simd/search/machine_sets.h"
#include "solver/search/label_search.h"

namespace nestor::simd {

class ExactBranch {
 public:
  using Set = ValueSet;

  struct Step {
    bool compute = false;
    std::uint8_t value = 0;  ///< gate or copied value
    std::uint8_t from = 0, to = 0;
    std::uint8_t victim = no_victim;  ///< value removed from `to` to free a row
  };
  static constexpr std::uint8_t no_victim = 255;

  struct Brought {
    std::uint8_t value = 0, array = 0;
  };
  /// Maximum number of waiting copies that a label tracks. A compute reads at most three values.
  static constexpr std::size_t most_waiting = 4;

  struct Label {
    Set computed = 0;
    /// Values stored, without inputs at home; arrays that began empty are sorted.
    MachineSets::Contents held{};
    std::uint16_t copies = 0;  ///< number of copies so far
    /// Lower bound on copies of any schedule through this label and its ancestors.
    std::uint16_t least = 0;
    /// Step that led to this label, with the array numbers of the previous label.
    Step step{};
    std::uint8_t waiting = 0;  ///< number of copies that the next compute must justify
    std::array<Brought, most_waiting> brought{};
  };

  /// Returns nothing if the problem is too large. In addition to the arrays that hold inputs, the branch uses
  /// only as many arrays as a schedule with `copies` copies can benefit from.
  static std::optional<ExactBranch> make(const ScheduleProblem& problem, std::uint32_t copies);
  /// Enables the load bound (load_bound.h) for schedules with fewer than `below` copies. The bound examines
  /// at most `patience` cases.
  void count_loads(std::uint32_t below, std::size_t patience, const Stop& stop = {}) {
    loads_below_ = below;
    loads_ = LoadBound::make(machine_, patience, stop);
  }
  /// Enables the backward search (completion_table.h) for schedules with fewer than `below` copies. The
  /// search finds at most `patience` states.
  void enable_backward_search(std::uint32_t below, std::size_t patience, const Stop& stop = {}) {
    completions_.emplace(machine_, below);
    completions_->grow(patience, stop);
  }
  const std::optional<LoadBound>& loads() const { return loads_; }
  /// Memory of the backward search plus the maximum memory of the load bound, in bytes.
  std::size_t bytes() const {
    return (completions_ ? completions_->bytes() : 0) + (loads_ ? loads_->bytes() : 0);
  }

  Label root() const { return {}; }
  double root_bound() const { return bound(root()); }
  std::uint64_t key(const Label& label) const { return label.computed; }
  /// A compute adds more to the depth than all possible copies. Every step therefore increases the depth.
  int depth(const Label& label) const {
    if (label.computed == machine_.all_gates) return max_depth();
    return std::popcount(label.computed) * most_copies + label.copies;
  }
  int max_depth() const { return static_cast<int>(machine_.gates) * most_copies; }
  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const;
  /// Sorts the arrays that began empty, largest set first, since all their orders are equivalent.
  Label canonical(Label label) const;
  /// True if every continuation of `b` is possible from `a` at no greater cost, because `a` has computed the
  /// same gates with no more copies and stores, in each array, at least the values of `b`.
  bool dominates(const Label& a, const Label& b, double cut) const;
  /// Signature of the stored values. Several values may share a bit. If a label stores a superset of the
  /// values of another label, its signature has a superset of the bits.
  std::uint64_t digest(const Label& label) const {
    std::uint64_t result = 0;
    for (std::size_t array = 0; array < machine_.arrays; ++array)
      result |= std::rotl(label.held[array], static_cast<int>(array * 13 % 64));
    return result;
  }
  double preference(const Label& label) const { return -depth(label); }

  /// Returns a lower bound on the copies of a schedule through this label. The bound combines inputs in full
  /// arrays, arrays whose values are read together, the load bound, and the backward search.
  std::uint32_t bound(const Label& label) const;

  /// Returns the instructions of a sequence of steps from the root to a complete label.
  Schedule schedule(const Netlist& netlist, const std::vector<Step>& steps) const;
  std::uint32_t arrays() const { return machine_.arrays; }

 private:
  explicit ExactBranch(const ScheduleProblem& problem) : problem_(&problem), machine_(problem) {}
  static constexpr Set bit(std::uint32_t value) { return MachineSets::bit(value); }
  static constexpr int most_copies = 1 << 16;
  Set present(const Label& label, std::size_t array) const {
    return label.held[array] | machine_.home[array];
  }
  std::uint32_t most_needed() const;
  std::uint64_t useful_arrays(std::uint32_t copies) const;
  Set needed(Set computed) const { return machine_.needed(computed); }
  Set elsewhere(const Label& label, std::size_t array) const;
  std::uint32_t meetings(const Label& label, Set wanted) const;
  bool serves(const Label& label, const Step& step) const;
  bool may_serve(const Label& label) const;
  bool ready(const Label& label, std::uint32_t gate) const;
  std::uint32_t capacity(std::size_t array) const { return machine_.capacity[array]; }
  void drop_unneeded(Label& label) const;
  std::optional<Step> forced(const Label& label) const;
  Label applied(const Label& label, const Step& step) const;
  Label after(const Label& label, const Step& step) const;
  template <typename Visit>
  void for_each_step(const Label& label, Visit&& visit) const;
  bool repeats_empty(const Label& label, std::size_t array) const;

  const ScheduleProblem* problem_;
  MachineSets machine_;
  std::optional<CompletionTable> completions_;
  mutable std::optional<LoadBound> loads_;  ///< caches results; a search runs on one thread
  std::uint32_t loads_below_ = 0;
};

template <typename Emit>
double ExactBranch::expand(const Label& label, double from, double below, double cut, Emit emit) const {
  double beyond = no_cost;
  for_each_step(label, [&](const Step& step) {
    if (!serves(label, step)) return;
    Label child = after(label, step);
    if (!step.compute && !may_serve(child)) return;
    child.least = static_cast<std::uint16_t>(std::max<std::uint32_t>(label.least, bound(child)));
    const double child_bound = child.least;
    const bool complete = child.computed == machine_.all_gates;
    if (complete ? child_bound >= cut : child_bound >= below)
      beyond = std::min(beyond, child_bound);
    else if (complete || child_bound >= from)
      emit(child, child_bound);
  });
  return beyond;
}

template <typename Visit>
void ExactBranch::for_each_step(const Label& label, Visit&& visit) const {
  if (const auto step = forced(label)) {
    visit(*step);
    return;
  }
  const auto with_victims = [&](Step step, Set wanted) {
    const std::size_t to = step.to;
    if (static_cast<std::uint32_t>(std::popcount(label.held[to] & wanted)) < capacity(to)) {
      visit(step);
      return;
    }
    for (Set left = label.held[to] & wanted & elsewhere(label, to); left != 0; left &= left - 1) {
      step.victim = static_cast<std::uint8_t>(std::countr_zero(left));
      // The victim may be any needed value of this array that another array also stores.
      visit(step);
    }
  };
  for (std::uint32_t gate = 0; gate < machine_.gates; ++gate) {
    if (!ready(label, gate)) continue;
    const std::uint32_t value = machine_.inputs + gate;
    for (std::uint8_t array = 0; array < machine_.arrays; ++array) {
      if ((machine_.fanins[gate] & ~present(label, array)) != 0 || repeats_empty(label, array)) continue;
      with_victims({true, static_cast<std::uint8_t>(value), array, array, no_victim},
                   needed(label.computed | bit(value)));
    }
  }
  const Set wanted = needed(label.computed);
  Set anywhere = 0;
  for (std::size_t array = 0; array < machine_.arrays; ++array) anywhere |= present(label, array);
  for (std::uint8_t to = 0; to < machine_.arrays; ++to) {
    if (capacity(to) == 0 || repeats_empty(label, to)) continue;
    for (Set left = anywhere & wanted & ~present(label, to); left != 0; left &= left - 1) {
      const auto value = static_cast<std::uint8_t>(std::countr_zero(left));
      std::uint8_t from = 0;
      while ((present(label, from) & bit(value)) == 0) ++from;
      with_victims({false, value, from, to, no_victim}, wanted);
    }
  }
}

static_assert(SearchBranch<ExactBranch> && HasDigest<ExactBranch>);

}  // namespace nestor::simd
