// nestor map on a cim machine: the best mapping of every layer of a network, with a proof of its quality.
#include "app/cim/cim.h"
#include "app/cim/map_bounds.h"
#include "app/cim/nests.h"
#include "app/nest_map.h"
#include "mapper/cim/cut_layers.h"
#include "report/cim/cuts_text.h"
#include "report/cim/map_tables.h"

namespace nestor::app::cim_space {
namespace {

// Cuts each layer in two where this costs less. The choice of cuts uses half of the remaining time; the other
// half is for the searches of the parts.
mapper::CutNetwork cut_network(NestMap<CimNests>& task) {
  auto resources = task.resources();
  if (resources.deadline) {
    const auto now = mapper::Resources::Clock::now();
    resources.deadline = now + (*resources.deadline - now) / 2;
  }
  auto& run = task.run();
  std::vector<Layer> whole;
  for (const auto& record : run.layers) whole.push_back(record.layer);
  auto network = mapper::cut_layers(whole, run.machine.machine, task.request(), resources);
  run.layers.clear();
  for (const Layer& layer : network.layers) run.layers.emplace_back().layer = layer;
  return network;
}

}  // namespace

io::Result<ExitStatus> map(const io::RunOptions& options) {
  NestMap<CimNests> task(options);
  if (auto error = task.read()) return *error;
  const auto cuts = options.remainder ? cut_network(task) : mapper::CutNetwork{};
  if (cuts.fault != mapper::Fault::none) return disagreement(cuts.faulty, cuts.fault);
  if (auto error = task.find_shapes()) return *error;
  if (options.bound_only)
    return report_bounds(options, task.run(), task.shapes(), task.request(), task.resources());
  if (auto error = task.begin_files()) return *error;
  if (auto error = task.search()) return *error;
  task.write([&] { return report::map_tables_text(task.run(), options); },
             options.remainder ? report::cuts_text(cuts, task.run()) : std::string());
  return task.end(cuts.proved() ? Status::optimal : cuts.status);
}

}  // namespace nestor::app::cim_space
