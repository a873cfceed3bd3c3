// What binds a compiled network: the search again on machines with one step more of each resource.
#pragma once

#include <string>
#include <vector>

#include "app/chip/search.h"

namespace nestor::app::chip_space {

struct ResourceGain {
  std::string resource;
  Int now = 0;
  Int more = 0;
  double objective = 0;  ///< of the best schedule found with more
  double gain = 0;       ///< as a share of what it is now; below 0: worse
  bool proved = false;   ///< both are
};

/// `proved`: whether `objective` is. Each machine is searched under the run's own limits.
io::Result<std::vector<ResourceGain>> explain(const io::RunOptions& options, const Compiled& compiled,
                                              double objective, bool proved);

std::string gains_text(const std::vector<ResourceGain>& gains);
io::Json gains_json(const std::vector<ResourceGain>& gains);

}  // namespace nestor::app::chip_space
