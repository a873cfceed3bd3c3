#include "model/cnm/engine.h"

#include <algorithm>
#include <cmath>

namespace nestor::cnm {
namespace {

constexpr Int simulation_budget = 4'000'000;
using Vector = std::array<double, 5>;  // cycles, then the four causes

Vector operator-(const Vector& a, const Vector& b) {
  Vector result{};
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}
Vector operator+(const Vector& a, const Vector& b) {
  Vector result{};
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] + b[i];
  return result;
}
Vector operator*(double factor, const Vector& a) {
  Vector result{};
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = factor * a[i];
  return result;
}

// The loops of a program as a tree over the numbers that flatten() gives them.
struct LoopTree {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Loop {
    Int trips = 0;
    std::size_t around = none;
    std::size_t first_inside = none, next = none;  // in the order of the program
    std::uint32_t depth = 0;
    bool innermost() const { return first_inside == none; }
  };
  std::vector<Loop> loops;
  std::size_t first_outermost = none;

  explicit LoopTree(const FlatProgram& program) : loops(program.trips.size()) {
    for (const Step& step : program.steps)
      if (step.kind == ItemKind::loop) loops[step.loop].depth = step.depth;
    std::array<std::size_t, max_depth + 1> latest{};  // by depth
    latest.fill(none);
    for (std::size_t q = 0; q < loops.size(); ++q) {
      Loop& loop = loops[q];
      loop.trips = program.trips[q];
      if (loop.depth > 0) loop.around = latest[loop.depth - 1];
      std::size_t& head = loop.around == none ? first_outermost : loops[loop.around].first_inside;
      const std::size_t before = latest[loop.depth];
      if (before != none && loops[before].around == loop.around)
        loops[before].next = q;
      else
        head = q;
      latest[loop.depth] = q;
    }
  }
  // Of the trips of the loops around.
  double runs_of(std::size_t q, const std::vector<Int>& trips) const {
    double product = 1;
    for (q = loops[q].around; q != none; q = loops[q].around) product *= static_cast<double>(trips[q]);
    return product;
  }
  double innermost_runs(const std::vector<Int>& trips) const {
    double runs = 0;
    for (std::size_t q = 0; q < loops.size(); ++q)
      if (loops[q].innermost()) runs += static_cast<double>(trips[q]) * runs_of(q, trips);
    return runs;
  }
};

class Extrapolation {
 public:
  /// With a memory and a clock: cycles alone.
  Extrapolation(const System& system, const FlatProgram& program, Int tasklets, SimulationMemory* memory,
                KeptClock* clock)
      : system_(system),
        settings_(system.engine),
        tasklets_(tasklets),
        memory_(memory),
        clock_(clock),
        flat_(program),
        tree_(program) {}

  // Fills cycles and causes; false if the program is too deep.
  bool run(ProgramEstimate& estimate) {
    Vector cycles{};
    if (tree_.innermost_runs(flat_.trips) <= static_cast<double>(settings_.whole)) {
      if (!simulate(flat_.trips, cycles)) return false;
    } else {
      for (estimate.k = settings_.k;; estimate.k *= 2) {
        if (!measure(estimate.k)) return false;
        if (linear_ || estimate.k >= settings_.k_max) break;
      }
      estimate.linear = linear_;
      cycles = base_;
      for (std::size_t q = tree_.first_outermost; q != LoopTree::none; q = tree_.loops[q].next)
        cycles = cycles + extra(q);
    }
    estimate.runs = runs_;
    estimate.cycles_simulated = cycles_simulated_;
    estimate.cycles = std::max(cycles[0], estimate.bounds.largest());
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += estimate.causes[i] = std::max(0.0, cycles[i + 1]);
    for (double& cause : estimate.causes) cause *= sum > 0 ? estimate.cycles / sum : 0;
    return true;
  }

 private:
  std::optional<DpuRun> run_machine(const std::vector<Int>& trips) {
    if (clock_ != nullptr && DpuClock::covers(system_, tasklets_)) {
      DpuClock& clock = clock_->of(system_, tasklets_);
      if (clock.read(flat_, trips)) {
        const auto cycles = clock.run(budget_);
        return cycles ? std::optional(DpuRun{*cycles, {}}) : std::nullopt;
      }
    }
    if (!machine_) machine_.emplace(system_, tasklets_);
    return machine_->run(flat_, trips, budget_);
  }
  std::optional<DpuRun> remembered(const std::vector<Int>& trips) {
    if (memory_ == nullptr) return run_machine(trips);
    SimulationMemory::write_key(flat_, trips, tasklets_, key_);
    if (const auto known = memory_->find(key_)) {
      budget_ -= known->budget;
      return budget_ < 0 ? std::nullopt : std::optional(DpuRun{known->cycles, {}});
    }
    const Int before = budget_;
    const auto run = run_machine(trips);
    if (run) memory_->keep(key_, {run->cycles, before - budget_});
    return run;
  }

  bool simulate(const std::vector<Int>& trips, Vector& result) {
    const auto run = remembered(trips);
    if (!run) return false;
    ++runs_;
    cycles_simulated_ += run->cycles;
    const Causes& causes = run->causes;
    result = {static_cast<double>(run->cycles), static_cast<double>(causes.issue),
              static_cast<double>(causes.barrier), static_cast<double>(causes.dma),
              static_cast<double>(causes.gap)};
    return true;
  }

