// The front door of the chip space: a network on a machine, a method and limits in; a schedule out, checked
// for legality and evaluated again by code that is not the search's. A proof begins with what the baselines
// and the heuristics find (mapper/chip/incumbents.h); a baseline on its own proves nothing.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/chip/search/compile.h"
#include "solver/engine/executor.h"

namespace nestor::chip {

struct NetworkRequest {
  CompileMethod method = CompileMethod::optimal;
  CompileRequest search;  ///< of a baseline only objective and levels count
};

/// What a search may use, and who is told how far it is.
struct SearchResources {
  Executor& executor;
  const StopSource& stop;  ///< of the whole run
  EngineObserver* observer = nullptr;
};

/// A method to compare with, as it is.
struct BaselineRun {
  CompileMethod baseline;
  Decisions decisions;
  Int latency;
  Int interval;      ///< cycles per image of a batch
  double objective;  ///< the figure that the search minimises
};

struct CompileResult {
  bool proves = true;  ///< it was a search, not a baseline
  CompileOutcome outcome;
  std::optional<ChipEvaluation> evaluation;  ///< of the schedule, if there is one
  std::vector<BaselineRun> baselines;        ///< those that are legal
  std::string fault;  ///< why the schedule cannot be what it is said to be: an internal error
};

/// `problem` passed admit().
CompileResult compile_network(const ChipProblem& problem, const NetworkRequest& request,
                              const SearchResources& resources);

/// The network made fit for the machine: split, and small enough to compute with.
std::variant<ChipNetwork, ChipRefusal> fit(const ChipMachine& machine, ChipNetwork whole);

}  // namespace nestor::chip
