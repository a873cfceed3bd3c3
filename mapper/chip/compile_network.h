// Entry point of the chip space. It takes a network on a machine, a method and limits, and returns a
// schedule. Code that is independent of the search checks its legality and evaluates it again. A proof starts
// with the schedules of the baselines and the heuristics (mapper/chip/incumbents.h); a baseline alone proves
// nothing.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/chip/search/compile.h"
#include "solver/engine/executor.h"

namespace nestor::chip {

struct NetworkRequest {
  CompileMethod method = CompileMethod::optimal;
  CompileRequest search;  ///< a baseline uses only objective and levels
};

/// Resources of a search, and the observer of its progress.
struct SearchResources {
  Executor& executor;
  const StopSource& stop;  ///< for the whole run
  EngineObserver* observer = nullptr;
};

/// Result of a baseline for comparison, unchanged.
struct BaselineRun {
  CompileMethod baseline;
  Decisions decisions;
  Int latency;
  Int interval;      ///< cycles per image of a batch
  double objective;  ///< value that the search minimises
};

struct CompileResult {
  bool proves = true;  ///< a search ran instead of a baseline
  CompileOutcome outcome;
  std::optional<ChipEvaluation> evaluation;  ///< evaluation of the schedule, if there is one
  std::vector<BaselineRun> baselines;        ///< the legal ones
  std::string fault;                         ///< why the schedule contradicts its claims: an internal error
};

/// Compiles a network; the problem must have passed admit().
CompileResult compile_network(const ChipProblem& problem, const NetworkRequest& request,
                              const SearchResources& resources);

/// Returns the network prepared for the machine: split, with sizes that can be counted.
std::variant<ChipNetwork, ChipRefusal> fit(const ChipMachine& machine, ChipNetwork whole);

}  // namespace nestor::chip
