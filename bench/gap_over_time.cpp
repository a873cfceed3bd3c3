// Benchmark of heuristics at equal time: `--method priority`, `sampled` and `zigzag-like`, each on one
// thread.
//   gap_over_time [--svg FILE] [--seconds S] [MACHINE [OBJECTIVE [NETWORK]]]
// For each method and time, it prints the median of the costs of all layer shapes, in per cent above the
// proved optimum, and the number of shapes without a mapping. It then prints how much longer each method
// takes to reach the cost that `--method priority` has after 10 ms. With --svg, it draws the medians against
// time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>

#include "heuristics/cim/baselines/ordered.h"
#include "heuristics/cim/baselines/sampled.h"
#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "log_plot.h"
#include "mapper/cim/map_layer.h"
#include "mapper/cim/setup.h"
#include "model/workload/unique_shapes.h"
#include "proofs.h"
#include "report/tables/table.h"

namespace nestor::bench {
namespace {

constexpr std::array<double, 9> times = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60};
constexpr std::array<const char*, 3> methods = {"priority", "sampled", "zigzag-like"};

// The costs of ever better mappings of one run, with the times at which they were found.
class Timeline {
 public:
  void note(double cost) {
    if (!(cost < least_)) return;
    least_ = cost;
    points_.emplace_back(clock_.wall(), cost);
  }
  double cost_at(double seconds) const {
    double cost = std::numeric_limits<double>::infinity();
    for (const auto& [time, found] : points_)
      if (time <= seconds) cost = found;
    return cost;
  }
  // Returns infinity if no cost is as low.
  double time_of(double cost) const {
    for (const auto& [time, found] : points_)
      if (found <= cost * (1 + 1e-9)) return time;
    return std::numeric_limits<double>::infinity();
  }

 private:
  Stopwatch clock_;
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, double>> points_;
};

class Noting final : public EngineObserver {
 public:
  explicit Noting(Timeline& run) : run_(run) {}
  void round_ended(const EngineProgress& progress) override { run_.note(progress.incumbent); }

 private:
  Timeline& run_;
};

struct ShapeRuns {
  double optimum = 0;
  std::array<Timeline, methods.size()> runs;
};

ShapeRuns run_methods(const LayerShape& layer, const Architecture& machine, mapper::CimRequest request,
                      double seconds) {
  ShapeRuns shape;
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{4} << 30U);
  const mapper::Resources resources{*executor, memory};
  request.break_ties = false;
  const auto proved = mapper::map_layer(layer, machine, request, resources);
  if (proved.status != Status::optimal) return shape;
  shape.optimum = proved.best.front().objective;

  request.method = MapMethod::priority;
  request.layer_seconds = seconds;
  shape.runs[0] = Timeline();
  Noting noting(shape.runs[0]);
  mapper::map_layer(layer, machine, request, resources, &noting);

  const auto objective = mapper::problem_of(layer, machine, request).objective;
  const auto timed = [&](Timeline& run) {
    return [&](const cim::CimEvaluation& evaluation) {
      const double cost = cim::objective_value(objective, evaluation, machine);
      run.note(cost);
      return cost;
    };
  };
  const Limited sampling(seconds);
  Timeline& sampled = shape.runs[1] = Timeline();
  baselines::sampled(layer, machine, timed(sampled),
                     {.evaluations = std::numeric_limits<int>::max(), .stop = &sampling.stop});
  const Limited ordering(seconds);
  Timeline& ordered = shape.runs[2] = Timeline();
  baselines::best_order(layer, machine, timed(ordered), {.stop = &ordering.stop});
  return shape;
}

std::string median(std::vector<double> values, const char* format) {
  std::sort(values.begin(), values.end());
  const double value = values[values.size() / 2];
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

int run(const std::string& machine_name, const std::string& objective, const std::string& network_name,
        double seconds, const std::string& svg) {
  const auto machine = or_exit(io::read_architecture(machine_name)).machine;
  const auto network = or_exit(io::read_layers(network_name));
  mapper::CimRequest request;
  for (const auto& known : proof_objectives())
    if (known.name == objective && !known.front) request.objective = known.objective;
  const auto shapes = unique_shapes(network.layers);
  std::vector<ShapeRuns> all(shapes->shapes.size());
  const auto executor = make_executor(ExecutorKind::tbb, 0);
  executor->run(all.size(), [&](std::size_t i) {
    all[i] = run_methods(network.layers[shapes->shapes[i].first].shape, machine, request, seconds);
  });
  std::erase_if(all, [](const ShapeRuns& shape) { return shape.optimum == 0; });
  fmt::print("# gap_over_time {} {} {}: median of {} shapes, per cent above the optimum\n", machine_name,
             objective, network_name, all.size());
  if (all.empty()) return 1;

  io::Table table({{"after", io::Align::left}, {"priority"}, {"sampled"}, {"zigzag-like"}, {"no mapping"}});
  std::vector<PlotLine> lines;
  for (const char* method : methods) lines.push_back({method, {}});
  for (const double time : times) {
    if (time > seconds) break;
    std::vector<std::string> row = {time < 1 ? fmt::format("{:.0f} ms", 1000 * time)
                                             : fmt::format("{:.0f} s", time)};
    std::string missing;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      std::vector<double> gaps;
      for (const auto& shape : all) gaps.push_back(100 * (shape.runs[m].cost_at(time) / shape.optimum - 1));
      row.push_back(median(gaps, "{:.1f}"));
      missing += fmt::format(
          "{}{}", m == 0 ? "" : ", ",
          std::count_if(gaps.begin(), gaps.end(), [](double gap) { return !std::isfinite(gap); }));
      std::sort(gaps.begin(), gaps.end());
      if (std::isfinite(gaps[gaps.size() / 2])) lines[m].points.emplace_back(time, gaps[gaps.size() / 2]);
    }
    row.push_back(missing);
    table.add_row(row);
  }
  fmt::print("{}", table.to_string());
  for (std::size_t m = 1; m < methods.size(); ++m) {
    std::vector<double> ratios;
    std::size_t reached = 0;
    for (const auto& shape : all) {
      const double cost = shape.runs[0].cost_at(times.front());
      ratios.push_back(shape.runs[m].time_of(cost) / shape.runs[0].time_of(cost));
      reached += static_cast<std::size_t>(std::isfinite(ratios.back()));
    }
    fmt::print("{} reaches the cost of priority after 10 ms on {} of {} shapes within {} s", methods[m],
               reached, all.size(), seconds);
    if (2 * reached > all.size()) fmt::print("; median time {} times as long", median(ratios, "{:.0f}"));
    fmt::print("\n");
  }
  if (!svg.empty())
    std::ofstream(svg) << LogPlot(-2, 2, -1, 3).svg("seconds", "per cent above the optimum (median)", lines);
  return 0;
}

}  // namespace
}  // namespace nestor::bench

int main(int count, char** arguments) {
  std::array<std::string, 3> words = {"six-memory", "stall-edp", "resnet18"};
  std::size_t word = 0;
  double seconds = 60;
  std::string svg;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--svg" && i + 1 < count)
      svg = arguments[++i];
    else if (argument == "--seconds" && i + 1 < count)
      seconds = nestor::bench::number_of<double>(arguments[++i]);
    else if (word < words.size())
      words[word++] = argument;
  }
  return nestor::bench::run(words[0], words[1], words[2], seconds, svg);
}
