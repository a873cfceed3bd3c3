#include "heuristics/pim/baselines.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "heuristics/pim/ordered_climb.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/pim/legality.h"

namespace nestor::pim {
namespace {

constexpr std::size_t most_choices = 6;
constexpr std::uint64_t evaluations = 1000;

// Returns an order in which the dimensions relevant to an operand are outermost. The operand's tile stays in
// place between two iterations of their loops.
DimOrder order_of(const LayerShape& layer, Operand stays) {
  DimOrder order;
  std::copy(group_dims.begin(), group_dims.end(), order.begin());
  std::stable_partition(order.begin(), order.end(), [&](Dim dim) { return layer.is_relevant(dim, stays); });
  return order;
}

bool rows_on_an_axis(const SpatialFactors& spatial, std::size_t axes) {
  for (std::size_t a = 0; a < axes; ++a)
    for (std::size_t b = 0; b < axes; ++b)
      if (a != b && spatial[a][index_of(Dim::R)] > 1 && spatial[b][index_of(Dim::K)] > 1) return true;
  return false;
}

// Returns the choices in the order of their bounds. For row stationary, returns only those that put kernel
// rows and output channels on different axes, if there are any.
std::vector<std::size_t> choices_of(const PimProblem& problem, const ChoiceList& choices, MapMethod kind) {
  std::vector<std::size_t> list(choices.count());
  std::iota(list.begin(), list.end(), std::size_t{0});
  std::stable_sort(list.begin(), list.end(),
                   [&](std::size_t a, std::size_t b) { return choices.bound(a) < choices.bound(b); });
  if (kind == MapMethod::row_stationary) {
    const auto wanted = std::stable_partition(list.begin(), list.end(), [&](std::size_t i) {
      return rows_on_an_axis(choices.spatial(i), problem.machine.axes.size());
    });
    if (wanted != list.begin()) list.erase(wanted, list.end());
  }
  return list;
}

std::optional<FirstMapping> stationary(const PimProblem& problem, const ChoiceList& choices, MapMethod kind,
                                       const StopSignal* stop) {
  const Operand stays = kind == MapMethod::output_stationary_greedy  ? Operand::O
                        : kind == MapMethod::input_stationary_greedy ? Operand::I
                                                                     : Operand::W;
  const DimOrder order = order_of(problem.layer, stays);
  std::optional<FirstMapping> best;
  std::size_t tried = 0;
  for (const std::size_t choice : choices_of(problem, choices, kind)) {
    if (tried == most_choices || is_requested(stop)) break;
    const auto climbed = ordered_climb(problem, choices.spatial(choice), order, evaluations);
    if (!climbed) continue;
    ++tried;
    if (!best || climbed->cost < best->cost)
      best = FirstMapping{.mapping = climbed->mapping, .cost = climbed->cost, .choice = choice};
  }
  return best;
}

class Sampler {
 public:
  Sampler(const PimProblem& problem, const ChoiceList& choices, std::uint64_t seed)
      : problem_(problem), choices_(choices), random_(seed) {}

  std::optional<FirstMapping> run(int draws, const StopSignal* stop) {
    for (int i = 0; i < draws && choices_.count() > 0 && !is_requested(stop); ++i) draw();
    if (!best_) return std::nullopt;
    choose_layouts(problem_, best_->mapping, rows_);
    best_->cost = cost_of(best_->mapping);
    return best_;
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }
  double cost_of(const PimMapping& mapping) {
    return objective_value(problem_.objective, evaluate(problem_.layer, problem_.machine, mapping, rows_));
  }

  // Draws a random level nest: every prime factor is at a random level, and all levels have the same random
  // order of dimensions. Bypasses are random, too.
  void draw() {
    const std::size_t choice = below(choices_.count());
    DimOrder order;
    std::copy(group_dims.begin(), group_dims.end(), order.begin());
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    LevelNest nest(problem_, choices_.spatial(choice), order);
    for (std::size_t d = 0; d < dim_count; ++d)
      for (const auto& prime : prime_factors(nest.factor(0, d)).factors)
        for (int k = 0; k < prime.count; ++k)
          if (const std::size_t level = below(nest.levels()); level > 0) nest.move(0, level, d, prime.value);
    for (std::size_t level = 0; level < nest.levels(); ++level)
      for (const Operand operand : all_operands)
        if (nest.may_bypass(level, operand) && random_.chance(0.5)) nest.toggle(level, operand);
    const PimMapping mapping = nest.mapping();
    if (find_violation(problem_.layer, problem_.machine, mapping) ||
        !satisfies_constraints(problem_.constraints, problem_.layer, problem_.machine, mapping.nest))
      return;
    const double cost = cost_of(mapping);
    if (!best_ || cost < best_->cost) best_ = {.mapping = mapping, .cost = cost, .choice = choice};
  }

  const PimProblem& problem_;
  const ChoiceList& choices_;
  Random random_;
  RowCounter rows_;
  std::optional<FirstMapping> best_;
};

}  // namespace

std::optional<FirstMapping> baseline(const PimProblem& problem, const ChoiceList& choices, MapMethod kind,
                                     std::uint64_t seed, int samples, const StopSignal* stop) {
  if (kind == MapMethod::sampled) return Sampler(problem, choices, seed).run(samples, stop);
  return stationary(problem, choices, kind, stop);
}

}  // namespace nestor::pim
