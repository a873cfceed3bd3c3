#include "report/cnm/replay_run.h"

#include <fmt/format.h>

#include "report/cnm/estimate_text.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/tables/units.h"
#include "sim/cnm/dpu_stepper.h"
#include "sim/cnm/hbm_stepper.h"

namespace nestor::report {
namespace {

constexpr Int most_steps = 4'000'000'000;
constexpr Int most_cycles = 2'000'000'000;

std::string difference(double estimate, double exact) {
  return exact > 0 ? fmt::format("{:+.3f} %", 100 * (estimate - exact) / exact) : "0";
}

}  // namespace

Replay replay(const UnitProgram& unit, const cnm::System& system) {
  Replay result;
  result.fault = unit.fault;
  if (!unit.fault.empty()) return result;
  const auto add = [&](std::string_view key, Int cycles) {
    result.unit.causes.push_back({key, static_cast<double>(cycles)});
  };
  if (unit.program) {
    sim::cnm::StepperLimits limits;
    limits.steps = most_steps;
    const auto run = sim::cnm::step_dpu(system, *unit.program, unit.tasklets, limits);
    if (!run) {
      result.fault = fmt::format("more than {} steps to simulate", io::count_text(most_steps));
      return result;
    }
    result.unit.cycles = run->cycles;
    add(key::issue, run->causes.issue);
    add(key::barrier, run->causes.barrier);
    add(key::dma, run->causes.dma);
    add(key::gap, run->causes.gap);
    return result;
  }
  const auto run = sim::cnm::step_channel(system, *unit.stream, most_cycles);
  if (!run) {
    result.fault = fmt::format("more than {} cycles to simulate", io::count_text(most_cycles));
    return result;
  }
  result.unit.cycles = run->cycles;
  add(key::column, run->causes.column);
  add(key::refresh, run->causes.refresh);
  add(key::mode, run->causes.mode);
  add(key::row, run->causes.row);
  add(key::timing, run->causes.timing);
  return result;
}

ReplayRun::ReplayRun(const KernelWork& work)
    : work_(work),
      maps_({{"kernel", io::Align::left},
             {"map", io::Align::left},
             {"replay cycles"},
             {"estimate"},
             {"difference"},
             {"time"}}) {}

void ReplayRun::add(const KernelTask& task, const cnm::KernelEstimate& estimate,
                    const std::vector<UnitReplay>& units) {
  const cnm::System& system = work_.system;
  auto record = estimated_record(task, estimate, system);
  double time_ms = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto& [map, figures] = estimate.maps[i];
    const auto cycles = static_cast<double>(units[i].cycles);
    const double time = cnm::cycles_to_ms(system, cycles) + figures.host.sum();
    time_ms += time;
    record.maps[i].replay = {units[i], time};
    maps_.add_row({task.name, map.name, io::count_text(units[i].cycles), io::rounded_text(figures.cycles),
                   difference(figures.cycles, cycles), ms_text(time)});
  }
  record.replay_time_ms = time_ms;
  records_.push_back(std::move(record));
}

void ReplayRun::add_unmapped(const KernelTask& task) {
  records_.push_back(unmapped_record(task, work_.system));
}

std::string ReplayRun::text() const {
  return fmt::format("{} on {}, replayed\n\n{}", work_.network.empty() ? work_.tasks[0].name : work_.network,
                     work_.system.name, maps_.to_string());
}

}  // namespace nestor::report
