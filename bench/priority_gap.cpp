// Benchmark of the gap between unproved mappings and the proved optimum: the first mapping of the search, and
// the mappings of `--method priority` after 5 and 50 ms per layer, on one thread.
//   priority_gap [--optima FILE] [--repeat N] [--each] [MACHINE,... [OBJECTIVE,... [NETWORK,...]]]
// Proving all optima takes minutes. With --optima, they are read from a file, and missing optima are added to
// the file. Times are thread times, so other programs have little influence. For each layer and time, the
// best cost of N runs is used.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>

#include "heuristics/cim/greedy_nest.h"
#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/cim/map_layer.h"
#include "mapper/cim/setup.h"
#include "model/workload/unique_shapes.h"
#include "proofs.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::bench {
namespace {

constexpr double short_time = 0.005;
constexpr double long_time = 0.05;
constexpr double proof_seconds = 20;
constexpr std::uint64_t enough_work = 25000;  // work that takes longer than `long_time`

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Cost of the best mapping after each of the two times.
class Timeline final : public EngineObserver {
 public:
  void round_ended(const EngineProgress& progress) override {
    const double seconds = thread_seconds() - begin_;
    if (seconds <= short_time) after_short = std::min(after_short, progress.incumbent);
    if (seconds <= long_time) after_long = std::min(after_long, progress.incumbent);
  }
  double after_short = std::numeric_limits<double>::infinity();
  double after_long = after_short;

 private:
  double begin_ = thread_seconds();
};

struct Settings {
  std::string optima;
  int repeat = 1;
  bool each = false;
  std::vector<std::string> lists;  // machines, objectives, networks
};

// Optima by layer. If a layer's optimum is not proved, its value is the negated cost of the best known
// mapping.
class Optima {
 public:
  explicit Optima(const std::string& path) : path_(path) {
    std::ifstream file(path);
    std::string key;
    for (double cost = 0; file >> key >> cost;) costs_[key] = cost;
  }

  double of(const std::string& key, const LayerShape& layer, const Architecture& machine,
            mapper::CimRequest request, const mapper::Resources& resources) {
    const auto known = costs_.find(key);
    if (known != costs_.end()) return known->second;
    request.layer_seconds = proof_seconds;
    const auto map = map_layer(layer, machine, request, resources);
    const double cost =
        map.best.empty() ? std::numeric_limits<double>::infinity() : map.best.front().objective;
    const double optimum = map.status == Status::optimal ? cost : -cost;
    if (!path_.empty()) std::ofstream(path_, std::ios::app) << fmt::format("{} {}\n", key, optimum);
    return costs_[key] = optimum;
  }

 private:
  std::string path_;
  std::map<std::string, double> costs_;
};

struct Gaps {
  std::vector<double> first, after_short, after_long;
  std::size_t unproved = 0;
};

void measure(const std::string& key, const LayerShape& layer, const Architecture& machine,
             mapper::CimRequest request, const mapper::Resources& resources, const Settings& settings,
             double optimum, Gaps& gaps) {
  const auto problem = mapper::problem_of(layer, machine, request);
  const auto greedy = cim::greedy_nest(problem, request.seed);
  double after_short = std::numeric_limits<double>::infinity();
  double after_long = after_short;
  request.method = MapMethod::priority;
  request.work_limit = enough_work;
  for (int i = 0; i < settings.repeat; ++i) {
    Timeline timeline;
    map_layer(layer, machine, request, resources, &timeline);
    after_short = std::min(after_short, timeline.after_short);
    after_long = std::min(after_long, timeline.after_long);
  }
  gaps.unproved += optimum < 0 ? 1U : 0U;
  const double least = std::abs(optimum);
  if (greedy) gaps.first.push_back(greedy->cost / least - 1);
  gaps.after_short.push_back(after_short / least - 1);
  gaps.after_long.push_back(after_long / least - 1);
  if (settings.each)
    fmt::print("{} {:.2f} {:.2f}\n", key, 100 * gaps.after_short.back(), 100 * gaps.after_long.back());
}

int run(const Settings& settings) {
  Optima optima(settings.optima);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{4} << 30U);
  const mapper::Resources resources{*executor, memory};
  io::Table table({{"machine", io::Align::left},
                   {"objective", io::Align::left},
                   {"shapes"},
                   {"first"},
                   {"90 %"},
                   {"worst"},
                   {"5 ms"},
                   {"90 %"},
                   {"worst"},
                   {"50 ms"},
                   {"90 %"},
                   {"worst"}});
  std::size_t unproved = 0;
  for (const auto& machine : split(settings.lists[0]))
    for (const auto& objective : proof_objectives()) {
      const auto wanted = split(settings.lists[1]);
      if (std::find(wanted.begin(), wanted.end(), objective.name) == wanted.end()) continue;
      const auto architecture = or_exit(io::read_architecture(machine));
      mapper::CimRequest request;
      request.objective = objective.objective;
      Gaps gaps;
      for (const auto& name : split(settings.lists[2])) {
        const auto network = or_exit(io::read_layers(name));
        const auto shapes = unique_shapes(network.layers);
        for (const auto& shape : shapes->shapes) {
          const Layer& layer = network.layers[shape.first];
          const auto key = machine + "/" + name + "/" + layer.name + "/" + objective.name;
          const double optimum = optima.of(key, layer.shape, architecture.machine, request, resources);
          measure(key, layer.shape, architecture.machine, request, resources, settings, optimum, gaps);
        }
      }
      std::vector<std::string> row = {machine, objective.name, fmt::format("{}", gaps.after_long.size())};
      for (const auto* list : {&gaps.first, &gaps.after_short, &gaps.after_long})
        for (const double share : {0.5, 0.9, 1.0}) row.push_back(per_cent_at(*list, share));
      table.add_row(row);
      unproved += gaps.unproved;
    }
  fmt::print("per cent above the optimum: median, 90 % and worst of all shapes\n{}", table.to_string());
  if (unproved > 0) fmt::print("{} optima are not proved: the best cost known stands for them\n", unproved);
  return 0;
}

}  // namespace
}  // namespace nestor::bench

int main(int count, char** arguments) {
  nestor::bench::Settings settings;
  settings.lists = {"miredo-table4,miredo-default,six-memory", "miredo,stall,energy,stall-edp",
                    "resnet18,resnet50,mobilenetv2,vgg16,bert-base-128,vit-b16"};
  std::size_t list = 0;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--each")
      settings.each = true;
    else if (word == "--optima" && i + 1 < count)
      settings.optima = arguments[++i];
    else if (word == "--repeat" && i + 1 < count)
      settings.repeat = nestor::bench::number_of<int>(arguments[++i]);
    else if (list < settings.lists.size())
      settings.lists[list++] = word;
  }
  return nestor::bench::run(settings);
}
