// Bottlenecks of a compiled network. Searches on changed machines find them; each machine has one step more
// of one resource.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapper/chip/compile_network.h"

namespace nestor::chip {

/// Gain from increasing a resource by one step.
struct ResourceGain {
  std::string resource;
  Int now = 0;
  Int more = 0;
  double objective = 0;  ///< objective of the best schedule found with `more`
  double gain = 0;       ///< share of the current objective that is saved; negative if worse
  bool proved = false;   ///< both objectives are proved optimal
};

struct Explanation {
  std::vector<ResourceGain> gains;
  bool complete = true;                ///< false if the run was stopped before all machines were searched
  std::optional<ChipRefusal> refusal;  ///< why the network does not fit one of the machines
  std::string fault;                   ///< internal error of a search, as in CompileResult
};

/// Returns the gain from each resource. `whole` is the network before splitting. `proved` is true if
/// `objective` is the optimum. The stop signal of `resources` is that of the whole run.
Explanation explain(const ChipMachine& machine, const ChipNetwork& whole, const NetworkRequest& request,
                    double objective, bool proved, const SearchResources& resources);

}  // namespace nestor::chip
