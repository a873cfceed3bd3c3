// Searches of parts of the problem (compile.h). They provide lower bounds and schedules for a request.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/chip/search/compile.h"
#include "model/chip/search/cut_search.h"
#include "model/chip/search/floors.h"
#include "model/chip/search/priced_search.h"
#include "model/chip/search/transfers.h"

namespace nestor::chip {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Node limits: of searches that only support another search, of tie searches, and of searches that may never
// finish.
constexpr std::uint64_t side_nodes = 100;
constexpr std::uint64_t tie_nodes = 400;
constexpr std::uint64_t patient_nodes = 4000;

// Searches of one request, part by part. Floors are lower bounds on all schedules. Every schedule that a
// search finds is offered as an incumbent.
class Parts {
 public:
  Parts(const ChipProblem& problem, const CompileRequest& request, Executor& executor, const StopSource& stop,
        EngineObserver* observer)
      : problem_(problem), request_(request), executor_(executor), stop_(stop), observer_(observer) {}

  CompileOutcome run(std::span<const Decisions> incumbents) {
    outcome_.objective = infinite;
    for (Decisions decisions : incumbents) {
      decisions.levels = request_.levels;
      offer(problem_, request_, decisions, outcome_);
      incumbents_.push_back(decisions);
      if (!request_.levels.stream) continue;
      for (auto& segment : decisions.segments) segment.stream = segment.pipeline;
      offer(problem_, request_, decisions, outcome_);
      incumbents_.push_back(std::move(decisions));
    }
    if (!why_not_by_cuts(problem_, request_)) return by_cuts();
    least_latency();
    least_energy();
    if (!stop_.requested()) {
      outcome_.floors.peak_power = power_floor(problem_, request_);
      add_known(least_power_schedule(problem_, request_.levels));
    }
    raise(floor_of(request_.objective));
    if (is_unreachable()) {
      outcome_.best.reset();
      outcome_.figures.reset();
      outcome_.status = Status::infeasible;
      return std::move(outcome_);
    }
    if (!is_closed()) price();
    return finish();
  }

  /// Searches for the least energy at equal latency, or for the least latency at equal energy.
  void break_ties(CompileOutcome& outcome) {
    outcome_ = std::move(outcome);
    if (outcome_.best && outcome_.status == Status::optimal) {
      const std::uint64_t before = outcome_.counts.nodes;
      if (!outcome_.tie.is_proved()) try_ties();
      outcome_.tie.nodes = outcome_.counts.nodes - before;
      end_ties();
      outcome_.counts.nodes = before;
    }
    outcome = std::move(outcome_);
  }

 private:
  CompileOutcome by_cuts() {
    const OptionTable table = latency_options(problem_, request_.levels, {}, &stop_);
    if (stop_.requested()) {
      outcome_.bound = 0;
      return finish();
    }
    CutOutcome found = search_cuts(problem_, request_, {&table, &table, never, request_.work_limit},
                                   incumbents_, executor_, stop_, observer_);
    // An earlier schedule may have equal latency and less energy.
    if (found.outcome.best && outcome_.best) offer(problem_, request_, *outcome_.best, found.outcome);
    return std::move(found.outcome);
  }

  std::uint64_t nodes_left(std::uint64_t most) const {
    const std::uint64_t used = outcome_.counts.nodes;
    return std::min(most, request_.work_limit > used ? request_.work_limit - used : 0);
  }
  // Returns the node limit of a search that may never finish.
  std::uint64_t patience() const { return nodes_left(request_.gives_up ? patient_nodes : UINT64_MAX); }

  void add_known(const Decisions& decisions) {
    offer(problem_, request_, decisions, outcome_);
    outcome_.known.push_back(decisions);
  }
  void raise(double bound) { outcome_.bound = std::max(outcome_.bound, bound); }
  bool is_closed() const {
    return outcome_.best && closes(outcome_.bound, outcome_.objective, request_.objective);
  }
  double leaking(Int cycles) const {
    return problem_.machine.energy.leakage * static_cast<double>(std::min(cycles, never));
  }
  double floor_of(CompileObjective objective) const {
    if (objective == CompileObjective::latency) return static_cast<double>(outcome_.floors.latency);
    return objective == CompileObjective::energy ? outcome_.floors.energy : outcome_.floors.peak_power;
  }

