// PIM machines, mappings and spatial choices that count, read from the JSON itself. The contract is
// docs/models/pim.md.
#pragma once

#include "check/problem.h"

namespace nestor::check::pim {

/// How an operand's elements follow one another in DRAM rows. Planes of inputs and outputs that are aligned
/// may be cut into blocks.
struct Layout {
  enum Kind : std::uint8_t { sequential, hwc, row_aligned } kind = sequential;
  Int height = 1;
  Int width = 1;
  bool operator==(const Layout&) const = default;
};
using Layouts = std::array<Layout, 3>;

inline constexpr std::array<std::string_view, 3> layout_words = {"sequential", "hwc", "row_aligned"};

/// Of a memory.
struct Port {
  Int read_bandwidth = 0;  ///< where the two ways differ; otherwise 0
  Int write_bandwidth = 0;
  Int access_latency = 0;
  bool is_shared = false;  ///< operands take turns
  Int row = 0;             ///< bits, of DRAM
  Int banks = 1;
  Int activation_cycles = 0;
  Wide activation_energy = 0;
};

struct CheckedPimMachine : check::Machine {
  std::vector<Port> ports;  ///< per memory
  Int reduction_latency = 0;
  bool is_even = true;
  std::array<bool, 3> layouts{true, true, true};  ///< kinds to choose from
  std::vector<bool> once;                         ///< axes on one of which a dimension may have a factor
  std::vector<bool> twin;                         ///< axes that nothing tells from the one before
};

/// Its nests are one another's parents; the first has the moves before any loop.
struct CheckedPimMapping : LoggedChoice {
  Layouts layouts;
};

CheckedPimMachine read_machine(const Json& result);
/// fix() of problem.h; twins must be fixed alike.
void fix_machine(CheckedPimMachine& machine, const Json& result);
CheckedPimMapping read_mapping(const Json& mapping, const CheckedPimMachine& machine);

/// Height and width lie differently in rows.
bool is_symmetric(const Layer& layer, const CheckedPimMachine& machine);
/// Of choices that are mirrored, or differ by twins changed for each other, the one that stands for all.
Spatial standing_for(const Spatial& spatial, const Layer& layer, const CheckedPimMachine& machine);
std::set<Spatial> spatial_choices(const Layer& layer, const CheckedPimMachine& machine,
                                  const std::function<Spatial(const Spatial&)>& standing);
/// Rows may cost less where a bound grows.
bool grows_with_factors(const CheckedPimMachine& machine, const Objective& objective);
/// Whether no dimension has factors on two axes of which one at most may have any.
bool keeps_dims_once(const Spatial& spatial, const CheckedPimMachine& machine);

}  // namespace nestor::check::pim
