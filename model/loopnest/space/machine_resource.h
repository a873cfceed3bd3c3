// Resources of a machine of a loop-nest space, with their amounts, which explanations of a mapping
// (mapper/cim/explain, mapper/pim/explain) change, one at a time, to see what binds.
#pragma once

#include <cmath>

#include "base/enum_words.h"
#include "model/loopnest/constraints.h"
#include "model/loopnest/hierarchy.h"

namespace nestor {

struct Resource {
  /// Cycles of one step, bits per cycle, bits, lanes; of a memory with rows: banks, cycles to open a row.
  enum class Kind : std::uint8_t { compute, bandwidth, capacity, axis, banks, activation };
  Kind kind = Kind::compute;
  std::size_t place = 0;  ///< the memory or axis
};

/// The kinds in results.
inline constexpr auto resource_kinds =
    enum_words<Resource::Kind>({{Resource::Kind::compute, "compute"},
                                {Resource::Kind::bandwidth, "bandwidth"},
                                {Resource::Kind::capacity, "capacity"},
                                {Resource::Kind::axis, "axis"},
                                {Resource::Kind::banks, "banks"},
                                {Resource::Kind::activation, "activation"}});

/// Whether more of a resource would help a mapping.
enum class Binding : std::uint8_t {
  no,       ///< nor does the most of it change the optimum
  later,    ///< one step more changes nothing; much more does
  yes,      ///< one step more improves the optimum
  unknown,  ///< a limit ended a search before it could tell
};
inline constexpr auto bindings = enum_words<Binding>(
    {{Binding::no, "no"}, {Binding::later, "later"}, {Binding::yes, "yes"}, {Binding::unknown, "unknown"}});

/// The amount, as it stands in the machine: a Hierarchy with `mvm_cycles`.
template <typename Machine>
constexpr auto& amount_of(const Resource& resource, Machine& machine) {
  switch (resource.kind) {
    case Resource::Kind::compute:
      break;
    case Resource::Kind::bandwidth:
      return machine.memories[resource.place].bandwidth;
    case Resource::Kind::capacity:
      return machine.memories[resource.place].capacity;
    case Resource::Kind::axis:
      return machine.axes[resource.place].size;
    case Resource::Kind::banks:
      return machine.memories[resource.place].banks;
    case Resource::Kind::activation:
      return machine.memories[resource.place].activation_cycles;
  }
  return machine.mvm_cycles;
}

/// On an axis of another size, a share of its lanes that must be used stays the number of lanes that it was.
inline void keep_least_lanes(std::size_t axis, Int size_before, Int size, Constraints& constraints) {
  double& share = constraints.min_utilisation[axis];
  const double lanes = std::ceil(share * static_cast<double>(size_before));
  if (lanes >= 1) share = (lanes - 0.5) / static_cast<double>(size);
}

}  // namespace nestor
