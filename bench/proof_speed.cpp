// Benchmark of the proof times of networks: every unique layer of each network, per architecture and
// objective. Machine-independent figures come first (expansions, labels), then processor and wall time.
//
//     proof_speed [--threads N] [--arch A[,B]] [--objective O[,P]] [--layer-limit SECONDS] [--layers]
//                 [--without TECHNIQUE[,...]] [NETWORK ...]
//
// Objectives: miredo, stall (latency), energy, miredo-edp, stall-edp, miredo-front, stall-front (the whole
// latency-energy front; "proved" then counts complete fronts). Techniques: stream, transfers, additive,
// symmetry, trades, dominance, or each (the ablation: one table with all techniques, then one per disabled
// technique).
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/cim/prove.h"
#include "model/workload/unique_shapes.h"
#include "proofs.h"
#include "report/tables/table.h"

namespace nestor {
namespace {

using cim::CimObjective;

struct Arguments {
  int threads = 1;
  double layer_limit = 60;
  bool per_layer = false;
  std::vector<std::string> architectures = {"miredo-default", "miredo-table4"};
  std::vector<std::string> objectives = {"miredo", "stall", "energy", "miredo-edp", "stall-edp"};
  std::vector<std::string> networks;
  std::vector<std::string> without = {""};
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--threads")
      arguments.threads = bench::number_of<int>(value());
    else if (word == "--arch")
      arguments.architectures = bench::split(value());
    else if (word == "--objective")
      arguments.objectives = bench::split(value());
    else if (word == "--layer-limit")
      arguments.layer_limit = bench::number_of<double>(value());
    else if (word == "--without")
      arguments.without = bench::split(value());
    else if (word == "--layers")
      arguments.per_layer = true;
    else
      arguments.networks.push_back(word);
  }
  if (arguments.without == std::vector<std::string>{"each"})
    arguments.without = {"", "stream", "transfers", "additive", "symmetry", "trades", "dominance"};
  if (arguments.networks.empty()) arguments.networks = {"resnet18"};
  return arguments;
}

struct Solved {
  mapper::CimEngine::Outcome outcome;
  double cpu = 0;
  double wall = 0;
};

// Technique that the ablation disables in every problem.
std::string& left_out() {
  static std::string technique;
  return technique;
}

cim::CimProblem problem_of(const LayerShape& shape, const Architecture& machine,
                           const CimObjective& objective) {
  cim::CimProblem problem = cim::make_problem(shape, machine, objective);
  const std::string& out = left_out();
  problem.techniques = {.stream = out != "stream",
                        .transfers = out != "transfers",
                        .additive = out != "additive",
                        .symmetry = out != "symmetry",
                        .trades = out != "trades"};
  return problem;
}

EngineOptions engine_options() { return {.dominance = left_out() != "dominance"}; }

Solved solve(const cim::CimProblem& problem, Executor& executor, double limit) {
  bench::Limited watch(limit);
  Solved solved;
  solved.outcome = mapper::prove(problem, {executor, watch.memory, watch.stop}, engine_options());
  solved.cpu = watch.cpu();
  solved.wall = watch.wall();
  return solved;
}

Solved solve_front(const cim::CimProblem& problem, Executor& executor, double limit) {
  bench::Limited watch(limit);
  Solved solved;
  solved.outcome =
      mapper::prove_front(problem, {executor, watch.memory, watch.stop}, engine_options()).outcome;
  solved.cpu = watch.cpu();
  solved.wall = watch.wall();
  return solved;
}

void run_network(const Network& network, const NamedArchitecture& architecture,
                 const bench::ProofObjective& objective, Executor& executor, const Arguments& arguments,
                 io::Table& table) {
  const auto shapes = unique_shapes(network.layers);
  if (!shapes) return;
  SearchCounts counts;
  double cpu = 0;
  double wall = 0;
  std::vector<double> times;
  std::size_t proved = 0;
  for (const UniqueShape& unique : shapes->shapes) {
    const Layer& layer = network.layers[unique.first];
    const auto problem = problem_of(layer.shape, architecture.machine, objective.objective);
    const Solved solved = objective.front ? solve_front(problem, executor, arguments.layer_limit)
                                          : solve(problem, executor, arguments.layer_limit);
    counts.add(solved.outcome.counts);
    cpu += solved.cpu;
    wall += solved.wall;
    times.push_back(solved.wall);
    proved += static_cast<std::size_t>(solved.outcome.status == Status::optimal);
    if (arguments.per_layer)
      fmt::print("  {:24} {:12} {:.10g} bound {:.10g} branches {}/{} expanded {} labels {} cpu {:.4f} s\n",
                 layer.name, to_string(solved.outcome.status),
                 solved.outcome.best.empty() ? 0.0 : solved.outcome.best.front().cost, solved.outcome.bound,
                 solved.outcome.branches_opened, solved.outcome.branches, solved.outcome.counts.expanded,
                 solved.outcome.counts.generated, solved.cpu);
  }
  std::sort(times.begin(), times.end());
  table.add_row({network.name, architecture.name, objective.name, fmt::format("{}/{}", proved, times.size()),
                 std::to_string(counts.expanded), std::to_string(counts.generated),
                 fmt::format("{:.3f}", cpu), fmt::format("{:.3f}", wall),
                 fmt::format("{:.4f}", times[times.size() / 2]), fmt::format("{:.4f}", times.back())});
}

int run_all(const Arguments& arguments) {
  io::Table table({{"network", io::Align::left},
                   {"architecture", io::Align::left},
                   {"objective", io::Align::left},
                   {"proved"},
                   {"expanded"},
                   {"labels"},
                   {"cpu s"},
                   {"wall s"},
                   {"median s"},
                   {"worst s"}});
  const auto executor = make_executor(ExecutorKind::tbb, arguments.threads);
  for (const auto& network_name : arguments.networks)
    for (const auto& architecture_name : arguments.architectures) {
      const auto network = bench::or_exit(io::read_layers(network_name));
      const auto architecture = bench::or_exit(io::read_architecture(architecture_name));
      for (const auto& objective : bench::proof_objectives())
        if (std::find(arguments.objectives.begin(), arguments.objectives.end(), objective.name) !=
            arguments.objectives.end())
          run_network(network, architecture, objective, *executor, arguments, table);
    }
  fmt::print("{}", table.to_string());
  return 0;
}

int run(const Arguments& arguments) {
  for (const std::string& technique : arguments.without) {
    left_out() = technique;
    if (!technique.empty()) fmt::print("without {}\n", technique);
    if (const int status = run_all(arguments); status != 0) return status;
  }
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) { return nestor::run(nestor::parse(argc, argv)); }
