#include "app/cim/map_bounds.h"

#include "app/console.h"
#include "app/output.h"
#include "report/cim/bounds.h"

namespace nestor::app::cim_space {

io::Result<ExitStatus> report_bounds(const io::RunOptions& options, const io::CimRun& run,
                                     const UniqueShapes& shapes, const mapper::CimRequest& request,
                                     const mapper::Resources& resources) {
  std::optional<double> reference;
  if (options.is_given("incumbent")) reference = options.incumbent;
  std::vector<mapper::RootBounds> all;
  std::optional<Status> limit;
  for (const UniqueShape& shape : shapes.shapes) {
    const Layer& layer = run.layers[shape.first].layer;
    all.push_back(mapper::root_bounds(layer.shape, run.machine.machine, request, resources, reference));
    if (all.back().limit && !limit) limit = all.back().limit;
    if (options.no_times) all.back().seconds = 0;
    if (all.back().fault != mapper::Fault::none)
      return io::internal_error(
          fmt::format("layer '{}': the first mapping violates a rule; please report this", layer.name));
  }
  if (prints_tables(options)) print_text(report::bounds_text(run, shapes, all));
  if (auto error = write_json_output(options, report::bounds_json(run, shapes, all))) return *error;
  return limit ? limited_by(to_string(*limit)) : ExitStatus::solved;
}

}  // namespace nestor::app::cim_space
