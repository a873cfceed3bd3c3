// nestor evaluate on a PIM machine: what given mappings cost.
#include "app/console.h"
#include "app/output.h"
#include "app/pim/pim.h"
#include "report/pim/map_tables.h"
#include "report/results/pim/texts.h"

namespace nestor::app::pim_space {
io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  auto run = read_legal_layers(options, io::Verb::evaluate);
  if (!run) return run.error();
  nestor::pim::RowCounter rows;
  for (auto& record : run->layers)
    if (record.best.mapping)
      record.best.evaluation = nestor::pim::evaluate(record.best.nest(record.layer.shape),
                                                     run->machine.machine, *record.best.mapping, rows);
  if (prints_tables(options)) {
    print_text(report::evaluations_text(*run));
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
