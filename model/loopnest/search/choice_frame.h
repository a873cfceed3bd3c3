// Base class of the branches of every loop-nest space. It stores the data that follow from the spatial
// choice: the lattices of the remaining factors for temporal loops, the factors on the axes, and the strides
// that number the nodes of a label for its key.
#pragma once

#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

/// Iterations of the outer loops: one product over those relevant to an operand, one over all others.
struct Outside {
  Int relevant = 1;
  Int irrelevant = 1;
};

class ChoiceFrame {
 protected:
  /// Prepares the frame of a choice. Returns false if the arena is too small.
  bool prepare_choice(const Lattices& lattices, const SpatialChoice& choice, Arena& arena);
  /// Returns a number that identifies the factors that a label has placed.
  std::uint64_t key_of_nodes(const std::array<LatticeNode, dim_count>& node) const {
    std::uint64_t key = 0;
    for (std::size_t d = 0; d < dim_count; ++d) key += node[d] * key_strides_[d];
    return key;
  }

  /// Returns the number of factors of one dimension that `more` contains beyond `less`. Returns 0 unless the
  /// two labels' nodes differ in exactly one dimension, in which `more` contains all factors of `less`.
  int factors_between(const std::array<LatticeNode, dim_count>& less,
                      const std::array<LatticeNode, dim_count>& more) const {
    int between = 0;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const FactorLattice& lattice = lattices_[d];
      if (more[d] >= lattice.size()) return 0;
      if (less[d] == more[d]) continue;
      if (between > 0 || less[d] > more[d] ||
          !lattice.fits_beside(less[d], static_cast<LatticeNode>(more[d] - less[d])))
        return 0;
      between = lattice.depth(more[d]) - lattice.depth(less[d]);
    }
    return between;
  }
  /// Returns the extents of all temporal loops together; steps() returns their product.
  Extents temporal() const {
    Extents left;
    for (std::size_t d = 0; d < dim_count; ++d) left[d] = lattices_[d].value(lattices_[d].last());
    return left;
  }
  Int steps() const { return product_of(temporal()); }

  /// Returns the iterations of the outer loops, that is, of the factors not in `node`.
  Outside outside(const LayerShape& layer, const std::array<LatticeNode, dim_count>& node,
                  Operand operand) const;

  Lattices lattices_;  // lattices of the remaining factors
  SpatialFactors spatial_{};
  int factors_ = 0;  // number of factors to place, over all dimensions

 private:
  std::array<std::uint64_t, dim_count> key_strides_{};
};

}  // namespace nestor
