#include "mapper/pim/map_layer.h"

#include <algorithm>

#include "heuristics/pim/first_mapping.h"
#include "mapper/loopnest/layer_states.h"
#include "mapper/pim/choice_descent.h"
#include "mapper/pim/group_bounds.h"
#include "mapper/pim/heuristic_map.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/pim/search/admission.h"
#include "model/pim/space/pim_space.h"
#include "solver/engine/parts.h"

namespace nestor::mapper::pim {
namespace {

using nestor::pim::PimProblem;
using Clock = Resources::Clock;
using Space = nestor::pim::PimSpace<HostStorage>;
using Outcome = Engine<Space>::Outcome;

constexpr std::uint64_t tie_branches = 256;  // opening a branch counts rows, which takes milliseconds
constexpr std::size_t many_choices = 2048;   // open choices for which bounds of groups are worth their work
constexpr std::uint64_t descent_work = 12'000;  // of the descent before them
constexpr std::size_t of_no_branch = std::numeric_limits<std::size_t>::max();

// Mapper of one layer: runs searches within common limits and checks the resulting mappings.
class LayerMapper final : public EngineObserver {
 public:
  LayerMapper(const PimRequest& request, const Resources& resources, double cutoff, EngineObserver* observer)
      : request_(request),
        resources_(resources),
        cutoff_(cutoff),
        observer_(observer),
        states_(observer, result_.search),
        begin_(Clock::now()),
        stop_(resources.deadline_of_layer(request.layer_seconds, begin_)) {
    stop_.watch(resources.interrupted);
  }

  PimLayerMap run(const PimProblem& problem) {
    if (is_contradictory(problem.constraints, problem.machine)) {
      result_.bound = no_cost;
    } else if (request_.pareto) {
      find_front(problem);
    } else {
      find_best(problem);
    }
    result_.search.seconds = seconds_since(begin_);
    if (request_.break_ties && !request_.pareto && result_.status == Status::optimal && !result_.best.empty())
      break_ties(problem);
    return std::move(result_);
  }

  void round_ended(const EngineProgress& progress) override {
    if (progress.improved && !request_.pareto)
      note_incumbent(progress.incumbent, progress.work, progress.bound);
    if (observer_ != nullptr)
      observer_->round_ended({progress.incumbent, progress.bound,
                              result_.search.counts.expanded + progress.work, progress.improved});
  }
  void turns_taken(const std::vector<std::uint64_t>& work) override {
    if (observer_ != nullptr) observer_->turns_taken(work);
  }
  bool needs_labels() const override { return observer_ != nullptr && observer_->needs_labels(); }
  void branch_left(const KeptLabels& kept) override {
    KeptLabels named = kept;  // with padding, a choice's identifier in a proof includes the bounds
    if (request_.padding.is_wanted())
      named.branch.insert(named.branch.begin(), bounds_.begin(), bounds_.end());
    observer_->branch_left(named);
  }
  StateKeeper* states() override { return states_.get(); }

 private:
  using Shapes = PaddedShapes<PimProblem>;

  nestor::pim::RulesOf rules() {
    return nestor::pim::RulesOf(
        [this](std::size_t bytes) { return !stop_.requested() && bytes < resources_.memory.limit() / 4; });
  }

  EngineOptions options() const {
    EngineOptions options;
    options.work_limit = request_.work_limit;
    options.relative_gap = request_.relative_gap;
    options.keep_best = request_.pareto ? 1 : request_.top;
    return with_work_left(result_.search, options);
  }

  // Notes a better mapping. `work` counts the nodes of the current search alone. A bound of this search is
  // one for the layer only if no other bounds are searched.
  void note_incumbent(double cost, std::uint64_t work, double bound) {
    result_.search.incumbents.push_back({seconds_since(begin_), cost,
                                         static_cast<Int>(result_.search.counts.expanded + work),
                                         request_.padding.is_wanted() ? no_bound : bound});
  }

  // Returns the mapping if it is legal and satisfies the constraints. A wrong claimed cost is a fault.
  std::optional<MappedPimLayer> check(const PimProblem& problem, const PimMapping& mapping,
                                      std::optional<double> claimed) {
    MappedPimLayer point;
    if (const Fault fault = check_mapping(problem, mapping, rows_, point); fault != Fault::none) {
      result_.fail(fault);
      return std::nullopt;
    }
    if (claimed && !costs_agree(*claimed, point.objective)) result_.fail(Fault::wrong_cost);
    return point;
  }

