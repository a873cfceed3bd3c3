// The contract of the cnm space: what a result must state about a kernel and its maps, recomputed from its
// JSON in exact integers and fractions (docs/models/cnm.md). For `nestor verify`.
#pragma once

#include <functional>

#include "check/contract.h"

namespace nestor::check::cnm {

/// A kernel as a result states it.
struct KernelClaims {
  const Json& architecture;
  const Json& source;
  const Json& maps;
  std::vector<Int> extents{};  ///< extents of the kernel, or empty for those of its source
  bool is_replayed = false;    ///< true if the result has figures of complete simulations
  bool is_searched = false;    ///< true if no unit may have more work than necessary
  /// Returns the listing of a library call from its name and type, the elements of a buffer, the iterations,
  /// the tasklets and k of products.
  std::function<std::string(const std::string&, const std::string&, Int, Int, Int, Int)> library{};
};

struct KernelContract : Contract {
  std::vector<std::string> open{};  ///< keys that nothing confirms, such as "maps[].simulated.cycles"
  std::vector<Int> padded{};        ///< extents on HBM-PIM, padded to whole tiles; empty if nothing is padded
};

/// Returns the contract of a kernel: its maps and their sums.
KernelContract contract_of(const KernelClaims& claims);

struct PlacementCost {
  Int time_ps = 0;
  Int transfers = 0;
};

/// Returns the cost of a placement, a list of systems for the operations of a program. `systems` and
/// `offload` are keys of a result.
PlacementCost cost_of_placement(const Json& systems, const Json& offload, const Json& placement);

/// Returns the contract of the placement in `offload`: its cost, and the time on each system alone.
Contract placement_contract(const Json& systems, const Json& offload);

}  // namespace nestor::check::cnm
