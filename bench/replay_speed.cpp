// Benchmark of the speed of replaying mappings: plain (every step is simulated; at least 10 million steps per
// second are expected) and skipping (repeated sections are simulated once and multiplied). One set has random
// legal mappings of ResNet-18's layers on miredo-table4, where tiles change only at some steps. The other set
// has random mappings on random machines, where something changes at almost every step. Both sets are the
// same in every run. `steps` and `simulated` are the machine-independent figures.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "sim/cim/replay.h"
#include "support/random_cases.h"

namespace nestor {
namespace {

struct Task {
  LayerShape layer;
  Architecture machine;
  Mapping mapping;
};

constexpr Int most_steps = 5'000'000;  // limit that keeps a plain round short

const std::vector<Task>& network_tasks() {
  static const std::vector<Task> tasks = [] {
    std::vector<Task> result;
    const auto architecture = io::read_architecture("miredo-table4").value();
    const Network network = io::read_layers("resnet18").value();
    std::uint64_t seed = 1;
    for (const Layer& layer : network.layers)
      for (const Mapping& mapping : tests::random_mappings(layer.shape, architecture, 3, seed++)) {
        Int steps = 1;
        for (const Loop& loop : mapping.loops) steps *= loop.factor;
        if (steps <= most_steps) result.push_back({layer.shape, architecture.machine, mapping});
      }
    return result;
  }();
  return tasks;
}

const std::vector<Task>& random_tasks() {
  static const std::vector<Task> tasks = [] {
    std::vector<Task> result;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const auto random = tests::random_case(seed, {.max_steps = 60'000, .max_loops = 12});
      result.push_back({random.layer, random.architecture.machine, random.mapping});
    }
    return result;
  }();
  return tasks;
}

void replay_all(benchmark::State& state, const std::vector<Task>& tasks, bool plain) {
  Int steps = 0;
  Int simulated = 0;
  for (auto _ : state) {
    steps = simulated = 0;
    for (const auto& [layer, machine, mapping] : tasks) {
      const auto result = sim::cim::replay(layer, machine, mapping, {.plain = plain});
      benchmark::DoNotOptimize(result.cycles);
      steps += result.steps;
      simulated += result.steps_simulated;
    }
  }
  state.counters["mappings"] = static_cast<double>(tasks.size());
  state.counters["steps"] = static_cast<double>(steps);
  state.counters["simulated"] = static_cast<double>(simulated);
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(replay_all, resnet18_plain, network_tasks(), true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_all, resnet18_skipping, network_tasks(), false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_all, random_machines_plain, random_tasks(), true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(replay_all, random_machines_skipping, random_tasks(), false)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace nestor

BENCHMARK_MAIN();