  // Returns the proof of a search. An incomplete list of choices proves only the bound on all choices.
  Proof proof_of(const Space& space, const Outcome& outcome) {
    add_counts(outcome, result_.search);
    result_.search.branches += outcome.branches;
    Proof proof{outcome.status, outcome.bound};
    if (space.choices().complete()) return proof;
    proof.bound = std::min(proof.bound, nestor::pim::bound_of_all(space.problem()));
    if (!is_cut_short(proof.status)) proof.status = stop_.requested() ? stop_.status() : Status::memory_limit;
    return proof;
  }

  // Returns the cost below which a padded mapping is useful.
  double worth() const {
    const bool is_full = result_.best.size() == request_.top;
    return is_full ? slightly_below(result_.best.back().objective) : cutoff_;
  }

  void find_best(const PimProblem& problem) {
    proof_ = search(problem, true);
    prove_padded(
        problem, [&](const Shapes& shapes, const auto& least) { return shapes.combined(least) < worth(); },
        [&](PimProblem& padded) {
          padded.worth = worth();
          return search(padded, result_.best.empty());
        });
    result_.status = proof_.status;
    result_.bound = proof_.bound;
    if (result_.best.empty() && result_.status == Status::optimal) result_.status = Status::infeasible;
    if (!result_.best.empty() && result_.status == Status::optimal)
      result_.bound = result_.best.front().objective;
    if (!result_.best.empty()) result_.bound = std::min(*result_.bound, result_.best.front().objective);
  }

  // Returns the costs to beat, with branch numbers that do not exist in the engine.
  std::vector<Engine<Space>::Found> bars() const {
    std::vector<Engine<Space>::Found> bars;
    for (const auto& mapped : result_.best)
      bars.push_back({mapped.objective, of_no_branch - bars.size(), {}});
    if (bars.size() < request_.top && cutoff_ < no_cost)
      bars.push_back({cutoff_, of_no_branch - bars.size(), {}});
    return bars;
  }

  Proof search(const PimProblem& problem, bool needs_first) {
    const auto space = nestor::pim::make_space<HostStorage>(problem, rules());
    if (space->choices().complete() && space->branch_count() == 0) return {};
    bounds_ = problem.layer.bounds;
    auto known = bars();
    const std::size_t least_bar = of_no_branch - known.size();
    if (needs_first && !request_.flexible)  // initial mappings use prime factors
      if (auto first = first_mapping(*space)) known.push_back(*first);
    ChoiceDescent source(*space, resources_.memory, stop_);
    raise_bounds(*space, source, known);
    Engine<Space> engine(*space, resources_.executor, resources_.memory, options(), stop_, this);
    const Outcome outcome = engine.run(std::move(known), &source);
    for (const auto& found : outcome.best)
      if (found.branch <= least_bar)
        if (auto point = check(problem, found.solution, found.cost)) result_.best.push_back(*point);
    std::stable_sort(result_.best.begin(), result_.best.end(),
                     [](const auto& a, const auto& b) { return a.objective < b.objective; });
    if (result_.best.size() > request_.top) result_.best.resize(request_.top);
    return proof_of(*space, outcome);
  }

  // If many choices are open, improves the known solution and bounds the choices in groups.
  void raise_bounds(Space& space, ChoiceDescent& source, std::vector<Engine<Space>::Found>& known) {
    if (known.size() != 1 || request_.top != 1 || request_.flexible || !ChoiceDescent::supports(space))
      return;
    auto& counts = result_.search.counts;
    std::size_t open = 0;
    for (std::size_t i = 0; i < space.branch_count(); ++i)
      open += static_cast<std::size_t>(space.branch_bound(i) < known.front().cost);
    const std::uint64_t left = options().work_limit;
    if (open < many_choices || left < descent_work) return;
    const auto better = source.improve(&known.front(), descent_work);
    if (stop_.requested()) return;
    counts.expanded += descent_work;
    if (better && better->cost < known.front().cost) {
      known.front() = *better;
      note_incumbent(better->cost, 0, no_bound);
    }
    counts.expanded += raise_group_bounds(space, known.front().cost, left - descent_work, resources_.executor,
                                          resources_.memory, stop_);
  }

