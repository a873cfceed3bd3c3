#include "mapper/cim/map_layer.h"

#include <algorithm>
#include <cmath>

#include "heuristics/cim/greedy_nest.h"
#include "mapper/cim/baseline.h"
#include "mapper/cim/break_ties.h"
#include "mapper/cim/check.h"
#include "mapper/cim/map_embedded.h"
#include "mapper/cim/priority.h"
#include "mapper/cim/prove.h"
#include "mapper/cim/setup.h"
#include "mapper/loopnest/layer_states.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {
namespace {

using Clock = Resources::Clock;

constexpr auto no_branch = std::numeric_limits<std::size_t>::max();  // for solutions from outside the engine

// Mapper of one layer: searches its problem and checks the resulting mappings. All its searches share the
// limits.
class LayerMapper final : public EngineObserver {
 public:
  LayerMapper(const CimRequest& request, const Resources& resources, EngineObserver* observer)
      : request_(request),
        resources_(resources),
        observer_(observer),
        states_(observer, map_.search),
        stop_(resources.deadline_of_layer(request.layer_seconds, begin_)) {
    stop_.watch(resources.interrupted);
  }

  /// Returns the best mappings over all bounds that the padding allows. The layer's own bounds are searched
  /// first.
  CimLayerMap best(const LayerShape& layer, const Architecture& machine) {
    auto own = problem_of(layer, machine, request_);
    own.worth = worth();
    proof_ = search(own);
    prove_padded(
        own, [&](const Shapes& shapes, const auto& least) { return shapes.combined(least) < worth(); },
        [&](cim::CimProblem& padded) {
          padded.worth = worth();
          return search(padded);
        });
    map_.status = proof_.status;
    finish();
    if (request_.break_ties && map_.status == Status::optimal && !map_.best.empty()) {
      const auto problem = problem_of(map_.best.front().shape, machine, request_);
      break_ties(problem, limits(), options(), this, map_);
    }
    return std::move(map_);
  }

  CimLayerMap front(const LayerShape& layer, const Architecture& machine) {
    const auto own = problem_of(layer, machine, request_);
    proof_ = search_front(own);
    prove_padded(
        own,
        [&](const Shapes&, const auto& least) {
          return !points_.staircase().view().cover(least.latency, least.additive);
        },
        [&](const cim::CimProblem& padded) { return search_front(padded); });
    map_.status = proof_.status;
    for (const auto& point : points_.front(machine.leakage)) map_.front.push_back(point.mapping);
    finish();
    return std::move(map_);
  }

  void round_ended(const EngineProgress& progress) override {
    if (progress.improved && !request_.pareto)
      note_incumbent(progress.incumbent, progress.work, progress.bound);
    if (observer_ != nullptr)
      observer_->round_ended({progress.incumbent, progress.bound, map_.search.counts.expanded + progress.work,
                              progress.improved});
  }

  bool needs_labels() const override { return observer_ != nullptr && observer_->needs_labels(); }
  void branch_left(const KeptLabels& kept) override { observer_->branch_left(of_bounds(kept)); }
  StateKeeper* states() override { return states_.get(); }

 private:
  Limits limits() { return {resources_.executor, resources_.memory, stop_}; }

  EngineOptions options() const {
    EngineOptions options;
    options.work_limit = request_.work_limit;
    options.relative_gap = request_.pareto ? 0 : request_.relative_gap;
    options.keep_best = request_.pareto ? 1 : request_.top;
    return with_work_left(map_.search, options);
  }

  // Notes a better mapping. `work` counts the nodes of the current search alone. A bound of this search is
  // one for the layer only if no other bounds are searched.
  void note_incumbent(double cost, std::uint64_t work, double bound) {
    map_.search.incumbents.push_back({seconds_since(begin_), cost,
                                      static_cast<Int>(map_.search.counts.expanded + work),
                                      request_.padding.is_wanted() ? no_bound : bound});
  }

  CimEngine::Outcome counted(CimEngine::Outcome outcome) {
    add_counts(outcome, map_.search);
    map_.search.branches += outcome.branches;
    return outcome;
  }

  // In a proof with padding, the identifier of a choice includes the padded bounds.
  KeptLabels of_bounds(KeptLabels kept) const {
    if (request_.padding.is_wanted()) kept.branch.insert(kept.branch.begin(), bounds_.begin(), bounds_.end());
    return kept;
  }

  // Returns the cost below which a padded mapping is useful.
  double worth() const {
    return map_.best.size() < request_.top ? request_.worth : slightly_below(map_.best.back().objective);
  }

  using Shapes = PaddedShapes<cim::CimProblem>;

  // Searches the padded shapes. `wanted(shapes, least)` returns true if a shape with this least cost needs a
  // search.
  template <typename Wanted, typename Search>
  void prove_padded(const cim::CimProblem& own, Wanted wanted, Search search) {
    if (!request_.padding.is_wanted()) return;
    // True if no cost grows when a factor is reduced (docs/models/padding.md, "Which bounds need no search").
    const bool reducible = leaves_out_reducible(request_.padding, request_.top, own.constraints) &&
                           !request_.flexible && own.objective.kind != cim::ObjectiveKind::eq14;
    Shapes shapes(own, request_.padding, reducible);
    const auto problem_at = [&](const Extents& bounds) -> std::optional<cim::CimProblem> {
      LayerShape layer = own.layer;
      layer.bounds = bounds;
      if (cim::admit(layer, own.machine) != Refusal::none) return std::nullopt;
      auto problem = problem_of(layer, own.machine, request_);
      if (reducible) problem.least_bounds = least_bounds_of(own.layer.bounds, bounds);
      return problem;
    };
    mapper::prove_padded(
        shapes, [&](const Shapes::Least& least) { return wanted(shapes, least); }, stop_, proof_, problem_at,
        search);
  }

