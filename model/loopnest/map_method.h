// Methods that map a layer. Searches prove the optimum over all mappings, or over the mappings that keep an
// operand stationary. `priority` is a heuristic that also computes a lower bound on the cost of all mappings.
// All other methods are baselines.
#pragma once

#include <cstdint>
#include <optional>

#include "model/loopnest/dims.h"

namespace nestor {

enum class MapMethod : std::uint8_t {
  optimal,
  weight_stationary,
  output_stationary,
  input_stationary,
  sampled,
  row_stationary,
  weight_stationary_greedy,
  output_stationary_greedy,
  input_stationary_greedy,
  zigzag_like,
  priority
};

/// Returns the operand that a search keeps stationary; nothing for `optimal` and for methods that are not
/// searches.
constexpr std::optional<Operand> stationary_operand(MapMethod method) {
  switch (method) {
    case MapMethod::weight_stationary:
      return Operand::W;
    case MapMethod::output_stationary:
      return Operand::O;
    case MapMethod::input_stationary:
      return Operand::I;
    default:
      return std::nullopt;
  }
}

/// True if a method searches until it proves the optimum.
constexpr bool is_search(MapMethod method) {
  return method == MapMethod::optimal || stationary_operand(method).has_value();
}

/// True if the results of a method have a status and a bound.
constexpr bool has_bounds(MapMethod method) { return is_search(method) || method == MapMethod::priority; }

}  // namespace nestor
