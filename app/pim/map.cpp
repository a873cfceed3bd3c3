// nestor map on a PIM machine: the best mapping of every layer with its layouts, a bound and a status.
#include "app/nest_map.h"
#include "app/pim/nests.h"
#include "app/pim/pim.h"
#include "mapper/pim/one_table.h"
#include "report/pim/map_tables.h"

namespace nestor::app::pim_space {
namespace {

// Maps all layers under one bypass table (--fix-bypass).
io::MaybeError map_with_one_table(NestMap<PimNests>& task, const io::RunOptions& options) {
  auto& run = task.run();
  auto maps = mapper::pim::map_with_one_table(task.layers(), task.shapes().shapes, run.machine.machine,
                                              task.request(), task.resources());
  if (maps.fault != mapper::Fault::none) return disagreement(run.network, maps.fault);
  maps.shapes.resize(task.shapes().shapes.size());  // without a table, no layer has a mapping
  for (auto& map : maps.shapes)
    if (options.no_times) map.search.forget_times();
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const std::size_t shape = task.shapes().shape_of_layer[i];
    task.set_result(i, task.shapes().shapes[shape].first, maps.shapes[shape]);
    if (maps.status != Status::optimal) run.layers[i].status = maps.status;
  }
  run.table = maps.table;
  task.choose();
  return std::nullopt;
}

}  // namespace

io::Result<ExitStatus> map(const io::RunOptions& options) {
  NestMap<PimNests> task(options);
  if (auto error = task.read()) return *error;
  auto& run = task.run();
  if (auto error = task.find_shapes()) return *error;
  if (auto error = task.begin_files()) return *error;
  if (auto error = options.fix_bypass ? map_with_one_table(task, options) : task.search()) return *error;
  const double seconds = options.no_times ? 0 : seconds_since(program_start());
  task.write([&] { return report::map_tables_text(run, options, seconds); });
  if (options.fix_bypass && run.layers.front().status == Status::infeasible)
    return task.end_with(
        io::infeasible_error(fmt::format("no bypass table suits all layers on {}", run.machine.name)));
  return task.end();
}

}  // namespace nestor::app::pim_space
