// nestor estimate and evaluate: how long kernels take on a compute-near-memory system, as given or as a
// result has them.
#include "app/cnm/cnm.h"
#include "app/cnm/kernel_source.h"
#include "app/cnm/trace.h"
#include "app/console.h"
#include "app/output.h"
#include "io/cnm/system_file.h"
#include "io/table.h"
#include "report/cnm/estimate_json.h"

namespace nestor::app::cnm_space {
namespace {

io::Result<Outcome> estimate_all(const io::RunOptions& options, std::string_view verb) {
  const auto work = read_work(options);
  if (!work) return work.error();
  const cnm::System& system = work->system;
  std::vector<io::Json> entries;
  io::Table table({{"layer", io::Align::left}, {"repeat"}, {"cycles"}, {"time"}, {"all repeats"}});
  double total = 0;
  for (const KernelTask& task : work->tasks) {
    io::Json entry = {{"source", source_json(task.input, system)}};
    if (task.input.kernel && task.mapping.empty()) {
      entry["maps"] = io::Json::array();
      table.add_row({task.name, fmt::format("{}", task.repeat), "no mapping"});
      entries.push_back(std::move(entry));
      continue;
    }
    const auto [estimate, line, column] = estimate_task(task, system);
    if (!estimate.refusal.empty())
      return io::input_error({task.input.file, line, column},
                             (work->network.empty() ? "" : task.name + ": ") + estimate.refusal);
    if (prints_tables(options) && work->network.empty()) {
      print_text(report::estimate_table_text(estimate, system));
      if (!estimate.note.empty()) print("{}\n", estimate.note);
      for (const auto& warning : task.input.warnings) print("{}\n", warning);
    }
    const double all = static_cast<double>(task.repeat) * estimate.time_ms;
    total += all;
    table.add_row({task.name, fmt::format("{}", task.repeat), fmt::format("{:.0f}", estimate.cycles),
                   report::ms_text(estimate.time_ms), report::ms_text(all)});
    entry["time_ms"] = estimate.time_ms;
    entry["cycles"] = estimate.cycles;
    if (!estimate.note.empty()) entry["note"] = estimate.note;
    entry["maps"] = report::maps_json(estimate, system);
    entries.push_back(std::move(entry));
  }
  if (prints_tables(options) && !work->network.empty()) {
    print("{} on {}\n\n{}time {}\n", work->network, system.name, table.to_string(), report::ms_text(total));
    print_text(report::left_out_text(*work));
  }
  if (!options.trace.empty())
    if (auto error = write_unit_trace(options, *work)) return *error;
  if (auto error = write_json_output(options, report::result_json(verb, *work, options, entries)))
    return *error;
  return Outcome::solved;
}

}  // namespace

io::Result<cnm::System> read_system(const io::RunOptions& options) {
  if (options.arch.empty())
    return io::usage_error("--arch is missing: expected a compute-near-memory system");
  return io::read_cnm_system(options.arch, options.settings);
}

io::Result<Outcome> estimate(const io::RunOptions& options) {
  if (options.table.empty()) return estimate_all(options, "estimate");
  const auto system = read_system(options);
  if (!system) return system.error();
  return estimate_table(options, *system);
}

io::Result<Outcome> evaluate(const io::RunOptions& options) { return estimate_all(options, "evaluate"); }

}  // namespace nestor::app::cnm_space
