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
  struct Loop {
    Int trips = 0;
    std::vector<std::size_t> inside;  // directly
    std::vector<std::size_t> around;  // outermost first
    bool innermost() const { return inside.empty(); }
  };
  std::vector<Loop> loops;
  std::vector<std::size_t> outermost;

  explicit LoopTree(const Program& program) {
    std::vector<std::size_t> around;
    outermost = add(program, around);
  }
  std::vector<std::size_t> add(const Program& program, std::vector<std::size_t>& around) {
    std::vector<std::size_t> here;
    for (const Item& item : program) {
      if (item.kind != ItemKind::loop) continue;
      const std::size_t number = loops.size();
      here.push_back(number);
      loops.push_back({item.amount, {}, around});
      around.push_back(number);
      auto inside = add(item.body, around);
      loops[number].inside = std::move(inside);
      around.pop_back();
    }
    return here;
  }
  double innermost_runs() const {
    double runs = 0;
    for (const Loop& loop : loops) {
      if (!loop.innermost()) continue;
      double product = static_cast<double>(loop.trips);
      for (const std::size_t outer : loop.around) product *= static_cast<double>(loops[outer].trips);
      runs += product;
    }
    return runs;
  }
};

class Extrapolation {
 public:
  Extrapolation(const System& system, const Program& program, Int tasklets, SimulationMemory* memory)
      : settings_(system.engine),
        tasklets_(tasklets),
        memory_(memory),
        machine_(system, tasklets),
        flat_(flatten(program)),
        tree_(program) {}

  // Fills cycles and causes; false if the program is too deep.
  bool run(ProgramEstimate& estimate) {
    Vector cycles{};
    if (tree_.innermost_runs() <= static_cast<double>(settings_.whole)) {
      if (!simulate(flat_.trips, cycles)) return false;
    } else {
      for (estimate.k = settings_.k;; estimate.k *= 2) {
        if (!measure(estimate.k)) return false;
        if (linear_ || estimate.k >= settings_.k_max) break;
      }
      estimate.linear = linear_;
      cycles = base_;
      for (const std::size_t q : tree_.outermost) cycles = cycles + extra(q);
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
  std::optional<DpuRun> remembered(const std::vector<Int>& trips) {
    if (memory_ == nullptr) return machine_.run(flat_, trips, budget_);
    const auto key = SimulationMemory::key_of(flat_, trips, tasklets_);
    if (const auto known = memory_->find(key)) {
      budget_ -= known->budget;
      return budget_ < 0 ? std::nullopt : std::optional(known->run);
    }
    const Int before = budget_;
    const auto run = machine_.run(flat_, trips, budget_);
    if (run) memory_->keep(key, {*run, before - budget_});
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
    double around = 1;
    for (const std::size_t outer : tree_.loops[q].around) around *= static_cast<double>(reduced_[outer]);
    return 1 / (static_cast<double>(step_[q]) * around) * delta_[q];
  }

  // What the whole loop q adds to the reduced run, for one run of the loops around it.
  Vector extra(std::size_t q) const {
    const auto& loop = tree_.loops[q];
    Vector inside{};
    for (const std::size_t c : loop.inside) inside = inside + extra(c);
    const auto trips = static_cast<double>(loop.trips);
    if (reduced_[q] == loop.trips) return trips * inside;
    const Vector reduced = one_more(q);
    return trips * (reduced + inside) - static_cast<double>(reduced_[q]) * reduced;
  }

  const EngineSettings& settings_;
  const Int tasklets_;
  SimulationMemory* const memory_;
  DpuMachine machine_;
  FlatProgram flat_;
  LoopTree tree_;
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

std::optional<ProgramEstimate> estimate_program(const System& system, const Program& program, Int tasklets,
                                                SimulationMemory* memory) {
  const auto simple = simplify(program);
  if (!simple) return std::nullopt;
  const auto bounds = program_bounds(system, *simple, tasklets);
  if (!bounds || bounds->largest() > static_cast<double>(max_count)) return std::nullopt;
  ProgramEstimate estimate;
  estimate.bounds = *bounds;
  if (!Extrapolation(system, *simple, tasklets, memory).run(estimate)) return std::nullopt;
  return estimate;
}

std::optional<DpuRun> simulate_whole(const System& system, const Program& program, Int tasklets, Int budget) {
  const auto simple = simplify(program);
  if (!simple) return std::nullopt;
  const FlatProgram flat = flatten(*simple);
  return DpuMachine(system, tasklets).run(flat, flat.trips, budget);
}

}  // namespace nestor::cnm