  // True if some limit is below a proved lower bound, or if a bound proves that no schedule exists.
  bool is_unreachable() const {
    const FigureLimits& limits = request_.limits;
    return outcome_.floors.latency >= never || outcome_.floors.energy == infinite ||
           outcome_.floors.peak_power == infinite ||
           (limits.latency && outcome_.floors.latency > *limits.latency) ||
           (limits.energy && exceeds(outcome_.floors.energy * (1 - 1e-12), *limits.energy)) ||
           (limits.peak_power && exceeds(outcome_.floors.peak_power * (1 - 1e-12), *limits.peak_power));
  }

  CutOutcome cut(const CutScope& scope, std::span<const Decisions> incumbents) {
    CompileRequest request = request_;
    request.gap = 0;
    request.search.keep_proof = false;
    auto found = search_cuts(problem_, request, scope, incumbents, executor_, stop_, nullptr);
    outcome_.counts.nodes += found.outcome.counts.nodes;
    return found;
  }

  // Finds the least latency, ignoring transfers, spills and a limit on energy. A power limit excludes some
  // options.
  void least_latency() {
    if (problem_.size() > most_operators_to_cut) return;
    latency_table_ =
        latency_options(problem_, request_.levels, {false, false, request_.limits.peak_power}, &stop_);
    if (stop_.requested()) return;
    std::vector<Decisions> kept;
    for (const Decisions& each : incumbents_)
      if (!find_violation(problem_, each) && keeps(evaluate(problem_, each), request_.limits))
        kept.push_back(each);
    const Int latest = request_.limits.latency.value_or(never - 1);
    // Unless latency is limited or minimised, the result is only a starting point.
    const bool counts = request_.limits.latency || request_.objective == CompileObjective::latency;
    const auto found =
        cut({&latency_table_, &latency_table_, latest, counts ? patience() : nodes_left(side_nodes)}, kept);
    outcome_.floors.latency = static_cast<Int>(found.outcome.bound);
    if (found.outcome.best) add_known(*found.outcome.best);
    if (found.least) add_known(*found.least);
    if (request_.objective == CompileObjective::latency && !stop_.requested()) least_with_transfers(latest);
  }

  // Repeats the search with the least transfer times of schedules that are better than the best schedule so
  // far. The bound for several segments does not include transfers.
  void least_with_transfers(Int latest) {
    if (!has_noc_cost(problem_.machine) || request_.levels.stream || !outcome_.best) return;
    const Int best = evaluate(problem_, *outcome_.best).latency_cycles;
    if (outcome_.floors.latency >= best) return;
    const OptionTable single = with_transfers(problem_, latency_table_, std::min(latest, best - 1), stop_);
    const std::array<Decisions, 1> start = {*outcome_.best};
    const auto found = cut({&single, &latency_table_, latest, patience()}, start);
    outcome_.floors.latency = std::max(outcome_.floors.latency, static_cast<Int>(found.outcome.bound));
    if (found.outcome.best) add_known(*found.outcome.best);
    if (found.least) add_known(*found.least);
  }

  void least_energy() {
    const auto& peak = request_.limits.peak_power;
    single_ = latency_options(problem_, request_.levels, {true, false, peak}, &stop_);
    several_ = latency_options(problem_, request_.levels, {true, true, peak}, &stop_);
    if (stop_.requested()) return;
    energies_ = energy_floors(problem_, single_, several_);
    outcome_.floors.energy = std::min(energies_.single, energies_.several) + leaking(outcome_.floors.latency);
    if (problem_.size() > most_operators_to_cut || outcome_.floors.energy == infinite) return;
    // The fastest schedule of least energy uses only options of least energy.
    const OptionTable single = of_least_energy(single_);
    const OptionTable several = of_least_energy(several_);
    const bool in_one = energies_.single <= energies_.several * (1 + 1e-12);
    const bool in_several = energies_.several <= energies_.single * (1 + 1e-12);
    const auto found =
        cut({in_one && energies_.single_apart ? &single : nullptr, in_several ? &several : nullptr, never - 1,
             nodes_left(request_.gives_up ? tie_nodes : patient_nodes)},
            {});
    for (const auto& decisions : {found.outcome.best, found.least})
      if (decisions) add_known(*decisions);
    least_energy_is_fastest_ = found.outcome.status == Status::optimal && is_plain() &&
                               (!in_one || energies_.single_apart) && problem_.machine.energy.leakage == 0;
  }

  // True if only the times, energies and crossbars of single operators determine the cost of a schedule.
  bool is_plain() const {
    CompileRequest latency = request_;
    latency.objective = CompileObjective::latency;
    latency.limits = {};
    return !why_not_by_cuts(problem_, latency) &&
           (problem_.machine.l0.size == left_out || problem_.machine.energy.off_chip == 0);
  }

