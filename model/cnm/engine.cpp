#include "model/cnm/engine.h"

#include <algorithm>
#include <array>

#include "model/cnm/extrapolation.h"

namespace nestor::cnm {
namespace {

// Sums over one tasklet as doubles, which are exact below 2^53; the counts are known to be in range.
struct TaskletSums {
  double slots = 0;  // including the slots of transfers
  double engine = 0;
  double waits = 0;  // waits of transfers beyond the gap
};

void add(const System& system, const Program& program, double times, TaskletSums& sums) {
  for (const Item& item : program) {
    if (item.kind == ItemKind::slots) sums.slots += times * static_cast<double>(item.amount);
    if (item.kind == ItemKind::loop) add(system, item.body, times * static_cast<double>(item.amount), sums);
    if (item.kind != ItemKind::read && item.kind != ItemKind::write) continue;
    const TransferTime& time = item.kind == ItemKind::read ? system.dma.read : system.dma.write;
    const Int busy = busy_cycles(time, item.amount);
    sums.slots += times;
    sums.engine += times * static_cast<double>(busy);
    sums.waits += times * static_cast<double>(std::max<Int>(0, busy + return_cycles(time) - system.gap));
  }
}

CycleCounts counts_of(const DpuRun& run) {
  const Causes& causes = run.causes;
  return {static_cast<double>(run.cycles), static_cast<double>(causes.issue),
          static_cast<double>(causes.barrier), static_cast<double>(causes.dma),
          static_cast<double>(causes.gap)};
}

}  // namespace

double ProgramBounds::largest() const { return std::max({issue, dma, tasklet}); }

std::optional<ProgramBounds> program_bounds(const System& system, const Program& program, Int tasklets) {
  if (!count(program)) return std::nullopt;
  // Only the first tasklet runs the steps after a `leave`.
  const auto cut = std::find_if(program.begin(), program.end(),
                                [](const Item& item) { return item.kind == ItemKind::leave; });
  TaskletSums shared, alone;
  add(system, Program(program.begin(), cut), 1, shared);
  add(system, Program(cut, program.end()), 1, alone);
  const auto count = static_cast<double>(tasklets);
  return ProgramBounds{
      .issue = count * shared.slots + alone.slots,
      .dma = (count * shared.engine + alone.engine) / static_cast<double>(ports_of(system.dma, tasklets)),
      .tasklet = static_cast<double>(system.gap) * (shared.slots + alone.slots) + shared.waits + alone.waits};
}

void append_run_words(const FlatProgram& program, std::span<const Int> trips, Int tasklets,
                      std::vector<Int>& words) {
  words.push_back(tasklets);
  const std::size_t first = words.size();
  Int slots = 0;
  const auto put = [&](const Step& step, Int amount) {
    const std::array<Int, 3> is = {static_cast<Int>(step.kind) | static_cast<Int>(step.target) << 8, slots,
                                   amount};
    if (words.size() > first && std::equal(is.begin(), is.end(), words.end() - 4)) {
      ++words.back();
    } else {
      words.insert(words.end(), is.begin(), is.end());
      words.push_back(1);
    }
    slots = 0;
  };
  for (const Step& step : program.steps) {
    if (step.kind == ItemKind::slots && slots == 0) {
      slots = step.amount + 1;
      continue;
    }
    put(step, step.kind == ItemKind::loop ? trips[step.loop] : step.amount);
  }
  if (slots > 0) put({}, 0);
}

std::optional<DpuRun> RunMemory::run(DpuMachine& machine, const FlatProgram& program,
                                     std::span<const Int> trips, Int tasklets, Int& budget) {
  constexpr std::size_t most_runs = 20'000;
  std::vector<Int> key;
  append_run_words(program, trips, tasklets, key);
  if (const auto known = runs_.find(key); known != runs_.end()) {
    budget -= known->second.used;
    return budget < 0 ? std::nullopt : std::optional(known->second.run);
  }
  const Int before = budget;
  const auto run = machine.run(program, trips, budget);
  if (!run) return std::nullopt;
  if (runs_.size() >= most_runs) runs_.clear();
  runs_.emplace(std::move(key), Known{*run, before - budget});
  return run;
}

std::optional<ProgramEstimate> estimate_program(const System& system, const Program& program, Int tasklets,
                                                RunMemory* memory) {
  const auto simple = simplify(program);
  if (!simple) return std::nullopt;
  const auto bounds = program_bounds(system, *simple, tasklets);
  if (!bounds || bounds->largest() > static_cast<double>(max_count)) return std::nullopt;
  ProgramEstimate estimate;
  estimate.bounds = *bounds;
  const FlatProgram flat = flatten(*simple);
  Extrapolation extrapolation(system.engine, flat);
  DpuMachine machine(system, tasklets);
  Int budget = simulation_budget;
  std::vector<CycleCounts> runs;
  while (extrapolation.needed() > 0) {
    runs.clear();
    for (std::size_t i = 0; i < extrapolation.needed(); ++i) {
      const auto trips = extrapolation.trips_of(i);
      const auto run = memory != nullptr ? memory->run(machine, flat, trips, tasklets, budget)
                                         : machine.run(flat, trips, budget);
      if (!run) return std::nullopt;
      ++estimate.runs;
      estimate.cycles_simulated += run->cycles;
      runs.push_back(counts_of(*run));
    }
    extrapolation.take(runs);
  }
  estimate.k = extrapolation.k();
  estimate.linear = extrapolation.linear();
  const CycleCounts& cycles = extrapolation.estimate();
  estimate.cycles = std::max(cycles[0], estimate.bounds.largest());
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += estimate.causes[i] = cycles[i + 1];
  for (double& cause : estimate.causes) cause *= sum > 0 ? estimate.cycles / sum : 0;
  return estimate;
}

}  // namespace nestor::cnm
