// Common part of the linear programs of one spatial choice, and their patterns of use: which memories
// each operand uses (relaxation.h).
#pragma once

#include <array>
#include <vector>

#include "model/cim/linear/relaxation.h"

namespace nestor::cim {

/// Share by which rounding may move a coefficient of a relaxation.
inline constexpr double relative_margin = 1e-13;

/// What a spatial choice fixes.
struct SpatialSetting {
  SpatialSetting(const LayerShape& layer, const Architecture& machine, const SpatialFactors& spatial,
                 double log_margin);

  /// Product of the spatial factors of `dim` on the axes below memory m.
  double below(std::size_t m, Dim dim) const { return static_cast<double>(below_[m][index_of(dim)]); }
  /// Product of all spatial factors on the axes above memory m.
  double lanes_above(std::size_t m) const { return lanes_above_[m]; }
  bool is_reduced_above(std::size_t m) const { return reduced_above_[m]; }
  double log_up(double x) const;
  double log_down(double x) const;

  const LayerShape& layer;
  const Architecture& machine;
  Extents temporal = unit_extents;  ///< B_d
  double steps = 1;                 ///< product of B_d
  double constant = 0;              ///< pJ that every mapping pays
  double margin;

 private:
  double constant_energy() const;

  std::array<Extents, max_memories> below_{};
  std::array<double, max_memories> lanes_above_{};
  std::array<bool, max_memories> reduced_above_{};
};

/// Used memories per operand, home first.
using UsePattern = std::array<std::vector<std::size_t>, operand_count>;

/// All patterns that the limits allow: home and innermost always, any of the others.
std::vector<UsePattern> use_patterns(const Architecture& machine, const ContentLimits& limits);

}  // namespace nestor::cim
