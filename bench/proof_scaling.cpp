// Benchmark of the growth of proofs with the size of the layer and of the machine, and of the speed-up of
// proofs by additional cores.
//
//     proof_scaling factors [--svg FILE]     work and time by the number of prime factors of a layer
//     proof_scaling memories [--svg FILE]    work and time by the memory levels of a machine
//     proof_scaling cores                    long proofs: one thread compared with two, and the speed-up of 1
//                                            to 64 cores, projected from the recorded turns
//
// Factors: layers that grow to stress-720 by two prime factors at a time, on miredo-default. Memories: the
// machine six-memory without some of its buffers, on the medium-sized layer of batch-64.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "log_plot.h"
#include "mapper/cim/prove.h"
#include "proofs.h"

namespace nestor {
namespace {

using cim::CimObjective;

// Returns all objectives except the fronts and miredo-edp.
std::vector<bench::ProofObjective> objectives() {
  std::vector<bench::ProofObjective> chosen;
  for (const auto& objective : bench::proof_objectives())
    if (!objective.front && objective.name != "miredo-edp") chosen.push_back(objective);
  return chosen;
}

// Expansions of each turn of each round, which show how much of a round could run in parallel.
class Recorder final : public EngineObserver {
 public:
  void round_ended(const EngineProgress&) override {}
  void turns_taken(const std::vector<std::uint64_t>& work) override { rounds_.push_back(work); }

  // Returns the speed-up by `cores`: the total work divided by the time if each core takes the next turn as
  // soon as it is free, and each round ends with its last turn.
  double speedup(std::size_t cores) const {
    double all = 0;
    double time = 0;
    for (const auto& round : rounds_) {
      std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
      for (std::size_t i = 0; i < cores; ++i) free_at.push(0);
      double end = 0;
      for (const std::uint64_t work : round) {
        const double done = free_at.top() + static_cast<double>(work);
        free_at.pop();
        free_at.push(done);
        end = std::max(end, done);
        all += static_cast<double>(work);
      }
      time += end;
    }
    return time == 0 ? 1 : all / time;
  }

 private:
  std::vector<std::vector<std::uint64_t>> rounds_;
};

struct MeasuredProof {
  mapper::CimEngine::Outcome outcome;
  double cpu = 0;
  double wall = 0;
};

MeasuredProof prove(const LayerShape& layer, const Architecture& machine, const CimObjective& objective,
                    Executor& executor, EngineObserver* observer = nullptr) {
  bench::Limited watch(120);
  MeasuredProof proof;
  proof.outcome = mapper::prove(cim::make_problem(layer, machine, objective),
                                {executor, watch.memory, watch.stop}, {}, observer);
  proof.cpu = watch.cpu();
  proof.wall = watch.wall();
  return proof;
}

// Results of all proofs: one row per proof, and one line of the plot per objective.
class Growth {
 public:
  explicit Growth(const char* what) {
    fmt::print("# {} objective status expanded labels cpu_seconds wall_seconds\n", what);
  }
  void add(std::size_t x, const bench::ProofObjective& objective, const MeasuredProof& proof) {
    fmt::print("{} {} {} {} {} {:.3f} {:.3f}\n", x, objective.name, to_string(proof.outcome.status),
               proof.outcome.counts.expanded, proof.outcome.counts.generated, proof.cpu, proof.wall);
    std::fflush(stdout);
    lines_[objective.name].emplace_back(static_cast<double>(x), static_cast<double>(std::max<std::uint64_t>(
                                                                    1, proof.outcome.counts.generated)));
  }
  bool write(const std::string& file, const std::string& x_title) const {
    std::vector<bench::PlotLine> lines;
    lines.reserve(lines_.size());
    for (const auto& [name, points] : lines_) lines.push_back({name, points});
    const auto text = bench::LogPlot(0, 2, 0, 8).svg(x_title, "labels", lines);
    std::FILE* out = std::fopen(file.c_str(), "w");
    if (out == nullptr) return false;
    const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
    return std::fclose(out) == 0 && written;
  }

