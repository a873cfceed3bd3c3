// Benchmark of the proof times of networks' layers on a PIM machine, and of the gain from making all
// decisions together.
//
//   pim_layers [--joint | --fix-bypass] [--energy] [--arch NAME] NETWORK...
//
// For each network, it prints the number of distinct layer shapes, the number of proved shapes, expansions,
// and processor seconds: total, median and slowest, with at most 20 seconds per layer. (Two threads share the
// work of a layer, and processor time counts both.) It also prints the distance of the first mappings from
// the best known mappings. With --joint, it instead prints the total latency and the total energy of the
// layers if one kind of decision is excluded, relative to the search over all decisions. With --fix-bypass,
// it instead maps all layers with one bypass table. With --energy, it minimises energy instead of latency.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "io/layer_file.h"
#include "io/pim/machine_file.h"
#include "mapper/pim/one_table.h"
#include "model/workload/unique_shapes.h"

namespace {

using namespace nestor;
namespace mapping = mapper::pim;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<Layer> shapes_of(const std::string& name) {
  const auto network = io::read_layers(name);
  if (!network) {
    fmt::print(stderr, "{}\n", network.error().to_string());
    std::exit(2);
  }
  const auto shapes = unique_shapes(network->layers);
  std::vector<Layer> layers;
  for (std::size_t s = 0; s < shapes->shapes.size(); ++s) {
    layers.push_back(network->layers[shapes->shapes[s].first]);
    layers.back().repeat = shapes->shapes[s].repeat;
  }
  return layers;
}

class Bench {
 public:
  Bench(const pim::PimMachine& machine, pim::ObjectiveKind objective) : machine_(machine) {
    request_.objective.kind = objective;
  }

  void speed(const std::string& network) {
    std::vector<double> seconds;
    std::uint64_t expanded = 0;
    std::size_t proved = 0;
    std::size_t optimal_at_once = 0;
    double distance = 0;
    std::string slowest;
    request_.layer_seconds = 20;
    for (const Layer& layer : shapes_of(network)) {
      const double begin = processor_seconds();
      const auto map = mapping::map_layer(layer.shape, machine_, request_, resources_);
      const double taken = processor_seconds() - begin;
      if (seconds.empty() || taken > *std::max_element(seconds.begin(), seconds.end())) slowest = layer.name;
      seconds.push_back(taken);
      expanded += map.search.counts.expanded;
      proved += static_cast<std::size_t>(map.status == Status::optimal);
      const auto& incumbents = map.search.incumbents;
      const double first = incumbents.empty() ? no_cost : incumbents.front().objective;
      const double off = map.best.empty() ? 0 : first / map.best.front().objective - 1;
      optimal_at_once += static_cast<std::size_t>(off < 1e-9);
      distance += off;
      if (map.status != Status::optimal)
        fmt::print("  {} not proved: {}\n", layer.name, to_string(map.status));
    }
    std::sort(seconds.begin(), seconds.end());
    double sum = 0;
    for (const double taken : seconds) sum += taken;
    fmt::print(
        "{:<16} {:>3} shapes, {:>3} proved, {:>9} expansions, {:.3f} s in all, median {:.4f} s, slowest "
        "{:.3f} s ({})\n                 first mappings: {} the best, {:.1f} % off on average\n",
        network, seconds.size(), proved, expanded, sum, seconds[seconds.size() / 2], seconds.back(), slowest,
        optimal_at_once, 100 * distance / static_cast<double>(seconds.size()));
  }

  void one_table(const std::string& network) {
    const auto layers = shapes_of(network);
    const double begin = processor_seconds();
    const auto shapes = unique_shapes(layers);
    const auto map = mapping::map_with_one_table(layers, shapes->shapes, machine_, request_, resources_);
    std::uint64_t expanded = 0;
    for (const auto& layer : map.shapes) expanded += layer.search.counts.expanded;
    fmt::print(
        "{:<16} one bypass table: {}, {:.6g} {}, {} tables, {} searches, {} expansions under it, {:.3f} s\n",
        network, to_string(map.status), map.bound,
        request_.objective.kind == pim::ObjectiveKind::energy ? "pJ" : "cycles", map.tables, map.searches,
        expanded, processor_seconds() - begin);
  }

