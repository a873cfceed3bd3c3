#include "model/pim/boundaries.h"

namespace nestor::pim {

Boundaries PimNest::boundaries(Operand operand) const {
  Boundaries found;
  std::size_t from = machine_.home(operand);
  for (std::size_t to = from + 1; to < machine_.memories.size(); ++to) {
    if (!used(to, operand)) continue;
    found.push_back(boundary(operand, from, to));
    from = to;
  }
  return found;
}

Boundary PimNest::boundary(Operand operand, std::size_t from, std::size_t to) const {
  const Memory& source = machine_.memories[from];
  const Memory& target = machine_.memories[to];
  Boundary made{.from = from, .to = to, .begin = tiles_.content_begin(to, operand)};
  for (std::size_t i = 0; i < made.begin; ++i) {
    const Loop& loop = mapping_.nest.loops[i];
    made.times *= loop.factor;
    if (layer_.is_relevant(loop.dim, operand)) made.distinct *= loop.factor;
  }
  made.width = layer_.bits.of(operand, tiles_.reduction_outside(made.begin));
  made.unique = tiles_.tile(operand, made.begin, source.axes_above) * made.width;
  const bool summed_above = operand == Operand::O && tiles_.reduced_above(target.axes_above);
  made.copies = tiles_.tile(operand, made.begin, target.axes_above) *
                (summed_above ? layer_.bits.partial_sum : made.width) *
                tiles_.lanes(source.axes_above, target.axes_above);
  return made;
}

RowWalk PimNest::row_walk(Operand operand, const Boundary& boundary) const {
  const std::size_t axis = machine_.memories[boundary.from].axes_above;
  RowWalk walk{.operand = operand,
               .planes = has_planes(layer_, operand),
               .size = tile_box(layer_, operand, tiles_.extents(0, axis)),
               .tile = tile_box(layer_, operand, tiles_.extents(boundary.begin, axis)),
               .loops = {},
               .row_elements = machine_.memories[boundary.from].row / boundary.width,
               .banks = machine_.memories[boundary.from].banks};
  for (std::size_t i = 0; i < boundary.begin; ++i) {
    const Loop& loop = mapping_.nest.loops[i];
    walk.loops.push_back(
        visit_loop(layer_, operand, loop.dim, loop.factor, tiles_.extents(i + 1, axis)[index_of(loop.dim)]));
  }
  return walk;
}

Int PimNest::steps() const {
  Int steps = 1;
  for (const Loop& loop : mapping_.nest.loops) steps *= loop.factor;
  return steps;
}

}  // namespace nestor::pim