  // Bounds latency and energy together: by a priced search for one segment, and by floors for several
  // segments.
  void price() {
    const FigureLimits& limits = request_.limits;
    const bool latency = request_.objective == CompileObjective::latency;
    if (request_.objective == CompileObjective::peak_power || single_.empty() || stop_.requested()) return;
    if (!latency && !limits.latency && problem_.machine.energy.leakage == 0) return;
    if (latency && !limits.energy) return;
    PricedGoal goal;
    goal.per_cycle = latency ? 1 : problem_.machine.energy.leakage;
    goal.energy = !latency;
    goal.latest = limits.latency.value_or(never);
    if (limits.energy) goal.most_energy = *limits.energy - leaking(outcome_.floors.latency);
    goal.below = outcome_.best ? outcome_.objective : infinite;
    const double in_one = price_of_one(goal);
    raise(std::min(in_one, std::max(outcome_.bound, floor_of_several(goal))));
    if (!outcome_.best && outcome_.bound == infinite) outcome_.status = Status::infeasible;
  }

  SegmentDecision whole() const { return {0, problem_.size() - 1, true, request_.levels.stream}; }

  double price_of_one(const PricedGoal& goal) {
    if (energies_.single == infinite) return infinite;
    auto found = search_priced(problem_, whole(), single_, goal, patience(), stop_);
    outcome_.counts.nodes += found.nodes;
    if (!found.decisions.empty()) add_known({request_.levels, {whole()}, std::move(found.decisions)});
    return found.bound;
  }

  double floor_of_several(const PricedGoal& goal) {
    if (problem_.size() < 2) return infinite;
    if (goal.energy && goal.per_cycle == 0 && energies_.several >= goal.below) return energies_.several;
    if (latency_table_.empty()) return 0;
    Int latest = std::min(goal.latest, never - 1);
    if (!goal.energy && goal.below < static_cast<double>(latest)) latest = static_cast<Int>(goal.below) - 1;
    const auto found = cut({nullptr, &latency_table_, latest, nodes_left(side_nodes)}, {});
    const auto least = static_cast<Int>(found.outcome.bound);
    if (least > goal.latest) return infinite;
    if (found.least) add_known(*found.least);
    return goal.energy ? energies_.several + goal.per_cycle * static_cast<double>(least)
                       : static_cast<double>(least);
  }

  CompileOutcome finish() {
    outcome_.bound = std::min(outcome_.bound, outcome_.objective);
    if (outcome_.best) {
      if (is_closed()) {
        outcome_.status = Status::optimal;
        outcome_.bound = outcome_.objective;
        if (request_.objective == CompileObjective::energy && least_energy_is_fastest_ &&
            !request_.limits.any())
          outcome_.tie.status = Status::optimal;
        return std::move(outcome_);
      }
      if (outcome_.objective - outcome_.bound <= request_.gap * outcome_.objective) {
        outcome_.status = Status::gap_reached;
        return std::move(outcome_);
      }
    } else if (outcome_.status == Status::infeasible && outcome_.bound == infinite) {
      return std::move(outcome_);
    }
    outcome_.status = stop_.requested() ? stop_.status() : Status::work_limit;
    return std::move(outcome_);
  }

  void try_ties() {
    const auto other = tie_breaker(request_.objective);
    const ChipEvaluation figures = evaluate(problem_, *outcome_.best);
    if (single_.empty()) {
      const auto& peak = request_.limits.peak_power;
      single_ = latency_options(problem_, request_.levels, {true, false, peak}, &stop_);
      several_ = latency_options(problem_, request_.levels, {true, true, peak}, &stop_);
      if (stop_.requested()) return;
      energies_ = energy_floors(problem_, single_, several_);
      if (request_.objective == CompileObjective::latency) outcome_.floors.latency = figures.latency_cycles;
      outcome_.floors.energy =
          std::min(energies_.single, energies_.several) + leaking(outcome_.floors.latency);
    }
    if (request_.objective == CompileObjective::peak_power) return;
    if (!closes(floor_of(other), figure_of(figures, other), other)) {
      const bool searched = figures.segments.size() == 1 ? tie_of_one(figures) : tie_of_segments(figures);
      if (searched) {
        outcome_.tie.status = Status::optimal;
        return;
      }
    }
    if (closes(floor_of(other), figure_of(evaluate(problem_, *outcome_.best), other), other))
      outcome_.tie.status = Status::optimal;
  }

