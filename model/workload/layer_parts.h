// Parts of a layer that is cut in one dimension. They are separate layers that run one after the other
// (docs/models/remainders.md).
#pragma once

#include <array>
#include <string>

#include "model/workload/network.h"

namespace nestor {

/// Dimensions in which a layer is cut. After a cut in C, R or S, the second part would have to add to the
/// partial sums of the first part, which no model supports.
inline constexpr std::array cut_dims = {Dim::N, Dim::G, Dim::K, Dim::P, Dim::Q};

/// Returns the part with the indices first .. first + bound - 1 of a dimension; its name includes this range.
inline Layer part_of(const Layer& whole, Dim dim, Int first, Int bound) {
  Layer part = whole;
  part.shape.bounds[index_of(dim)] = bound;
  part.name += std::string("[") + letter(dim) + "=" + std::to_string(first) + ".." +
               std::to_string(first + bound - 1) + "]";
  return part;
}

/// True if cutting `whole` produces these two layers.
inline bool are_parts(const Layer& whole, const Layer& first, const Layer& second) {
  for (const Dim dim : cut_dims) {
    const Int bound = whole.shape.bounds[index_of(dim)];
    const Int part = first.shape.bounds[index_of(dim)];
    if (part < bound && first == part_of(whole, dim, 0, part) &&
        second == part_of(whole, dim, part, bound - part))
      return true;
  }
  return false;
}

}  // namespace nestor
