#include "model/pim/legality.h"

#include "model/loopnest/canonical.h"
#include "model/pim/boundaries.h"
#include "model/pim/even.h"

namespace nestor::pim {
namespace {

using Found = std::optional<PimViolation>;

Found check_axes(const PimMachine& machine, const PimMapping& mapping) {
  for (const Dim dim : all_dims) {
    bool once = false;
    for (std::size_t a = 0; a < machine.axes.size(); ++a) {
      if (((machine.dim_once >> a) & 1U) == 0 || mapping.nest.spatial[a][index_of(dim)] == 1) continue;
      if (once) return PimViolation{.rule = PimRule::dim_twice, .dim = dim, .axis = a};
      once = true;
    }
  }
  return std::nullopt;
}

Found check_stored(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping) {
  bool any = false;
  for (std::size_t m = 0; m < max_memories; ++m)
    for (const Operand operand : all_operands) {
      if (!mapping.stored[m].contains(operand)) continue;
      any = true;
      if (m >= machine.memories.size() || !machine.memories[m].operands.contains(operand))
        return PimViolation{.rule = PimRule::stored_nowhere, .operand = operand, .memory = m};
    }
  if (!any) return std::nullopt;
  const PimNest nest(layer, machine, mapping);
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    Int needed = 0;
    for (const Operand operand : all_operands)
      if (nest.used(m, operand) && m != machine.home(operand)) needed += nest.tiles().size_bits(m, operand);
    if (needed > machine.memories[m].capacity)
      return PimViolation{.rule = PimRule::stored_capacity,
                          .memory = m,
                          .found = needed,
                          .limit = machine.memories[m].capacity};
  }
  return std::nullopt;
}

Found check_layouts(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping) {
  for (const Operand operand : all_operands) {
    if (!machine.has_rows(operand)) continue;
    const Layout& layout = mapping.layouts[index_of(operand)];
    const Coordinates size = tensor_in_dram(layer, machine, mapping, operand);
    if (layout_fits(has_planes(layer, operand), size, layout)) continue;
    if (layout.kind == LayoutKind::hwc) return PimViolation{.rule = PimRule::layout_kind, .operand = operand};
    const bool width = layout.block_height > 0 && size[2] % layout.block_height == 0;
    return PimViolation{.rule = PimRule::layout_block,
                        .operand = operand,
                        .found = width ? layout.block_width : layout.block_height,
                        .limit = size[width ? 3 : 2],
                        .along_width = width};
  }
  return std::nullopt;
}

}  // namespace

Coordinates tensor_in_dram(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping,
                           Operand operand) {
  Extents extents = layer.bounds;
  const std::size_t above = machine.memories[machine.home(operand)].axes_above;
  for (std::size_t a = 0; a < above; ++a)
    for (std::size_t d = 0; d < dim_count; ++d)
      if (mapping.nest.spatial[a][d] > 0) extents[d] /= mapping.nest.spatial[a][d];
  return tile_box(layer, operand, extents);
}

std::optional<PimViolation> find_violation(const LayerShape& layer, const PimMachine& machine,
                                           const PimMapping& mapping) {
  if (const auto found = nestor::find_violation(layer, machine, mapping.nest))
    return PimViolation{.rule = PimRule::nest, .nest = *found};
  if (auto found = check_axes(machine, mapping)) return found;
  if (auto found = check_stored(layer, machine, mapping)) return found;
  if (machine.blocks == BlockRule::even && !is_even(layer, machine, mapping))
    return PimViolation{.rule = PimRule::uneven};
  return check_layouts(layer, machine, mapping);
}

std::optional<PimViolation> find_misplacement(const PimMachine& machine, const PimMapping& mapping) {
  if (const auto found = nestor::find_misplacement(machine, mapping.nest))
    return PimViolation{.rule = PimRule::nest, .nest = *found};
  return std::nullopt;
}

void normalise(PimMapping& mapping, const LayerShape& layer, const PimMachine& machine) {
  nestor::normalise(mapping.nest, layer, machine);
  for (const Operand operand : all_operands) {
    Layout& layout = mapping.layouts[index_of(operand)];
    if (!machine.has_rows(operand)) layout = {};
    if (layout.kind != LayoutKind::row_aligned || !has_planes(layer, operand)) {
      layout = {.kind = layout.kind};
      continue;
    }
    // Blocks of height 1 or of the width of the plane result in the same addresses as an uncut plane, but the
    // hybrid formulas distinguish them.
    if (machine.row_model == RowModel::hybrid) continue;
    const Coordinates size = tensor_in_dram(layer, machine, mapping, operand);
    if (layout_fits(true, size, layout) && (layout.block_height == 1 || layout.block_width == size[3]))
      layout = {.kind = LayoutKind::row_aligned, .block_height = 1, .block_width = size[3]};
  }
}

}  // namespace nestor::pim
