#include "mapper/pim/map_layer.h"

#include <algorithm>
#include <cmath>

#include "heuristics/pim/first_mapping.h"
#include "model/loopnest/rules/honours.h"
#include "model/pim/legality.h"
#include "model/pim/space/pim_space.h"
#include "solver/engine/parts.h"

namespace nestor::mapper::pim {
namespace {

using nestor::pim::PimProblem;
using Clock = Resources::Clock;
using Space = nestor::pim::PimSpace<HostStorage>;
using Outcome = Engine<Space>::Outcome;

constexpr std::size_t of_no_branch = std::numeric_limits<std::size_t>::max();

constexpr nestor::pim::FirstMappingLimits first_limits{.tries = 6, .judgements = 6000, .glances = 128};

class LayerMapper {
 public:
  LayerMapper(const PimProblem& problem, const PimRequest& request, const Resources& resources, double cutoff,
              EngineObserver* observer)
      : problem_(problem),
        request_(request),
        resources_(resources),
        cutoff_(cutoff),
        observer_(observer),
        begin_(Clock::now()),
        stop_(resources.deadline_of_layer(request.layer_seconds, begin_)) {
    stop_.watch(resources.interrupted);
  }

  PimLayerMap run() {
    if (asks_the_impossible(problem_.constraints, problem_.machine))
      result_.bound = no_cost;
    else if (request_.pareto)
      find_front();
    else
      find_best();
    result_.search.seconds = seconds_since(begin_);
    if (request_.break_ties && result_.status == Status::optimal && !result_.best.empty()) break_ties();
    return std::move(result_);
  }

 private:
  nestor::pim::RulesOf rules() {
    return nestor::pim::RulesOf(
        [this](std::size_t bytes) { return !stop_.requested() && bytes < resources_.memory.limit() / 4; });
  }

  EngineOptions options() const {
    EngineOptions options;
    options.work_limit = request_.work_limit;
    options.relative_gap = request_.relative_gap;
    options.keep_best = request_.pareto ? 1 : request_.top;
    return options;
  }

  // A mapping that the evaluator and the rules accept, at the cost that the search claims.
  std::optional<MappedPimLayer> check(const PimMapping& mapping, std::optional<double> claimed) {
    MappedPimLayer point{.shape = problem_.layer, .mapping = mapping, .evaluation = {}};
    nestor::pim::normalise(point.mapping, problem_.layer, problem_.machine);
    if (nestor::pim::find_violation(problem_.layer, problem_.machine, point.mapping)) {
      result_.fail(Fault::illegal_mapping);
      return std::nullopt;
    }
    if (!honours(problem_.constraints, problem_.machine, mapping.nest)) {
      result_.fail(Fault::broken_constraint);
      return std::nullopt;
    }
    point.evaluation = nestor::pim::evaluate(problem_.layer, problem_.machine, point.mapping, rows_);
    point.objective = nestor::pim::objective_value(problem_.objective, point.evaluation);
    if (claimed && !costs_agree(*claimed, point.objective)) result_.fail(Fault::wrong_cost);
    return point;
  }

  void note(const Outcome& outcome) {
    result_.status = outcome.status;
    result_.bound = outcome.bound;
    result_.search.counts.add(outcome.counts);
    result_.search.branches = outcome.branches;
    result_.search.branches_opened = outcome.branches_opened;
    result_.search.rounds = outcome.rounds;
  }

  // The enumeration of choices was stopped: nothing is proved beyond what holds for all of them.
  void note_unfinished(const Space& space) {
    if (space.choices().complete()) return;
    result_.bound = std::min(*result_.bound, nestor::pim::bound_of_all(problem_));
    if (result_.status == Status::optimal || result_.status == Status::infeasible)
      result_.status = stop_.requested() ? stop_.status() : Status::memory_limit;
  }

  void find_best() {
    const auto space = nestor::pim::make_space<HostStorage>(problem_, rules());
    Engine<Space> engine(*space, resources_.executor, resources_.memory, options(), stop_, observer_);
    std::vector<Engine<Space>::Found> known;
    double least = no_cost;
    for (std::size_t i = 0; i < space->branch_count(); ++i) least = std::min(least, space->branch_bound(i));
    auto limits = first_limits;
    limits.enough = least;
    limits.cutoff = cutoff_;
    limits.method = request_.first;
    const auto refine = [&](std::size_t branch) {
      const auto run = space->open(branch, HostStorage(resources_.memory));
      return run ? run->least_open() : nestor::no_bound;
    };
    if (const auto first = nestor::pim::first_mapping(space->problem(), space->choices(), limits, refine))
      if (first->cost < cutoff_ && within_limits(first->mapping)) {
        known.push_back({first->cost, first->choice, first->mapping});
        result_.search.incumbents.push_back({seconds_since(begin_), first->cost});
      }
    if (cutoff_ < no_cost) known.push_back({cutoff_, of_no_branch, {}});
    const Outcome outcome = engine.run(std::move(known));
    note(outcome);
    for (const auto& found : outcome.best) {
      if (found.branch == of_no_branch) continue;
      if (auto point = check(found.solution, found.cost)) result_.best.push_back(*point);
    }
    if (result_.status == Status::optimal && result_.best.empty()) result_.status = Status::infeasible;
    note_unfinished(*space);
  }

