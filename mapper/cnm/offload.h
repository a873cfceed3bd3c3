// Placement of the operations of a program, so that operations and transfers together take the least time: an
// exact dynamic program in the order of the program (docs/models/cnm.md, "Offloading"). Operations run one
// after another; nothing overlaps.
//
// A value is made at one place and read at others; a place is the host, or a system with the form (token,
// bytes) in which it holds the value. What is left to pay for a value depends on the place where it was made,
// on whether it has left that place and on the places that it has been taken to. These, for all values that
// are still to be read, are the state: partial placements with equal states have equal futures, so the best
// of them is enough.
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
  std::vector<OffloadSystem> systems;  ///< in the order that breaks ties
  CountedTransfers transfers = CountedTransfers::all;
  Weights weights = Weights::resident;
};

struct PlacementCost {
  Int time_ps = 0;
  Int transfers = 0;
};

struct OffloadResult {
  Status status = Status::optimal;
  std::vector<std::size_t> placement;  ///< a system for each operation
  PlacementCost cost;
  Int bound_ps = 0;
  std::vector<std::optional<PlacementCost>> alone;  ///< by system: everything there
  std::size_t states = 0;                           ///< of the dynamic program, all operations together
};

/// The least time in whole picoseconds that a double of milliseconds says; nothing beyond what can be
/// counted.
std::optional<Int> picoseconds_of(double ms);

/// A word on why the problem has no answer (an operation that no system runs, more than can be counted);
/// empty if it has one.
std::string find_fault(const OffloadProblem& problem);

/// Safe to call where find_fault() is empty. `most_states`: of one operation.
OffloadResult place_operations(const OffloadProblem& problem, const StopSignal& stop,
                               std::size_t most_states = 2'000'000);

/// What a placement costs, value by value.
PlacementCost cost_of_placement(const OffloadProblem& problem, const std::vector<std::size_t>& placement);

}  // namespace nestor::cnm
