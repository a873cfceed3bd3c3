// The fields that the machines of all loop-nest spaces have: the hierarchy of memories and spatial axes, and
// the costs of the machine and of its compute unit. Checks that do not depend on the compute unit are
// included.
#pragma once

#include <string>
#include <vector>

#include "io/fields.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

// Ranges that are large enough for any machine, and small enough that sums over a hierarchy are exact. Each
// model checks the machine together with a layer at admission (admission.h).
inline constexpr IntRange bits_range = {1, Int{1} << 52};
inline constexpr IntRange count_range = {1, Int{1} << 31};

/// Name, operands and capacity, which precede the other fields of a memory.
void describe_memory_head(Fields& fields, std::string& name, Memory& memory);

/// Adds an axis inside the previous axes. If there are too many, the error is reported at `where`.
void add_axis(Hierarchy& machine, std::vector<std::string>& axis_names, const std::string& name,
              const Axis& axis, const Node& where, Reading& reading);

/// The memories (with `describe_memory`) and the spatial axes, outermost first. The axes before `first_axis`
/// are not written: they have fields of their own. The nodes of the memories are added to `nodes`. Keys of
/// memories of another kind than `kind` are refused.
using DescribeMemory = FunctionRef<void(Fields& fields, std::string& name, Memory& memory, PartCosts& costs)>;
void describe_hierarchy(Fields& fields, std::string_view kind, Hierarchy& machine, HierarchyNames& names,
                        std::size_t first_axis, std::vector<Node>& nodes, DescribeMemory describe_memory);

/// Leakage and clock, the last fields of a machine.
void describe_rates(Fields& fields, double& leakage, double& clock);

/// Checks the memories of every operand. Its home and its innermost memory must exist and differ. A memory
/// must hold one bit for each operand whose innermost memory it is, because no tile is smaller.
void check_operands(const Hierarchy& machine, const std::vector<std::string>& memory_names,
                    const std::vector<Node>& memory_nodes, const Node& hierarchy, Reading& reading);

}  // namespace nestor::io
