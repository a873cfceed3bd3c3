// Common part of the linear programs of one spatial choice, and their patterns of use: the memories that each
// operand uses (relaxation.h).
#pragma once

#include <array>
#include <vector>

#include "model/cim/linear/relaxation.h"

namespace nestor::cim {

/// Relative error that rounding may cause in a coefficient of a relaxation.
inline constexpr double relative_margin = 1e-13;

/// Values that a spatial choice determines.
struct SpatialSetting {
  SpatialSetting(const LayerShape& layer, const Architecture& machine, const SpatialFactors& spatial,
                 double log_margin);

  /// Returns the product of the spatial factors of `dim` on the axes below memory m.
  double below(std::size_t m, Dim dim) const { return static_cast<double>(below_[m][index_of(dim)]); }
  /// Returns the product of all spatial factors on the axes above memory m.
  double lanes_above(std::size_t m) const { return lanes_above_[m]; }
  bool is_reduced_above(std::size_t m) const { return reduced_above_[m]; }
  double log_up(double x) const;
  double log_down(double x) const;

  const LayerShape& layer;
  const Architecture& machine;
  Extents temporal = unit_extents;  ///< temporal bound B_d of each dimension
  double steps = 1;                 ///< product of B_d
  double constant = 0;              ///< pJ common to all mappings
  double margin;

 private:
  double constant_energy() const;

  std::array<Extents, max_memories> below_{};
  std::array<double, max_memories> lanes_above_{};
  std::array<bool, max_memories> reduced_above_{};
};

/// Used memories per operand, home first.
using UsePattern = std::array<std::vector<std::size_t>, operand_count>;

/// Returns all patterns that the limits allow. An operand's home and innermost memory are always used; other
/// memories are optional.
std::vector<UsePattern> use_patterns(const Architecture& machine, const ContentLimits& limits);

}  // namespace nestor::cim
