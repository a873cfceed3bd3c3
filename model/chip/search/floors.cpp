#include "model/chip/search/floors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/chip/peak.h"
#include "model/chip/search/knapsack.h"

namespace nestor::chip {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr std::size_t most_entries = std::size_t{1} << 26;

double least_energy(const std::vector<LatencyOption>& options) {
  double least = unlimited;
  for (const LatencyOption& option : options) least = std::min(least, option.energy);
  return least;
}

// Decision under which a row of an operator takes the least power, and this power.
struct Gentle {
  OperatorDecision decision;
  double power = unlimited;
};

Gentle gentlest_way(const ChipProblem& problem, std::size_t i, Levels levels) {
  const Operator& op = problem.network.operators[i];
  Gentle best;
  const auto offer = [&](const OperatorDecision& decision) {
    const double power = row_power(problem, i, timing_of(problem, i, decision, levels));
    if (power < best.power) best = {decision, power};
  };
  if (problem.facts[i].may_use_alu) offer({});
  if (op.kind == OperatorKind::alu || !problem.facts[i].may_use_array) return best;
  const CrossbarLayout& layout = problem.facts[i].layout;
  const Int held = problem.machine.cores.count() * problem.facts[i].usable / layout.columns;
  const Int most = levels.vvm ? std::min(layout.most_parts, held) : layout.least_parts;
  // Parts that run one after another take less power, so each decision uses as many phases as possible.
  for (Int parts = layout.least_parts; parts <= most; ++parts)
    offer({1, parts, levels.mvm ? parts : 1, op.kind == OperatorKind::product, {}});
  return best;
}

// Returns the least energy of the rows of an operator, or 0 if a row may take no time.
double running_energy(const ChipProblem& problem, std::size_t i, Levels levels) {
  const Operator& op = problem.network.operators[i];
  double least = unlimited;
  const auto offer = [&](const OperatorDecision& decision) {
    const OperatorTiming pace = timing_of(problem, i, decision, levels);
    least = std::min(least, pace.row > 0 ? static_cast<double>(op.rows) * row_energy(problem, i, pace) : 0.0);
  };
  if (problem.facts[i].may_use_alu) offer({});
  if (op.kind != OperatorKind::alu && problem.facts[i].may_use_array)
    for (const Int parts : useful_parts(problem, i, levels))
      offer({1, parts, 1, op.kind == OperatorKind::product, {}});
  return least;
}

}  // namespace

EnergyFloors energy_floors(const ChipProblem& problem, const OptionTable& single,
                           const OptionTable& several) {
  EnergyFloors floors;
  floors.several = fetching_energy(problem);
  for (const auto& options : several) floors.several += least_energy(options);
  Knapsack knapsack;
  knapsack.clear(problem.machine.cores.count());
  Int cores = 0;
  for (const auto& options : single) {
    const double least = least_energy(options);
    floors.single += least;
    if (options.empty()) return floors;
    knapsack.begin_group();
    Int fewest = std::numeric_limits<Int>::max();
    for (std::size_t o = 0; o < options.size(); ++o) {
      knapsack.add({static_cast<std::uint32_t>(o), options[o].cores, options[o].energy});
      if (options[o].energy <= least * (1 + 1e-12)) fewest = std::min(fewest, options[o].cores);
    }
    cores += fewest;
  }
  floors.single_apart = cores <= problem.machine.cores.count();
  if (floors.single_apart) return floors;
  const auto width = static_cast<std::size_t>(problem.machine.cores.count()) + 1;
  if (width * (problem.size() + 1) > most_entries) return floors;  // the sum is a bound as well
  floors.single = knapsack.solve() ? knapsack.value() : unlimited;
  return floors;
}

OptionTable of_least_energy(const OptionTable& table) {
  OptionTable cheapest;
  for (const auto& options : table) {
    const double least = least_energy(options) * (1 + 1e-12);
    auto& kept = cheapest.emplace_back();
    for (const LatencyOption& option : options)
      if (option.energy <= least) kept.push_back(option);
  }
  return cheapest;
}

double fetching_energy(const ChipProblem& problem) {
  double bits = 0;
  for (const Operator& op : problem.network.operators)
    if (op.kind == OperatorKind::array)
      bits += static_cast<double>(op.matrix.rows * op.matrix.columns * op.matrix.groups * op.bits.W);
  return bits * problem.machine.energy.off_chip;
}

double power_floor(const ChipProblem& problem, const CompileRequest& request) {
  double floor = 0;
  double running = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    floor = std::max(floor, gentlest_way(problem, i, request.levels).power);
    running += running_energy(problem, i, request.levels);
  }
  // The power of a row is its energy divided by its time, or more if its last round is not full. The energy
  // of all rows is spent within the schedule, whose power never exceeds the peak. The factor below covers
  // rounding.
  if (request.limits.latency && *request.limits.latency > 0)
    floor = std::max(floor, running / static_cast<double>(*request.limits.latency));
  return floor * (1 - 1e-12);
}

Decisions least_power_schedule(const ChipProblem& problem, Levels levels) {
  Decisions decisions{levels, {}, {}};
  Int taken = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    decisions.operators.push_back(gentlest_way(problem, i, levels).decision);
    const Int cores = timing_of(problem, i, decisions.operators.back(), levels).cores;
    if (i == 0 || taken + cores > problem.machine.cores.count()) {
      decisions.segments.push_back({i, i, false});
      taken = 0;
    }
    taken += cores;
    decisions.segments.back().last = i;
  }
  return decisions;
}

}  // namespace nestor::chip
