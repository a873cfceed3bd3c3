// nestor simulate on a PIM machine: replays given mappings step by step and access by access, and compares
// them with the model.
#include "app/console.h"
#include "app/nest_inputs.h"
#include "app/output.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "report/pim/address_trace.h"
#include "report/pim/replay_table.h"
#include "report/tables/progress.h"
#include "report/tables/units.h"
#include "report/trace/trace_writer.h"
#include "sim/pim/replay.h"

namespace nestor::app::pim_space {
namespace {

io::MaybeError refusal(const std::string& layer, sim::pim::ReplayEnd status,
                       const sim::pim::ReplayLimits& limits) {
  switch (status) {
    case sim::pim::ReplayEnd::complete:
      return std::nullopt;
    case sim::pim::ReplayEnd::step_limit:
      return io::input_error({}, fmt::format("layer '{}': more than {} steps to simulate", layer,
                                             io::count_text(limits.step_limit)));
    case sim::pim::ReplayEnd::access_limit:
      return io::input_error({}, fmt::format("layer '{}': more than {} accesses to DRAM to simulate", layer,
                                             io::count_text(limits.access_limit)));
  }
  return std::nullopt;
}

// An address trace shows one layer, with at least one operand whose home is in DRAM.
io::MaybeError check_traced(const io::pim::PimRun& run) {
  if (auto error = check_one_traced(run.layers)) return error;
  const auto& machine = run.machine.machine;
  for (const Operand operand : all_operands)
    if (machine.has_rows(operand)) return std::nullopt;
  return io::usage_error("--trace lists accesses to DRAM rows, but the home of no operand has rows");
}

}  // namespace

io::Result<ExitStatus> simulate(const io::RunOptions& options) {
  auto run = read_legal_layers<PimNests>(options, io::Verb::simulate);
  if (!run) return run.error();
  const auto& machine = run->machine.machine;
  if (!options.trace.empty())
    if (auto error = check_traced(*run)) return *error;
  sim::pim::AccessLog log;
  const sim::pim::ReplayLimits limits;
  report::ReplayTable table(*run);
  nestor::pim::RowCounter rows;
  io::ProgressLine progress;
  std::size_t done = 0;
  for (auto& record : run->layers) {
    ++done;
    if (progress.due()) progress.show(io::layer_progress(done, run->layers.size(), record.layer.name));
    if (!record.best.mapping) continue;
    record.best.evaluation =
        nestor::pim::evaluate(record.best.nest(record.layer.shape), machine, *record.best.mapping, rows);
    const auto replay = sim::pim::replay(record.best.nest(record.layer.shape), machine, *record.best.mapping,
                                         limits, options.trace.empty() ? nullptr : &log);
    if (const auto error = refusal(record.layer.name, replay.status, limits)) return *error;
    table.add(record, replay);
  }
  progress.clear();
  if (prints_tables(options)) print_text(table.text());
  Outputs outputs;
  if (!options.trace.empty()) {
    print_remark(io::trace_notice(log.complete));
    outputs.add(report::write_address_trace(options.trace, log));
  }
  outputs.add(write_json_output(options, io::pim::run_to_json(*run)));
  return outputs.end(ExitStatus::solved);
}

}  // namespace nestor::app::pim_space
