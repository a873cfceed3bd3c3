#include "model/loopnest/search/choice_frame.h"

namespace nestor {

bool ChoiceFrame::prepare_choice(const Lattices& lattices, const SpatialChoice& choice, Arena& arena) {
  factors_ = 0;
  spatial_ = factors_of(choice, lattices);
  std::uint64_t key_states = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    lattices[d].complement(choice.used(d), lattices_[d].set_in_place());
    if (!lattices_[d].build(arena)) return false;
    factors_ += lattices_[d].depth(lattices_[d].last());
    key_strides_[d] = key_states;
    key_states *= lattices_[d].size();  // below 2^45: a bound b has at most 2 * sqrt(b) divisors
  }
  return true;
}

Outside ChoiceFrame::outside(const LayerShape& layer, const std::array<LatticeNode, dim_count>& node,
                             Operand operand) const {
  Outside outside;
  for (std::size_t d = 0; d < dim_count; ++d)
    (layer.is_relevant(static_cast<Dim>(d), operand) ? outside.relevant : outside.irrelevant) *=
        lattices_[d].remaining(node[d]);
  return outside;
}

}  // namespace nestor
