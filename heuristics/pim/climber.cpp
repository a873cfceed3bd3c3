#include "heuristics/pim/climber.h"

#include <utility>
#include <vector>

#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/loopnest/spatial_factors.h"
#include "model/pim/legality.h"
#include "solver/search/concepts.h"

namespace nestor::pim {
namespace {

// The first order has reductions innermost and keeps sums stationary; the others keep weights or inputs
// stationary.
constexpr std::array<DimOrder, 3> orders = {{
    {Dim::N, Dim::K, Dim::P, Dim::Q, Dim::C, Dim::R, Dim::S},
    {Dim::K, Dim::C, Dim::R, Dim::S, Dim::N, Dim::P, Dim::Q},
    {Dim::N, Dim::P, Dim::Q, Dim::C, Dim::R, Dim::S, Dim::K},
}};

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
  Climber(const PimProblem& problem, const SpatialFactors& spatial, const ClimbLimits& limits,
          std::uint64_t seed)
      : problem_(problem), limits_(limits), random_(seed), nest_(problem, spatial, orders[0]) {
    const Extents left = temporal_bounds(problem.layer.bounds, spatial);
    for (std::size_t d = 0; d < dim_count; ++d)
      for (const auto& factor : prime_factors(left[d]).factors) primes_.emplace_back(d, factor.value);
    if (limits.order)
      starts_.emplace_back(problem, spatial, *limits.order);
    else
      for (const DimOrder& order : orders) starts_.emplace_back(problem, spatial, order);
  }

  std::optional<Climbed> run() {
    if (!limits_.brief) climb_starts(false);
    if (!limits_.order) climb_starts(true);
    if (best_.cost == no_cost) return std::nullopt;
    while (!limits_.order && !done()) {
      nest_ = best_nest_;
      here_ = {};
      kick();
      if (improves()) ascend();
    }
    Climbed climbed{.mapping = mapping_, .evaluations = evaluated_};
    choose_layouts(problem_, climbed.mapping, rows_);
    climbed.cost = score_of(climbed.mapping).cost;
    return climbed;
  }

 private:
  bool done() const { return best_.cost <= limits_.enough || evaluated_ >= limits_.evaluations; }

  Score score_of(const PimMapping& mapping) {
    const PimEvaluation evaluation = evaluate(problem_.layer, problem_.machine, mapping, rows_);
    Score score{objective_value(problem_.objective, evaluation), 0};
    for (const MemoryCycles& cycles : evaluation.memory_cycles)
      score.load += static_cast<double>(cycles.shared);
    return score;
  }

  // True if `nest_` is legal and better than `here_`, the best point of this climb. It then replaces this
  // point.
  bool improves() {
    ++evaluated_;
    const PimMapping mapping = nest_.mapping();
    if (find_violation(problem_.layer, problem_.machine, mapping) ||
        !satisfies_constraints(problem_.constraints, problem_.layer, problem_.machine, mapping.nest))
      return false;
    const Score score = score_of(mapping);
    if (!(score < here_)) return false;
    here_ = score;
    if (score < best_) {
      best_ = score;
      best_nest_ = nest_;
      mapping_ = mapping;
    }
    return true;
  }

  // Climbs from every start. If `layouts_first`, changes layouts before the tiles grow so large that they
  // suit only one layout.
  void climb_starts(bool layouts_first) {
    for (const LevelNest& start : starts_) {
      if (done()) return;
      nest_ = start;
      here_ = {};
      if (!improves()) continue;
      if (layouts_first) change_layouts();
      ascend();
    }
  }

  // Applies a change, and reverts it unless it improves the mapping.
  template <typename Change, typename Back>
  bool attempt(Change change, Back back) {
    if (done()) return false;
    change();
    if (improves()) return true;
    back();
    return false;
  }

  void ascend() {
    for (bool better = true; better && !done();) {
      better = false;
      for (const auto& [dim, prime] : primes_) better |= shift(dim, prime);
      if (!limits_.order) better |= reorder();
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

  bool reorder() {
    bool better = false;
    for (std::size_t level = 0; level < nest_.levels(); ++level)
      for (std::size_t i = 0; i + 1 < group_dim_count; ++i) {
        if (nest_.factor(level, nest_.dim_at(level, i)) == 1 &&
            nest_.factor(level, nest_.dim_at(level, i + 1)) == 1)
          continue;
        better |= attempt([&] { nest_.exchange(level, i); }, [&] { nest_.exchange(level, i); });
      }
    return better;
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

  // Makes a few random steps, regardless of their cost.
  void kick() {
    const auto below = [this](std::size_t count) { return static_cast<std::size_t>(random_.below(count)); };
    for (std::size_t steps = 2 + below(4); steps > 0; --steps) {
      const std::size_t level = below(nest_.levels());
      const auto operand = static_cast<Operand>(below(operand_count));
      switch (below(4)) {
        case 0:
          nest_.exchange(level, below(group_dim_count - 1));
          break;
        case 1:
          if (nest_.may_bypass(level, operand)) nest_.toggle(level, operand);
          break;
        default:
          if (primes_.empty()) break;
          if (const auto [dim, prime] = primes_[below(primes_.size())]; nest_.factor(level, dim) % prime == 0)
            nest_.move(level, below(nest_.levels()), dim, prime);
      }
    }
  }

  const PimProblem& problem_;
  ClimbLimits limits_;
  Random random_;
  LevelNest nest_;
  std::vector<LevelNest> starts_;
  // Dimensions with their prime factors that are not on axes, each distinct pair once.
  std::vector<std::pair<std::size_t, Int>> primes_;
  RowCounter rows_;
  Score here_;
  Score best_;
  LevelNest best_nest_ = nest_;
  PimMapping mapping_;
  std::uint64_t evaluated_ = 0;
};

}  // namespace

std::optional<Climbed> climb(const PimProblem& problem, const SpatialFactors& spatial,
                             const ClimbLimits& limits, std::uint64_t seed) {
  return Climber(problem, spatial, limits, seed).run();
}

}  // namespace nestor::pim
