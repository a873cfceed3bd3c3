// The request to the mapper of the cim space: that of all loop-nest spaces, and what is cim's own.
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
      objective;  ///< a negative mu2 means eq14's default; of a front only the latency model counts
  LpUse lp_bound = LpUse::off;   ///< of bounds by linear programs
  std::optional<Mapping> start;  ///< a mapping to begin with, where it is legal and fits the nest
  double worth = no_cost;        ///< only mappings that cost less are of use
  std::optional<std::size_t> embedded_workspace;  ///< bytes; given: the embedded profile (map_embedded.h)
};

}  // namespace nestor::mapper
