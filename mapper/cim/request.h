// Request to the mapper of the cim space: the request of all loop-nest spaces, with additions for cim.
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
  cim::CimObjective
      objective;  ///< a negative mu2 means eq14's default; for a front, only the latency model matters
  LpUse lp_bound = LpUse::off;                    ///< use of bounds by linear programs
  std::optional<Mapping> start;                   ///< first mapping, if it is legal and fits the nest
  double worth = no_cost;                         ///< only mappings that cost less are useful
  std::optional<std::size_t> embedded_workspace;  ///< bytes; selects the embedded profile (map_embedded.h)
};

}  // namespace nestor::mapper
