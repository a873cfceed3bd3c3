#include "heuristics/pim/ordered_climb.h"

#include <utility>
#include <vector>

#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/loopnest/spatial_factors.h"
#include "model/pim/legality.h"
#include "solver/search/concepts.h"

namespace nestor::pim {
namespace {

// Cost of a mapping, and the load of its memories, which breaks ties.
struct Score {
  double cost = no_cost;
  double load = 0;
  friend bool operator<(const Score& a, const Score& b) {
    return a.cost < b.cost || (a.cost == b.cost && a.load < b.load);
  }
};

class Climber {
 public:
  Climber(const PimProblem& problem, const SpatialFactors& spatial, const DimOrder& order,
          std::uint64_t evaluations)
      : problem_(problem), left_(evaluations), nest_(problem, spatial, order) {
    const Extents bounds = temporal_bounds(problem.layer.bounds, spatial);
    for (std::size_t d = 0; d < dim_count; ++d)
      for (const auto& factor : prime_factors(bounds[d]).factors) primes_.emplace_back(d, factor.value);
  }

  std::optional<ClimbedMapping> run() {
    if (!improves()) return std::nullopt;
    ascend();
    ClimbedMapping climbed{.mapping = mapping_};
    choose_layouts(problem_, climbed.mapping, rows_);
    climbed.cost = score_of(climbed.mapping).cost;
    return climbed;
  }

 private:
  Score score_of(const PimMapping& mapping) {
    const PimEvaluation evaluation = evaluate(problem_.layer, problem_.machine, mapping, rows_);
    Score score{objective_value(problem_.objective, evaluation), 0};
    for (const MemoryCycles& cycles : evaluation.memory_cycles)
      score.load += static_cast<double>(cycles.shared);
    return score;
  }

  // True if `nest_` is legal and better than the best mapping so far, which it then replaces.
  bool improves() {
    if (left_ > 0) --left_;
    const PimMapping mapping = nest_.mapping();
    if (find_violation(problem_.layer, problem_.machine, mapping) ||
        !satisfies_constraints(problem_.constraints, problem_.layer, problem_.machine, mapping.nest))
      return false;
    const Score score = score_of(mapping);
    if (!(score < best_)) return false;
    best_ = score;
    mapping_ = mapping;
    return true;
  }

  // Applies a change, and reverts it unless it improves the mapping.
  template <typename Change, typename Back>
  bool attempt(Change change, Back back) {
    if (left_ == 0) return false;
    change();
    if (improves()) return true;
    back();
    return false;
  }

  void ascend() {
    for (bool better = true; better && left_ > 0;) {
      better = false;
      for (const auto& [dim, prime] : primes_) better |= shift(dim, prime);
      better |= change_bypasses();
      better |= change_layouts();
      if (!better) better = trade();
    }
  }

  // Moves one factor to another level, trying the innermost level first.
  bool shift(std::size_t dim, Int prime) {
    bool better = false;
    for (std::size_t from = 0; from < nest_.levels(); ++from)
      for (std::size_t to = nest_.levels(); to-- > 0;) {
        if (to == from || nest_.factor(from, dim) % prime != 0) continue;
        better |= attempt([&, d = dim, p = prime] { nest_.move(from, to, d, p); },
                          [&, d = dim, p = prime] { nest_.move(to, from, d, p); });
      }
    return better;
  }

  // Exchanges a factor of one level with a factor of another.
  bool trade() {
    for (std::size_t i = 0; i < primes_.size(); ++i)
      for (std::size_t j = 0; j < primes_.size(); ++j) {
        const auto [d, p] = primes_[i];
        const auto [e, q] = primes_[j];
        if (d == e && p == q) continue;
        for (std::size_t inner = 1; inner < nest_.levels(); ++inner)
          for (std::size_t outer = 0; outer < inner; ++outer) {
            if (nest_.factor(outer, d) % p != 0 || nest_.factor(inner, e) % q != 0) continue;
            if (attempt([&] { exchange(outer, inner, i, j); }, [&] { exchange(inner, outer, i, j); }))
              return true;
          }
      }
    return false;
  }
  void exchange(std::size_t from, std::size_t to, std::size_t i, std::size_t j) {
    nest_.move(from, to, primes_[i].first, primes_[i].second);
    nest_.move(to, from, primes_[j].first, primes_[j].second);
  }

  bool change_bypasses() {
    bool better = false;
    for (std::size_t level = 0; level < nest_.levels(); ++level)
      for (const Operand operand : all_operands)
        if (nest_.may_bypass(level, operand))
          better |= attempt([&] { nest_.toggle(level, operand); }, [&] { nest_.toggle(level, operand); });
    return better;
  }

  bool change_layouts() {
    bool better = false;
    for (const Operand operand : all_operands) {
      if (!problem_.machine.has_rows(operand)) continue;
      for (const auto kind : nestor::pim::layout_kinds.values) {
        const LayoutKind before = nest_.layout(operand);
        if (kind == before || !problem_.layouts.contains(kind) ||
            (kind == LayoutKind::hwc && !nestor::pim::has_planes(problem_.layer, operand)))
          continue;
        better |=
            attempt([&] { nest_.set_layout(operand, kind); }, [&] { nest_.set_layout(operand, before); });
      }
    }
    return better;
  }

  const PimProblem& problem_;
  std::uint64_t left_;  // mappings that may still be evaluated
  LevelNest nest_;
  // Dimensions with their prime factors that are not on axes, each distinct pair once.
  std::vector<std::pair<std::size_t, Int>> primes_;
  RowCounter rows_;
  Score best_;
  PimMapping mapping_;  // with the score `best_`
};

}  // namespace

std::optional<ClimbedMapping> ordered_climb(const PimProblem& problem, const SpatialFactors& spatial,
                                            const DimOrder& order, std::uint64_t evaluations) {
  return Climber(problem, spatial, order, evaluations).run();
}

}  // namespace nestor::pim
