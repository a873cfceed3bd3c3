// SPDX-License-Identifier: Apache-2.0
// Prints the lines that the firmware must print, as computed by `nestor map --profile embedded`, and compares
// them with the desktop search. A cost that is reported as optimal must equal that of the desktop search. If
// memory or steps ran out, the optimum must be between the bound and the cost.
//     firmware_expected CASES...      status 1 if a check fails
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bindings/c/firmware/report.h"
#include "firmware/cases.h"
#include "mapper/cim/map_layer.h"

namespace nestor::tests {
namespace {

void put(const char* text) { std::fputs(text, stdout); }

nestor_mapping in_c(const Mapping& mapping) {
  nestor_mapping result{};
  for (std::size_t a = 0; a < max_axes; ++a)
    for (std::size_t d = 0; d < dim_count; ++d) result.spatial[a][d] = mapping.spatial[a][d];
  result.loop_count = static_cast<std::uint32_t>(mapping.loops.size());
  for (std::size_t i = 0; i < mapping.loops.size(); ++i) {
    result.loops[i].dim = static_cast<std::uint8_t>(mapping.loops[i].dim);
    for (std::size_t x = 0; x < operand_count; ++x) result.loops[i].at[x] = mapping.loops[i].at[x];
    result.loops[i].factor = mapping.loops[i].factor;
  }
  for (std::size_t m = 0; m < max_memories; ++m)
    result.double_buffered[m] = mapping.double_buffered[m].bits();
  return result;
}

double cost_of(const mapper::CimLayerMap& map) { return map.best.empty() ? no_cost : map.best[0].objective; }

bool agrees(const mapper::CimLayerMap& device, const mapper::CimLayerMap& desktop) {
  const double found = cost_of(device);
  const double optimum = cost_of(desktop);
  const double tolerance = optimum < no_cost ? 1e-9 * std::abs(optimum) : 0;
  if (device.fault != mapper::Fault::none || desktop.fault != mapper::Fault::none) return false;
  if (device.status == Status::optimal || device.status == Status::infeasible)
    return found == optimum || std::abs(found - optimum) <= tolerance;
  return (!device.bound || *device.bound <= optimum + tolerance) && found >= optimum - tolerance;
}

// Numbers of layers by outcome, printed to show the coverage.
struct Coverage {
  std::size_t layers = 0, proved = 0, short_of_memory = 0, short_of_steps = 0, wrong = 0;
};

void map_case(const FirmwareCase& c, const mapper::Resources& resources, Coverage& coverage) {
  fmt::print("network {}\n", c.name);
  std::fflush(stdout);
  for (const Layer& layer : c.layers) {
    mapper::CimRequest request;
    request.objective = c.objective;
    auto on_device = request;
    on_device.embedded_workspace = c.workspace;
    if (c.steps > 0) on_device.work_limit = c.steps;
    const auto device = mapper::map_layer(layer.shape, c.machine, on_device, resources);
    const bool found = !device.best.empty();
    const auto mapping = found ? in_c(device.best[0].mapping) : nestor_mapping{};
    report_layer(put, layer.name.c_str(), to_string(device.status), found ? &mapping : nullptr,
                 found ? report_cost(device.best[0].objective) : 0, device.search.counts.expanded);
    ++coverage.layers;
    coverage.proved += static_cast<std::size_t>(device.status == Status::optimal);
    coverage.short_of_memory += static_cast<std::size_t>(device.status == Status::memory_limit);
    coverage.short_of_steps += static_cast<std::size_t>(device.status == Status::work_limit);
    if (!c.compared) continue;
    const auto desktop = mapper::map_layer(layer.shape, c.machine, request, resources);
    if (agrees(device, desktop)) continue;
    ++coverage.wrong;
    fmt::print(stderr, "{} {}: {} against the desktop's {}\n", c.name, layer.name, cost_of(device),
               cost_of(desktop));
  }
}

int run(int argc, char** argv) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  Coverage coverage;
  for (const FirmwareCase& c : firmware_cases(argc, argv)) map_case(c, {*executor, memory}, coverage);
  fmt::print(stderr, "{} layers: {} proved, {} short of memory, {} of steps, {} unlike the desktop's\n",
             coverage.layers, coverage.proved, coverage.short_of_memory, coverage.short_of_steps,
             coverage.wrong);
  return coverage.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nestor::tests

int main(int argc, char** argv) { return nestor::tests::run(argc, argv); }