  // Returns the costs to beat, from earlier mappings or the request's `worth`. Each has a branch number that
  // does not exist in the engine.
  std::vector<CimEngine::Found> bars() const {
    std::vector<CimEngine::Found> bars;
    if (map_.best.empty() && request_.worth < no_cost) bars.push_back({request_.worth, no_branch, {}});
    for (const auto& mapped : map_.best) bars.push_back({mapped.objective, no_branch - bars.size(), {}});
    return bars;
  }

  Proof search(const cim::CimProblem& problem) {
    bounds_ = problem.layer.bounds;
    auto known = bars();
    const bool beaten = !known.empty();
    // If several unrollings are requested, there is no seed: each needs a different spatial choice, and the
    // engine does not know the spatial choice of a seed.
    const bool alone = request_.top == 1;
    std::optional<cim::GreedyResult> greedy;
    if (known.empty()) {
      greedy = cim::greedy_nest(problem, request_.seed);
      auto seed = alone ? first_mapping(problem, greedy) : std::nullopt;
      if (seed) note_incumbent(seed->cost, 0, no_bound);
      if (seed) known.push_back(*seed);
    }
    auto outcome = counted(prove(problem, limits(), options(), this, known, request_.lp_bound));
    if (greedy && outcome.status == Status::infeasible) map_.fail(Fault::missed_mapping);
    if (!beaten && !known.empty() && outcome.best.empty()) outcome.best = known;
    if (beaten)
      std::erase_if(outcome.best, [&](const auto& found) { return found.branch > no_branch - known.size(); });
    keep(problem, outcome);
    return {outcome.status, outcome.bound};
  }

  // Returns the better of the heuristic's mapping and the request's start mapping, or nothing if there is
  // neither.
  std::optional<CimEngine::Found> first_mapping(const cim::CimProblem& problem,
                                                const std::optional<cim::GreedyResult>& greedy) const {
    std::optional<CimEngine::Found> seed;
    if (greedy) seed = {greedy->cost, no_branch, greedy->mapping};
    MappedCimLayer start;
    if (request_.start && check(problem, *request_.start, start) == Fault::none &&
        (!seed || seed->cost > start.objective))
      seed = {start.objective, no_branch, start.mapping};
    return seed;
  }

  Proof search_front(const cim::CimProblem& problem) {
    bounds_ = problem.layer.bounds;
    auto proved = prove_front(problem, limits(), options(), this, first_front_work, points_.staircase());
    std::vector<Points::Point> found;
    for (const auto& point : proved.points) {
      auto& one = found.emplace_back();
      map_.fail(check(problem, point.mapping, one.mapping));
      one.latency = point.latency;
      one.energy = point.energy;
    }
    points_.deliver(0, std::move(found));
    points_.round_ended();
    return {counted(std::move(proved.outcome)).status, no_bound};
  }

  void keep(const cim::CimProblem& problem, const CimEngine::Outcome& outcome) {
    for (const auto& found : outcome.best) {
      MappedCimLayer mapped;
      map_.fail(check_found(problem, found.solution, found.cost, mapped));
      map_.best.push_back(mapped);
    }
    std::stable_sort(map_.best.begin(), map_.best.end(),
                     [](const auto& a, const auto& b) { return a.objective < b.objective; });
    if (map_.best.size() > request_.top) map_.best.resize(request_.top);
  }

  void finish() {
    if (!request_.pareto && std::isfinite(proof_.bound)) {
      map_.bound = proof_.bound;
      // The search's cost may differ from the evaluator's in the last bits; the bound must not exceed the
      // evaluator's.
      if (!map_.best.empty())
        map_.bound = map_.status == Status::optimal ? map_.best.front().objective
                                                    : std::min(proof_.bound, map_.best.front().objective);
    }
    map_.search.seconds = seconds_since(begin_);
  }

  const CimRequest& request_;
  const Resources& resources_;
  EngineObserver* observer_;
  CimLayerMap map_;
  LayerStates states_;
  Clock::time_point begin_ = Clock::now();
  StopSource stop_;
  Proof proof_;       // for all bounds searched so far
  Extents bounds_{};  // layer bounds of the current search
  using Points = FrontCollector<MappedCimLayer>;
  Points points_;  // front over all bounds searched so far
};

}  // namespace

CimLayerMap map_layer(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                      const Resources& resources, EngineObserver* observer) {
  if (request.method == MapMethod::priority && !is_contradictory(request.constraints, machine))
    return map_by_priority(layer, machine, request, resources, observer);
  if (!has_bounds(request.method)) return map_by_baseline(layer, machine, request, resources);
  if (request.embedded_workspace) return map_embedded(layer, machine, request, resources, observer);
  if (is_contradictory(request.constraints, machine)) return {};
  LayerMapper mapper(request, resources, observer);
  return request.pareto ? mapper.front(layer, machine) : mapper.best(layer, machine);
}

}  // namespace nestor::mapper
