// Priority-driven construction with random tie-breaking, restarts, and improvement that perturbs a sequence
// and derives its remaining choices again (docs/scheduling.md, section 7). All mapping spaces use it to build
// first solutions. The code does not allocate or throw, and needs only spans of the standard library, so it
// runs in the embedded core. The caller provides the two sequence buffers. The same seed gives the same
// result on every target.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random.h"

namespace nestor::priority {

namespace detail {
/// Stand-in for a visitor, used only by the concept.
template <typename Problem>
struct AnyVisitor {
  void operator()(const typename Problem::Choice&, const typename Problem::Priority&) const {}
};
}  // namespace detail

/// A placement that is built one choice at a time.
///
///     Choice, Priority, Cost          plain values; `a < b` on priorities means b is preferred
///     reset()                         returns to the empty placement
///     complete(), cost()              of the current placement; the cost never falls as choices are applied
///     apply(choice)
///     for_each_choice(visit)          visit(choice, priority) for every open choice, in a fixed order
///     for_each_variant(choice, visit) the same, for every choice with the same fixed part as `choice`
///     perturb(sequence, random)       changes the sequence in place and returns the first index that
///                                     differs, or the size if it failed; from that index on, only the
///                                     fixed parts of the choices are used
template <typename P>
concept PriorityProblem = requires(P problem, const P constant, const typename P::Choice choice,
                                   const typename P::Priority priority, const typename P::Priority other,
                                   const typename P::Cost cost, const typename P::Cost other_cost,
                                   std::span<typename P::Choice> sequence, Random random) {
  { priority < other } -> std::convertible_to<bool>;
  { cost < other_cost } -> std::convertible_to<bool>;
  problem.reset();
  { constant.complete() } -> std::convertible_to<bool>;
  { constant.cost() } -> std::convertible_to<typename P::Cost>;
  problem.apply(choice);
  problem.for_each_choice(detail::AnyVisitor<P>{});
  problem.for_each_variant(choice, detail::AnyVisitor<P>{});
  { problem.perturb(sequence, random) } -> std::convertible_to<std::size_t>;
};

/// rewind(prefix) goes to the state after a prefix of the best sequence, faster than reset() and apply().
template <typename P>
concept Rewindable = PriorityProblem<P> && requires(P problem, std::span<const typename P::Choice> prefix) {
  problem.rewind(prefix);
};

struct PriorityCounts {
  std::uint64_t constructions = 0;
  std::uint64_t passes = 0;
  std::uint64_t abandoned = 0;     ///< runs stopped because their cost reached the best cost
  std::uint64_t dead_ends = 0;     ///< runs that reached a step without an open choice
  std::uint64_t improvements = 0;  ///< runs that improved the best cost
};

/// A stop rule that never stops.
struct NeverStop {
  bool operator()() const { return false; }
};

template <PriorityProblem Problem>
class PrioritySearch {
 public:
  using Choice = typename Problem::Choice;
  using Priority = typename Problem::Priority;
  using Cost = typename Problem::Cost;

  /// Both buffers must be large enough for the longest sequence; a construction that exceeds them is a dead
  /// end.
  PrioritySearch(Problem& problem, std::span<Choice> work, std::span<Choice> best, std::uint64_t seed)
      : problem_(&problem), work_(work), best_(best), random_(seed) {}

  bool found() const { return found_; }
  const Cost& best_cost() const { return best_cost_; }
  std::span<const Choice> best() const { return best_.first(best_size_); }
  const PriorityCounts& statistics() const { return statistics_; }

  /// Copies the result of another search on an equal problem, with buffers of equal size, to continue from
  /// it.
  void adopt(const PrioritySearch& other) {
    for (std::size_t i = 0; i < other.best_size_; ++i) best_[i] = other.best_[i];
    best_size_ = other.best_size_;
    best_cost_ = other.best_cost_;
    found_ = other.found_;
  }

  /// Runs one construction from scratch; returns true if its result is the new best. Polls `stop()` at
  /// intervals and ends when it returns true.
  template <typename Stop = NeverStop>
  bool construct(Stop stop = {}) {
    ++statistics_.constructions;
    problem_->reset();
    std::size_t size = 0;
    while (!problem_->complete()) {
      if (is_time_to_ask(size) && stop()) return false;
      Pick pick(random_);
      problem_->for_each_choice(pick);
      if (!advance(pick, size)) return false;
    }
    return keep(size);
  }

