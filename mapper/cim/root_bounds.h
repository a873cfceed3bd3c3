// Bounds on a layer's optimum before any search, and their sources: bounds on every spatial
// choice, cheapest first, each on what those before it leave open.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

struct RootBound {
  double bound = no_bound;    ///< no mapping costs less
  std::uint64_t choices = 0;  ///< looked at
  std::uint64_t closed = 0;   ///< of these, found to cost no less than the incumbent, or to hold no mapping
};

struct RootBounds {
  Fault fault = Fault::none;
  std::optional<Status> limit;              ///< what ended the work early; the bounds hold all the same
  std::optional<MappedCimLayer> incumbent;  ///< the first mapping that a search would start with
  double reference = no_cost;               ///< the cost that choices are measured against
  std::uint64_t choices = 0;

  RootBound steps;     ///< every temporal step takes an MVM, every multiply-accumulate its energy
  RootBound tables;    ///< each operand alone, with the loops that suit it best
  RootBound programs;  ///< one loop order for all operands, relaxed; where LpBound applies
  bool has_programs = false;
  std::uint64_t programs_solved = 0;
  std::uint64_t pivots = 0;
  double seconds = 0;

  double bound() const { return std::max({steps.bound, tables.bound, programs.bound}); }
};

/// Linear programs are tried on this many choices at most, those of least bound first.
inline constexpr std::size_t most_relaxed_choices = 32;

/// `reference`: a cost to measure choices against; without, the incumbent's. `layer` passed admit(). The
/// result does not depend on the number of threads.
RootBounds root_bounds(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                       const Resources& resources, std::optional<double> reference = std::nullopt);

}  // namespace nestor::mapper
