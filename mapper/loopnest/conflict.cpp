#include "mapper/loopnest/conflict.h"

#include <array>

namespace nestor::mapper {
namespace {

using ItemKind = FixedItem::Kind;

// Returns the memories that are too small. Every operand needs space for at least one element (for the
// output, a partial sum) in its innermost memory, unless this memory is its home.
std::vector<Shortage> shortages_of(const LayerShape& layer, const Hierarchy& machine) {
  std::array<Int, max_memories> needed{};
  for (const Operand operand : all_operands) {
    const std::size_t m = machine.innermost(operand);
    if (m == machine.home(operand)) continue;
    needed[m] += layer.bits.of(operand, true);
  }
  std::vector<Shortage> shortages;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    if (needed[m] > machine.memories[m].capacity) shortages.push_back({m, needed[m]});
  return shortages;
}

std::vector<FixedItem> items_of(const Constraints& constraints, const Hierarchy& machine) {
  const Constraints free;
  std::vector<FixedItem> items;
  for (std::size_t axis = 0; axis < machine.axes.size(); ++axis) {
    if (!(constraints.axis_dims[axis] == free.axis_dims[axis])) items.push_back({ItemKind::axis_dims, axis});
    for (const Dim dim : all_dims)
      if (constraints.axis_factors[axis][index_of(dim)] != 0)
        items.push_back({ItemKind::axis_factor, axis, dim});
    if (constraints.min_utilisation[axis] > 0) items.push_back({ItemKind::min_utilisation, axis});
  }
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands) {
      if (constraints.must_use[m].contains(operand))
        items.push_back({ItemKind::must_use, m, Dim::N, operand});
      if (constraints.must_not_use[m].contains(operand))
        items.push_back({ItemKind::must_not_use, m, Dim::N, operand});
    }
  if (!constraints.outer_loops.empty()) items.push_back({ItemKind::outer_loops});
  for (const Operand operand : all_operands)
    if (constraints.stationary.contains(operand))
      items.push_back({.kind = ItemKind::stationary, .operand = operand});
  return items;
}

void drop(Constraints& constraints, const FixedItem& item) {
  switch (item.kind) {
    case ItemKind::axis_dims:
      constraints.axis_dims[item.place] = Constraints().axis_dims[item.place];
      break;
    case ItemKind::axis_factor:
      constraints.axis_factors[item.place][index_of(item.dim)] = 0;
      break;
    case ItemKind::min_utilisation:
      constraints.min_utilisation[item.place] = 0;
      break;
    case ItemKind::must_use:
      constraints.must_use[item.place].erase(item.operand);
      break;
    case ItemKind::must_not_use:
      constraints.must_not_use[item.place].erase(item.operand);
      break;
    case ItemKind::outer_loops:
      constraints.outer_loops.clear();
      break;
    case ItemKind::stationary:
      constraints.stationary.erase(item.operand);
      break;
  }
}

}  // namespace

Conflict least_conflict(const LayerShape& layer, const Hierarchy& machine, const Constraints& constraints,
                        const Feasibility& feasibility) {
  Conflict conflict;
  conflict.shortages = shortages_of(layer, machine);
  if (!conflict.shortages.empty()) return conflict;
  Constraints left = constraints;
  for (const FixedItem& item : items_of(constraints, machine)) {
    Constraints without = left;
    drop(without, item);
    const Status status = feasibility(without);
    if (status == Status::infeasible) {
      left = without;
      continue;
    }
    conflict.items.push_back(item);
    if (status != Status::optimal && status != Status::gap_reached) conflict.minimal = false;
  }
  return conflict;
}

}  // namespace nestor::mapper
