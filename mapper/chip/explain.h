// Bottlenecks of a compiled network, found by searches on machines with one step more of each resource.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapper/chip/compile_network.h"

namespace nestor::chip {

/// Gain from one more step of a resource.
struct ResourceGain {
  std::string resource;
  Int now = 0;
  Int more = 0;
  double objective = 0;  ///< objective of the best schedule found with more
  double gain = 0;       ///< as a share of the current objective; negative if worse
  bool proved = false;   ///< both objectives are proved
};

struct Explanation {
  std::vector<ResourceGain> gains;
  bool complete = true;                ///< false if the run was stopped before all machines were searched
  std::optional<ChipRefusal> refusal;  ///< why the network does not fit one of the machines
  std::string fault;                   ///< as in CompileResult, from any search
};

/// Returns the gain from each resource. `whole` is the network before it is split. `proved` is true if
/// `objective` is an optimum. The stop signal is that of the whole run.
Explanation explain(const ChipMachine& machine, const ChipNetwork& whole, const NetworkRequest& request,
                    double objective, bool proved, const SearchResources& resources);

}  // namespace nestor::chip
