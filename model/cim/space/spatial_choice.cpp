#include "model/cim/space/spatial_choice.h"

namespace nestor::cim {

Int temporal_steps(const SpatialChoice& choice, const Lattices& lattices, std::size_t axes) {
  Int steps = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    Int rest = lattices[d].value(lattices[d].last());
    for (std::size_t a = 0; a < axes; ++a) rest /= lattices[d].value(choice.node[a][d]);
    steps *= rest;
  }
  return steps;
}

}  // namespace nestor::cim
