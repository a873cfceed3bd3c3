#include "model/mip/lattice.h"

namespace nestor::mip {

Lattice::Lattice(const FactorSet& set) : set_(set) {
  for (std::size_t k = 0; k < set.factors.size(); ++k) {
    const std::size_t before = nodes_.size();
    for (std::uint16_t taken = 1; taken <= set.factors[k].count; ++taken)
      for (std::size_t i = 0; i < before; ++i) {
        LatticeNode node = nodes_[nodes_.size() - before];
        node.value *= set.factors[k].value;
        node.count[k] = taken;
        nodes_.push_back(node);
      }
  }
}

std::size_t Lattice::find(const FactorCounts& count) const {
  std::size_t node = 0;
  std::size_t stride = 1;
  for (std::size_t k = 0; k < set_.factors.size(); ++k) {
    node += stride * count[k];
    stride *= set_.factors[k].count + std::size_t{1};
  }
  return node;
}

Lattices lattices_of(const FactorSets& sets) {
  Lattices lattices;
  for (std::size_t d = 0; d < dim_count; ++d) lattices[d] = Lattice(sets[d]);
  return lattices;
}

}  // namespace nestor::mip
