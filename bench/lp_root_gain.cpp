// Benchmark of the gain of linear-programming bounds over the per-operand tables at the root. For every
// unique layer of a network, it prints the number of spatial choices, and how many of them the tables' root
// bound leaves open (below the optimum). For a sample of the open choices, it prints the mean bounds, how
// many choices the LP bound closes before and after branching on the nesting of contents, and the programs,
// pivots and time per bound.
//
//     lp_root_gain [NETWORK, default resnet18] [ARCHITECTURE, default miredo-default] [SAMPLE, default 100]
//                  [NODES, default 200] [energy or latency (stall), default energy]
#include <fmt/format.h>

#include "model/cim/linear/relaxation.h"
#include "model/cim/space/cim_space.h"
#include "proved_layers.h"
#include "report/tables/table.h"

namespace nestor {
namespace {

constexpr double closed_at = 1 - 1e-9;  // energies are exact only to this precision
constexpr std::size_t memory_limit = std::size_t{2} << 30;

struct LayerFigures {
  std::size_t choices = 0;
  std::size_t open = 0;     // the tables' root bound is below the optimum
  std::size_t sampled = 0;  // open choices in the sample
  std::size_t closed_by_root = 0;
  std::size_t closed_by_branching = 0;
  double tables_share = 0;  // sums over the sample of bound / optimum
  double root_share = 0;
  double branched_share = 0;
  double programs = 0;
  double pivots = 0;
  double seconds = 0;
};

std::vector<std::pair<std::size_t, double>> open_choices(const cim::CimProblem& problem, double optimum,
                                                         std::size_t& count) {
  MemoryBudget memory(memory_limit);
  const auto space = cim::make_space<HostStorage>(problem, cim::Direction::outward);
  std::vector<std::pair<std::size_t, double>> open;
  count = space->branch_count();
  for (std::size_t i = 0; i < count; ++i) {
    if (space->branch_bound(i) >= optimum * closed_at) continue;
    const auto run = space->open(i, HostStorage(memory));
    if (!run || run->least_open() == no_cost) continue;
    const double bound = run->least_open();
    if (bound < optimum * closed_at) open.emplace_back(i, bound);
  }
  return open;
}

LayerFigures measure(const LayerShape& layer, const Architecture& machine, const cim::CimObjective& objective,
                     double optimum, std::size_t sample, int nodes) {
  const auto problem = cim::make_problem(layer, machine, objective);
  const auto cost = objective.kind == cim::ObjectiveKind::energy ? cim::RelaxedCost::energy
                                                                 : cim::RelaxedCost::stall_cycles;
  LayerFigures figures;
  const auto open = open_choices(problem, optimum, figures.choices);
  figures.open = open.size();
  const ChoiceList list(problem, machine, cim::RulesOf()(problem));
  const std::size_t stride = std::max<std::size_t>(1, open.size() / sample);
  for (std::size_t k = 0; k < open.size(); k += stride) {
    const auto& [choice, tables] = open[k];
    const bench::Stopwatch watch;
    const auto bound = cim::relaxed_bound(cost, layer, machine, list.spatial(choice),
                                          {.node_limit = nodes, .stop_at = optimum});
    figures.seconds += watch.cpu();
    ++figures.sampled;
    figures.closed_by_root += bound.root_cost >= optimum * closed_at ? 1 : 0;
    figures.closed_by_branching += bound.cost >= optimum * closed_at ? 1 : 0;
    figures.tables_share += tables / optimum;
    figures.root_share += std::min(1.0, bound.root_cost / optimum);
    figures.branched_share += std::min(1.0, bound.cost / optimum);
    figures.programs += bound.nodes;
    figures.pivots += static_cast<double>(bound.pivots);
  }
  return figures;
}

int run(const std::string& network_name, const std::string& machine_name, std::size_t sample, int nodes,
        cim::ObjectiveKind kind) {
  mapper::CimRequest request;
  request.objective.kind = kind;
  io::Table table({{"layer", io::Align::left},
                   {"choices"},
                   {"open at root"},
                   {"sampled"},
                   {"tables"},
                   {"LP"},
                   {"LP branched"},
                   {"LP closes"},
                   {"branched closes"},
                   {"programs"},
                   {"pivots"},
                   {"ms"}});
  const auto visit = [&](const bench::ProvedLayer& proved) {
    if (proved.map.status != Status::optimal) return;
    const auto f = measure(proved.layer.shape, proved.machine, request.objective,
                           proved.map.best.front().objective, sample, nodes);
    const auto n = static_cast<double>(std::max<std::size_t>(1, f.sampled));
    table.add_row({proved.layer.name, fmt::format("{}", f.choices), fmt::format("{}", f.open),
                   fmt::format("{}", f.sampled), fmt::format("{:.3f}", f.tables_share / n),
                   fmt::format("{:.3f}", f.root_share / n), fmt::format("{:.3f}", f.branched_share / n),
                   fmt::format("{}", f.closed_by_root), fmt::format("{}", f.closed_by_branching),
                   fmt::format("{:.0f}", f.programs / n), fmt::format("{:.0f}", f.pivots / n),
                   fmt::format("{:.1f}", 1e3 * f.seconds / n)});
  };
  bench::for_each_proved_layer(network_name, machine_name, request, visit);
  fmt::print("{} on {}, {}; bounds as shares of the optimum, means over the sample\n\n{}", network_name,
             machine_name, kind == cim::ObjectiveKind::energy ? "energy" : "latency (stall)",
             table.to_string());
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int count, char** arguments) {
  const auto argument = [&](int i, const char* fallback) { return count > i ? arguments[i] : fallback; };
  return nestor::run(argument(1, "resnet18"), argument(2, "miredo-default"),
                     nestor::bench::number_of<std::size_t>(argument(3, "100")),
                     nestor::bench::number_of<int>(argument(4, "200")),
                     std::string_view(argument(5, "energy")) == "latency"
                         ? nestor::cim::ObjectiveKind::latency
                         : nestor::cim::ObjectiveKind::energy);
}
