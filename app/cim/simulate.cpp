// nestor simulate on a cim machine: replays given mappings event by event, and shows waits by cause and the
// use of every port and buffer.
#include "app/cim/cim.h"
#include "app/cim/nests.h"
#include "app/nest_report.h"
#include "report/cim/replay_tables.h"
#include "report/cim/trace/cim_trace.h"
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

class SimulationReport final : public LayerReport<io::CimRecord> {
 public:
  SimulationReport(const io::CimRun& run, const io::RunOptions& options) : run_(run) {
    replay_options_.plain = options.plain;
  }

  io::MaybeError add(io::CimRecord& record) override {
    auto& replayed = replays_.emplace_back();
    if (!record.best.mapping) return std::nullopt;
    const auto& machine = run_.machine.machine;
    const auto& mapping = *record.best.mapping;
    const auto nest = record.best.nest(record.layer.shape);
    replayed = {sim::cim::replay(nest, machine, mapping, replay_options_),
                cim::evaluate(nest, machine, mapping)};
    if (auto error = refusal(record, replayed->replay.status, replay_options_)) return error;
    io::set_figures(record, replayed->model, run_.machine, io::latency_model_of(run_));
    record.replay_cycles = replayed->replay.cycles;
    record.stalls = report::stalls_json(replayed->replay);
    return std::nullopt;
  }

  std::string tables() override {
    auto text = report::replays_text(run_, replays_) + report::stalls_text(run_, replays_);
    if (replays_.size() == 1 && replays_.front())
      text += report::ports_and_buffers_text(replays_.front()->replay, run_.machine);
    return text;
  }

  io::MaybeError write_trace(const std::string& path) override {
    const auto& record = run_.layers.front();
    const auto trace =
        io::make_trace(record.best.nest(record.layer.shape), run_.machine, *record.best.mapping);
    print_remark(io::trace_notice(trace.complete));
    return io::write_trace(path, trace);
  }

 private:
  const io::CimRun& run_;
  sim::cim::ReplayOptions replay_options_;
  report::Replays replays_;
};

}  // namespace

io::Result<ExitStatus> simulate(const io::RunOptions& options) {
  return report_layers<CimNests, SimulationReport>(options, io::Verb::simulate);
}

}  // namespace nestor::app::cim_space
