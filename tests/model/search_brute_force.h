// Helpers of the tests that compare the search with brute force: tiny cases, their enumeration and the result
// of the engine.
#pragma once

#include <functional>
#include <vector>

#include "search_cases.h"
#include "solver/engine/engine.h"
#include "support/brute_force.h"
#include "support/setting.h"

namespace nestor::cim {

using nestor::tests::setting;

struct Best {
  double cost = no_cost;
  Mapping mapping;
};

// Returns the objectives with parameters of the machine filled in.
inline std::vector<CimObjective> resolved_objectives(const RandomCase& sample) {
  std::vector<CimObjective> resolved;
  for (const CimObjective& objective : objectives())
    resolved.push_back(make_problem(sample.layer, sample.architecture.machine, objective).objective);
  return resolved;
}

// Returns the best mapping for each objective, among the mappings for which `wanted` is true.
inline std::vector<Best> enumerate(const RandomCase& sample,
                                   const std::function<bool(const Mapping&)>& wanted) {
  const std::vector<CimObjective> resolved = resolved_objectives(sample);
  const Architecture& machine = sample.architecture.machine;
  std::vector<Best> best(resolved.size());
  nestor::tests::for_each_mapping(sample.layer, machine, ~std::uint64_t{0}, [&](const Mapping& mapping) {
    if (!wanted(mapping)) return;
    const CimEvaluation evaluation = evaluate(sample.layer, machine, mapping);
    for (std::size_t i = 0; i < resolved.size(); ++i) {
      const double cost = objective_value(resolved[i], evaluation, machine);
      if (cost < best[i].cost) best[i] = {cost, mapping};
    }
  });
  return best;
}

inline std::vector<Best> enumerate(const RandomCase& sample) {
  return enumerate(sample, [](const Mapping&) { return true; });
}

inline Engine<Space>::Outcome solve(const CimProblem& problem, const EngineOptions& options,
                                    Direction direction = Direction::outward) {
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto space = make_space<HostStorage>(problem, direction);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  return Engine<Space>(*space, *executor, memory, options, stop).run();
}

// Returns a case that is small enough to enumerate. Draws again from a derived seed if a case is larger.
inline RandomCase tiny_case(std::uint64_t seed) {
  constexpr std::uint64_t most_mappings = 150000;
  for (std::uint64_t attempt = 0;; ++attempt) {
    RandomCase sample = nestor::tests::random_case(
        seed + (attempt << 40U),
        {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0, .any_relevance = seed % 8 == 7});
    if (nestor::tests::has_at_most(most_mappings, sample.layer, sample.architecture.machine)) return sample;
  }
}

}  // namespace nestor::cim
