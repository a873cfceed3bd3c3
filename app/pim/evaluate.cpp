// nestor evaluate on a PIM machine: the cost of given mappings.
#include <algorithm>

#include "app/nest_report.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "report/pim/map_tables.h"
#include "report/results/pim/texts.h"

namespace nestor::app::pim_space {
namespace {

using nestor::pim::RowModel;

class EvaluationReport final : public LayerReport<io::pim::PimRecord> {
 public:
  EvaluationReport(const io::pim::PimRun& run, const io::RunOptions& /*options*/) : run_(run) {}

  io::MaybeError add(io::pim::PimRecord& record) override {
    if (!record.best.mapping) return std::nullopt;
    auto machine = run_.machine.machine;
    const auto by = [&](RowModel model) {
      machine.row_model = model;
      return nestor::pim::evaluate(record.best.nest(record.layer.shape), machine, *record.best.mapping,
                                   rows_);
    };
    record.best.evaluation = by(run_.machine.machine.row_model);
    if (std::any_of(machine.memories.begin(), machine.memories.end(),
                    [](const Memory& m) { return m.row > 0; }))
      record.row_models = {by(RowModel::exact), by(RowModel::hybrid)};
    return std::nullopt;
  }

  std::string tables() override {
    auto text = report::evaluations_text(run_) + report::row_models_text(run_);
    if (run_.layers.size() != 1 || !run_.layers.front().best.evaluation) return text;
    const auto& record = run_.layers.front();
    return text + "\n" +
           io::pim::mapping_text(record.best.nest(record.layer.shape), *record.best.mapping,
                                 *record.best.evaluation, run_.machine);
  }

 private:
  const io::pim::PimRun& run_;
  nestor::pim::RowCounter rows_;
};

}  // namespace

io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  return report_layers<PimNests, EvaluationReport>(options, io::Verb::evaluate);
}

}  // namespace nestor::app::pim_space
