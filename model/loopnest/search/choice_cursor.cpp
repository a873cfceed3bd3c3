#include "model/loopnest/search/choice_cursor.h"

namespace nestor {

// Forward: sets the smallest valid node at this place and moves to the next place. Backward: moves to the
// previous place and sets the next valid node there. The next step is forward if there is a valid node.
// Otherwise, the node becomes 0 and the next step is backward.
std::uint32_t ChoiceCursor::step() {
  std::uint32_t looked_at = 1;
  if (place_ == (forward_ ? places() : 0)) {
    settled_ = true;
    return looked_at;
  }
  if (!forward_) --place_;
  const std::size_t axis = place_ / dim_count;
  const std::size_t dim = place_ % dim_count;
  std::size_t from = forward_ ? 0 : choice_.node[axis][dim] + std::size_t{1};
  do {
    forward_ = place(axis, dim, from, looked_at);
    from = choice_.node[axis][dim] + std::size_t{1};
  } while (forward_ && dim + 1 == dim_count && !utilised(axis));
  if (forward_)
    ++place_;
  else
    choice_.node[axis][dim] = 0;
  return looked_at;
}

// Sets the smallest valid node that is not below `from`. Returns false if there is none.
bool ChoiceCursor::place(std::size_t axis, std::size_t dim, std::size_t from, std::uint32_t& looked_at) {
  const std::size_t size = rules().takes(axis, dim) ? (*lattices_)[dim].size() : 1;
  if (from >= size) return false;
  const Int room = machine_->axes[axis].size / carried(axis, dim);
  const LatticeNode used = choice_.used(dim, axis);
  for (; from < size; ++from, ++looked_at)
    if (rules().allows_within(axis, dim, static_cast<LatticeNode>(from), room, used)) {
      choice_.node[axis][dim] = static_cast<LatticeNode>(from);
      return true;
    }
  return false;
}

// Returns the product of the factors on an axis over the dimensions before `dim`.
Int ChoiceCursor::carried(std::size_t axis, std::size_t dim) const {
  Int product = 1;
  for (std::size_t d = 0; d < dim; ++d) product *= (*lattices_)[d].value(choice_.node[axis][d]);
  return product;
}

bool ChoiceCursor::utilised(std::size_t axis) const {
  return rules().utilised(axis, carried(axis, dim_count));
}

}  // namespace nestor
