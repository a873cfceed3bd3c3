// Benchmark of the gap between unproved mappings and the proved optimum: the first mapping of the search, and
// the mappings of `--method priority` after 5 and 50 ms per layer, on one thread. A machine whose name begins
// with "pim" is a PIM machine; its objectives are latency, energy and edp.
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
#include "io/pim/machine_file.h"
#include "mapper/cim/map_layer.h"
#include "mapper/cim/setup.h"
#include "mapper/pim/map_layer.h"
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
constexpr double enough_seconds = 0.5;        // wall-clock time in which a thread runs for `long_time`

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

struct OnCim {
  using Request = mapper::CimRequest;
  static Architecture machine(const std::string& name) {
    return or_exit(io::read_architecture(name)).machine;
  }
  static std::optional<Request> request(const std::string& objective) {
    for (const auto& known : proof_objectives()) {
      if (known.name != objective) continue;
      Request request;
      request.objective = known.objective;
      return request;
    }
    return std::nullopt;
  }
  static auto map(const LayerShape& layer, const Architecture& machine, const Request& request,
                  const mapper::Resources& resources, EngineObserver* observer = nullptr) {
    return mapper::map_layer(layer, machine, request, resources, observer);
  }
  static std::optional<double> first(const LayerShape& layer, const Architecture& machine,
                                     const Request& request, const mapper::Resources& /*resources*/) {
    const auto greedy = cim::greedy_nest(mapper::problem_of(layer, machine, request), request.seed);
    if (!greedy) return std::nullopt;
    return greedy->cost;
  }
};

struct OnPim {
  using Request = mapper::pim::PimRequest;
  static pim::PimMachine machine(const std::string& name) {
    return or_exit(io::pim::read_machine(name)).machine;
  }
  static std::optional<Request> request(const std::string& objective) {
    Request request;
    if (objective == "latency")
      request.objective.kind = ObjectiveKind::latency;
    else if (objective == "energy")
      request.objective.kind = ObjectiveKind::energy;
    else if (objective == "edp")
      request.objective.kind = ObjectiveKind::edp;
    else
      return std::nullopt;
    return request;
  }
  static auto map(const LayerShape& layer, const pim::PimMachine& machine, const Request& request,
                  const mapper::Resources& resources, EngineObserver* observer = nullptr) {
    return mapper::pim::map_layer(layer, machine, request, resources, observer);
  }
  // The exact search finds its first mapping before its first unit of work.
  static std::optional<double> first(const LayerShape& layer, const pim::PimMachine& machine, Request request,
                                     const mapper::Resources& resources) {
    request.work_limit = 1;
    request.break_ties = false;
    const auto found = map(layer, machine, request, resources);
    if (found.search.incumbents.empty()) return std::nullopt;
    return found.search.incumbents.front().objective;
  }
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

  template <typename Space, typename Machine>
  double of(const std::string& key, const LayerShape& layer, const Machine& machine,
            typename Space::Request request, const mapper::Resources& resources) {
    const auto known = costs_.find(key);
    if (known != costs_.end()) return known->second;
    request.layer_seconds = proof_seconds;
    request.break_ties = false;
    const auto map = Space::map(layer, machine, request, resources);
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

template <typename Space, typename Machine>
void measure(const std::string& key, const LayerShape& layer, const Machine& machine,
             typename Space::Request request, const mapper::Resources& resources, const Settings& settings,
             double optimum, Gaps& gaps) {
  const auto first = Space::first(layer, machine, request, resources);
  double after_short = std::numeric_limits<double>::infinity();
  double after_long = after_short;
  request.method = MapMethod::priority;
  request.work_limit = enough_work;
  request.layer_seconds = enough_seconds;
  for (int i = 0; i < settings.repeat; ++i) {
    Timeline timeline;
    Space::map(layer, machine, request, resources, &timeline);
    after_short = std::min(after_short, timeline.after_short);
    after_long = std::min(after_long, timeline.after_long);
  }
  gaps.unproved += optimum < 0 ? 1U : 0U;
  const double least = std::abs(optimum);
  if (first) gaps.first.push_back(*first / least - 1);
  gaps.after_short.push_back(after_short / least - 1);
  gaps.after_long.push_back(after_long / least - 1);
  if (settings.each)
    fmt::print("{} {:.2f} {:.2f}\n", key, 100 * gaps.after_short.back(), 100 * gaps.after_long.back());
}

template <typename Space>
std::optional<Gaps> gaps_of(const std::string& machine, const std::string& objective,
                            const Settings& settings, const mapper::Resources& resources, Optima& optima) {
  const auto request = Space::request(objective);
  if (!request) return std::nullopt;
  const auto read = Space::machine(machine);
  Gaps gaps;
  for (const auto& name : split(settings.lists[2])) {
    const auto network = or_exit(io::read_layers(name));
    const auto shapes = unique_shapes(network.layers);
    for (const auto& shape : shapes->shapes) {
      const Layer& layer = network.layers[shape.first];
      const auto key = machine + "/" + name + "/" + layer.name + "/" + objective;
      const double optimum = optima.of<Space>(key, layer.shape, read, *request, resources);
      measure<Space>(key, layer.shape, read, *request, resources, settings, optimum, gaps);
    }
  }
  return gaps;
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
    for (const auto& objective : split(settings.lists[1])) {
      const auto gaps = machine.starts_with("pim")
                            ? gaps_of<OnPim>(machine, objective, settings, resources, optima)
                            : gaps_of<OnCim>(machine, objective, settings, resources, optima);
      if (!gaps) continue;
      std::vector<std::string> row = {machine, objective, fmt::format("{}", gaps->after_long.size())};
      for (const auto* list : {&gaps->first, &gaps->after_short, &gaps->after_long})
        for (const double share : {0.5, 0.9, 1.0}) row.push_back(per_cent_at(*list, share));
      table.add_row(row);
      unproved += gaps->unproved;
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
