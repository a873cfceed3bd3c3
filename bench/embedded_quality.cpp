// Benchmark of the quality of results on a device, depending on its memory. For each size of the arena, it
// prints the numbers of layer shapes with a proof, with an optimal mapping and with any mapping, and the
// excess of the latency of these mappings over the optimum.
//
//     embedded_quality [--arch A[,B]] [--arena BYTES[,BYTES]] [--state BYTES] [--steps N] [--svg FILE]
//                      [NETWORK ...]
//
// An arena consists of the solver's state and a workspace. By default, the state has the size that it has on
// a Cortex-M with arrays for tiny-embedded. The search for a layer stops after --steps labels, even without a
// proof.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "log_plot.h"
#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"

namespace nestor {
namespace {

struct Arguments {
  std::vector<std::string> architectures = {"tiny-embedded", "miredo-default"};
  std::vector<std::string> arenas = {"20480", "32768", "65536", "131072", "262144"};
  std::vector<std::string> networks;
  std::size_t state = 17408;
  std::uint64_t steps = 300'000;
  std::string svg;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--arch")
      arguments.architectures = bench::split(value());
    else if (word == "--arena")
      arguments.arenas = bench::split(value());
    else if (word == "--state")
      arguments.state = bench::number_of<std::size_t>(value());
    else if (word == "--steps")
      arguments.steps = bench::number_of<std::uint64_t>(value());
    else if (word == "--svg")
      arguments.svg = value();
    else
      arguments.networks.push_back(word);
  }
  if (arguments.networks.empty())
    arguments.networks = {"mlperf-tiny-dscnn", "mlperf-tiny-mobilenetv1", "mlperf-tiny-resnet8",
                          "mlperf-tiny-autoencoder", "resnet18"};
  return arguments;
}

std::vector<LayerShape> shapes_of(const std::string& network_name) {
  const auto network = bench::or_exit(io::read_layers(network_name));
  std::vector<LayerShape> shapes;
  const auto unique = unique_shapes(network.layers);
  for (const auto& shape : unique->shapes) shapes.push_back(network.layers[shape.first].shape);
  return shapes;
}

struct Tally {
  std::size_t shapes = 0, proved = 0, optimal = 0, mapped = 0;
  std::uint64_t steps = 0;
  std::vector<double> excess;  // percentage by which the latency exceeds the optimum

  void add(const mapper::CimLayerMap& found, double optimum) {
    ++shapes;
    proved += static_cast<std::size_t>(found.status == Status::optimal);
    steps += found.search.counts.expanded;
    if (found.best.empty()) return;
    ++mapped;
    excess.push_back(100 * (found.best[0].objective / optimum - 1));
    optimal += static_cast<std::size_t>(found.best[0].objective <= optimum);
  }
  std::string mean() const {
    double sum = 0;
    for (const double e : excess) sum += e;
    return excess.empty() ? "-" : fmt::format("{:.2f} %", sum / static_cast<double>(excess.size()));
  }
  std::string worst() const {
    return excess.empty() ? "-" : fmt::format("{:.1f} %", *std::max_element(excess.begin(), excess.end()));
  }
};

class Table {
 public:
  explicit Table(const Arguments& arguments) : arguments_(arguments) {
    fmt::print("{:24} {:15} {:>7} {:>7} {:>7} {:>8} {:>7} {:>11} {:>12} {:>9}\n", "network", "machine",
               "arena", "shapes", "proved", "optimal", "mapped", "mean excess", "worst excess", "steps");
  }

  void add(const std::string& network, const std::string& machine_name) {
    const auto machine = bench::or_exit(io::read_architecture(machine_name));
    const auto shapes = shapes_of(network);
    std::vector<double> optima;
    for (const auto& shape : shapes) optima.push_back(map(shape, machine.machine, {}).best.at(0).objective);
    for (const auto& text : arguments_.arenas) {
      const auto arena = bench::number_of<std::size_t>(text);
      Tally tally;
      mapper::CimRequest request;
      request.work_limit = arguments_.steps;
      request.embedded_workspace = arena - std::min(arena, arguments_.state);
      for (std::size_t i = 0; i < shapes.size(); ++i)
        tally.add(map(shapes[i], machine.machine, request), optima[i]);
      fmt::print("{:24} {:15} {:>4} KiB {:>6} {:>7} {:>8} {:>7} {:>11} {:>12} {:>9}\n", network, machine_name,
                 arena >> 10U, tally.shapes, tally.proved, tally.optimal, tally.mapped, tally.mean(),
                 tally.worst(), tally.steps);
      plot(network == "resnet18" ? "ResNet-18 on " : "MLPerf Tiny on ", machine_name, arena, tally);
    }
  }

  void write_svg() const {
    if (arguments_.svg.empty()) return;
    std::vector<bench::PlotLine> lines;
    for (const auto& [name, points] : shares_) {
      bench::PlotLine& line = lines.emplace_back(bench::PlotLine{name, {}});
      for (const auto& [arena, share] : points)
        line.points.emplace_back(static_cast<double>(arena) / 1024,
                                 100 * static_cast<double>(share.first) / static_cast<double>(share.second));
    }
    const bench::LogPlot plot(1, 3, 0, 2);
    std::FILE* file = std::fopen(arguments_.svg.c_str(), "w");
    if (file == nullptr) std::exit(3);
    fmt::print(file, "{}",
               plot.svg("arena, KiB", "layer shapes without a proof, % (on the axis: none)", lines));
    std::fclose(file);
  }

 private:
  mapper::CimLayerMap map(const LayerShape& shape, const Architecture& machine,
                          const mapper::CimRequest& request) {
    return mapper::map_layer(shape, machine, request, {*executor_, memory_});
  }
  void plot(const std::string& networks, const std::string& machine, std::size_t arena, const Tally& tally) {
    auto& share = shares_[networks + machine][arena];
    share.first += tally.shapes - tally.proved;
    share.second += tally.shapes;
  }

  const Arguments& arguments_;
  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory_{std::size_t{4} << 30U};
  // For each line of the plot and each arena size: the number of unproved shapes and the number of all
  // shapes.
  std::map<std::string, std::map<std::size_t, std::pair<std::size_t, std::size_t>>> shares_;
};

void run(const Arguments& arguments) {
  Table table(arguments);
  for (const auto& network : arguments.networks)
    for (const auto& machine : arguments.architectures) table.add(network, machine);
  table.write_svg();
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) { nestor::run(nestor::parse(argc, argv)); }
