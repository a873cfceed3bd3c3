// The common part of the baselines: a nest (factors on axes, an order of loops) becomes a mapping by letting
// every loop stay as far inside as capacities allow, and by double-buffering where it helps.
#pragma once

#include <functional>
#include <optional>

#include "base/random.h"
#include "model/cim/evaluate.h"

namespace nestor::baselines {

/// A mapping before its loops have memories.
struct Nest {
  SpatialFactors spatial{};
  FixedVector<Loop, max_loops> order;  ///< outermost first; `at` is not used
};

/// What is to be small: an evaluated mapping's value.
using CostOf = std::function<double(const cim::CimEvaluation&)>;
inline CostOf cycles_of(cim::LatencyModel model) {
  return [model](const auto& evaluation) { return static_cast<double>(evaluation.cycles(model)); };
}

/// A mapping with the cost asked for.
struct Placed {
  Mapping mapping;
  double cost = 0;
};

/// Places the operands one after the other in the order given: those first in line get the shared memories.
/// Nothing if not even the smallest tiles fit.
std::optional<Placed> place(const LayerShape& layer, const Architecture& machine, const Nest& nest,
                            const std::array<Operand, operand_count>& order, const CostOf& cost);

/// Gives blocks two buffers, the innermost memories first, where that costs less.
void buffer_where_it_helps(const LayerShape& layer, const Architecture& machine, const CostOf& cost_of,
                           Placed& placed);

/// Factors that fill each axis as far as the bounds allow, innermost axis first, none above `most` lanes.
SpatialFactors fill_axes(const LayerShape& layer, const Architecture& machine, Int most);

/// Prime factors of what the axes leave of one dimension, ascending.
FixedVector<Int, max_loops> temporal_factors(const LayerShape& layer, const SpatialFactors& spatial, Dim dim);

}  // namespace nestor::baselines
