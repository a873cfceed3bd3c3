// nestor simulate on a cim machine: replays given mappings event by event, and shows waits by cause and the
// use of every port and buffer.
#include "app/cim/cim.h"
#include "app/cim/nests.h"
#include "app/console.h"
#include "app/nest_inputs.h"
#include "app/output.h"
#include "report/cim/replay_tables.h"
#include "report/cim/trace/cim_trace.h"
#include "report/tables/progress.h"
#include "report/tables/units.h"

namespace nestor::app::cim_space {
namespace {

io::MaybeError refusal(const io::CimRecord& record, sim::cim::ReplayStatus status,
                       const sim::cim::ReplayOptions& limits) {
  switch (status) {
    case sim::cim::ReplayStatus::complete:
      return std::nullopt;
    case sim::cim::ReplayStatus::step_limit:
      return io::input_error({}, fmt::format("layer '{}': more than {} steps to simulate", record.layer.name,
                                             io::count_text(limits.step_limit)));
    case sim::cim::ReplayStatus::too_long:
      return io::input_error({},
                             fmt::format("layer '{}': the replay may exceed 2^62 cycles", record.layer.name));
    case sim::cim::ReplayStatus::malformed:
      break;
  }
  return io::internal_error(
      fmt::format("layer '{}': the replay rejected a legal mapping", record.layer.name));
}

io::MaybeError write_timeline(const io::CimRun& run, const std::string& path) {
  if (auto error = check_one_traced(run.layers)) return error;
  const auto& record = run.layers.front();
  const auto trace = io::make_trace(record.best.nest(record.layer.shape), run.machine, *record.best.mapping);
  print_remark(io::trace_notice(trace.complete));
  return io::write_trace(path, trace);
}

}  // namespace

io::Result<ExitStatus> simulate(const io::RunOptions& options) {
  auto run = read_legal_layers<CimNests>(options, io::Verb::simulate);
  if (!run) return run.error();

  const auto& machine = run->machine.machine;
  sim::cim::ReplayOptions replay_options;
  replay_options.plain = options.plain;
  report::Replays replays;
  io::ProgressLine progress;
  for (auto& record : run->layers) {
    auto& replayed = replays.emplace_back();
    if (progress.due())
      progress.show(io::layer_progress(replays.size(), run->layers.size(), record.layer.name));
    if (!record.best.mapping) continue;
    const auto& mapping = *record.best.mapping;
    const auto nest = record.best.nest(record.layer.shape);
    replayed = {sim::cim::replay(nest, machine, mapping, replay_options),
                cim::evaluate(nest, machine, mapping)};
    if (const auto error = refusal(record, replayed->replay.status, replay_options)) return *error;
    io::set_figures(record, replayed->model, run->machine, io::latency_model_of(*run));
    record.replay_cycles = replayed->replay.cycles;
    record.stalls = report::stalls_json(replayed->replay);
  }
  progress.clear();

  if (prints_tables(options)) {
    print_text(report::replays_text(*run, replays));
    print_text(report::stalls_text(*run, replays));
    if (replays.size() == 1 && replays.front())
      print_text(report::ports_and_buffers_text(replays.front()->replay, run->machine));
  }
  Outputs outputs;
  if (!options.trace.empty()) outputs.add(write_timeline(*run, options.trace));
  outputs.add(write_json_output(options, io::run_to_json(*run)));
  return outputs.end(ExitStatus::solved);
}

}  // namespace nestor::app::cim_space
