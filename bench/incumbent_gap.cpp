// Measures how good the incumbents of exact searches are before the proof is complete: per cent above the
// optimum after a fifth of the time of the proof, for each shape whose proof takes more than 50 ms.
//   incumbent_gap [--each] [MACHINE,... [OBJECTIVE,... [NETWORK,...]]]
// Times are processor times of one thread, so other programs have little influence.
#include <fmt/format.h>

#include <algorithm>

#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"
#include "proofs.h"
#include "report/tables/table.h"

namespace nestor::bench {
namespace {

constexpr double least_seconds = 0.05;
constexpr double most_seconds = 60;
constexpr double share_of_time = 0.2;

// The incumbents of a search and their times.
class Timeline final : public EngineObserver {
 public:
  void round_ended(const EngineProgress& progress) override {
    if (costs_.empty() || progress.incumbent < costs_.back().second)
      costs_.emplace_back(watch_.cpu(), progress.incumbent);
  }
  double seconds() const { return watch_.cpu(); }
  double cost_at(double seconds) const {
    double cost = no_cost;
    for (const auto& [at, incumbent] : costs_)
      if (at <= seconds) cost = incumbent;
    return cost;
  }

 private:
  Stopwatch watch_;
  std::vector<std::pair<double, double>> costs_;
};

struct Gaps {
  std::vector<double> all;
  std::size_t unproved = 0;
  double seconds = 0;
};

void measure(const std::string& key, const LayerShape& layer, const Architecture& machine,
             const mapper::CimRequest& request, const mapper::Resources& resources, bool each, Gaps& gaps) {
  Timeline timeline;
  const auto map = map_layer(layer, machine, request, resources, &timeline);
  const double seconds = timeline.seconds();
  gaps.seconds += seconds;
  if (map.status != Status::optimal || map.best.empty()) {
    ++gaps.unproved;
    return;
  }
  if (seconds < least_seconds) return;
  gaps.all.push_back(timeline.cost_at(share_of_time * seconds) / map.best.front().objective - 1);
  if (each) fmt::print("{} {:.3f} s {:.2f}\n", key, seconds, 100 * gaps.all.back());
}

int run(const std::vector<std::string>& lists, bool each) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{4} << 30U);
  const mapper::Resources resources{*executor, memory};
  io::Table table({{"machine", io::Align::left},
                   {"objective", io::Align::left},
                   {"shapes"},
                   {"median"},
                   {"90 %"},
                   {"worst"},
                   {"not proved"},
                   {"seconds of all"}});
  Gaps whole;
  for (const auto& machine : split(lists[0]))
    for (const auto& objective : proof_objectives()) {
      const auto wanted = split(lists[1]);
      if (std::find(wanted.begin(), wanted.end(), objective.name) == wanted.end()) continue;
      const auto architecture = or_exit(io::read_architecture(machine));
      mapper::CimRequest request;
      request.objective = objective.objective;
      request.break_ties = false;
      request.layer_seconds = most_seconds;
      Gaps gaps;
      for (const auto& name : split(lists[2])) {
        const auto network = or_exit(io::read_layers(name));
        const auto shapes = unique_shapes(network.layers);
        for (const auto& shape : shapes->shapes) {
          const Layer& layer = network.layers[shape.first];
          measure(machine + "/" + name + "/" + layer.name + "/" + objective.name, layer.shape,
                  architecture.machine, request, resources, each, gaps);
        }
      }
      table.add_row({machine, objective.name, fmt::format("{}", gaps.all.size()), per_cent_at(gaps.all, 0.5),
                     per_cent_at(gaps.all, 0.9), per_cent_at(gaps.all, 1), fmt::format("{}", gaps.unproved),
                     fmt::format("{:.1f}", gaps.seconds)});
      whole.all.insert(whole.all.end(), gaps.all.begin(), gaps.all.end());
    }
  fmt::print("per cent above the optimum after a fifth of the time of each proof that takes over {} ms\n{}",
             1000 * least_seconds, table.to_string());
  fmt::print("all {} shapes: median {}\n", whole.all.size(), per_cent_at(whole.all, 0.5));
  return 0;
}

}  // namespace
}  // namespace nestor::bench

int main(int count, char** arguments) {
  std::vector<std::string> lists = {"miredo-table4,miredo-default,six-memory",
                                    "miredo,stall,energy,stall-edp",
                                    "resnet18,mobilenetv2,bert-base-128,vit-b16"};
  bool each = false;
  std::size_t list = 0;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--each")
      each = true;
    else if (list < lists.size())
      lists[list++] = word;
  }
  return nestor::bench::run(lists, each);
}
