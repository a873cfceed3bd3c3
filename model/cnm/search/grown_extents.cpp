#include "model/cnm/search/grown_extents.h"

namespace nestor::cnm {

bool grow_extents(Kernel& candidate, const Kernel& kernel, Int pad) {
  for (std::size_t d = kernel.dim_count(); d-- > 0;) {
    if (candidate.extents[d] < kernel.extents[d] + pad) {
      ++candidate.extents[d];
      return true;
    }
    candidate.extents[d] = kernel.extents[d];
  }
  return false;
}

Int padding_of(const System& system, Int pad) { return system.target == Target::hbm_pim ? 0 : pad; }

}  // namespace nestor::cnm
