// Placement of a program's operations that minimises the total time of operations and transfers. An exact
// dynamic program, in the order of the operations, finds it (docs/models/cnm.md, "Offloading"). Operations
// run one after the other; nothing overlaps.
//
// A value is computed at one place and read at others. A place is the host, or a system together with the
// form (token, bytes) in which it stores the value. The remaining cost of a value depends on the place where
// it was computed, on whether it has left that place, and on the places to which it was transferred. These
// properties of all values still to be read form the state. Partial placements with equal states have equal
// remaining costs, so only the best one per state is kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/cnm/choices.h"
#include "model/cnm/kernel_program.h"
#include "model/cnm/system.h"
#include "solver/engine/stop_source.h"

namespace nestor::cnm {

struct OffloadSystem {
  std::string name;
  bool is_host = false;
  Link link;
};

struct OffloadProblem {
  KernelProgram program;               ///< with `time_ms` of every operation on the systems that run it
  std::vector<OffloadSystem> systems;  ///< their order breaks ties
  CountedTransfers transfers = CountedTransfers::all;
  Weights weights = Weights::resident;
};

struct PlacementCost {
  Int time_ps = 0;
  Int transfers = 0;
};

struct OffloadResult {
  Status status = Status::optimal;
  std::vector<std::size_t> placement;  ///< index of a system for each operation
  PlacementCost cost;
  Int bound_ps = 0;
  std::vector<std::optional<PlacementCost>> alone;  ///< for each system, the cost if it runs all operations
  /// Number of states of the dynamic program, over all operations.
  std::size_t states = 0;
};

/// Converts milliseconds to whole picoseconds, rounded; returns nothing if the result is too large.
std::optional<Int> picoseconds_of(double ms);

/// Returns why the problem has no answer (an operation that no system runs, or figures that are too large),
/// or an empty string.
std::string find_fault(const OffloadProblem& problem);

/// Returns the best placement, or the best known one if `stop` or `most_states` ends the search. Requires
/// that find_fault() is empty. `most_states` limits the number of states after each operation.
OffloadResult place_operations(const OffloadProblem& problem, const StopSignal& stop,
                               std::size_t most_states = 2'000'000);

/// Computes the cost of a placement value by value, without the states of the dynamic program.
PlacementCost cost_of_placement(const OffloadProblem& problem, const std::vector<std::size_t>& placement);

}  // namespace nestor::cnm