  // The other cost of the optimum (mapper/loopnest/tie_break.h).
  void break_ties() {
    const MappedPimLayer& first = result_.best.front();
    const auto tied = tied_problem(problem_, first.evaluation.latency_cycles, first.evaluation.energy_pj);
    if (!tied) return;
    const auto begin = Clock::now();
    const double cost = nestor::pim::objective_value(tied->objective, first.evaluation);
    const auto space = nestor::pim::make_space<HostStorage>(*tied, rules());
    SilentPart apart(observer_);
    Engine<Space> engine(
        *space, resources_.executor, resources_.memory,
        tie_options(with_work_left(result_.search, options()), result_.search.counts.expanded), stop_,
        &apart);
    const Outcome outcome = engine.run({{cost, of_no_branch, {}}});
    result_.ties = {tied->objective.kind, outcome.status, outcome.bound, outcome.counts,
                    seconds_since(begin)};
    if (!space->choices().complete()) {
      result_.ties->bound = std::min(outcome.bound, nestor::pim::bound_of_all(*tied));
      result_.ties->status = stop_.requested() ? stop_.status() : Status::memory_limit;
    }
    if (outcome.best.empty() || outcome.best.front().branch == of_no_branch) return;
    auto point = check(outcome.best.front().solution, first.objective);
    if (!point) return;
    if (!costs_agree(outcome.best.front().cost,
                     nestor::pim::objective_value(tied->objective, point->evaluation)))
      result_.fail(Fault::wrong_cost);
    put_first(
        result_.best, std::move(*point), request_.top,
        [](const MappedPimLayer& layer) -> const SpatialFactors& { return layer.mapping.nest.spatial; });
  }

  bool within_limits(const PimMapping& mapping) {
    const auto evaluation = nestor::pim::evaluate(problem_.layer, problem_.machine, mapping, rows_);
    return evaluation.latency_cycles <= problem_.constraints.max_latency &&
           evaluation.energy_pj <= problem_.constraints.max_additive;
  }

  void find_front() {
    nestor::pim::FrontPoints collector;
    PimProblem fast = problem_;
    fast.objective = {};
    double energy = 0;
    {
      const auto space = nestor::pim::make_space<HostStorage>(fast, rules());
      if (const auto first = nestor::pim::first_mapping(space->problem(), space->choices(), first_limits)) {
        const auto point = nestor::pim::front_point(problem_, first->mapping);
        energy = point.energy;
        collector.deliver(0, {point});
        collector.round_ended();
      }
    }
    const auto space =
        nestor::pim::make_front_space<HostStorage>(front_problem(problem_, energy), collector, rules());
    const Outcome outcome =
        Engine<Space>(*space, resources_.executor, resources_.memory, options(), stop_, observer_).run();
    note(outcome);
    for (const auto& point : collector.front(problem_.machine.leakage))
      if (auto checked = check(point.mapping, std::nullopt)) result_.front.push_back(*checked);
    if (result_.status == Status::infeasible && !result_.front.empty()) result_.status = Status::optimal;
    note_unfinished(*space);
    if (!result_.front.empty()) result_.best = {result_.front.front()};
  }

  const PimProblem& problem_;
  const PimRequest& request_;
  const Resources& resources_;
  double cutoff_;
  EngineObserver* observer_;
  Clock::time_point begin_;
  StopSource stop_;
  nestor::pim::RowCounter rows_;
  PimLayerMap result_;
};

// A baseline's mapping, without a bound; none if nothing fits.
PimLayerMap map_by_baseline(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                            const PimRequest& request) {
  const auto begin = Clock::now();
  const PimProblem problem = problem_of(layer, machine, request);
  const auto space = nestor::pim::make_space<HostStorage>(problem);
  PimLayerMap map;
  map.heuristic = true;
  map.search.branches = space->branch_count();
  if (const auto found = nestor::pim::baseline(space->problem(), space->choices(), request.method,
                                               request.seed, request.samples)) {
    nestor::pim::RowCounter rows;
    map.best.push_back({.shape = layer,
                        .mapping = found->mapping,
                        .evaluation = nestor::pim::evaluate(layer, machine, found->mapping, rows),
                        .objective = found->cost});
    nestor::pim::normalise(map.best.front().mapping, layer, machine);
    if (nestor::pim::find_violation(layer, machine, map.best.front().mapping))
      map.fail(Fault::illegal_mapping);
  }
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace

PimProblem problem_of(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                      const PimRequest& request) {
  auto problem = make_problem(layer, machine, request.objective, request.layouts);
  problem.constraints = request.constraints;
  problem.twin_axes = request.top == 1;
  return problem;
}

PimLayerMap map_layer(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                      const PimRequest& request, const Resources& resources, EngineObserver* observer) {
  if (request.method != MapMethod::optimal) return map_by_baseline(layer, machine, request);
  return map_problem(problem_of(layer, machine, request), request, resources, no_cost, observer);
}

PimLayerMap map_problem(const PimProblem& problem, const PimRequest& request, const Resources& resources,
                        double cutoff, EngineObserver* observer) {
  return LayerMapper(problem, request, resources, cutoff, observer).run();
}

}  // namespace nestor::mapper::pim
