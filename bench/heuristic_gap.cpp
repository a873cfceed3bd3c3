// Benchmark of the first incumbents alone: the distance of greedy_nest's mappings from the proved optimum, on
// every layer shape of five networks. The benchmark fails if a mapping is missing or a median gap is 100 % or
// more. A broken heuristic would otherwise go unnoticed, because the search compensates for it.
//   heuristic_gap [ARCH [OBJECTIVE...]]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "heuristics/cim/greedy_nest.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/cim/map_layer.h"
#include "mapper/loopnest/map_network.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor {
namespace {

struct Gaps {
  std::vector<double> all;
  double microseconds = 0;
  int missing = 0;

  double at(double share) {
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
  }
};

Gaps measure(const Network& network, const Architecture& machine, const mapper::CimRequest& request) {
  const auto shapes = unique_shapes(network.layers);
  const auto executor = make_executor(ExecutorKind::tbb, 0);
  MemoryBudget memory(std::size_t{8} << 30U);
  const auto maps =
      mapper::map_network(network.layers, shapes->shapes, machine, request, {*executor, memory});
  Gaps gaps;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (maps[i].status != Status::optimal) continue;
    const auto begin = std::chrono::steady_clock::now();
    const auto found = cim::greedy_nest(
        cim::make_problem(network.layers[shapes->shapes[i].first].shape, machine, request.objective),
        request.seed);
    gaps.microseconds +=
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    if (!found) {
      ++gaps.missing;
      continue;
    }
    gaps.all.push_back(found->cost / maps[i].best.front().objective - 1);
  }
  return gaps;
}

int run(const std::string& arch, const std::vector<std::string>& objectives) {
  const auto architecture = io::read_architecture(arch).value();
  io::Table table({{"network", io::Align::left},
                   {"objective", io::Align::left},
                   {"shapes"},
                   {"median gap"},
                   {"90 %"},
                   {"worst"},
                   {"no mapping"},
                   {"time each"}});
  double worst_median = 0;
  int missing = 0;
  for (const char* name : {"resnet18", "resnet50", "mobilenetv2", "vgg16", "bert-base-128"})
    for (const auto& objective : objectives) {
      mapper::CimRequest request;
      request.objective.kind = objective == "energy" ? cim::ObjectiveKind::energy
                               : objective == "edp"  ? cim::ObjectiveKind::edp
                                                     : cim::ObjectiveKind::latency;
      auto gaps = measure(io::read_layers(name).value(), architecture.machine, request);
      table.add_row(
          {name, objective, fmt::format("{}", gaps.all.size()), io::percent_text(gaps.at(0.5)),
           io::percent_text(gaps.at(0.9)), io::percent_text(gaps.at(1)), fmt::format("{}", gaps.missing),
           fmt::format("{:.0f} us",
                       gaps.microseconds / static_cast<double>(std::max<std::size_t>(1, gaps.all.size())))});
      worst_median = std::max(worst_median, gaps.at(0.5));
      missing += gaps.missing;
    }
  std::fputs(table.to_string().c_str(), stdout);
  constexpr double bar = 1.0;
  return missing == 0 && worst_median < bar ? 0 : 1;
}

}  // namespace
}  // namespace nestor

int main(int count, char** arguments) {
  std::vector<std::string> objectives(arguments + std::min(count, 2), arguments + count);
  if (objectives.empty()) objectives = {"latency", "energy", "edp"};
  return nestor::run(count > 1 ? arguments[1] : "miredo-table4", objectives);
}
