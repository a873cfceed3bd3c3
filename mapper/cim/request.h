// Request to the mapper of the cim space: the request of all loop-nest spaces, extended for cim.
#pragma once

#include <cstddef>
#include <optional>

#include "mapper/loopnest/request.h"
#include "mapper/loopnest/resources.h"
#include "model/cim/search/lp_use.h"
#include "model/cim/search/problem.h"

namespace nestor::mapper {

using cim::LpUse;

struct CimRequest : NestRequest {
  cim::CimObjective objective;   ///< a negative mu2 means eq14's default; a front uses only the latency model
  LpUse lp_bound = LpUse::off;   ///< use of bounds from linear programs
  std::optional<Mapping> start;  ///< initial mapping if `top` is 1; ignored if it violates a rule or a
                                 ///< constraint
  double worth = no_cost;        ///< only mappings below this cost are useful
  std::optional<std::size_t> embedded_workspace;  ///< bytes; selects the embedded profile (map_embedded.h)
};

}  // namespace nestor::mapper
