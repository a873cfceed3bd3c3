// nestor estimate and evaluate: how long kernels take on a compute-near-memory system, as given or as a
// result has them.
#include "app/cnm/cnm.h"
#include "app/cnm/trace.h"
#include "app/console.h"
#include "app/output.h"
#include "io/cnm/system_file.h"
#include "io/files.h"
#include "io/output_file.h"
#include "report/cnm/estimate_json.h"
#include "report/cnm/estimate_run.h"
#include "report/cnm/estimate_table.h"

namespace nestor::app::cnm_space {
namespace {

io::Result<ExitStatus> estimate_all(const io::RunOptions& options, io::Verb verb) {
  const auto work = read_work(options, verb);
  if (!work) return work.error();
  const cnm::System& system = work->system;
  report::EstimateRun run(*work);
  for (const KernelTask& task : work->tasks) {
    if (task.input.kernel && task.mapping.empty()) {
      run.add_unmapped(task);
      continue;
    }
    const auto [estimate, line, column] = report::estimate_task(task, system);
    if (!estimate.refusal.empty())
      return io::input_error({task.input.file, line, column},
                             (work->network.empty() ? "" : task.name + ": ") + estimate.refusal);
    run.add(task, estimate);
  }
  if (prints_tables(options)) print_text(run.text());
  Outputs outputs;
  if (!options.trace.empty()) outputs.add(write_unit_trace(options, *work));
  outputs.add(
      write_json_output(options, report::result_json(io::to_string(verb), *work, options, run.entries())));
  return outputs.end(ExitStatus::solved);
}

constexpr std::uintmax_t largest_table = std::uintmax_t{64} << 20;

// A figure for every row of --table.
io::Result<ExitStatus> estimate_rows(const io::RunOptions& options) {
  if (!options.inputs.empty())
    return io::usage_error(fmt::format("unexpected input {}: the rows of --table say what is estimated",
                                       io::quote(options.inputs.front())));
  const auto system = read_system(options);
  if (!system) return system.error();
  const auto text = io::read_file(options.table, largest_table);
  if (!text) return text.error();
  const auto table = io::parse_csv(*text, options.table);
  if (!table) return table.error();
  const auto estimated = report::estimate_table(*table, *system);
  if (!estimated) return estimated.error();
  for (const io::Error& remark : estimated->remarks) print_remark(remark.to_string());
  Outputs outputs;
  outputs.add(io::write_somewhere(options.output.empty() ? "-" : options.output, estimated->csv));
  if (estimated->failed > 0)
    return outputs.beside(io::input_error(
        {options.table, 0, 0},
        fmt::format("{} of {} rows cannot be estimated", estimated->failed, table->rows.size())));
  return outputs.end(ExitStatus::solved);
}

}  // namespace

io::Result<cnm::System> read_system(const io::RunOptions& options) {
  if (options.arch.empty())
    return io::usage_error("--arch is missing: expected a compute-near-memory system");
  auto system = io::read_cnm_system(options.arch, options.settings);
  if (system && system->target == cnm::Target::host)
    return io::usage_error(
        fmt::format("--arch: '{}' is the host, on which map places operations of programs: expected another "
                    "system or a list",
                    options.arch));
  return system;
}

io::Result<ExitStatus> estimate(const io::RunOptions& options) {
  return options.table.empty() ? estimate_all(options, io::Verb::estimate) : estimate_rows(options);
}

io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  return estimate_all(options, io::Verb::evaluate);
}

}  // namespace nestor::app::cnm_space
