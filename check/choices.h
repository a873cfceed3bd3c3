// All ways to lay factors of a layer's dimensions on a machine's axes.
#pragma once

#include "check/problem.h"

namespace nestor::check {

/// Whether exchanging P with Q and R with S maps the layer and the axes onto themselves: mirrored mappings
/// then cost the same.
bool is_symmetric(const Layer& layer, const Machine& machine);
Extents mirror(Extents extents);
Spatial mirror(Spatial spatial);
/// Of two choices that are mirrored onto each other, the one that stands for both.
Spatial standing_for(const Spatial& spatial, bool symmetric);

/// In ascending order; of mirrored ones the one that stands for both.
std::vector<Spatial> spatial_choices(const Layer& layer, const Machine& machine);

}  // namespace nestor::check
