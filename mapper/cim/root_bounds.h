// Bounds on a layer's optimum before any search, with their sources: bounds on every spatial choice, cheapest
// first, each on the choices that the previous ones leave open.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

struct RootBound {
  double bound = no_bound;    ///< lower bound on the cost of any mapping
  std::uint64_t choices = 0;  ///< number processed
  std::uint64_t closed = 0;   ///< those that cost no less than the incumbent or have no mapping
};

struct RootBounds {
  Fault fault = Fault::none;
  std::optional<Status> limit;              ///< limit that ended the work early; the bounds are valid anyway
  std::optional<MappedCimLayer> incumbent;  ///< first mapping that a search would start with
  double reference = no_cost;               ///< cost that choices must be below to stay open
  std::uint64_t choices = 0;

  RootBound steps;     ///< every temporal step takes an MVM, every multiply-accumulate its energy
  RootBound tables;    ///< each operand alone, with its best loops
  RootBound programs;  ///< relaxed, with one loop order for all operands; if LpBound applies
  bool has_programs = false;
  std::uint64_t programs_solved = 0;
  std::uint64_t pivots = 0;
  double seconds = 0;

  double bound() const { return std::max({steps.bound, tables.bound, programs.bound}); }
};

/// Maximum number of choices for linear programs, those of least bound first.
inline constexpr std::size_t most_relaxed_choices = 32;

/// Computes the bounds of a layer. `reference` is a cost that choices are compared with, by default the
/// incumbent's. `layer` must have passed admit(). The result does not depend on the number of threads.
RootBounds root_bounds(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                       const Resources& resources, std::optional<double> reference = std::nullopt);

}  // namespace nestor::mapper
