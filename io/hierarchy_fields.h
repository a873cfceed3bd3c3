// Common part of the architecture files of all loop-nest spaces: the fields of a hierarchy of memories and
// spatial axes, with the checks that do not depend on what computes below it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "io/checked_reader.h"
#include "io/files.h"
#include "model/loopnest/hierarchy.h"

namespace nestor::io {

// Large enough for any machine, small enough that sums over a hierarchy stay exact; what a layer makes of it
// is checked at the door of each model (admission.h).
inline constexpr IntRange bits_range = {1, Int{1} << 52};
inline constexpr IntRange count_range = {1, Int{1} << 31};

namespace hierarchy_keys {
inline constexpr std::array<std::string_view, 2> entry = {"memory", "spatial"};
inline constexpr std::array<std::string_view, 3> axis = {"name", "size", "dims"};
}  // namespace hierarchy_keys

/// pJ per bit, per multiply-accumulate or per cycle, 0 if left out; products of energies and cycles must stay
/// finite.
double read_energy(const MapReader& map, std::string_view key, Reading& reading);
/// A name that no other memory (or axis) of the hierarchy has.
std::string read_unique_name(const MapReader& map, std::string_view what,
                             const std::vector<std::string>& taken, Reading& reading);
OperandSet read_operands(const Node& node, Reading& reading);
/// A list of dimensions, or `all`: those of one group.
DimSet read_dims(const Node& node, Reading& reading);

/// An axis within those before it; `where` is to blame if there are too many.
void add_axis(Hierarchy& machine, std::vector<std::string>& axis_names, const std::string& name,
              const Axis& axis, const Node& where, Reading& reading);

/// Every operand needs a home and an innermost memory that differ, and the innermost must hold one element of
/// the narrowest kind: whatever the layer, its smallest tile is at least one bit per operand.
void check_operands(const Hierarchy& machine, const std::vector<std::string>& memory_names,
                    const std::vector<Node>& capacity_nodes, const Node& hierarchy, Reading& reading);

Json operands_to_json(OperandSet operands);
Json dims_to_json(DimSet dims);

/// The memories and spatial axes of `hierarchy`, outermost first.
void read_hierarchy(const MapReader& top, Hierarchy& machine, std::vector<std::string>& axis_names,
                    Reading& reading, FunctionRef<void(const Node& memory)> read_memory);
/// The same written, but for the axes before `first_axis`.
Json hierarchy_to_json(const Hierarchy& machine, std::span<const std::string> axis_names,
                       std::size_t first_axis, FunctionRef<Json(std::size_t memory)> memory_to_json);

}  // namespace nestor::io
