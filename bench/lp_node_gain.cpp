// Benchmark of the gain of linear-programming bounds over the search's own bounds at its nodes, for energy.
// For every unique layer, it samples nodes by random descents below spatial choices that the tables do not
// close. The search's own bound of every sampled node is below the proved optimum. It prints how many of
// these nodes the linear programs close (over all remaining choices of the memories that operands use), the
// time that the linear programs take per node, and the time to expand a node.
//
//     lp_node_gain [NETWORK, default resnet18] [ARCHITECTURE, default miredo-default] [NODES, default 200]
#include <fmt/format.h>

#include <optional>

#include "base/random.h"
#include "model/cim/linear/relaxation.h"
#include "model/cim/space/cim_space.h"
#include "proved_layers.h"
#include "report/tables/table.h"

namespace nestor {
namespace {

using Space = BranchSpace<cim::EnergyBranch, HostStorage>;
using Label = cim::EnergyBranch::Label;

constexpr std::size_t memory_limit = std::size_t{2} << 30U;
constexpr std::uint64_t deepest = 6;

struct Node {
  std::vector<Label> walk;  // labels from the root
  double bound = 0;
};

// Descends at most a random number of steps from the root, through inner nodes with a bound below the
// optimum. Returns nothing if the root has no such child.
std::optional<Node> open_node(const cim::EnergyBranch& branch, double optimum, Random& random) {
  Node node{{branch.root()}, branch.root_bound()};
  for (std::uint64_t steps = 1 + random.below(deepest); steps > 0; --steps) {
    std::vector<std::pair<Label, double>> children;
    branch.expand(node.walk.back(), no_bound, optimum, optimum, [&](const Label& child, double bound) {
      if (branch.depth(child) < branch.max_depth()) children.emplace_back(child, bound);
    });
    if (children.empty()) break;
    const auto& [label, bound] = children[random.below(children.size())];
    node.walk.push_back(label);
    node.bound = bound;
  }
  if (node.walk.size() == 1) return std::nullopt;
  return node;
}

// Returns the limits that the labels of a node impose on the contents of the memories.
cim::ContentLimits limits_of(const Node& node, const Architecture& machine, const ChoiceList& list) {
  using Use = cim::ContentLimits::Use;
  cim::ContentLimits limits;
  const auto extents_of = [&](const Label& label) {
    Extents extents{};
    for (std::size_t d = 0; d < dim_count; ++d) extents[d] = list.lattices()[d].value(label.node[d]);
    return extents;
  };
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    std::vector<std::size_t> chain;
    for (std::size_t m = 0; m < machine.memories.size(); ++m)
      if (machine.memories[m].operands.contains(operand)) chain.push_back(m);
    for (std::size_t i = 1; i < node.walk.size(); ++i) {
      const Label& parent = node.walk[i - 1];
      const std::size_t from = parent.at[x];
      const std::size_t to = node.walk[i].at[x];
      if (from == to) continue;
      const Extents inside = extents_of(parent);
      limits.content[chain[from]][x] = {Use::yes, inside, inside};
      for (std::size_t skipped = to + 1; skipped < from; ++skipped)
        limits.content[chain[skipped]][x].use = Use::no;
    }
    const std::size_t at = node.walk.back().at[x];
    for (std::size_t p = 1; p <= at; ++p) limits.content[chain[p]][x].least = extents_of(node.walk.back());
    if (at > 0) limits.content[chain[at]][x].use = Use::yes;
  }
  return limits;
}

struct Figures {
  std::size_t nodes = 0;
  std::size_t closed = 0;
  double own = 0;  // sums of bound / optimum
  double program = 0;
  double programs = 0;
  double seconds = 0;
};

Figures measure(const cim::CimProblem& problem, double optimum, std::size_t wanted) {
  Space space(problem, cim::RulesOf());
  MemoryBudget memory(memory_limit);
  Random random(1);
  Figures figures;
  for (std::size_t tries = 0; tries < 20 * wanted && figures.nodes < wanted; ++tries) {
    const std::size_t choice = random.below(space.branch_count());
    if (space.branch_bound(choice) >= optimum) continue;
    const auto run = space.open_branch(choice, HostStorage(memory));
    if (!run || run->least_open() >= optimum) continue;
    const auto node = open_node(run->branch(), optimum, random);
    if (!node) continue;
    const auto limits = limits_of(*node, problem.machine, space.choices());
    const bench::Stopwatch watch;
    const auto bound =
        cim::relaxed_bound(cim::RelaxedCost::energy, problem.layer, problem.machine,
                           space.choices().spatial(choice), {.node_limit = 0, .stop_at = optimum}, limits);
    figures.seconds += watch.cpu();
    ++figures.nodes;
    figures.closed += bound.cost >= optimum ? 1 : 0;
    figures.own += node->bound / optimum;
    figures.program += std::min(1.0, std::max(bound.cost, node->bound) / optimum);
    figures.programs += bound.nodes;
  }
  return figures;
}

int run(const std::string& network_name, const std::string& machine_name, std::size_t wanted) {
  mapper::CimRequest request;
  request.objective.kind = cim::ObjectiveKind::energy;
  io::Table table({{"layer", io::Align::left},
                   {"nodes"},
                   {"own bound"},
                   {"with LP"},
                   {"closed"},
                   {"programs"},
                   {"us"},
                   {"us a node of the search"}});
  const auto visit = [&](const bench::ProvedLayer& proved) {
    if (proved.map.status != Status::optimal) return;
    auto problem = cim::make_problem(proved.layer.shape, proved.machine, request.objective);
    problem.techniques.symmetry = false;  // labels must not exchange (P, R) and (Q, S)
    const auto f = measure(problem, proved.map.best.front().objective, wanted);
    const auto n = static_cast<double>(std::max<std::size_t>(1, f.nodes));
    table.add_row({proved.layer.name, fmt::format("{}", f.nodes), fmt::format("{:.3f}", f.own / n),
                   fmt::format("{:.3f}", f.program / n), fmt::format("{}", f.closed),
                   fmt::format("{:.1f}", f.programs / n), fmt::format("{:.0f}", 1e6 * f.seconds / n),
                   fmt::format("{:.1f}", 1e6 * proved.seconds /
                                             static_cast<double>(proved.map.search.counts.expanded))});
  };
  bench::for_each_proved_layer(network_name, machine_name, request, visit);
  fmt::print("{} on {}, energy; bounds as shares of the optimum, means over the nodes\n\n{}", network_name,
             machine_name, table.to_string());
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int count, char** arguments) {
  const auto argument = [&](int i, const char* fallback) { return count > i ? arguments[i] : fallback; };
  return nestor::run(argument(1, "resnet18"), argument(2, "miredo-default"),
                     nestor::bench::number_of<std::size_t>(argument(3, "200")));
}
