// What the mapper is asked, and what it may use. Plain data; the command line, the benchmarks and the C++ API
// fill it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "mapper/loopnest/resources.h"
#include "model/cim/search/lp_use.h"
#include "model/cim/search/problem.h"
#include "model/loopnest/flexible_factors.h"
#include "model/loopnest/map_method.h"

namespace nestor::mapper {

using cim::LpUse;

struct Request {
  MapMethod method = MapMethod::optimal;
  cim::Objective objective;  ///< kind, latency model and weights; a negative mu2 means eq14's default
  bool pareto = false;       ///< the whole latency-energy front instead; of `objective` only the model counts
  Constraints constraints;
  std::optional<FlexibleFactors> flexible;  ///< merged factors; without, all prime factors
  double padding = 0;                       ///< how much a bound may grow, as a share of it (padding.h)
  LpUse lp_bound = LpUse::off;              ///< of bounds by linear programs
  double relative_gap = 0;                  ///< stop once within this share of the optimum
  std::uint64_t seed = 1;                   ///< of the first incumbent's random ties
  std::size_t top = 1;                      ///< how many spatial unrollings to prove, best first
  std::optional<Mapping> start;             ///< a mapping to begin with, where it is legal and fits the nest
  std::uint64_t work_limit = std::numeric_limits<std::uint64_t>::max();  ///< expansions per layer
  double layer_seconds = std::numeric_limits<double>::infinity();        ///< wall time per layer
  std::optional<std::size_t> embedded_workspace;  ///< bytes; given: the embedded profile (map_embedded.h)
};

}  // namespace nestor::mapper