  bool measure(Int k) {
    const std::size_t count = tree_.loops.size();
    step_.assign(count, 0);
    reduced_.assign(count, 0);
    delta_.assign(count, {});
    for (std::size_t q = 0; q < count; ++q) {
      step_[q] = tree_.loops[q].innermost() ? k : 2;
      reduced_[q] = tree_.loops[q].trips < 3 * step_[q] ? tree_.loops[q].trips : step_[q];
    }
    if (!simulate(reduced_, base_)) return false;
    linear_ = true;
    for (std::size_t q = 0; q < count; ++q) {
      if (reduced_[q] == tree_.loops[q].trips) continue;
      auto trips = reduced_;
      Vector once{};
      trips[q] += step_[q];
      if (!simulate(trips, once)) return false;
      delta_[q] = once - base_;
      if (!tree_.loops[q].innermost()) continue;
      Vector twice{};
      trips[q] += step_[q];
      if (!simulate(trips, twice)) return false;
      const Vector second = twice - once;
      if (std::abs(second[0] - delta_[q][0]) > settings_.alpha * second[0]) linear_ = false;
      delta_[q] = second;
    }
    return true;
  }

  // One more trip of q with the loops inside reduced.
  Vector one_more(std::size_t q) const {
    return 1 / (static_cast<double>(step_[q]) * tree_.runs_of(q, reduced_)) * delta_[q];
  }

  // What the whole loop q adds to the reduced run, for one run of the loops around it.
  Vector extra(std::size_t q) const {
    const auto& loop = tree_.loops[q];
    Vector inside{};
    for (std::size_t c = loop.first_inside; c != LoopTree::none; c = tree_.loops[c].next)
      inside = inside + extra(c);
    const auto trips = static_cast<double>(loop.trips);
    if (reduced_[q] == loop.trips) return trips * inside;
    const Vector reduced = one_more(q);
    return trips * (reduced + inside) - static_cast<double>(reduced_[q]) * reduced;
  }

  const System& system_;
  const EngineSettings& settings_;
  const Int tasklets_;
  SimulationMemory* const memory_;
  KeptClock* const clock_;
  const FlatProgram& flat_;
  const LoopTree tree_;
  std::optional<DpuMachine> machine_;  // once something has to be run
  std::string key_;
  Int budget_ = simulation_budget;
  Int runs_ = 0;
  Int cycles_simulated_ = 0;
  bool linear_ = true;
  Vector base_{};
  std::vector<Int> step_;
  std::vector<Int> reduced_;
  std::vector<Vector> delta_;
};

// Sums over one tasklet, in doubles: exact below 2^53, and the counts were checked.
struct TaskletSums {
  double slots = 0;  // those of transfers too
  double engine = 0;
  double waits = 0;  // beyond the gap, of transfers
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

}  // namespace

double ProgramBounds::largest() const { return std::max({issue, dma, tasklet}); }

std::optional<ProgramBounds> program_bounds(const System& system, const Program& program, Int tasklets) {
  if (!count(program)) return std::nullopt;
  // What stands behind a `leave` is the first tasklet's alone.
  const auto cut = std::find_if(program.begin(), program.end(),
                                [](const Item& item) { return item.kind == ItemKind::leave; });
  TaskletSums shared, alone;
  add(system, Program(program.begin(), cut), 1, shared);
  add(system, Program(cut, program.end()), 1, alone);
  const auto count = static_cast<double>(tasklets);
  return ProgramBounds{
      .issue = count * shared.slots + alone.slots,
      .dma = count * shared.engine + alone.engine,
      .tasklet = static_cast<double>(system.gap) * (shared.slots + alone.slots) + shared.waits + alone.waits};
}

std::optional<ProgramEstimate> estimate_program(const System& system, const Program& program, Int tasklets) {
  const auto simple = simplify(program);
  if (!simple) return std::nullopt;
  const auto bounds = program_bounds(system, *simple, tasklets);
  if (!bounds || bounds->largest() > static_cast<double>(max_count)) return std::nullopt;
  ProgramEstimate estimate;
  estimate.bounds = *bounds;
  const FlatProgram flat = flatten(*simple);
  if (!Extrapolation(system, flat, tasklets, nullptr, nullptr).run(estimate)) return std::nullopt;
  return estimate;
}

std::optional<double> estimate_cycles(const System& system, const FlatProgram& program,
                                      const ProgramBounds& bounds, Int tasklets, SimulationMemory& memory,
                                      KeptClock& clock) {
  if (bounds.largest() > static_cast<double>(max_count)) return std::nullopt;
  ProgramEstimate estimate;
  estimate.bounds = bounds;
  if (!Extrapolation(system, program, tasklets, &memory, &clock).run(estimate)) return std::nullopt;
  return estimate.cycles;
}

std::optional<DpuRun> simulate_whole(const System& system, const Program& program, Int tasklets, Int budget) {
  const auto simple = simplify(program);
  if (!simple) return std::nullopt;
  const auto bounds = program_bounds(system, *simple, tasklets);
  if (!bounds || bounds->largest() > 8 * static_cast<double>(max_count)) return std::nullopt;
  const FlatProgram flat = flatten(*simple);
  return DpuMachine(system, tasklets).run(flat, flat.trips, budget);
}

}  // namespace nestor::cnm
