#include "model/loopnest/search/choice_cursor.h"

namespace nestor {

// Forward: the least node at `place`, then at those after it. Backward: the next node at the place before.
bool ChoiceCursor::find(std::size_t place, bool forward) {
  const std::size_t places = machine_->axes.size() * dim_count;
  for (;;) {
    if (forward && place == places) return true;
    if (!forward && place-- == 0) return false;
    const std::size_t axis = place / dim_count;
    const std::size_t dim = place % dim_count;
    bool placed = (forward && allows(axis, dim, 0)) || raise(axis, dim);
    while (placed && dim + 1 == dim_count && !utilised(axis)) placed = raise(axis, dim);
    if (placed)
      ++place;
    else
      choice_.node[axis][dim] = 0;
    forward = placed;
  }
}

bool ChoiceCursor::raise(std::size_t axis, std::size_t dim) {
  const std::size_t size = (*lattices_)[dim].size();
  for (std::size_t node = choice_.node[axis][dim] + std::size_t{1}; node < size; ++node)
    if (allows(axis, dim, static_cast<LatticeNode>(node))) {
      choice_.node[axis][dim] = static_cast<LatticeNode>(node);
      return true;
    }
  return false;
}

bool ChoiceCursor::allows(std::size_t axis, std::size_t dim, LatticeNode node) const {
  return rules().allows(axis, dim, node, carried(axis, dim), choice_.used(dim, axis));
}

// What an axis carries of the dimensions before this one.
Int ChoiceCursor::carried(std::size_t axis, std::size_t dim) const {
  Int product = 1;
  for (std::size_t d = 0; d < dim; ++d) product *= (*lattices_)[d].value(choice_.node[axis][d]);
  return product;
}

bool ChoiceCursor::utilised(std::size_t axis) const {
  return rules().utilised(axis, carried(axis, dim_count));
}

}  // namespace nestor
