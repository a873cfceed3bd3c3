// nestor simulate and --trace on a compute-near-memory system: whole programs, slot by slot (or command by
// command), without extrapolation, beside what the estimate says.
#include "app/cnm/cnm.h"
#include "app/cnm/kernel_source.h"
#include "app/cnm/trace.h"
#include "app/console.h"
#include "app/output.h"
#include "io/table.h"
#include "io/trace/cnm_trace.h"
#include "io/units.h"
#include "report/cnm/estimate_json.h"

namespace nestor::app::cnm_space {
namespace {

constexpr Int most_steps = 4'000'000'000;
constexpr Int most_cycles = 2'000'000'000;

// Cycles of one unit, whole, and why they were spent.
struct Replay {
  Int cycles = 0;
  std::vector<cnm::NamedShare> causes;
  std::string fault;
};

Replay replay(const report::UnitProgram& unit, const cnm::System& system) {
  Replay result;
  result.fault = unit.fault;
  if (!unit.fault.empty()) return result;
  const auto add = [&](std::string_view name, Int cycles) {
    result.causes.push_back({name, static_cast<double>(cycles)});
  };
  if (unit.program) {
    sim::StepperLimits limits;
    limits.steps = most_steps;
    const auto run = sim::step_dpu(system, *unit.program, unit.tasklets, limits);
    if (!run) {
      result.fault = fmt::format("more than {} steps to simulate", io::count_text(most_steps));
      return result;
    }
    result.cycles = run->cycles;
    add("issue", run->causes.issue);
    add("barrier", run->causes.barrier);
    add("dma", run->causes.dma);
    add("gap", run->causes.gap);
    return result;
  }
  const auto run = sim::step_channel(system, *unit.stream, most_cycles);
  if (!run) {
    result.fault = fmt::format("more than {} cycles to simulate", io::count_text(most_cycles));
    return result;
  }
  result.cycles = run->cycles;
  add("column", run->causes.column);
  add("refresh", run->causes.refresh);
  add("mode", run->causes.mode);
  add("row", run->causes.row);
  add("timing", run->causes.timing);
  return result;
}

std::string difference(double estimate, double exact) {
  return exact > 0 ? fmt::format("{:+.3f} %", 100 * (estimate - exact) / exact) : "0";
}

}  // namespace

io::MaybeError write_unit_trace(const io::RunOptions& options, const KernelWork& work) {
  if (work.tasks.size() != 1)
    return io::usage_error(
        fmt::format("--trace shows one layer, found {}: choose one with --layer", work.tasks.size()));
  const auto units = report::unit_programs(work.tasks[0], work.system);
  if (units.empty() || !units[0].fault.empty())
    return io::usage_error(units.empty() ? "--trace: the kernel has no mapping"
                                         : "--trace: " + units[0].fault);
  const report::UnitProgram& unit = units[0];
  const auto trace = unit.program ? io::make_dpu_trace(work.system, *unit.program, unit.tasklets)
                                  : io::make_channel_trace(work.system, *unit.stream);
  if (!trace.complete)
    std::fputs("nestor: the trace is cut at its size limit; it holds the first events\n", stderr);
  return io::write_trace(options.trace, trace);
}

io::Result<Outcome> simulate(const io::RunOptions& options) {
  const auto work = read_work(options);
  if (!work) return work.error();
  const cnm::System& system = work->system;
  std::vector<io::Json> entries;
  io::Table table({{"kernel", io::Align::left},
                   {"map", io::Align::left},
                   {"replay cycles"},
                   {"estimate"},
                   {"difference"},
                   {"time"}});
  for (const KernelTask& task : work->tasks) {
    io::Json entry = {{"source", source_json(task.input, system)}};
    const auto refused = [&](const std::string& why, int line, int column) {
      return io::input_error({task.input.file, line, column},
                             (work->network.empty() ? "" : task.name + ": ") + why);
    };
    if (task.input.kernel && task.mapping.empty()) {
      entry["maps"] = io::Json::array();
      entries.push_back(std::move(entry));
      continue;
    }
    const auto [estimate, line, column] = estimate_task(task, system);
    if (!estimate.refusal.empty()) return refused(estimate.refusal, line, column);
    const auto units = report::unit_programs(task, system);
    auto maps = report::maps_json(estimate, system);
    double time_ms = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const auto& e = estimate.maps[i].estimate;
      const Replay exact = replay(units[i], system);
      if (!exact.fault.empty()) return refused(exact.fault, 0, 0);
      const double time = cnm::cycles_to_ms(system, static_cast<double>(exact.cycles)) + e.host.sum();
      time_ms += time;
      auto causes = io::Json::object();
      for (const auto& cause : exact.causes) causes[std::string(cause.name)] = cause.cycles;
      maps[i]["replay"] = {{"cycles", exact.cycles}, {"time_ms", time}, {"causes", std::move(causes)}};
      table.add_row({task.name, estimate.maps[i].map.name, io::count_text(exact.cycles),
                     fmt::format("{:.0f}", e.cycles), difference(e.cycles, static_cast<double>(exact.cycles)),
                     report::ms_text(time)});
    }
    entry["time_ms"] = estimate.time_ms;
    entry["cycles"] = estimate.cycles;
    if (!estimate.note.empty()) entry["note"] = estimate.note;
    entry["replay_time_ms"] = time_ms;
    entry["maps"] = std::move(maps);
    entries.push_back(std::move(entry));
  }
  if (!options.trace.empty())
    if (auto error = write_unit_trace(options, *work)) return *error;
  if (prints_tables(options))
    print("{} on {}, replayed\n\n{}", work->network.empty() ? work->tasks[0].name : work->network,
          system.name, table.to_string());
  if (auto error = write_json_output(options, report::result_json("simulate", *work, options, entries)))
    return *error;
  return Outcome::solved;
}

}  // namespace nestor::app::cnm_space
