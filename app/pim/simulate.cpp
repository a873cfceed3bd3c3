// nestor simulate on a PIM machine: replays given mappings step by step and access by access, and compares
// them with the model.
#include <algorithm>

#include "app/nest_report.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "report/pim/address_trace.h"
#include "report/pim/replay_table.h"
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

class SimulationReport final : public LayerReport<io::pim::PimRecord> {
 public:
  SimulationReport(const io::pim::PimRun& run, const io::RunOptions& options)
      : run_(run), is_traced_(!options.trace.empty()), table_(run) {}

  // An address trace needs an operand whose home is in DRAM.
  io::MaybeError check() override {
    const auto& machine = run_.machine.machine;
    if (!is_traced_ || std::any_of(all_operands.begin(), all_operands.end(),
                                   [&](Operand operand) { return machine.has_rows(operand); }))
      return std::nullopt;
    return io::usage_error("--trace lists accesses to DRAM rows, but the home of no operand has rows");
  }

  io::MaybeError add(io::pim::PimRecord& record) override {
    if (!record.best.mapping) return std::nullopt;
    const auto& machine = run_.machine.machine;
    const auto& mapping = *record.best.mapping;
    const auto nest = record.best.nest(record.layer.shape);
    record.best.evaluation = nestor::pim::evaluate(nest, machine, mapping, rows_);
    const auto replay = sim::pim::replay(nest, machine, mapping, limits_, is_traced_ ? &log_ : nullptr);
    if (auto error = refusal(record.layer.name, replay.status, limits_)) return error;
    table_.add(record, replay);
    return std::nullopt;
  }

  std::string tables() override { return table_.text(); }

  io::MaybeError write_trace(const std::string& path) override {
    print_remark(io::trace_notice(log_.complete));
    return report::write_address_trace(path, log_);
  }

 private:
  const io::pim::PimRun& run_;
  bool is_traced_;
  const sim::pim::ReplayLimits limits_;
  sim::pim::AccessLog log_;
  report::ReplayTable table_;
  nestor::pim::RowCounter rows_;
};

}  // namespace

io::Result<ExitStatus> simulate(const io::RunOptions& options) {
  return report_layers<PimNests, SimulationReport>(options, io::Verb::simulate);
}

}  // namespace nestor::app::pim_space