  // Sets the status and the bound of the tie breaker.
  void end_ties() {
    const auto other = tie_breaker(request_.objective);
    const double value = figure_of(evaluate(problem_, *outcome_.best), other);
    TieBreak& tie = outcome_.tie;
    tie.bound = tie.is_proved() ? value : std::min(floor_of(other), value);
    if (!tie.is_proved() && stop_.requested())
      tie.status = stop_.status();
    else if (!tie.is_proved() && nodes_left(1) == 0)
      tie.status = Status::work_limit;
  }

  // Returns the node limit of a tie search. A node of a large network takes tens of milliseconds.
  std::uint64_t nodes_for_ties() const {
    return nodes_left(request_.gives_up ? tie_nodes / (1 + problem_.size() / 50) : patient_nodes);
  }

  // Searches the segment again, with the proved objective as a limit. Returns true if it is proved that no
  // schedule, with any number of segments, is better than the result.
  bool tie_of_one(const ChipEvaluation& figures) {
    const bool latency = request_.objective == CompileObjective::latency;
    PricedGoal goal;
    goal.per_cycle = latency ? 0 : 1;
    goal.energy = latency;
    goal.latest = latency ? figures.latency_cycles : request_.limits.latency.value_or(never);
    const double energy = figures.energy_pj - leaking(figures.latency_cycles);
    if (!latency) goal.most_energy = energy;
    if (latency && request_.limits.energy)
      goal.most_energy = *request_.limits.energy - leaking(figures.latency_cycles);
    goal.below = latency ? energy : static_cast<double>(figures.latency_cycles);
    auto found =
        search_priced(problem_, figures.segments.front().decision, single_, goal, nodes_for_ties(), stop_);
    outcome_.counts.nodes += found.nodes;
    if (!found.decisions.empty())
      offer(problem_, request_,
            {request_.levels, {figures.segments.front().decision}, std::move(found.decisions)}, outcome_);
    if (!found.complete || !is_plain() || request_.limits.peak_power || problem_.machine.energy.leakage > 0)
      return false;
    return several_are_worse(latency, figures);
  }

  bool several_are_worse(bool latency, const ChipEvaluation& figures) {
    if (problem_.size() < 2) return true;
    if (energies_.several > figures.energy_pj * (1 + 1e-9)) return true;
    const OptionTable table = latency_options(problem_, request_.levels, {}, &stop_);
    const Int latest = figures.latency_cycles - (latency ? 0 : 1);
    const auto found = cut({nullptr, &table, latest, nodes_left(side_nodes)}, {});
    return found.outcome.status == Status::infeasible;
  }

  // Searches each segment for less energy within its time. Always returns false, because other cuts may take
  // no longer and need less energy, so the result is not proved.
  bool tie_of_segments(const ChipEvaluation& figures) {
    if (request_.objective != CompileObjective::latency) return false;
    Decisions better = *outcome_.best;
    for (std::size_t s = 0; s < figures.segments.size() && !stop_.requested(); ++s) {
      const auto& segment = figures.segments[s];
      if (!segment.decision.pipeline) continue;
      PricedGoal goal;
      goal.latest = segment.schedule_cycles;
      auto found = search_priced(problem_, segment.decision, several_, goal, nodes_for_ties(), stop_);
      outcome_.counts.nodes += found.nodes;
      std::copy(found.decisions.begin(), found.decisions.end(),
                better.operators.begin() + static_cast<std::ptrdiff_t>(segment.decision.first));
    }
    offer(problem_, request_, better, outcome_);
    return false;
  }

  const ChipProblem& problem_;
  const CompileRequest& request_;
  Executor& executor_;
  const StopSource& stop_;
  EngineObserver* observer_;
  CompileOutcome outcome_;
  std::vector<Decisions> incumbents_;
  OptionTable latency_table_;
  OptionTable single_;
  OptionTable several_;
  EnergyFloors energies_;
  bool least_energy_is_fastest_ = false;
};

}  // namespace

CompileOutcome search_parts(const ChipProblem& problem, const CompileRequest& request,
                            std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                            EngineObserver* observer) {
  return Parts(problem, request, executor, stop, observer).run(incumbents);
}

void break_ties(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                Executor& executor, const StopSource& stop) {
  Parts(problem, request, executor, stop, nullptr).break_ties(outcome);
}

}  // namespace nestor::chip
