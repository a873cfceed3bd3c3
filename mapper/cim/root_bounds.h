// Bounds on a layer's optimum before any search, by source. Every spatial choice is bounded by successively
// costlier methods; each method processes only the choices that the previous methods leave open.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

struct RootBound {
  double bound = no_bound;    ///< lower bound on the cost of any mapping
  std::uint64_t choices = 0;  ///< number of choices processed
  std::uint64_t closed = 0;   ///< choices without a mapping that costs less than the reference
};

struct RootBounds {
  Fault fault = Fault::none;
  std::optional<Status> limit;              ///< limit that ended the work early; the bounds are still valid
  std::optional<MappedCimLayer> incumbent;  ///< mapping with which a search would start
  double reference = no_cost;               ///< choices with bounds below this cost stay open
  std::uint64_t choices = 0;

  RootBound steps;   ///< from the MVM time of all temporal steps and the energy of all multiply-accumulates
  RootBound tables;  ///< from each operand alone, with the loops that are best for it
  /// From linear programs, with one loop order for all operands; only if LpBound applies.
  RootBound programs;
  bool has_programs = false;
  std::uint64_t programs_solved = 0;
  std::uint64_t pivots = 0;
  double seconds = 0;

  double bound() const { return std::max({steps.bound, tables.bound, programs.bound}); }
};

/// Maximum number of choices bounded by linear programs, in ascending order of their bounds.
inline constexpr std::size_t most_relaxed_choices = 32;

/// Computes the bounds of a layer. Choices whose bounds reach `reference` (by default the incumbent's cost)
/// are not processed further. `layer` must have passed admit(). The result does not depend on the number of
/// threads.
RootBounds root_bounds(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                       const Resources& resources, std::optional<double> reference = std::nullopt);

}  // namespace nestor::mapper
