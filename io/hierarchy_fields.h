// Reader and writer of the common part of all architecture files of loop-nest spaces: the fields of a
// hierarchy of memories and spatial axes, with the checks that do not depend on the compute unit.
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

// Ranges that are large enough for any machine, and small enough that sums over a hierarchy are exact. Each
// model checks the machine together with a layer at admission (admission.h).
inline constexpr IntRange bits_range = {1, Int{1} << 52};
inline constexpr IntRange count_range = {1, Int{1} << 31};

namespace hierarchy_keys {
inline constexpr std::array<std::string_view, 2> entry = {"memory", "spatial"};
inline constexpr std::array<std::string_view, 3> axis = {"name", "size", "dims"};
}  // namespace hierarchy_keys

/// Reads an energy in pJ (per bit, per multiply-accumulate or per cycle), or 0 if the key is missing. The
/// limit of 1e30 keeps products of energies and cycles finite.
double read_energy(const MapReader& map, std::string_view key, Reading& reading);
/// Reads the `name` of a memory or an axis, which must not be in `taken`.
std::string read_unique_name(const MapReader& map, std::string_view what,
                             const std::vector<std::string>& taken, Reading& reading);
OperandSet read_operands(const Node& node, Reading& reading);
/// Reads a list of dimensions. The word `all` selects all dimensions except G.
DimSet read_dims(const Node& node, Reading& reading);

/// Adds an axis inside the previous axes. If there are too many, the error is reported at `where`.
void add_axis(Hierarchy& machine, std::vector<std::string>& axis_names, const std::string& name,
              const Axis& axis, const Node& where, Reading& reading);

/// Checks the memories of every operand. Its home and its innermost memory must exist and differ. A memory
/// must hold one bit for each operand whose innermost memory it is, because no tile is smaller.
void check_operands(const Hierarchy& machine, const std::vector<std::string>& memory_names,
                    const std::vector<Node>& capacity_nodes, const Node& hierarchy, Reading& reading);

Json operands_to_json(OperandSet operands);
Json dims_to_json(DimSet dims);

/// Reads the memories (with `read_memory`) and the spatial axes of `hierarchy`, outermost first.
void read_hierarchy(const MapReader& top, Hierarchy& machine, std::vector<std::string>& axis_names,
                    Reading& reading, FunctionRef<void(const Node& memory)> read_memory);
/// Returns the hierarchy as JSON, without the axes before `first_axis`.
Json hierarchy_to_json(const Hierarchy& machine, std::span<const std::string> axis_names,
                       std::size_t first_axis, FunctionRef<Json(std::size_t memory)> memory_to_json);

}  // namespace nestor::io
