// How a layer is mapped: by the search, with proof, or by a baseline that others are compared with.
#pragma once

#include <cstdint>

namespace nestor {

enum class MapMethod : std::uint8_t {
  optimal,
  weight_stationary,
  output_stationary,
  input_stationary,
  sampled,
  row_stationary
};

}  // namespace nestor
