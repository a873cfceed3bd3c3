// nestor evaluate on a cim machine: the cost of given mappings under both latency models, with energy,
// traffic and usage.
#include "app/cim/cim.h"
#include "app/cim/nests.h"
#include "app/nest_report.h"
#include "report/cim/evaluation_tables.h"
#include "report/results/cim/evaluation_json.h"

namespace nestor::app::cim_space {
namespace {

class EvaluationReport final : public LayerReport<io::CimRecord> {
 public:
  EvaluationReport(const io::CimRun& run, const io::RunOptions& /*options*/) : run_(run) {}

  io::MaybeError add(io::CimRecord& record) override {
    auto& evaluation = evaluations_.emplace_back();
    if (!record.best.mapping) return std::nullopt;
    evaluation =
        cim::evaluate(record.best.nest(record.layer.shape), run_.machine.machine, *record.best.mapping);
    io::set_figures(record, *evaluation, run_.machine, model_);
    record.evaluation = io::evaluation_to_json(*evaluation, run_.machine);
    return std::nullopt;
  }

  std::string tables() override {
    auto text = report::evaluations_text(run_, evaluations_, model_);
    if (evaluations_.size() == 1 && evaluations_.front())
      text += report::components_text(*evaluations_.front(), run_.machine);
    return text;
  }

 private:
  const io::CimRun& run_;
  const cim::LatencyModel model_ = io::latency_model_of(run_);
  report::Evaluations evaluations_;
};

}  // namespace

io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  return report_layers<CimNests, EvaluationReport>(options, io::Verb::evaluate);
}

}  // namespace nestor::app::cim_space
