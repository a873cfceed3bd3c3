// Benchmark of the gain of linear-programming bounds in the search (--lp-bound of nestor map). For each
// network and machine, it prints sums over the unique layers:
//   choices   number of spatial choices; open: choices whose root bound from the tables is below the optimum;
//             bounded: open choices that linear programs bound, at most 32 per layer; closed: bounded choices
//             that the linear programs close
//   nodes, s  nodes and processor seconds to the proofs, without and with linear programs at every spatial
//             choice searched; a layer without a proof within the limit contributes its work so far, and is
//             reported as open
//   bound, s  bound and processor seconds of searches stopped after 100 nodes, without and with linear
//             programs on the remaining open choices; the bound is a share of the best cost, and a mean over
//             the layers
// All runs use one thread.
//
//     lp_bound_gain [--objective energy|edp|latency] [--arch A[,B]] [--layer-limit SECONDS] [NETWORK ...]
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mapper/cim/root_bounds.h"
#include "proved_layers.h"
#include "report/tables/table.h"

namespace nestor {
namespace {

constexpr std::uint64_t few_nodes = 100;
constexpr std::size_t memory_limit = std::size_t{4} << 30U;

struct Arguments {
  cim::ObjectiveKind objective = cim::ObjectiveKind::energy;
  std::vector<std::string> architectures = {"miredo-default", "miredo-table4"};
  std::vector<std::string> networks;
  double layer_limit = 60;
};

cim::ObjectiveKind objective_of(const std::string& name) {
  if (name == "edp") return cim::ObjectiveKind::edp;
  return name == "latency" ? cim::ObjectiveKind::latency : cim::ObjectiveKind::energy;
}

const char* name_of(cim::ObjectiveKind objective) {
  if (objective == cim::ObjectiveKind::edp) return "EDP (stall)";
  return objective == cim::ObjectiveKind::latency ? "latency (stall)" : "energy";
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--objective")
      arguments.objective = objective_of(value());
    else if (word == "--arch")
      arguments.architectures = bench::split(value());
    else if (word == "--layer-limit")
      arguments.layer_limit = bench::number_of<double>(value());
    else
      arguments.networks.push_back(word);
  }
  if (arguments.networks.empty()) arguments.networks = {"resnet18"};
  return arguments;
}

struct Timed {
  mapper::CimLayerMap map;
  double cpu = 0;
};

struct Setting {
  const bench::ProvedLayer& proved;
  mapper::CimRequest request;  // without limits
  double seconds;
  std::unique_ptr<Executor> executor = make_executor(ExecutorKind::serial, 1);

  mapper::RootBounds root_bounds() const {
    MemoryBudget memory(memory_limit);
    return mapper::root_bounds(proved.layer.shape, proved.machine, request, {*executor, memory},
                               proved.map.best.front().objective);
  }

  // Runs the search within `work_limit` if it is given, and otherwise within the time limit.
  Timed run(cim::LpUse lp, std::optional<std::uint64_t> work_limit = std::nullopt) const {
    MemoryBudget memory(memory_limit);
    mapper::CimRequest limited = request;
    limited.lp_bound = lp;
    if (work_limit)
      limited.work_limit = *work_limit;
    else
      limited.layer_seconds = seconds;
    const bench::Stopwatch watch;
    Timed timed{mapper::map_layer(proved.layer.shape, proved.machine, limited, {*executor, memory})};
    timed.cpu = watch.cpu();
    return timed;
  }
};

struct Totals {
  std::size_t layers = 0;
  std::size_t choices = 0;
  std::size_t open = 0;
  std::size_t bounded = 0;  // choices bounded by linear programs
  std::size_t closed = 0;
  std::uint64_t nodes = 0;
  std::uint64_t nodes_with = 0;
  std::size_t unproved = 0;
  std::size_t unproved_with = 0;
  double seconds = 0;
  double seconds_with = 0;
  double share = 0;
  double share_with = 0;
  double stopped = 0;  // processor seconds of the searches stopped after `few_nodes` nodes
  double stopped_with = 0;
};

void measure(const Setting& setting, Totals& totals) {
  using cim::LpUse;
  const bench::ProvedLayer& off = setting.proved;
  const Timed root = setting.run(LpUse::root);
  const double best = off.map.best.front().objective;
  ++totals.layers;
  totals.nodes += off.map.search.counts.expanded;
  totals.nodes_with += root.map.search.counts.expanded;
  totals.unproved += off.map.status == Status::optimal ? 0 : 1;
  totals.unproved_with += root.map.status == Status::optimal ? 0 : 1;
  totals.seconds += off.seconds;
  totals.seconds_with += root.cpu;
  const auto bounds = setting.root_bounds();
  totals.choices += bounds.choices;
  totals.open += bounds.tables.choices - bounds.tables.closed;
  totals.bounded += bounds.programs.choices;
  totals.closed += bounds.programs.closed;
  const Timed plain = setting.run(LpUse::off, few_nodes);
  const Timed raised = setting.run(LpUse::stopped, few_nodes);
  totals.share += plain.map.bound.value_or(0) / best;
  totals.share_with += raised.map.bound.value_or(0) / best;
  totals.stopped += plain.cpu;
  totals.stopped_with += raised.cpu;
}

int run(const Arguments& arguments) {
  io::Table table({{"network", io::Align::left},
                   {"machine", io::Align::left},
                   {"layers"},
                   {"choices"},
                   {"open"},
                   {"bounded"},
                   {"closed"},
                   {"nodes"},
                   {"with LP"},
                   {"s"},
                   {"with LP"},
                   {"bound"},
                   {"with LP"},
                   {"s"},
                   {"with LP"}});
  mapper::CimRequest request;
  request.objective.kind = arguments.objective;
  mapper::CimRequest limited = request;
  limited.layer_seconds = arguments.layer_limit;
  const auto proof = [](std::uint64_t nodes, std::size_t unproved) {
    return fmt::format("{}{}", nodes, unproved == 0 ? "" : fmt::format(", {} open", unproved));
  };
  for (const auto& network_name : arguments.networks)
    for (const auto& machine_name : arguments.architectures) {
      Totals totals;
      bench::for_each_proved_layer(network_name, machine_name, limited,
                                   [&](const bench::ProvedLayer& proved) {
                                     measure({proved, request, arguments.layer_limit}, totals);
                                   });
      const auto layers = static_cast<double>(std::max<std::size_t>(1, totals.layers));
      table.add_row({network_name, machine_name, fmt::format("{}", totals.layers),
                     fmt::format("{}", totals.choices), fmt::format("{}", totals.open),
                     fmt::format("{}", totals.bounded), fmt::format("{}", totals.closed),
                     proof(totals.nodes, totals.unproved), proof(totals.nodes_with, totals.unproved_with),
                     fmt::format("{:.2f}", totals.seconds), fmt::format("{:.2f}", totals.seconds_with),
                     fmt::format("{:.4f}", totals.share / layers),
                     fmt::format("{:.4f}", totals.share_with / layers), fmt::format("{:.2f}", totals.stopped),
                     fmt::format("{:.2f}", totals.stopped_with)});
    }
  fmt::print("{}, one thread, {:g} s a layer\n\n{}", name_of(arguments.objective), arguments.layer_limit,
             table.to_string());
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) { return nestor::run(nestor::parse(argc, argv)); }
