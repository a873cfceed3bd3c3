// Functions that turn the groups of a layer into the dimension G, for machines that list G among the
// dimensions of an axis (docs/models/cim.md, section 1). On other machines, a grouped layer is the loop nest
// of one group, which is repeated.
#pragma once

#include "model/loopnest/hierarchy.h"
#include "model/workload/network.h"

namespace nestor {

inline bool lists_groups(const Hierarchy& machine) {
  for (const Axis& axis : machine.axes)
    if (axis.dims.contains(Dim::G)) return true;
  return false;
}

/// Multiplies the bound of G by the number of groups, and divides the repeat count by this number. For a
/// product of activations without groups, the number of repeats (its heads) takes the place of the number of
/// groups. The layer does not change if the repeat count is not divisible by the number, or if the bound
/// would exceed 2^31.
inline void groups_to_dimension(Layer& layer) {
  constexpr Int largest_bound = Int{1} << 31;
  const Int count = layer.groups == 1 && layer.activation_product ? layer.repeat : layer.groups;
  Int& bound = layer.shape.bounds[index_of(Dim::G)];
  if (layer.repeat % count != 0 || bound > largest_bound / count) return;
  bound *= count;
  layer.repeat /= count;
  layer.groups = 1;
}

inline void groups_to_dimension(std::vector<Layer>& layers, const Hierarchy& machine) {
  if (!lists_groups(machine)) return;
  for (Layer& layer : layers) groups_to_dimension(layer);
}

}  // namespace nestor
