// nestor evaluate on a cim machine: the cost of given mappings under both latency models, with energy,
// traffic and usage.
#include "app/cim/cim.h"
#include "app/cim/nests.h"
#include "app/console.h"
#include "app/nest_inputs.h"
#include "app/output.h"
#include "report/cim/evaluation_tables.h"
#include "report/results/cim/evaluation_json.h"

namespace nestor::app::cim_space {
io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  auto run = read_legal_layers<CimNests>(options, io::Verb::evaluate);
  if (!run) return run.error();

  const auto model = io::latency_model_of(*run);
  report::Evaluations evaluations;
  for (auto& layer : run->layers) {
    auto& evaluation = evaluations.emplace_back();
    if (!layer.best.mapping) continue;
    evaluation = cim::evaluate(layer.best.nest(layer.layer.shape), run->machine.machine, *layer.best.mapping);
    io::set_figures(layer, *evaluation, run->machine, model);
    layer.evaluation = io::evaluation_to_json(*evaluation, run->machine);
  }

  if (prints_tables(options)) {
    print_text(report::evaluations_text(*run, evaluations, model));
    if (evaluations.size() == 1 && evaluations.front())
      print_text(report::components_text(*evaluations.front(), run->machine));
  }
  if (const auto error = write_json_output(options, io::run_to_json(*run))) return *error;
  return ExitStatus::solved;
}

}  // namespace nestor::app::cim_space
