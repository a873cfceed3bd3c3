// nestor show for PIM machines, and for mappings in results of the pim space or in files.
#include "app/nest_report.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "report/pim/machine_text.h"
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
  const auto& machine = run->machine;
  nestor::pim::RowCounter rows;
  const auto set_cost = [&](const io::pim::PimRecord& record, io::pim::PimPoint& point) {
    point.evaluation =
        nestor::pim::evaluate(point.nest(record.layer.shape), machine.machine, *point.mapping, rows);
  };
  return show_nests<PimNests>(*run, set_cost, [&](io::pim::PimRecord& record, const LayerShape& nest) {
    set_cost(record, record.best);
    return io::pim::mapping_text(nest, *record.best.mapping, *record.best.evaluation, machine);
  });
}

}  // namespace nestor::app::pim_space
