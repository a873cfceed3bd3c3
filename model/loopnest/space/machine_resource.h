// Resources of a machine of a loop-nest space and their amounts. Explanations of a mapping
// (mapper/cim/explain, mapper/pim/explain) change one amount at a time to find the resources that bind.
#pragma once

#include <cmath>

#include "base/enum_words.h"
#include "model/loopnest/constraints.h"
#include "model/loopnest/hierarchy.h"

namespace nestor {

struct Resource {
  /// Units: cycles of one step, bits per cycle, bits, lanes, banks, cycles to open a row. The last two apply
  /// only to memories with rows.
  enum class Kind : std::uint8_t { compute, bandwidth, capacity, axis, banks, activation };
  Kind kind = Kind::compute;
  std::size_t place = 0;  ///< index of the memory or axis
};

/// Names of the kinds in results.
inline constexpr auto resource_kinds =
    enum_words<Resource::Kind>({{Resource::Kind::compute, "compute"},
                                {Resource::Kind::bandwidth, "bandwidth"},
                                {Resource::Kind::capacity, "capacity"},
                                {Resource::Kind::axis, "axis"},
                                {Resource::Kind::banks, "banks"},
                                {Resource::Kind::activation, "activation"}});

/// Answer to the question whether more of a resource would improve a mapping.
enum class Binding : std::uint8_t {
  no,       ///< even the largest amount does not improve the optimum
  later,    ///< the next larger amount does not improve the optimum, but the largest amount does
  yes,      ///< the next larger amount improves the optimum
  unknown,  ///< a limit stopped a search before the answer was known
};
inline constexpr auto bindings = enum_words<Binding>(
    {{Binding::no, "no"}, {Binding::later, "later"}, {Binding::yes, "yes"}, {Binding::unknown, "unknown"}});

/// Returns the amount of a resource in a machine, which is a Hierarchy with `mvm_cycles`.
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

/// Adapts the minimum utilisation of an axis to a new size, so that the required number of lanes stays the
/// same.
inline void keep_least_lanes(std::size_t axis, Int size_before, Int size, Constraints& constraints) {
  double& share = constraints.min_utilisation[axis];
  const double lanes = std::ceil(share * static_cast<double>(size_before));
  if (lanes >= 1) share = (lanes - 0.5) / static_cast<double>(size);
}

}  // namespace nestor
