// nestor estimate and evaluate: run times of kernels on a compute-near-memory system, for mappings that are
// given or are part of a result.
#include <fmt/format.h>

#include <algorithm>

#include "app/cnm/cnm.h"
#include "app/cnm/kernel_input.h"
#include "app/cnm/program_estimate.h"
#include "app/cnm/program_input.h"
#include "app/cnm/trace.h"
#include "app/console.h"
#include "app/output.h"
#include "io/cnm/system_file.h"
#include "io/files.h"
#include "io/output_file.h"
#include "report/cnm/batch.h"
#include "report/cnm/estimate_run.h"
#include "report/cnm/estimate_table.h"
#include "report/cnm/result_json.h"

namespace nestor::app::cnm_space {
namespace {

io::Result<ExitStatus> estimate_all(const io::RunOptions& options, io::Verb verb) {
  if (is_program(options)) return estimate_program(options, verb);
  if (auto error = refuse_program_options(options)) return *error;
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
  outputs.add(write_json_output(options, report::result_json(verb, *work, options, run.records())));
  return outputs.end(ExitStatus::solved);
}

constexpr std::uintmax_t largest_table = std::uintmax_t{64} << 20;

// Writes each row of --table together with its estimate.
io::Result<ExitStatus> estimate_rows(const io::RunOptions& options) {
  if (!options.inputs.empty())
    return io::usage_error(fmt::format("unexpected input {}: the rows of --table specify the kernels",
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
    return outputs.fail_with(io::input_error(
        {options.table, 0, 0},
        fmt::format("{} of {} rows cannot be estimated", estimated->failed, table->rows.size())));
  return outputs.end(ExitStatus::solved);
}

// Writes one line for each mapping of --batch.
io::Result<ExitStatus> estimate_lines(const io::RunOptions& options) {
  const auto system = read_system(options);
  if (!system) return system.error();
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one kernel, found {} inputs", options.inputs.size()));
  const auto input = read_kernel(options.inputs.front(), options, *system);
  if (!input) return input.error();
  if (!input->kernel)
    return io::input_error({input->file}, "--batch requires a kernel that takes a mapping: expected MLIR");
  const auto text = io::read_file(options.estimates);
  if (!text) return text.error();
  report::BatchEstimate batch(*input->kernel, *system);
  std::string answers;
  std::size_t number = 0;
  for (std::string_view rest = *text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    answers += batch.answer(line, number);
    answers += '\n';
  }
  Outputs outputs;
  outputs.add(io::write_somewhere(options.output.empty() ? "-" : options.output, answers));
  if (batch.failed() > 0)
    return outputs.fail_with(io::input_error({options.estimates, 0, 0},
                                             fmt::format("{} mappings cannot be estimated", batch.failed())));
  return outputs.end(ExitStatus::solved);
}

}  // namespace

io::Result<cnm::System> read_system(const io::RunOptions& options) {
  if (options.arch.empty())
    return io::usage_error(
        "missing --arch ARCH: expected a compute-near-memory system (`nestor show --list` lists built-in "
        "machines)");
  auto system = io::read_cnm_system(options.arch, options.settings);
  if (system && system->target == cnm::Target::host)
    return io::usage_error(
        fmt::format("--arch: the host '{}' cannot be used alone: expected another system, or a list of "
                    "systems (such as upmem,host)",
                    options.arch));
  return system;
}

io::Result<ExitStatus> estimate(const io::RunOptions& options) {
  if (options.is_given("output") && options.table.empty() && options.estimates.empty())
    return io::usage_error("--output needs --table or --batch");
  if (!options.table.empty()) return estimate_rows(options);
  return options.estimates.empty() ? estimate_all(options, io::Verb::estimate) : estimate_lines(options);
}

io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  return estimate_all(options, io::Verb::evaluate);
}

}  // namespace nestor::app::cnm_space
