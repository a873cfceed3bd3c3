#include "model/chip/peak.h"

#include <algorithm>
#include <tuple>

namespace nestor::chip {
namespace {

// Returns the energy of a row in the buffers and the digital unit.
double moving_energy(const ChipProblem& problem, std::size_t index, const OperatorTiming& pace) {
  const Energies& e = problem.machine.energy;
  const OperatorFacts& facts = problem.facts[index];
  const double outer = static_cast<double>(facts.l0_bits) * e.l0;
  if (!pace.on_array) return outer + static_cast<double>(problem.network.operators[index].alu_ops) * e.alu;
  return outer + static_cast<double>(facts.local_bits) * e.l1;
}

double crossbar_power(const ChipMachine& machine) {
  return machine.energy.crossbar + machine.energy.adc + machine.energy.dac;
}

struct Event {
  Int time;
  bool starts;  // at equal times, ends come first
  std::size_t op;
};

}  // namespace

// Equation (6.1).
double row_energy(const ChipProblem& problem, std::size_t index, const OperatorTiming& pace) {
  double energy = moving_energy(problem, index, pace);
  if (pace.on_array) {
    const Operator& op = problem.network.operators[index];
    energy += static_cast<double>(op.width * pace.crossbars_of_a_copy * pace.active_cycles) *
              crossbar_power(problem.machine);
  }
  return energy;
}

// Equation (6.3).
double row_power(const ChipProblem& problem, std::size_t index, const OperatorTiming& pace) {
  if (pace.row == 0) return 0;
  return static_cast<double>(pace.active) * crossbar_power(problem.machine) +
         moving_energy(problem, index, pace) / static_cast<double>(pace.row);
}

Peak peak_of(const ChipProblem& problem, const SegmentDecision& segment,
             std::span<const OperatorTiming> paces, const Timetable& times) {
  std::vector<Event> events;
  std::vector<double> powers(paces.size(), 0);
  for (std::size_t i = segment.first; i <= segment.last; ++i) {
    powers[i] = row_power(problem, i, paces[i]);
    if (paces[i].row == 0) continue;
    for (const auto& row : times[i]) {
      const auto runs = [&](Int from, Int to) {
        if (from == to) return;
        events.push_back({from, true, i});
        events.push_back({to, false, i});
      };
      if (row.run == row.start) {
        runs(row.start, row.end);
        continue;
      }
      // Equation (6.4): the first step may run earlier; the other steps begin one step after the start of the
      // run.
      const Int steps = paces[i].steps();
      runs(row.start, row.start + ceil_divide(paces[i].row, steps));
      runs(row.run + paces[i].row / steps, row.end);
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.time, a.starts, a.op) < std::tie(b.time, b.starts, b.op);
  });
  // The power is computed again from the counts of running rows, so rounding errors do not accumulate. The
  // running sum `about` is used only to detect a possible new peak.
  constexpr double rounding = 1e-6;
  std::vector<Int> running(paces.size(), 0);
  Peak peak;
  Int crossbars = 0;
  double about = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const Event& event = events[e];
    running[event.op] += event.starts ? 1 : -1;
    crossbars += (event.starts ? 1 : -1) * paces[event.op].active;
    about += event.starts ? powers[event.op] : -powers[event.op];
    const bool last_at_time = e + 1 == events.size() || events[e + 1].time != event.time;
    if (!last_at_time || !event.starts) continue;
    peak.crossbars = std::max(peak.crossbars, crossbars);
    if (about < peak.power * (1 - rounding)) continue;
    double power = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i)
      if (running[i] > 0) power += static_cast<double>(running[i]) * powers[i];
    peak.power = std::max(peak.power, power);
  }
  return peak;
}

}  // namespace nestor::chip
