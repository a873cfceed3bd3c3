#include "mapper/cim/map_layer.h"

#include <algorithm>
#include <cmath>

#include "heuristics/cim/greedy_nest.h"
#include "mapper/cim/baseline.h"
#include "mapper/cim/break_ties.h"
#include "mapper/cim/check.h"
#include "mapper/cim/map_embedded.h"
#include "mapper/cim/padding.h"
#include "mapper/cim/prove.h"
#include "mapper/cim/setup.h"
#include "mapper/loopnest/layer_states.h"
#include "model/loopnest/rules/honours.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {
namespace {

using Clock = Resources::Clock;

constexpr auto no_branch = std::numeric_limits<std::size_t>::max();  // of a solution found elsewhere

// One layer from its problem to checked mappings; several searches of it share the limits.
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

  /// The best over all paddings.
  CimLayerMap best(const LayerShape& layer, const Architecture& machine) {
    bool first = true;
    for (const Extents& bounds : padded_bounds(layer.bounds, request_.padding)) {
      LayerShape padded = layer;
      padded.bounds = bounds;
      if (!first && cim::admit(padded, machine) != Refusal::none) continue;
      proof_ = merge_alternatives(proof_, proof_of(problem_of(padded, machine, request_)));
      first = false;
    }
    map_.status = proof_.status;
    finish();
    if (request_.break_ties && map_.status == Status::optimal && !map_.best.empty()) {
      const auto problem = problem_of(map_.best.front().shape, machine, request_);
      break_ties(problem, limits(), options(), this, map_);
    }
    return std::move(map_);
  }

  CimLayerMap front(const LayerShape& layer, const Architecture& machine) {
    const auto problem = problem_of(layer, machine, request_);
    auto proved = prove_front(problem, limits(), options(), this);
    map_.status = counted(std::move(proved.outcome)).status;
    for (const auto& point : proved.points)
      map_.fail(check(problem, point.mapping, map_.front.emplace_back()));
    finish();
    return std::move(map_);
  }

  void round_ended(const EngineProgress& progress) override {
    if (progress.improved && !request_.pareto)
      map_.search.incumbents.push_back({seconds_since(begin_), progress.incumbent});
    if (observer_ != nullptr)
      observer_->round_ended({progress.incumbent, progress.bound, map_.search.counts.expanded + progress.work,
                              progress.improved});
  }

  bool needs_labels() const override { return observer_ != nullptr && observer_->needs_labels(); }
  void branch_left(const KeptLabels& kept) override { observer_->branch_left(kept); }
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

  CimEngine::Outcome counted(CimEngine::Outcome outcome) {
    add_counts(outcome, map_.search);
    map_.search.branches += outcome.branches;
    return outcome;
  }

  // One padding. What other paddings gave is a bar to beat; once one was cut short, no other is searched.
  Proof proof_of(const cim::CimProblem& problem) {
    if (is_cut_short(proof_.status)) return {proof_.status, cim::bound_of_all(problem)};
    return search(problem);
  }

  Proof search(const cim::CimProblem& problem) {
    const auto greedy = cim::greedy_nest(problem, request_.seed);
    std::optional<CimEngine::Found> seed;
    if (greedy) seed = {greedy->cost, no_branch, greedy->mapping};
    MappedCimLayer start;
    if (request_.start && check(problem, *request_.start, start) == Fault::none &&
        (!seed || seed->cost > start.objective))
      seed = {start.objective, no_branch, start.mapping};
    // Of several unrollings there is one per spatial choice, and the engine cannot tell that of a seed.
    const bool alone = request_.top == 1;
    const bool beaten = alone && !map_.best.empty() && (!seed || seed->cost >= map_.best.front().objective);
    if (beaten) seed = {map_.best.front().objective, no_branch, {}};
    if (seed && alone && !beaten) map_.search.incumbents.push_back({seconds_since(begin_), seed->cost});
    auto outcome =
        counted(prove(problem, limits(), options(), this, alone ? seed : std::nullopt, request_.lp_bound));
    if (greedy && outcome.status == Status::infeasible) map_.fail(Fault::missed_mapping);
    if (seed && outcome.best.empty()) outcome.best.push_back(*seed);
    if (beaten) std::erase_if(outcome.best, [](const auto& found) { return found.branch == no_branch; });
    keep(problem, outcome);
    return {outcome.status, outcome.bound};
  }

  void keep(const cim::CimProblem& problem, const CimEngine::Outcome& outcome) {
    for (const auto& found : outcome.best) {
      MappedCimLayer mapped;
      map_.fail(check(problem, found.solution, mapped));
      if (!costs_agree(found.cost, mapped.objective)) map_.fail(Fault::wrong_cost);
      map_.best.push_back(mapped);
    }
    std::stable_sort(map_.best.begin(), map_.best.end(),
                     [](const auto& a, const auto& b) { return a.objective < b.objective; });
    if (map_.best.size() > request_.top) map_.best.resize(request_.top);
  }

  void finish() {
    if (!request_.pareto && std::isfinite(proof_.bound)) {
      map_.bound = proof_.bound;
      // The search and the evaluator differ in the last bits.
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
  Proof proof_;  // over the paddings
};

}  // namespace

CimLayerMap map_layer(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                      const Resources& resources, EngineObserver* observer) {
  if (request.method != MapMethod::optimal) return map_by_baseline(layer, machine, request);
  if (request.embedded_workspace) return map_embedded(layer, machine, request, resources, observer);
  if (asks_the_impossible(request.constraints, machine)) return {};
  LayerMapper mapper(request, resources, observer);
  return request.pareto ? mapper.front(layer, machine) : mapper.best(layer, machine);
}

}  // namespace nestor::mapper