  void joint(const std::string& network) {
    const auto layers = shapes_of(network);
    fmt::print("{}: sum over layers, times their repeats\n", network);
    for (const auto kind : {pim::ObjectiveKind::latency, pim::ObjectiveKind::energy}) {
      request_.objective.kind = kind;
      pim::PimMachine uneven = machine_;
      uneven.blocks = pim::BlockRule::uneven;
      const auto all = total(layers, uneven, pim::all_layouts, {});
      const auto line = [&](const char* what, double cost) {
        fmt::print("  {:<8} {:<34} {:.6g}  {:.3f} of all on\n",
                   kind == pim::ObjectiveKind::latency ? "cycles" : "pJ", what, cost, cost / all);
      };
      line("all on", all);
      line("blocks even", total(layers, machine_, pim::all_layouts, {}));
      line("layouts sequential", total(layers, uneven, pim::LayoutSet::of(pim::LayoutKind::sequential), {}));
      line("nothing stored between", total(layers, uneven, pim::all_layouts, no_stores()));
      line("activations left out of the search", blind(layers, uneven));
    }
  }

 private:
  Constraints no_stores() const {
    Constraints constraints;
    for (std::size_t m = 0; m < machine_.memories.size(); ++m)
      for (const Operand operand : all_operands)
        if (machine_.memories[m].operands.contains(operand) && m != machine_.home(operand) &&
            m != machine_.innermost(operand))
          constraints.must_not_use[m].insert(operand);
    return constraints;
  }

  double total(const std::vector<Layer>& layers, const pim::PimMachine& machine, pim::LayoutSet layouts,
               const Constraints& constraints) {
    mapping::PimRequest request = request_;
    request.layouts = layouts;
    request.constraints = constraints;
    request.layer_seconds = 30;
    double sum = 0;
    for (const Layer& layer : layers) {
      const auto map = mapping::map_layer(layer.shape, machine, request, resources_);
      sum += static_cast<double>(layer.repeat) * (map.best.empty() ? no_cost : map.best.front().objective);
    }
    return sum;
  }

  // Optimises on a machine whose rows open at no cost, then adds their cost.
  double blind(const std::vector<Layer>& layers, const pim::PimMachine& machine) {
    pim::PimMachine free_rows = machine;
    for (Memory& memory : free_rows.memories) {
      memory.activation_cycles = 0;
      memory.activation_energy = 0;
    }
    mapping::PimRequest request = request_;
    request.layer_seconds = 30;
    pim::RowCounter rows;
    double sum = 0;
    for (const Layer& layer : layers) {
      const auto map = mapping::map_layer(layer.shape, free_rows, request, resources_);
      if (map.best.empty()) return no_cost;
      auto found = map.best.front().mapping;
      found.layouts = {};
      const auto evaluation = pim::evaluate(layer.shape, machine, found, rows);
      sum += static_cast<double>(layer.repeat) * pim::objective_value(request.objective, evaluation);
    }
    return sum;
  }

  pim::PimMachine machine_;
  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::tbb, 2);
  MemoryBudget memory_{std::size_t{2} << 30U};
  mapping::Resources resources_{*executor_, memory_};
  mapping::PimRequest request_;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace nestor;
  std::string arch = "pim-default";
  bool joint = false;
  bool one_table = false;
  auto objective = pim::ObjectiveKind::latency;
  std::vector<std::string> networks;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--joint")
      joint = true;
    else if (word == "--fix-bypass")
      one_table = true;
    else if (word == "--energy")
      objective = pim::ObjectiveKind::energy;
    else if (word == "--arch" && i + 1 < argc)
      arch = argv[++i];
    else
      networks.push_back(word);
  }
  if (networks.empty()) networks = {"resnet50", "vgg16", "mobilenetv2", "bert-base-128"};
  const auto machine = nestor::io::pim::read_machine(arch);
  if (!machine) {
    fmt::print(stderr, "{}\n", machine.error().to_string());
    return 2;
  }
  Bench bench(machine->machine, objective);
  for (const auto& network : networks)
    if (joint)
      bench.joint(network);
    else if (one_table)
      bench.one_table(network);
    else
      bench.speed(network);
  return 0;
}
