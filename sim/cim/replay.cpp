#include "sim/cim/replay.h"

#include "base/enum_words.h"
#include "sim/cim/walker.h"

namespace nestor::sim::cim {
namespace {

void report_levels(const Plan& plan, const Machine& machine, ReplayResult& result) {
  for (const Operand operand : all_operands) {
    const std::size_t x = index_of(operand);
    for (std::size_t j = 0; j < plan.chains[x].size(); ++j) {
      const Level& level = plan.chains[x][j];
      PortUse port{.operand = operand, .outer = level.source, .inner = level.memory};
      port.transfer_cycles = level.transfer;
      const bool output = operand == Operand::O;
      port.inward = output ? machine.tally().returns[j] : level.tiles;
      port.outward = output ? level.tiles : 0;
      result.ports.push_back(port);

      BufferUse buffer{.operand = operand, .memory = level.memory, .tile_bits = level.tile_bits};
      buffer.peak_buffers = machine.overlapped(operand, j) ? 2 : 1;
      buffer.buffer_cycles = machine.tally().buffer_cycles[x][j];
      result.buffers.push_back(buffer);
    }
  }
}

template <typename Trace>
ReplayResult replay_plan(const Plan& plan, const ReplayOptions& options, Trace& trace) {
  Walker<Trace> walker(plan, options, trace);
  ReplayResult result;
  result.steps = plan.steps;
  const bool finished = walker.run();
  result.status = finished ? ReplayStatus::complete : ReplayStatus::step_limit;
  result.steps_simulated = walker.steps_simulated();
  if (!finished) return result;
  result.cycles = walker.end();
  result.tail_cycles = walker.end() - walker.machine().now();
  result.stalls = walker.machine().tally().stalls;
  report_levels(plan, walker.machine(), result);
  return result;
}

ReplayResult refused(PlanFailure failure) {
  ReplayResult result;
  result.status = failure == PlanFailure::too_long ? ReplayStatus::too_long : ReplayStatus::malformed;
  return result;
}

constexpr auto stall_causes = enum_words<StallCause>({{StallCause::mode_switch, "mode_switch"},
                                                      {StallCause::weights, "weights"},
                                                      {StallCause::inputs, "inputs"},
                                                      {StallCause::partial_sums, "partial_sums"},
                                                      {StallCause::write_back, "write_back"}});

}  // namespace

std::string_view name_of(StallCause cause) { return stall_causes.word(cause); }

ReplayResult replay(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                    const ReplayOptions& options) {
  const PlanResult planned = make_plan(layer, machine, mapping);
  if (!planned.plan) return refused(planned.failure);
  NoTrace trace;
  return replay_plan(*planned.plan, options, trace);
}

ReplayResult replay_timeline(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                             TimelineSink& sink, const ReplayOptions& options) {
  const PlanResult planned = make_plan(layer, machine, mapping);
  if (!planned.plan) return refused(planned.failure);
  SinkTrace trace(*planned.plan, sink);
  return replay_plan(*planned.plan, options, trace);
}

}  // namespace nestor::sim::cim
