// Common part of the baselines: it turns a loop nest (factors on axes, an order of loops) into a mapping.
// Every loop stays as far inside as capacities allow, and blocks are double-buffered if that helps.
#pragma once

#include <functional>
#include <optional>

#include "base/random.h"
#include "model/cim/evaluate.h"

namespace nestor::baselines {

/// A mapping whose loops have no memories yet.
struct Nest {
  SpatialFactors spatial{};
  FixedVector<Loop, max_loops> order;  ///< outermost first; `at` is not used
};

/// Cost of an evaluated mapping, to be minimised.
using CostOf = std::function<double(const cim::CimEvaluation&)>;
inline CostOf cycles_of(cim::LatencyModel model) {
  return [model](const auto& evaluation) { return static_cast<double>(evaluation.cycles(model)); };
}

/// A mapping with its cost under a CostOf.
struct Placed {
  Mapping mapping;
  double cost = 0;
};

/// Places the operands in the given order; the first ones get the shared memories. Returns nothing if not
/// even the smallest tiles fit.
std::optional<Placed> place(const LayerShape& layer, const Architecture& machine, const Nest& nest,
                            const std::array<Operand, operand_count>& order, const CostOf& cost);

/// Double-buffers blocks if that costs less, the innermost memories first.
void buffer_where_it_helps(const LayerShape& layer, const Architecture& machine, const CostOf& cost_of,
                           Placed& placed);

/// Returns factors that fill each axis as far as the bounds allow, the innermost axis first, with at most
/// `most` lanes per axis.
SpatialFactors fill_axes(const LayerShape& layer, const Architecture& machine, Int most);

/// Returns the prime factors of one dimension that are not unrolled on the axes, in ascending order.
FixedVector<Int, max_loops> temporal_factors(const LayerShape& layer, const SpatialFactors& spatial, Dim dim);

}  // namespace nestor::baselines
