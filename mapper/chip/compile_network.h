// Entry point of the chip space. It takes a network, a machine, a method and limits, and returns a schedule.
// Code that is independent of the search checks the schedule's legality and evaluates it again. An exact
// search starts with the schedules of the baselines and heuristics (mapper/chip/incumbents.h); a baseline
// alone provides no proof.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/chip/search/compile.h"
#include "solver/engine/executor.h"

namespace nestor::chip {

struct NetworkRequest {
  CompileMethod method = CompileMethod::optimal;
  CompileRequest search;  ///< baselines use only its objective and levels
};

/// Resources of a search, and the observer of its progress.
struct SearchResources {
  Executor& executor;
  const StopSource& stop;  ///< stop signal of the whole run
  EngineObserver* observer = nullptr;
};

/// Result of a baseline for comparison.
struct BaselineRun {
  CompileMethod baseline;
  Decisions decisions;
  Int latency;
  Int interval;      ///< cycles per image of a batch
  double objective;  ///< value that the search minimises
};

struct CompileResult {
  bool proves = true;  ///< true if a search ran, not a baseline
  CompileOutcome outcome;
  std::optional<ChipEvaluation> evaluation;  ///< set if there is a schedule
  std::vector<BaselineRun> baselines;        ///< baselines that found a legal schedule
  std::string fault;                         ///< internal error: the schedule is illegal or has another cost
};

/// Compiles a network; the problem must have passed admit().
CompileResult compile_network(const ChipProblem& problem, const NetworkRequest& request,
                              const SearchResources& resources);

/// Returns the network, split to fit the machine and checked for overflow, or the reason why it is refused.
std::variant<ChipNetwork, ChipRefusal> fit(const ChipMachine& machine, ChipNetwork whole);

}  // namespace nestor::chip
