// What bounds by linear programs earn in the search (--lp-bound of nestor map). For every unique layer: nodes
// and processor time to the proof without and with them at the root, and how many choices they close of those
// about to be searched; and for searches stopped early by a limit of work, the reported bound without and
// with them, as shares of the optimum. One thread; layers that are not proved within the limit only have
// shares of the best mapping known.
//
//     lp_bound_gain [--objective energy|edp] [--arch A[,B]] [--layer-limit SECONDS] [NETWORK ...]
#include <fmt/format.h>

#include <ctime>
#include <string>
#include <vector>

#include "inputs.h"
#include "io/architecture_file.h"
#include "io/layer_file.h"
#include "io/table.h"
#include "mapper/map_layer.h"
#include "model/workload/unique_shapes.h"

namespace nestor {
namespace {

constexpr std::array<std::uint64_t, 2> work_limits = {100, 10000};

struct Arguments {
  cim::ObjectiveKind objective = cim::ObjectiveKind::energy;
  std::vector<std::string> architectures = {"miredo-default", "miredo-table4"};
  std::vector<std::string> networks;
  double layer_limit = 60;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--objective")
      arguments.objective = value() == "edp" ? cim::ObjectiveKind::edp : cim::ObjectiveKind::energy;
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
  mapper::LayerMap map;
  double cpu = 0;
};

struct Setting {
  const LayerShape& layer;
  const Architecture& machine;
  const Arguments& arguments;

  Timed run(mapper::LpUse lp, std::optional<std::uint64_t> work_limit = std::nullopt) const {
    static const auto executor = make_executor(ExecutorKind::serial, 1);
    MemoryBudget memory(std::size_t{4} << 30U);
    mapper::Request request;
    request.objective.kind = arguments.objective;
    request.lp_bound = lp;
    if (work_limit)
      request.work_limit = *work_limit;
    else
      request.layer_seconds = arguments.layer_limit;
    const std::clock_t begin = std::clock();
    Timed timed{mapper::map_layer(layer, machine, request, {*executor, memory})};
    timed.cpu = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return timed;
  }
};

void measure(const std::string& network, const std::string& machine, const std::string& name,
             const Setting& setting, io::Table& table) {
  using mapper::LpUse;
  const Timed off = setting.run(LpUse::off);
  const Timed root = setting.run(LpUse::root);
  if (off.map.best.empty()) return;
  const double best = off.map.best.front().objective;
  const auto proof = [](const Timed& timed) {
    return fmt::format("{}{}", timed.map.search.counts.expanded,
                       timed.map.status == Status::optimal ? "" : " open");
  };
  std::vector<std::string> row = {network,
                                  machine,
                                  name,
                                  fmt::format("{}", off.map.search.branches),
                                  proof(off),
                                  proof(root),
                                  fmt::format("{:.3f}", off.cpu),
                                  fmt::format("{:.3f}", root.cpu)};
  for (const std::uint64_t limit : work_limits) {
    const Timed plain = setting.run(LpUse::off, limit);
    const Timed raised = setting.run(LpUse::stopped, limit);
    const auto share = [&](const Timed& timed) {
      return timed.map.bound ? fmt::format("{:.4f}", *timed.map.bound / best) : "-";
    };
    row.insert(row.end(), {share(plain), share(raised), fmt::format("{:.3f}", plain.cpu),
                           fmt::format("{:.3f}", raised.cpu)});
  }
  table.add_row(std::move(row));
}

int run(const Arguments& arguments) {
  std::vector<io::Column> columns = {{"network", io::Align::left},
                                     {"architecture", io::Align::left},
                                     {"layer", io::Align::left},
                                     {"choices"},
                                     {"nodes"},
                                     {"with LP"},
                                     {"cpu s"},
                                     {"with LP"}};
  for (const std::uint64_t limit : work_limits)
    for (const auto& title : {fmt::format("bound at {}", limit), std::string("with LP"), std::string("cpu s"),
                              std::string("with LP")})
      columns.push_back({title});
  io::Table table(std::move(columns));
  for (const auto& network_name : arguments.networks)
    for (const auto& machine_name : arguments.architectures) {
      const auto network = bench::or_exit(io::read_layers(network_name));
      const auto architecture = bench::or_exit(io::read_architecture(machine_name));
      const auto shapes = unique_shapes(network.layers);
      if (!shapes) continue;
      for (const auto& shape : shapes->shapes) {
        const Layer& layer = network.layers[shape.first];
        measure(network.name, machine_name, layer.name, {layer.shape, architecture.machine, arguments},
                table);
      }
    }
  fmt::print("{}, one thread; bounds as shares of the best cost\n\n{}",
             arguments.objective == cim::ObjectiveKind::edp ? "edp, stall" : "energy", table.to_string());
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) { return nestor::run(nestor::parse(argc, argv)); }
