// PIM machines and mappings, read directly from the JSON of a result, and the spatial choices to consider.
// The specification is docs/models/pim.md.
#pragma once

#include "check/problem.h"

namespace nestor::check::pim {

/// Order of an operand's elements in DRAM rows. Aligned planes of inputs and outputs can be cut into blocks.
struct Layout {
  enum Kind : std::uint8_t { sequential, hwc, row_aligned } kind = sequential;
  Int height = 1;
  Int width = 1;
  bool operator==(const Layout&) const = default;
};
using Layouts = std::array<Layout, 3>;

inline constexpr std::array<std::string_view, 3> layout_words = {"sequential", "hwc", "row_aligned"};

/// The port of a memory.
struct Port {
  Int read_bandwidth = 0;  ///< read bandwidth if the two directions differ; otherwise 0
  Int write_bandwidth = 0;
  Int access_latency = 0;
  bool is_shared = false;  ///< true if operands take turns
  Int row = 0;             ///< bits of a DRAM row, or 0 if the memory has no rows
  Int banks = 1;
  Int activation_cycles = 0;
  Wide activation_energy = 0;
};

struct CheckedPimMachine : check::Machine {
  std::vector<Port> ports;  ///< one port for each memory
  Int reduction_latency = 0;
  bool is_even = true;
  std::array<bool, 3> layouts{true, true, true};  ///< true for allowed kinds
  std::vector<bool> once;                         ///< true for the axes in `dim_once`; a dimension may have a
                                                  ///< factor on at most one of them
  std::vector<bool> joined;                       ///< true for axes without a memory between them and the
                                                  ///< previous axis
};

/// A mapping as a chain of nests, each the parent of the next. The first nest has no loop; it holds the moves
/// that precede all loops.
struct CheckedPimMapping : LoggedChoice {
  Layouts layouts;
};

/// Reads a machine without the options of a run.
CheckedPimMachine read_hardware(const Json& architecture);
/// Reads the machine of a result, restricted by its options.
CheckedPimMachine read_machine(const Json& result);
Layouts read_layouts(const Json& mapping);
CheckedPimMapping read_mapping(const Json& mapping, const CheckedPimMachine& machine);

/// True if height and width are interchangeable. Memories with rows break this symmetry.
bool is_symmetric(const Layer& layer, const CheckedPimMachine& machine);
/// Returns the representative of choices that are mirror images or differ only in how the factors of a
/// dimension are distributed over joined axes. It may exceed the size of an axis.
Spatial standing_for(const Spatial& spatial, const Layer& layer, const CheckedPimMachine& machine);
/// Returns the representatives of all choices that satisfy the rules of the axes.
std::set<Spatial> spatial_choices(const Layer& layer, const CheckedPimMachine& machine,
                                  const std::function<Spatial(const Spatial&)>& standing);
/// True if no cost decreases when a factor increases. Row costs can be lower for larger bounds.
bool grows_with_factors(const CheckedPimMachine& machine, const Objective& objective);
/// True if no dimension has factors on more than one of the axes that `once` marks.
bool keeps_dims_once(const Spatial& spatial, const CheckedPimMachine& machine);

}  // namespace nestor::check::pim
