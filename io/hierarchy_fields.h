// What the architecture files of all loop-nest spaces share: the fields of a hierarchy of memories and
// spatial axes, with the checks that do not depend on what computes below it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/loopnest/hierarchy.h"

namespace nestor::io {

/// pJ per bit, per multiply-accumulate or per cycle, 0 if left out; products of energies and cycles must stay
/// finite.
double read_energy(const MapReader& map, std::string_view key, Reading& reading);
/// A name that no other memory (or axis) of the hierarchy has.
std::string read_unique_name(const MapReader& map, std::string_view what,
                             const std::vector<std::string>& taken, Reading& reading);
OperandSet read_operands(const Node& node, Reading& reading);
/// A list of dimensions, or `all`.
DimSet read_dims(const Node& node, Reading& reading);

/// Every operand needs a home and an innermost memory that differ, and the innermost must hold one element of
/// the narrowest kind: whatever the layer, its smallest tile is at least one bit per operand.
void check_operands(const Hierarchy& machine, const std::vector<std::string>& memory_names,
                    const std::vector<Node>& capacity_nodes, const Node& hierarchy, Reading& reading);

Json operands_to_json(OperandSet operands);
Json dims_to_json(DimSet dims);

/// One entry of `hierarchy`: a memory or a spatial axis.
template <typename ReadMemory, typename ReadAxis, typename Keys>
void read_hierarchy_entry(const Node& node, const Keys& keys, Reading& reading, ReadMemory read_memory,
                          ReadAxis read_axis) {
  const MapReader entry(node, "entry of the hierarchy", keys, reading);
  if (reading.failed()) return;
  if (node.size() != 1) {
    reading.fail(node, "entry of the hierarchy must be one memory or one spatial axis");
  } else if (const auto memory = entry.find("memory")) {
    read_memory(*memory);
  } else {
    read_axis(node.value(0));
  }
}

}  // namespace nestor::io