  std::optional<Engine<Space>::Found> first_mapping(Space& space) {
    nestor::pim::FirstMappingLimits limits;
    limits.enough = no_cost;
    for (std::size_t i = 0; i < space.branch_count(); ++i)
      limits.enough = std::min(limits.enough, space.branch_bound(i));
    limits.cutoff = cutoff_;
    limits.stop = &stop_;
    const auto refine = [&](std::size_t branch) {
      const auto run = space.open(branch, HostStorage(resources_.memory));
      return run ? run->least_open() : nestor::no_bound;
    };
    const auto first = nestor::pim::first_mapping(space.problem(), space.choices(), limits, refine);
    if (!first || first->cost >= cutoff_ || !within_limits(space.problem(), first->mapping))
      return std::nullopt;
    note_incumbent(first->cost, 0, no_bound);
    return Engine<Space>::Found{first->cost, first->choice, first->mapping};
  }

  // Minimises the other cost (mapper/loopnest/tie_break.h) among mappings with the optimum's bounds and
  // objective.
  void break_ties(const PimProblem& own) {
    const MappedPimLayer& first = result_.best.front();
    PimProblem problem = own;
    if (!(first.shape == own.layer)) problem = padded_problem(own, first.shape.bounds);
    const auto tied = tied_problem(problem, first.evaluation.latency_cycles, first.evaluation.energy_pj);
    if (!tied) return;
    const auto begin = Clock::now();
    const double cost = nestor::pim::objective_value(tied->objective, first.evaluation);
    const auto space = nestor::pim::make_space<HostStorage>(*tied, rules());
    SilentPart apart(observer_);
    EngineOptions limits = tie_options(options(), result_.search.counts.expanded);
    limits.branch_limit = result_.search.branches_opened + tie_branches;
    Engine<Space> engine(*space, resources_.executor, resources_.memory, limits, stop_, &apart);
    const Outcome outcome = engine.run({{cost, of_no_branch, {}}});
    result_.ties = {tied->objective.kind, tie_status(outcome.status, options(), outcome.counts),
                    outcome.bound, outcome.counts, seconds_since(begin)};
    if (!space->choices().complete()) {
      result_.ties->bound = std::min(outcome.bound, nestor::pim::bound_of_all(*tied));
      result_.ties->status = stop_.requested() ? stop_.status() : Status::memory_limit;
    }
    if (outcome.best.empty() || outcome.best.front().branch == of_no_branch) return;
    auto point = check(problem, outcome.best.front().solution, first.objective);
    if (!point) return;
    if (!costs_agree(outcome.best.front().cost,
                     nestor::pim::objective_value(tied->objective, point->evaluation)))
      result_.fail(Fault::wrong_cost);
    put_first(result_.best, *point, request_.top, [](const MappedPimLayer& layer) -> const SpatialFactors& {
      return layer.mapping.nest.spatial;
    });
  }

  bool within_limits(const PimProblem& problem, const PimMapping& mapping) {
    const auto evaluation = nestor::pim::evaluate(problem.layer, problem.machine, mapping, rows_);
    return evaluation.latency_cycles <= problem.constraints.max_latency &&
           evaluation.energy_pj <= problem.constraints.max_additive;
  }

  void find_front(const PimProblem& problem) {
    proof_ = search_front(problem);
    prove_padded(
        problem,
        [&](const Shapes&, const auto& least) {
          return !points_.staircase().view().cover(least.latency, least.additive);
        },
        [&](const PimProblem& padded) { return search_front(padded); });
    result_.status = proof_.status;
    result_.bound = proof_.bound;
    for (const auto& point : points_.front(problem.machine.leakage)) result_.front.push_back(point.mapping);
    if (!result_.front.empty()) result_.best = {result_.front.front()};
  }

