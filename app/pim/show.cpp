// nestor show for PIM machines, and for mappings in results of the pim space or in files.
#include <fmt/format.h>

#include "app/nest_inputs.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "report/network_text.h"
#include "report/pim/machine_text.h"
#include "report/pim/map_tables.h"
#include "report/results/pim/texts.h"

namespace nestor::app::pim_space {

io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options) {
  const auto machine = io::pim::read_machine(path_or_name, options.settings);
  if (!machine) return machine.error();
  return Shown{report::machine_text(*machine), io::pim::machine_to_json(*machine)};
}

io::Result<Shown> show_solutions(const io::RunOptions& options) {
  auto run = read_legal_layers<PimNests>(options, io::Verb::show);
  if (!run) return run.error();
  Shown shown;
  shown.with.layers = true;
  nestor::pim::RowCounter rows;
  for (auto& record : run->layers) {
    for (auto& point : record.front)
      point.evaluation =
          nestor::pim::evaluate(point.nest(record.layer.shape), run->machine.machine, *point.mapping, rows);
    if (!record.best.mapping) continue;
    const auto nest = record.best.nest(record.layer.shape);
    record.best.evaluation = nestor::pim::evaluate(nest, run->machine.machine, *record.best.mapping, rows);
    shown.add_layer(record.layer.name, run->machine.name, report::mapped_shape_text(record.layer.shape, nest),
                    io::pim::mapping_text(nest, *record.best.mapping, *record.best.evaluation, run->machine));
  }
  if (const auto fronts = report::fronts_text(*run); !fronts.empty())
    shown.text += fmt::format("{} on {}, latency-energy fronts\n{}", run->network, run->machine.name, fronts);
  shown.json = io::pim::run_to_json(*run);
  return shown;
}

}  // namespace nestor::app::pim_space
