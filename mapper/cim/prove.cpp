#include "mapper/cim/prove.h"

#include <algorithm>

#include "heuristics/cim/greedy_nest.h"
#include "mapper/cim/incumbents.h"

namespace nestor::mapper {
namespace {

using Outcome = CimEngine::Outcome;
using Found = CimEngine::Found;

Outcome run(const cim::CimProblem& problem, cim::Direction direction, const Limits& limits,
            const EngineOptions& options, EngineObserver* observer, std::vector<Found> known, LpUse lp) {
  return LimitedSpace(problem, limits, direction, lp).prove(options, observer, std::move(known));
}

// True if a proof file is requested. It can represent only a single inside-out search, whose dominance must
// not depend on other mappings known at the time, as it may for edp.
bool is_logged(const EngineObserver* observer) { return observer != nullptr && observer->needs_labels(); }

// Searches in two directions; see first_direction_work.
Outcome prove_energy(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                     EngineObserver* observer, const std::vector<Found>& known, LpUse lp) {
  EngineOptions first_options = options;
  first_options.work_limit = first_direction_work;
  first_options.ends_for_good = true;
  Outcome first = run(problem, cim::Direction::outward, limits, first_options, observer, known, lp);
  if (first.status != Status::work_limit) return first;

  PartOfWhole part(observer, after_part(first));
  Outcome second =
      run(problem, cim::Direction::inward, limits, with_bound_known(first, options), &part, first.best, lp);
  add_history(first, second);
  return second;
}

// True for eq14, without limits on its sizes, if latency largely determines the cost: all sizes together
// weigh less than `most_times` the fewest possible cycles.
bool latency_leads(const cim::CimProblem& problem) {
  constexpr double most_times = 4;
  if (problem.objective.kind != cim::ObjectiveKind::eq14 || problem.constraints.limits_additive())
    return false;
  auto fewest_cycles =
      static_cast<double>(problem.machine.mvm_cycles) * product_of<double>(problem.layer.bounds);
  for (const Axis& axis : problem.machine.axes) fewest_cycles /= static_cast<double>(axis.size);
  return -additive_floor(problem) < most_times * problem.objective.latency_weight * fewest_cycles;
}

Outcome prove_latency_first(const cim::CimProblem& problem, const Limits& limits,
                            const EngineOptions& options, EngineObserver* observer,
                            const std::vector<Found>& known, LpUse lp) {
  const double weight = problem.objective.latency_weight;
  const double sizes = -additive_floor(problem);
  // Returns a number of cycles; no mapping with more cycles costs less than `cost`.
  const auto most_cycles = [&](double cost) { return (cost + sizes) / weight * (1 + 1e-12); };
  const auto whole = [](double cycles) { return static_cast<Int>(std::min(cycles, 0x1p62)); };

  cim::CimProblem fastest = problem;
  fastest.objective.kind = cim::ObjectiveKind::latency;
  fastest.worth = most_cycles(problem.worth);
  std::vector<Found> bars = known;
  for (Found& bar : bars) bar.cost = most_cycles(bar.cost);
  PartOfWhole part(observer, {0, known.empty() ? no_cost : known.front().cost}, weight, sizes);
  Outcome first = run(fastest, cim::Direction::outward, limits, options, &part, bars, lp);
  for (auto& [work, cost] : first.incumbents) cost *= weight;
  // A bar is not a mapping, and even a mapping that is no slower than a bar may cost more.
  for (const Found& bar : bars)
    std::erase_if(first.best, [&](const Found& found) { return found.cost == bar.cost; });
  for (Found& found : first.best) {
    const auto evaluation = cim::evaluate(problem.layer, problem.machine, found.solution);
    found.cost = cim::objective_value(problem.objective, evaluation, problem.machine);
  }
  first.best.insert(first.best.end(), known.begin(), known.end());
  std::stable_sort(first.best.begin(), first.best.end(),
                   [](const Found& a, const Found& b) { return a.cost < b.cost; });
  first.best.resize(std::min(first.best.size(), options.keep_best));
  const Int least_cycles = whole(first.bound);
  first.bound = weight * first.bound - sizes;
  if (first.status != Status::optimal && first.status != Status::gap_reached) return first;

  cim::CimProblem largest = problem;
  largest.known_latency = least_cycles;
  if (first.best.size() == options.keep_best)
    largest.constraints.max_latency =
        std::min(problem.constraints.max_latency, whole(most_cycles(first.best.back().cost)));
  PartOfWhole rest(observer, after_part(first));
  Outcome second =
      run(largest, cim::Direction::outward, limits, with_bound_known(first, options), &rest, first.best, lp);
  add_history(first, second);
  return second;
}

}  // namespace

LimitedSpace::LimitedSpace(const cim::CimProblem& problem, const Limits& limits, cim::Direction direction,
                           LpUse lp)
    : limits_(limits),
      charge_(limits.memory),
      space_(cim::make_space<HostStorage>(problem, direction, rules())),
      lp_(LpBound::applies(problem) ? lp : LpUse::off),
      lp_bound_(space_->problem(), space_->choices(), limits.stop) {
  if (lp_ == LpUse::root)
    space_->refine_with(
        [this](std::size_t choice, double enough) { return lp_bound_(choice, enough).bound; });
}

LimitedSpace::LimitedSpace(const cim::CimProblem& problem, const Limits& limits, cim::FrontPoints& front)
    : limits_(limits),
      charge_(limits.memory),
      space_(cim::make_front_space<HostStorage>(problem, front, rules())),
      seeks_points_(true),
      lp_(LpUse::off),
      lp_bound_(space_->problem(), space_->choices(), limits.stop) {}

cim::RulesOf LimitedSpace::rules() {
  return cim::RulesOf(
      [this](std::size_t bytes) { return !limits_.stop.requested() && charge_.raise_to(bytes); });
}

std::optional<double> LimitedSpace::table_bound(std::size_t choice) {
  const auto run = space_->open(choice, HostStorage(limits_.memory));
  if (!run) return std::nullopt;
  return run->least_open();
}

Outcome LimitedSpace::prove(const EngineOptions& options, EngineObserver* observer,
                            std::vector<Found> known) {
  if (space_->choices().complete() && space_->branch_count() == 0) {  // no choice needs a search
    Outcome outcome;
    outcome.status = known.empty() ? Status::infeasible : Status::optimal;
    outcome.bound = known.empty() ? no_cost : known.front().cost;
    outcome.best = std::move(known);
    return outcome;
  }
  if (space_->choices().complete()) {
    CimEngine engine(*space_, limits_.executor, limits_.memory, options, limits_.stop, observer);
    CimIncumbents source(*space_, limits_);
    auto outcome = engine.run(std::move(known), seeks_points_ ? nullptr : &source);
    if (lp_ == LpUse::stopped && !outcome.left_open.empty()) raise_bound(outcome);
    return outcome;
  }
  // The list of spatial choices is incomplete, so only a bound that holds for all spatial choices is valid.
  Outcome outcome;
  outcome.status = limits_.stop.requested() ? limits_.stop.status() : Status::memory_limit;
  outcome.bound = std::max(cim::bound_of_all(space_->problem()), options.known_bound);
  outcome.best = std::move(known);
  return outcome;
}

void LimitedSpace::raise_bound(Outcome& outcome) const {
  const double best = best_cost(outcome);
  const double raised = lp_bound_.of_all(outcome.left_open, slightly_below(best));
  outcome.bound = std::max(outcome.bound, std::min(best, raised));
}

Outcome prove(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
              EngineObserver* observer, const std::vector<Found>& known, LpUse lp) {
  if (is_logged(observer)) {
    cim::CimProblem plain = problem;
    if (problem.objective.kind == cim::ObjectiveKind::edp) plain.techniques.trades = false;
    return run(plain, cim::Direction::outward, limits, options, observer, known, LpUse::off);
  }
  if (latency_leads(problem)) return prove_latency_first(problem, limits, options, observer, known, lp);
  if (cim::InwardBranch::answers(problem) && options.work_limit > first_direction_work)
    return prove_energy(problem, limits, options, observer, known, lp);
  return run(problem, cim::Direction::outward, limits, options, observer, known, lp);
}

ProvedFront prove_front(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                        EngineObserver* observer, std::uint64_t first_work, const GrowingStaircase& known) {
  cim::FrontPoints collector(known);
  const auto note = [&](const Mapping& mapping) {
    const auto point = cim::front_point(problem, mapping);
    collector.deliver(0, {point});
    collector.round_ended();
    return point.energy;
  };
  double typical_energy = 0;
  if (known.view().count > 0)
    typical_energy = known.view().points->additive;
  else if (const auto greedy = cim::greedy_nest(problem, 1))
    typical_energy = note(greedy->mapping);
  cim::CimProblem whole = cim::front_problem(problem, typical_energy);
  const auto search = [&](const EngineOptions& own, EngineObserver* watch) {
    LimitedSpace space(whole, limits, collector);
    auto outcome = space.prove(own, watch);
    // The collector stores the points; the engine itself stores no solution.
    if (outcome.status == Status::infeasible && !collector.front(whole.machine.leakage).empty())
      outcome.status = Status::optimal;
    return outcome;
  };
  const auto result = [&](Outcome outcome) {
    return ProvedFront{collector.front(whole.machine.leakage), std::move(outcome)};
  };

  EngineOptions first_options = options;
  if (is_logged(observer)) first_work = options.work_limit;
  first_options.work_limit = std::min(options.work_limit, first_work);
  first_options.ends_for_good = options.work_limit > first_work;
  Outcome first = search(first_options, observer);
  if (first.status != Status::work_limit || options.work_limit <= first_work) return result(std::move(first));

  cim::CimProblem for_energy = problem;
  for_energy.objective.kind = cim::ObjectiveKind::energy;
  for_energy.objective.leakage = 0;
  EngineOptions rest = with_work_left(first, options);
  SilentPart apart(observer);
  Outcome least = prove(for_energy, limits, rest, &apart);
  if (!least.best.empty()) note(least.best.front().solution);
  const double least_energy = least.bound;
  rest = with_work_left(least, rest);
  add_history(first, least);
  if (least.status != Status::optimal) return result(std::move(least));

  whole.known_additive = least_energy;
  rest.exhaust_branches = true;
  PartOfWhole part(observer, {least.counts.expanded, no_cost});
  Outcome second = search(rest, &part);
  add_history(least, second);
  return result(std::move(second));
}

}  // namespace nestor::mapper
