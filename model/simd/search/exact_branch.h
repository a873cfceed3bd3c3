// The simd problem as the one branch of a label search (solver/search/label_search.h), for netlists of at
// most 64 inputs and gates on at most 8 arrays. A label is the set of computed gates and what each array
// holds; rows do not matter, because any row may be copied to any other. A copy costs 1 and a compute
// nothing.
//
// Why the children suffice: a value nobody needs leaves at once; a needed value leaves only when its row is
// wanted, and only if another array holds it too (otherwise a copy must be made first, which is a step of its
// own). Arrays that begin empty are alike: labels keep the contents of those sorted. A gate that can run
// where one of its fanins dies in its row is run at once if no other array holds that fanin: whatever a
// schedule does later with it, it can do with the result instead. (A fanin held elsewhere too could be
// dropped for now, which the result could not; on machines without a row to spare that matters.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/simd/emit.h"
#include "solver/search/label_search.h"

namespace nestor::simd {

class ExactBranch {
 public:
  static constexpr std::size_t most_arrays = 8;
  static constexpr std::uint32_t most_values = 64;
  using Set = std::uint64_t;  ///< of values, one bit each

  struct Step {
    bool compute = false;
    std::uint8_t value = 0;  ///< the gate's or the copied value
    std::uint8_t from = 0, to = 0;
    std::uint8_t victim = no_victim;  ///< leaves `to` for it
  };
  static constexpr std::uint8_t no_victim = 255;

  struct Brought {
    std::uint8_t value = 0, array = 0;
  };
  static constexpr std::size_t most_waiting = 4;  ///< a compute reads three; more are not looked at

  struct Label {
    Set computed = 0;
    std::array<Set, most_arrays> held{};  ///< inputs at home left out; arrays that began empty sorted
    std::uint16_t copies = 0;             ///< so far
    std::uint16_t least = 0;              ///< copies of any schedule through the labels on the way here
    Step step{};                          ///< that led here, by the arrays of the label before
    std::uint8_t waiting = 0;             ///< copies that the next compute has to justify
    std::array<Brought, most_waiting> brought{};
  };

  /// Nothing if the problem is too large. `arrays` beyond those that hold inputs are used only as far as
  /// `copies` copies can reach them.
  static std::optional<ExactBranch> make(const Problem& problem, std::uint32_t copies);

  Label root() const { return {}; }
  double root_bound() const { return bound(root()); }
  std::uint64_t key(const Label& label) const { return label.computed; }
  /// Computes weigh more than all copies there can be, so that every step goes deeper.
  int depth(const Label& label) const {
    if (label.computed == all_gates_) return max_depth();
    return std::popcount(label.computed) * most_copies + label.copies;
  }
  int max_depth() const { return static_cast<int>(gates_) * most_copies; }
  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const;
  /// The arrays that began empty, the largest set first: all orders of them can do the same.
  Label canonical(Label label) const;
  /// Can `a` do whatever `b` can at no more cost? Either it holds as much; or copies make it what `b` is, for
  /// less in all than `b` has cost. For that every needed value must lie somewhere in both, in the same
  /// array: then the rest can go at once and makes room for what is missing.
  bool dominates(const Label& a, const Label& b, double cut) const;
  double preference(const Label& label) const { return -depth(label); }

  /// Copies of a schedule through this label at least (docs/models/simd.md, "Bounds of a search"): inputs
  /// that wait in full arrays, and arrays whose values must meet.
  std::uint32_t bound(const Label& label) const;

  /// The instructions of a sequence of steps from the root to a complete label.
  Schedule schedule(const Netlist& netlist, const std::vector<Step>& steps) const;
  std::uint32_t arrays() const { return arrays_; }

 private:
  explicit ExactBranch(const Problem& problem) : problem_(&problem) {}
  static constexpr Set bit(std::uint32_t value) { return Set{1} << value; }
  static constexpr int most_copies = 1 << 16;
  Set present(const Label& label, std::size_t array) const { return label.held[array] | home_[array]; }
  void describe();
  std::uint32_t most_needed() const;
  Set needed(Set computed) const;
  Set elsewhere(const Label& label, std::size_t array) const;
  std::uint32_t meetings(const Label& label, Set wanted) const;
  bool serves(const Label& label, const Step& step) const;
  bool may_serve(const Label& label) const;
  bool ready(const Label& label, std::uint32_t gate) const;
  std::uint32_t capacity(std::size_t array) const { return capacity_[array]; }
  void drop_unneeded(Label& label) const;
  std::optional<Step> forced(const Label& label) const;
  Label applied(const Label& label, const Step& step) const;
  Label after(const Label& label, const Step& step) const;
  /// Arrays from this one on began empty.
  std::ptrdiff_t first_alike() const { return std::min<std::ptrdiff_t>(problem_->home_arrays(), arrays_); }
  template <typename Visit>
  void for_each_step(const Label& label, Visit&& visit) const;
  bool repeats_empty(const Label& label, std::size_t array) const;

  const Problem* problem_;
  std::uint8_t arrays_ = 0;
  std::uint32_t gates_ = 0, inputs_ = 0;
  Set all_gates_ = 0, must_stay_ = 0, stuck_inputs_ = 0;
  std::array<Set, most_arrays> home_{};
  std::array<std::uint32_t, most_arrays> capacity_{};
  std::vector<Set> fanins_;   ///< per gate: values
  std::vector<Set> readers_;  ///< per value: gates' values
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
    const bool complete = child.computed == all_gates_;
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
      // A copy may not push out what it is needed together with: the victim may be anything else.
      visit(step);
    }
  };
  for (std::uint32_t gate = 0; gate < gates_; ++gate) {
    if (!ready(label, gate)) continue;
    const std::uint32_t value = inputs_ + gate;
    for (std::uint8_t array = 0; array < arrays_; ++array) {
      if ((fanins_[gate] & ~present(label, array)) != 0 || repeats_empty(label, array)) continue;
      with_victims({true, static_cast<std::uint8_t>(value), array, array, no_victim},
                   needed(label.computed | bit(value)));
    }
  }
  const Set wanted = needed(label.computed);
  Set anywhere = 0;
  for (std::size_t array = 0; array < arrays_; ++array) anywhere |= present(label, array);
  for (std::uint8_t to = 0; to < arrays_; ++to) {
    if (capacity(to) == 0 || repeats_empty(label, to)) continue;
    for (Set left = anywhere & wanted & ~present(label, to); left != 0; left &= left - 1) {
      const auto value = static_cast<std::uint8_t>(std::countr_zero(left));
      std::uint8_t from = 0;
      while ((present(label, from) & bit(value)) == 0) ++from;
      with_victims({false, value, from, to, no_victim}, wanted);
    }
  }
}

static_assert(SearchBranch<ExactBranch>);

}  // namespace nestor::simd
