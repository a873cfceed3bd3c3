#include "report/cnm/trace/cnm_trace.h"

#include <fmt/format.h>

namespace nestor::io {
namespace {

// The slots of a tasklet up to its next transfer or wait, shown as one slice.
struct SlotRun {
  Int slots = 0, begin = 0, end = 0;
};

}  // namespace

Trace make_dpu_trace(const cnm::System& system, const cnm::Program& program, Int tasklets, Int most_steps) {
  TraceWriter writer;
  std::vector<SlotRun> runs(static_cast<std::size_t>(tasklets));
  for (Int i = 0; i < tasklets; ++i) writer.name_track(i + 1, fmt::format("tasklet {}", i));
  const auto flush = [&](std::size_t tasklet) {
    SlotRun& run = runs[tasklet];
    if (run.slots > 0)
      writer.add_slice(static_cast<Int>(tasklet) + 1,
                       fmt::format("{} slot{}", run.slots, run.slots == 1 ? "" : "s"), run.begin, run.end);
    run = {};
  };
  sim::cnm::StepperLimits limits;
  limits.steps = most_steps;
  limits.causes = false;
  const auto run =
      sim::cnm::step_dpu(system, program, tasklets, limits, [&](const sim::cnm::DpuEvent& event) {
        const auto tasklet = static_cast<std::size_t>(event.tasklet);
        if (event.kind == cnm::ItemKind::slots) {
          SlotRun& slots = runs[tasklet];
          if (slots.slots++ == 0) slots.begin = event.begin;
          slots.end = event.end;
          return;
        }
        flush(tasklet);
        writer.add_slice(
            event.tasklet + 1,
            event.kind == cnm::ItemKind::barrier
                ? "barrier"
                : fmt::format("{} {} B", event.kind == cnm::ItemKind::read ? "read" : "write", event.bytes),
            event.begin, event.end);
      });
  for (std::size_t i = 0; i < runs.size(); ++i) flush(i);
  return writer.finish(system.name, run.has_value());
}

Trace make_channel_trace(const cnm::System& system, const cnm::Stream& stream, Int most_cycles) {
  TraceWriter writer;
  for (Int bank = 0; bank < system.dram.banks; ++bank)
    writer.name_track(bank + 1, fmt::format("bank {}", bank));
  writer.name_track(system.dram.banks + 1, "refresh");
  const auto run = sim::cnm::step_channel(system, stream, most_cycles, [&](const sim::cnm::HbmEvent& event) {
    switch (event.command) {
      case 'R':
      case 'W':
        return writer.add_slice(event.bank + 1,
                                fmt::format("{} row {} column {}", event.command == 'R' ? "read" : "write",
                                            event.row, event.column),
                                event.cycle, event.cycle + 1);
      case 'A':
        return writer.add_slice(event.bank + 1, fmt::format("activate row {}", event.row), event.cycle,
                                event.cycle + 1);
      case 'P':
        return writer.add_slice(event.bank + 1, "close", event.cycle, event.cycle + 1);
      default:
        return writer.add_slice(system.dram.banks + 1, "refresh", event.cycle,
                                event.cycle + system.dram.tRFC);
    }
  });
  return writer.finish(system.name, run.has_value());
}

}  // namespace nestor::io