  Proof search_front(const PimProblem& problem) {
    nestor::pim::FrontPoints collector(points_.staircase());
    bounds_ = problem.layer.bounds;
    double energy = 0;
    if (points_.staircase().view().count > 0) {
      energy = points_.staircase().view().points->additive;
    } else if (!request_.flexible) {
      PimProblem fast = problem;
      fast.objective = {};
      const auto space = nestor::pim::make_space<HostStorage>(fast, rules());
      nestor::pim::FirstMappingLimits limits;
      limits.stop = &stop_;
      if (const auto first = nestor::pim::first_mapping(space->problem(), space->choices(), limits)) {
        const auto point = nestor::pim::front_point(problem, first->mapping);
        energy = point.energy;
        collector.deliver(0, {point});
        collector.round_ended();
      }
    }
    const auto space =
        nestor::pim::make_front_space<HostStorage>(front_problem(problem, energy), collector, rules());
    Outcome outcome =
        Engine<Space>(*space, resources_.executor, resources_.memory, options(), stop_, this).run();
    std::vector<Points::Point> found;
    for (const auto& point : collector.front(problem.machine.leakage))
      if (auto checked = check(problem, point.mapping, std::nullopt))
        found.push_back({*checked, point.latency, point.energy});
    if (outcome.status == Status::infeasible && !found.empty()) outcome.status = Status::optimal;
    points_.deliver(0, std::move(found));
    points_.round_ended();
    return proof_of(*space, outcome);
  }

  PimProblem padded_problem(const PimProblem& own, const Extents& bounds) const {
    LayerShape layer = own.layer;
    layer.bounds = bounds;
    auto problem = problem_of(layer, own.machine, request_);
    problem.table = own.table;
    problem.techniques = own.techniques;
    problem.constraints = own.constraints;
    return problem;
  }

  // `wanted(shapes, least)` returns true if a shape with this least cost needs a search.
  template <typename Wanted, typename Search>
  void prove_padded(const PimProblem& own, Wanted wanted, Search search) {
    if (!request_.padding.is_wanted()) return;
    // No cost except that of rows decreases when a factor grows (docs/models/padding.md, "Which bounds need
    // no search").
    const bool reducible = leaves_out_reducible(request_.padding, request_.top, own.constraints) &&
                           !request_.flexible && !own.table && !nestor::pim::rows_cost(own);
    Shapes shapes(own, request_.padding, reducible);
    const auto problem_at = [&](const Extents& bounds) -> std::optional<PimProblem> {
      auto problem = padded_problem(own, bounds);
      if (nestor::pim::admit(problem.layer, own.machine) != Refusal::none) return std::nullopt;
      if (reducible) problem.least_bounds = least_bounds_of(own.layer.bounds, bounds);
      return problem;
    };
    mapper::prove_padded(
        shapes, [&](const Shapes::Least& least) { return wanted(shapes, least); }, stop_, proof_, problem_at,
        search);
  }

  using Points = FrontCollector<MappedPimLayer>;

  const PimRequest& request_;
  const Resources& resources_;
  double cutoff_;
  EngineObserver* observer_;
  PimLayerMap result_;
  LayerStates states_;
  Clock::time_point begin_;
  StopSource stop_;
  nestor::pim::RowCounter rows_;
  Proof proof_;       // for all bounds searched so far
  Extents bounds_{};  // layer bounds of the current search
  Points points_;     // front over all bounds searched so far
};

}  // namespace

PimProblem problem_of(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                      const PimRequest& request) {
  auto problem = make_problem(layer, machine, request.objective, request.layouts);
  problem.constraints = request.constraints;
  request.choose_factors(problem);
  problem.joins_axes = request.top == 1;
  return problem;
}

PimLayerMap map_layer(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                      const PimRequest& request, const Resources& resources, EngineObserver* observer) {
  if (request.method == MapMethod::priority && !is_contradictory(request.constraints, machine))
    return map_by_priority(layer, machine, request, resources, observer);
  if (!has_bounds(request.method)) return map_by_baseline(layer, machine, request, resources);
  return map_problem(problem_of(layer, machine, request), request, resources, no_cost, observer);
}

PimLayerMap map_problem(const PimProblem& problem, const PimRequest& request, const Resources& resources,
                        double cutoff, EngineObserver* observer) {
  return LayerMapper(request, resources, cutoff, observer).run(problem);
}

}  // namespace nestor::mapper::pim
