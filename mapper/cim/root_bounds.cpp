#include "mapper/cim/root_bounds.h"

#include <algorithm>
#include <atomic>

#include "heuristics/cim/greedy_nest.h"
#include "mapper/cim/check.h"
#include "mapper/cim/lp_bound.h"
#include "mapper/cim/prove.h"
#include "mapper/cim/setup.h"
#include "model/loopnest/rules/satisfies_constraints.h"

namespace nestor::mapper {
namespace {

class RootStudy {
 public:
  RootStudy(const cim::CimProblem& problem, const Limits& limits, RootBounds& result)
      : limits_(limits), result_(result), space_(problem, limits), cut_(slightly_below(result.reference)) {}

  void run() {
    const ChoiceList& choices = space_.choices();
    result_.choices = choices.count();
    if (!choices.complete()) {
      result_.limit = limits_.stop.requested() ? limits_.stop.status() : Status::memory_limit;
      result_.steps.bound = cim::bound_of_all(space_.problem());
      return;
    }
    for (std::size_t i = 0; i < choices.count(); ++i) bounds_.push_back(choices.bound(i));
    std::vector<std::size_t> all(choices.count());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    auto open = close_choices(result_.steps, all);
    raise(open, [this](std::size_t choice) { return space_.table_bound(choice); });
    open = close_choices(result_.tables, open);
    if (LpBound::applies(space_.problem())) relax(std::move(open));
  }

 private:
  // Bounds at most most_relaxed_choices choices by linear programs: those with the least bounds, and among
  // equal bounds the first choices.
  void relax(std::vector<std::size_t> open) {
    std::stable_sort(open.begin(), open.end(),
                     [this](std::size_t a, std::size_t b) { return bounds_[a] < bounds_[b]; });
    if (open.size() > most_relaxed_choices) open.resize(most_relaxed_choices);
    const LpBound relaxation(space_.problem(), space_.choices(), limits_.stop);
    std::atomic<std::uint64_t> programs = 0;
    std::atomic<std::uint64_t> pivots = 0;
    raise(open, [&](std::size_t choice) -> std::optional<double> {
      const auto found = relaxation(choice, cut_);
      programs += found.programs;
      pivots += found.pivots;
      return found.bound;
    });
    result_.has_programs = true;
    result_.programs_solved = programs;
    result_.pivots = pivots;
    close_choices(result_.programs, open);
  }

  // Raises the bounds of open choices. Each choice is processed independently, so the order of threads does
  // not matter.
  template <typename BoundOf>
  void raise(const std::vector<std::size_t>& open, BoundOf bound_of) {
    std::atomic<bool> short_of_memory = false;
    limits_.executor.run(open.size(), [&](std::size_t k) {
      if (limits_.stop.requested()) return;
      const std::optional<double> bound = bound_of(open[k]);
      if (bound)
        bounds_[open[k]] = std::max(bounds_[open[k]], *bound);
      else
        short_of_memory = true;
    });
    if (short_of_memory && !result_.limit) result_.limit = Status::memory_limit;
    if (limits_.stop.requested() && !result_.limit) result_.limit = limits_.stop.status();
  }

  // Records the number of processed choices, the number of these that are closed, and the least bound of all
  // choices. Returns the processed choices that stay open.
  std::vector<std::size_t> close_choices(RootBound& stage, const std::vector<std::size_t>& looked_at) const {
    std::vector<std::size_t> open;
    for (const std::size_t i : looked_at)
      if (bounds_[i] < cut_) open.push_back(i);
    stage.choices = looked_at.size();
    stage.closed = looked_at.size() - open.size();
    stage.bound = no_cost;
    for (const double bound : bounds_) stage.bound = std::min(stage.bound, bound);
    return open;
  }

  const Limits& limits_;
  RootBounds& result_;
  LimitedSpace space_;
  double cut_;
  std::vector<double> bounds_;  // lower bound of each choice
};

}  // namespace

RootBounds root_bounds(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                       const Resources& resources, std::optional<double> reference) {
  const auto begin = Resources::Clock::now();
  RootBounds result;
  if (is_contradictory(request.constraints, machine)) {
    result.steps.bound = no_cost;
    return result;
  }
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  const auto problem = problem_of(layer, machine, request);
  if (const auto greedy = cim::greedy_nest(problem, request.seed)) {
    result.fault = check(problem, greedy->mapping, result.incumbent.emplace());
    result.reference = result.incumbent->objective;
  }
  if (reference) result.reference = *reference;
  const Limits limits{resources.executor, resources.memory, stop};
  RootStudy(problem, limits, result).run();
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace nestor::mapper
