// Faults that invalidate the result of a finished search.
#pragma once

#include <cstdint>

namespace nestor::mapper {

/// If the space admits the layer, a fault is an error in the program.
enum class Fault : std::uint8_t {
  none,
  illegal_mapping,    ///< the legality check rejects the search's mapping
  wrong_cost,         ///< the evaluator's cost differs from the search's
  broken_constraint,  ///< a mapping violates a user constraint
  missed_mapping,     ///< the search reports infeasible although the heuristic has a mapping
};

}  // namespace nestor::mapper
