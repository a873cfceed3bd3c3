// Common part of the baselines: converts a loop nest (factors on axes, an order of loops) into a mapping.
// Every loop is placed as far inside as capacities allow, and blocks are double-buffered if that helps.
#pragma once

#include <functional>
#include <optional>

#include "base/random.h"
#include "model/cim/evaluate.h"

namespace nestor::baselines {

/// A loop nest whose loops are not yet assigned to memories.
struct Nest {
  SpatialFactors spatial{};
  FixedVector<Loop, max_loops> order;  ///< outermost first; `at` is not used
};

/// Cost of an evaluated mapping, to be minimised.
using CostOf = std::function<double(const cim::CimEvaluation&)>;
inline CostOf cycles_of(cim::LatencyModel model) {
  return [model](const auto& evaluation) { return static_cast<double>(evaluation.cycles(model)); };
}

/// A mapping and its cost under a CostOf.
struct Placed {
  Mapping mapping;
  double cost = 0;
};

/// Places the operands in the given order, so earlier operands have priority in shared memories. Returns
/// nothing if not even the smallest tiles fit.
std::optional<Placed> place(const LayerShape& layer, const Architecture& machine, const Nest& nest,
                            const std::array<Operand, operand_count>& order, const CostOf& cost);

/// Double-buffers each block if that lowers the cost, starting with the innermost memories.
void buffer_where_it_helps(const LayerShape& layer, const Architecture& machine, const CostOf& cost_of,
                           Placed& placed);

/// Returns spatial factors that fill each axis as far as the layer's bounds allow, with at most `most` lanes
/// per axis. Fills the innermost axis first.
SpatialFactors fill_axes(const LayerShape& layer, const Architecture& machine, Int most);

/// Returns the prime factors of one dimension that are not unrolled on axes, in ascending order.
FixedVector<Int, max_loops> temporal_factors(const LayerShape& layer, const SpatialFactors& spatial, Dim dim);

}  // namespace nestor::baselines
