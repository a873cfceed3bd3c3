// nestor evaluate on a PIM machine: what given mappings cost.
#include "app/console.h"
#include "app/output.h"
#include "app/pim/pim.h"
#include "io/pim/texts.h"
#include "io/table.h"
#include "io/units.h"

namespace nestor::app::pim_space {
namespace {

void print_layers(const io::pim::RunRecord& run) {
  io::Table table({{"layer", io::Align::left},
                   {"repeat"},
                   {"cycles"},
                   {"compute"},
                   {"row activations"},
                   {"energy"},
                   {"EDP pJ*cycles"}});
  for (const auto& record : run.layers) {
    if (!record.evaluation) {
      table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat), "no mapping"});
      continue;
    }
    const auto& evaluation = *record.evaluation;
    Int rows = 0;
    for (const Int count : evaluation.row_activations) rows += count;
    table.add_row({record.layer.name, fmt::format("{}", record.layer.repeat),
                   io::count_text(evaluation.latency_cycles), io::count_text(evaluation.compute_cycles),
                   io::count_text(rows), io::energy_text(evaluation.energy_pj),
                   io::figure_text(evaluation.edp())});
  }
  print("{} on {}\n\n{}", run.network, run.machine.name, table.to_string());
}

}  // namespace

io::Result<Outcome> evaluate(const io::RunOptions& options) {
  auto run = read_mapped_layers(options, io::Verb::evaluate);
  if (!run) return run.error();
  if (const auto error = normalise_and_check(*run, options)) return *error;
  nestor::pim::RowCounter rows;
  for (auto& record : run->layers)
    if (record.mapping)
      record.evaluation =
          nestor::pim::evaluate(record.layer.shape, run->machine.machine, *record.mapping, rows);
  if (const auto error = write_json_output(options, io::pim::run_to_json(*run))) return *error;
  if (!prints_tables(options)) return Outcome::solved;
  print_layers(*run);
  if (run->layers.size() == 1 && run->layers.front().evaluation) {
    const auto& record = run->layers.front();
    print("\n{}",
          io::pim::mapping_text(record.layer.shape, *record.mapping, *record.evaluation, run->machine));
  }
  return Outcome::solved;
}

}  // namespace nestor::app::pim_space
