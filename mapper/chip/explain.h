// Bottlenecks of a compiled network, by searching again on machines with one step more of each resource.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapper/chip/compile_network.h"

namespace nestor::chip {

/// What one step more of a resource gains.
struct ResourceGain {
  std::string resource;
  Int now = 0;
  Int more = 0;
  double objective = 0;  ///< of the best schedule found with more
  double gain = 0;       ///< as a share of what it is now; below 0: worse
  bool proved = false;   ///< both are
};

struct Explanation {
  std::vector<ResourceGain> gains;
  bool complete = true;                ///< false: the run was stopped before all machines were searched
  std::optional<ChipRefusal> refusal;  ///< why the network cannot be put on one of the machines
  std::string fault;                   ///< as in CompileResult, of any search
};

/// `whole`: the network before it is split. `proved`: whether `objective` is. The stop is that of
/// the whole run.
Explanation explain(const ChipMachine& machine, const ChipNetwork& whole, const NetworkRequest& request,
                    double objective, bool proved, const SearchResources& resources);

}  // namespace nestor::chip
