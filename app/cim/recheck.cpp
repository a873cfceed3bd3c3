#include "app/cim/recheck.h"

#include <fmt/format.h>

#include "app/cim/map_request.h"
#include "app/interrupt.h"
#include "io/constraint_file.h"
#include "mapper/loopnest/map_network.h"
#include "report/cim/claim_check.h"

namespace nestor::app::cim_space {

io::MaybeError recheck(const io::RunOptions& options, const io::RunResult& run, io::ResultCheck& check) {
  if (run.verb != "map")
    return io::usage_error(fmt::format("--recheck is for results of map, this one is of {}", run.verb));
  io::RunOptions asked;
  for (const auto& [option, text] : run.options)
    if (auto error = io::set_option(asked, io::Verb::map, option, text)) return error;
  if (asked.map_method != MapMethod::optimal)
    return io::usage_error("--recheck proves what a search has proved; this result is a baseline's");
  auto request = request_of(asked);
  request.work_limit = mapper::Request().work_limit;
  request.layer_seconds = mapper::Request().layer_seconds;
  request.embedded_workspace.reset();
  if (!asked.fix.empty()) {
    const auto constraints = io::read_constraints(asked.fix, run.architecture);
    if (!constraints) return constraints.error();
    request.constraints = *constraints;
  }

  std::vector<Layer> layers;
  for (const auto& record : run.layers) {
    const auto refusal = cim::admit(record.layer.shape, run.architecture.machine);
    if (refusal != Refusal::none) return std::nullopt;  // the findings say it
    layers.push_back(record.layer);
  }
  const auto shapes = unique_shapes(layers);
  if (!shapes) return std::nullopt;
  const auto executor = make_executor(ExecutorKind::tbb, 0);
  MemoryBudget memory(static_cast<std::size_t>(options.memory_limit));
  mapper::Resources resources{*executor, memory};
  resources.deadline = deadline_after(options.run_time_limit);
  resources.interrupted = &watch_signals();
  const auto maps = mapper::map_network(layers, shapes->shapes, run.architecture.machine, request, resources);

  for (std::size_t i = 0; i < run.layers.size(); ++i)
    if (maps[shapes->shape_of_layer[i]].fault != mapper::Fault::none)
      return io::internal_error(fmt::format(
          "layer '{}': the new search contradicts itself; please report this", run.layers[i].layer.name));
  report::check_claims(run, *shapes, maps, request, check);
  return std::nullopt;
}

}  // namespace nestor::app::cim_space
