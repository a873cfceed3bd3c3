// nestor evaluate on a PIM machine: the cost of given mappings.
#include <algorithm>

#include "app/console.h"
#include "app/nest_inputs.h"
#include "app/output.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "report/pim/map_tables.h"
#include "report/results/pim/texts.h"

namespace nestor::app::pim_space {
io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  auto run = read_legal_layers<PimNests>(options, io::Verb::evaluate);
  if (!run) return run.error();
  nestor::pim::RowCounter rows;
  auto machine = run->machine.machine;
  for (auto& record : run->layers) {
    if (!record.best.mapping) continue;
    const auto nest = record.best.nest(record.layer.shape);
    const auto by = [&](nestor::pim::RowModel model) {
      machine.row_model = model;
      return nestor::pim::evaluate(nest, machine, *record.best.mapping, rows);
    };
    record.best.evaluation = by(run->machine.machine.row_model);
    if (std::any_of(machine.memories.begin(), machine.memories.end(),
                    [](const Memory& m) { return m.row > 0; }))
      record.row_models = {by(nestor::pim::RowModel::exact), by(nestor::pim::RowModel::hybrid)};
  }
  if (prints_tables(options)) {
    print_text(report::evaluations_text(*run) + report::row_models_text(*run));
    if (run->layers.size() == 1 && run->layers.front().best.evaluation) {
      const auto& record = run->layers.front();
      print("\n{}", io::pim::mapping_text(record.best.nest(record.layer.shape), *record.best.mapping,
                                          *record.best.evaluation, run->machine));
    }
  }
  if (const auto error = write_json_output(options, io::pim::run_to_json(*run))) return *error;
  return ExitStatus::solved;
}

}  // namespace nestor::app::pim_space