  /// Runs `restarts` constructions. A construction that `stop()` interrupts is discarded. Until a solution is
  /// found, constructions are not interrupted.
  template <typename Stop = NeverStop>
  void restart(std::uint64_t restarts, Stop stop = {}) {
    for (std::uint64_t i = 0; i < restarts && !stop(); ++i) construct([&] { return found_ && stop(); });
  }

  /// Derives a run from the fixed parts of a given sequence; returns true if its result is the new best.
  template <typename Stop = NeverStop>
  bool derive(std::span<const Choice> fixed, Stop stop = {}) {
    ++statistics_.constructions;
    problem_->reset();
    std::size_t size = 0;
    while (!problem_->complete()) {
      if (size == fixed.size() || (is_time_to_ask(size) && stop())) return false;
      Pick pick(random_);
      problem_->for_each_variant(fixed[size], pick);
      if (!advance(pick, size)) return false;
    }
    return keep(size);
  }

  /// Runs one improvement pass; returns true if its result is the new best.
  template <typename Stop = NeverStop>
  bool improve_once(Stop stop = {}) {
    ++statistics_.passes;
    for (std::size_t i = 0; i < best_size_; ++i) work_[i] = best_[i];
    std::size_t size = problem_->perturb(work_.first(best_size_), random_);
    if (size >= best_size_) return false;
    go_to(size);
    while (!problem_->complete()) {
      if (size == best_size_ || (is_time_to_ask(size) && stop())) return false;
      Pick pick(random_);
      problem_->for_each_variant(work_[size], pick);
      if (!advance(pick, size)) return false;
    }
    return keep(size);
  }

  /// Runs passes until `patience` of them in a row bring no improvement.
  template <typename Stop = NeverStop>
  void improve(std::uint64_t patience, Stop stop = {}) {
    if (!found_) return;
    for (std::uint64_t idle = 0; idle < patience && !stop();) idle = improve_once(stop) ? 0 : idle + 1;
  }

 private:
  /// The best of the visited choices; the k-th of equally good choices replaces the pick with probability
  /// 1/k.
  class Pick {
   public:
    explicit Pick(Random& random) : random_(&random) {}
    void operator()(const Choice& choice, const Priority& priority) {
      if (equals_ != 0 && priority < priority_) return;
      if (equals_ == 0 || priority_ < priority) {
        equals_ = 1;
      } else if (random_->below(++equals_) != 0) {
        return;
      }
      choice_ = choice;
      priority_ = priority;
    }
    bool any() const { return equals_ != 0; }
    const Choice& choice() const { return choice_; }

   private:
    Random* random_;
    std::uint64_t equals_ = 0;
    Choice choice_{};
    Priority priority_{};
  };

  static constexpr bool is_time_to_ask(std::size_t size) { return size % 64 == 63; }

  bool advance(const Pick& pick, std::size_t& size) {
    if (!pick.any() || size == work_.size()) {
      ++statistics_.dead_ends;
      return false;
    }
    work_[size++] = pick.choice();
    problem_->apply(pick.choice());
    if (found_ && !(problem_->cost() < best_cost_)) {
      ++statistics_.abandoned;
      return false;
    }
    return true;
  }

  bool keep(std::size_t size) {
    if (found_ && !(problem_->cost() < best_cost_)) return false;
    for (std::size_t i = 0; i < size; ++i) best_[i] = work_[i];
    best_size_ = size;
    best_cost_ = problem_->cost();
    found_ = true;
    ++statistics_.improvements;
    return true;
  }

  /// Goes to the state after the first `size` choices of the best sequence.
  void go_to(std::size_t size) {
    if constexpr (Rewindable<Problem>) {
      problem_->rewind(best_.first(size));
    } else {
      problem_->reset();
      for (std::size_t i = 0; i < size; ++i) problem_->apply(best_[i]);
    }
  }

  Problem* problem_;
  std::span<Choice> work_, best_;
  Random random_;
  std::size_t best_size_ = 0;
  Cost best_cost_{};
  bool found_ = false;
  PriorityCounts statistics_;
};

}  // namespace nestor::priority
