// Why there is no answer although a search ended.
#pragma once

#include <cstdint>

namespace nestor::mapper {

/// None happens on a layer that the space admits, unless the program has a fault.
enum class Fault : std::uint8_t {
  none,
  illegal_mapping,    ///< the legality check refuses what the search found
  wrong_cost,         ///< the evaluator says another cost than the search
  broken_constraint,  ///< a mapping does not keep to what was fixed
  missed_mapping,     ///< the search says infeasible where the heuristic has a mapping
};

}  // namespace nestor::mapper
