// Request to the mapper of any loop-nest space. It is plain data that the command line, the benchmarks and
// the C++ API fill in; each space adds its own options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "mapper/loopnest/padding.h"
#include "model/loopnest/constraints.h"
#include "model/loopnest/flexible_factors.h"
#include "model/loopnest/map_method.h"
#include "model/loopnest/search/nest_problem.h"

namespace nestor::mapper {

struct NestRequest {
  MapMethod method = MapMethod::optimal;
  bool pareto = false;  ///< search the latency-energy front instead of the objective's optimum
  Constraints constraints;
  std::optional<FlexibleFactors> flexible;  ///< merged factors; if not set, all prime factors
  Padding padding;
  double relative_gap = 0;  ///< stop at this relative gap
  std::uint64_t seed = 1;   ///< for random tie-breaking
  int samples = 1000;       ///< nests that MapMethod::sampled tries
  std::size_t top = 1;      ///< number of best spatial unrollings to prove
  bool break_ties = false;  ///< choose among equally good mappings by the other cost (tie_break.h)
  std::uint64_t work_limit = std::numeric_limits<std::uint64_t>::max();  ///< expansions per layer
  double layer_seconds = std::numeric_limits<double>::infinity();        ///< wall time per layer

  /// Replaces the prime factors of a problem by the merged factors, if the request defines them.
  void choose_factors(NestProblem& problem) const {
    if (!flexible) return;
    for (std::size_t d = 0; d < dim_count; ++d)
      problem.factors[d] = flexible_factors(problem.layer.bounds[d], *flexible);
  }

  /// Sets the constraints, including the stationary operand that the method implies.
  void fix(const Constraints& fixed) {
    constraints = fixed;
    if (const auto operand = stationary_operand(method)) constraints.stationary.insert(*operand);
  }
};

}  // namespace nestor::mapper