 private:
  std::map<std::string, std::vector<std::pair<double, double>>> lines_;
};

void grow_factors(Growth& growth) {
  const auto architecture = bench::or_exit(io::read_architecture("miredo-default"));
  const auto executor = make_executor(ExecutorKind::tbb, 2);
  LayerShape layer;
  std::size_t factors = 0;
  constexpr std::array<std::pair<Dim, Int>, 24> steps = {
      {{Dim::K, 2}, {Dim::C, 2}, {Dim::P, 2}, {Dim::Q, 2}, {Dim::R, 3}, {Dim::S, 3},
       {Dim::K, 2}, {Dim::C, 2}, {Dim::P, 2}, {Dim::Q, 2}, {Dim::K, 2}, {Dim::C, 2},
       {Dim::P, 3}, {Dim::Q, 3}, {Dim::K, 3}, {Dim::C, 3}, {Dim::P, 5}, {Dim::Q, 5},
       {Dim::K, 2}, {Dim::C, 2}, {Dim::K, 3}, {Dim::C, 3}, {Dim::K, 5}, {Dim::C, 5}}};
  for (const auto& [dim, factor] : steps) {
    layer.bounds[index_of(dim)] *= factor;
    if (++factors % 2 != 0) continue;
    for (const auto& objective : objectives())
      growth.add(factors, objective, prove(layer, architecture.machine, objective.objective, *executor));
  }
}

void grow_memories(Growth& growth) {
  const auto architecture = bench::or_exit(io::read_architecture("six-memory"));
  const auto network = bench::or_exit(io::read_layers("batch-64"));
  const auto executor = make_executor(ExecutorKind::tbb, 2);
  const auto& whole = architecture.machine;
  // Each machine consists of the home, the two innermost memories, and the innermost `buffers` of the other
  // memories.
  for (std::size_t buffers = 0; buffers + 3 <= whole.memories.size(); ++buffers) {
    Architecture machine = whole;
    machine.memories.clear();
    const std::size_t first = whole.memories.size() - 2 - buffers;
    for (std::size_t m = 0; m < whole.memories.size(); ++m)
      if (m == 0 || m >= first) machine.memories.push_back(whole.memories[m]);
    for (const auto& objective : objectives())
      growth.add(machine.memories.size(), objective,
                 prove(network.layers[1].shape, machine, objective.objective, *executor));
  }
}

constexpr std::array<std::size_t, 7> core_counts = {1, 2, 4, 8, 16, 32, 64};

void use_cores() {
  const auto network = bench::or_exit(io::read_layers("stress-720"));
  const auto serial = make_executor(ExecutorKind::serial, 1);
  const auto two = make_executor(ExecutorKind::tbb, 2);
  fmt::print(
      "# stress-720 on machine, objective; wall seconds; speed-up projected for 1 2 4 8 16 32 64 cores\n");
  fmt::print("# machine objective serial two_threads speedup |");
  for (const std::size_t cores : core_counts) fmt::print(" {}", cores);
  fmt::print("\n");
  for (const char* name : {"miredo-default", "miredo-table4"}) {
    const auto architecture = bench::or_exit(io::read_architecture(name));
    for (const auto& objective : objectives()) {
      const auto& layer = network.layers.front().shape;
      Recorder recorder;
      const MeasuredProof alone = prove(layer, architecture.machine, objective.objective, *serial, &recorder);
      if (alone.wall < 1) continue;  // too short to measure the gain from two threads
      const MeasuredProof pair = prove(layer, architecture.machine, objective.objective, *two);
      fmt::print("{} {} {:.2f} {:.2f} {:.2f} |", name, objective.name, alone.wall, pair.wall,
                 alone.wall / pair.wall);
      for (const std::size_t cores : core_counts) fmt::print(" {:.2f}", recorder.speedup(cores));
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const std::string svg = argc > 3 && std::string(argv[2]) == "--svg" ? argv[3] : "";
  if (what == "cores") {
    use_cores();
    return 0;
  }
  if (what != "factors" && what != "memories") {
    fmt::print(stderr, "expected: proof_scaling factors|memories [--svg FILE], or proof_scaling cores\n");
    return 2;
  }
  Growth growth(what.c_str());
  if (what == "factors")
    grow_factors(growth);
  else
    grow_memories(growth);
  if (svg.empty() || growth.write(svg, what == "factors" ? "prime factors" : "memories")) return 0;
  fmt::print(stderr, "{}: cannot be written\n", svg);
  return 3;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) { return nestor::run(argc, argv); }
