#include "model/loopnest/rules/legality.h"

#include "model/loopnest/rules/nest_tiles.h"

namespace nestor {
namespace {

using Found = std::optional<Violation>;

// Returns a * b, or the largest Int on overflow, since the factors of a hostile mapping may exceed the
// bounds.
Int saturating_multiply(Int a, Int b) {
  return checked_multiply(a, b).value_or(std::numeric_limits<Int>::max());
}

Found check_factors(const Hierarchy& machine, const Mapping& mapping) {
  for (std::size_t axis = 0; axis < machine.axes.size(); ++axis)
    for (const Dim dim : all_dims) {
      const Int factor = mapping.spatial[axis][index_of(dim)];
      if (factor < 1)
        return Violation{
            .rule = Rule::factor_below_one, .dim = dim, .axis = axis, .found = factor, .limit = 1};
    }
  for (std::size_t i = 0; i < mapping.loops.size(); ++i)
    if (mapping.loops[i].factor < 2)
      return Violation{.rule = Rule::factor_below_one,
                       .dim = mapping.loops[i].dim,
                       .loop = i,
                       .found = mapping.loops[i].factor,
                       .limit = 2};
  return std::nullopt;
}

Found check_axes(const Hierarchy& machine, const Mapping& mapping) {
  for (std::size_t axis = 0; axis < machine.axes.size(); ++axis)
    for (const Dim dim : all_dims) {
      const Int factor = mapping.spatial[axis][index_of(dim)];
      if (factor > 1 && !machine.axes[axis].dims.contains(dim))
        return Violation{.rule = Rule::axis_dim_not_allowed, .dim = dim, .axis = axis, .found = factor};
    }
  for (std::size_t axis = 0; axis < machine.axes.size(); ++axis) {
    Int product = 1;
    for (const Int factor : mapping.spatial[axis]) product = saturating_multiply(product, factor);
    if (product > machine.axes[axis].size)
      return Violation{
          .rule = Rule::axis_overflow, .axis = axis, .found = product, .limit = machine.axes[axis].size};
  }
  return std::nullopt;
}

Found check_bounds(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping) {
  Extents products = unit_extents;
  for (std::size_t axis = 0; axis < machine.axes.size(); ++axis)
    for (std::size_t d = 0; d < dim_count; ++d)
      products[d] = saturating_multiply(products[d], mapping.spatial[axis][d]);
  for (const Loop& loop : mapping.loops)
    products[index_of(loop.dim)] = saturating_multiply(products[index_of(loop.dim)], loop.factor);
  for (const Dim dim : all_dims)
    if (products[index_of(dim)] != layer.bound(dim))
      return Violation{.rule = Rule::bound_mismatch,
                       .dim = dim,
                       .found = products[index_of(dim)],
                       .limit = layer.bound(dim)};
  return std::nullopt;
}

Found check_blocks(const Hierarchy& machine, const Mapping& mapping) {
  for (std::size_t i = 0; i < mapping.loops.size(); ++i)
    for (const Operand operand : all_operands) {
      const std::size_t memory = mapping.loops[i].at[index_of(operand)];
      Violation at_loop{.operand = operand, .memory = memory, .loop = i};
      at_loop.rule = Rule::memory_without_operand;
      if (memory >= machine.memories.size() || !machine.memories[memory].operands.contains(operand))
        return at_loop;
      at_loop.rule = Rule::block_moves_outward;
      if (i > 0 && memory < mapping.loops[i - 1].at[index_of(operand)]) return at_loop;
    }
  return std::nullopt;
}

Found check_double_buffers(const Hierarchy& machine, const Mapping& mapping) {
  for (std::size_t m = 0; m < max_memories; ++m)
    for (const Operand operand : all_operands) {
      if (!mapping.double_buffered[m].contains(operand)) continue;
      Violation pair{.operand = operand, .memory = m};
      const bool holds = m < machine.memories.size() && machine.memories[m].operands.contains(operand);
      pair.rule = Rule::memory_without_operand;
      if (!holds) return pair;
      pair.rule = Rule::double_buffer_home;
      if (m == machine.home(operand)) return pair;
      pair.rule = Rule::double_buffer_not_allowed;
      if (!machine.memories[m].double_buffer) return pair;
      bool used = m == machine.innermost(operand);
      for (const Loop& loop : mapping.loops) used |= loop.at[index_of(operand)] == m;
      pair.rule = Rule::double_buffer_unused;
      if (!used) return pair;
    }
  return std::nullopt;
}

// Checks (4.3) of docs/models/cim.md.
Found check_capacity(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping) {
  const NestTiles tiles(layer, machine, mapping);
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    Int needed = 0;
    for (const Operand operand : all_operands) {
      if (!tiles.used(m, operand) || m == machine.home(operand)) continue;
      needed += tiles.size_bits(m, operand) * (mapping.double_buffered[m].contains(operand) ? 2 : 1);
    }
    if (needed > machine.memories[m].capacity)
      return Violation{
          .rule = Rule::capacity, .memory = m, .found = needed, .limit = machine.memories[m].capacity};
  }
  return std::nullopt;
}

Found check_canonical(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping) {
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    std::size_t inward = machine.innermost(operand);
    for (std::size_t i = mapping.loops.size(); i-- > 0;) {
      const Loop& loop = mapping.loops[i];
      if (loop.at[x] != inward && !layer.is_relevant(loop.dim, operand))
        return Violation{.rule = Rule::not_canonical,
                         .dim = loop.dim,
                         .operand = operand,
                         .memory = loop.at[x],
                         .loop = i};
      inward = loop.at[x];
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Violation> find_misplacement(const Hierarchy& machine, const Mapping& mapping) {
  if (auto found = check_blocks(machine, mapping)) return found;
  return check_double_buffers(machine, mapping);
}

std::optional<Violation> find_violation(const LayerShape& layer, const Hierarchy& machine,
                                        const Mapping& mapping) {
  if (auto found = check_factors(machine, mapping)) return found;
  if (auto found = check_axes(machine, mapping)) return found;
  if (auto found = check_bounds(layer, machine, mapping)) return found;
  if (auto found = check_blocks(machine, mapping)) return found;
  if (auto found = check_double_buffers(machine, mapping)) return found;
  if (auto found = check_capacity(layer, machine, mapping)) return found;
  return check_canonical(layer, machine, mapping);
}

bool is_well_formed(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping) {
  const auto& memories = machine.memories;
  Extents left = layer.bounds;  // remaining part of each dimension after the factors so far
  const auto take = [&](std::size_t d, Int factor) {
    const bool divides = factor >= 1 && left[d] % factor == 0;
    if (divides) left[d] /= factor;
    return divides;
  };
  bool good = true;
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    Int room = machine.axes[a].size;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const Int factor = mapping.spatial[a][d];
      good = good && take(d, factor) && (factor == 1 || machine.axes[a].dims.contains(static_cast<Dim>(d)));
      if (good) room /= factor;
    }
    good = good && room > 0;
  }
  std::array<OperandSet, max_memories> used{};
  for (const Operand operand : all_operands) used[machine.innermost(operand)].insert(operand);
  std::array<std::uint8_t, operand_count> outward{};  // memory of the next outer loop
  for (const Loop& loop : mapping.loops) {
    good = good && loop.factor >= 2 && take(index_of(loop.dim), loop.factor);
    for (const Operand operand : all_operands) {
      const std::uint8_t at = loop.at[index_of(operand)];
      if (at >= memories.size() || at < outward[index_of(operand)] ||
          !memories[at].operands.contains(operand))
        return false;
      outward[index_of(operand)] = at;
      used[at].insert(operand);
    }
  }
  for (std::size_t m = 0; m < max_memories; ++m)
    for (const Operand operand : all_operands)
      if (mapping.double_buffered[m].contains(operand))
        good = good && m < memories.size() && used[m].contains(operand) && m != machine.home(operand) &&
               memories[m].double_buffer;
  return good && left == unit_extents;
}

}  // namespace nestor
