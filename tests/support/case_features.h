// Counts of features in random mappings. Tests use them to report how well their cases cover the features.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::tests {

enum class Feature {
  bypass,
  uneven_blocks,
  double_buffering,
  returning_partial_sums,
  two_iteration_loop,  ///< a loop of two iterations causes a transfer
  stride,
  dilation,
  batch,
  spatial_reduction,
  four_memories,  ///< one operand uses four memories
  count_
};

class FeatureCount {
 public:
  void add(const Architecture& machine, const LayerShape& layer, const Mapping& mapping) {
    add(machine, layer, std::span(&mapping, 1));
  }
  /// Adds one case with several mappings. The case has a feature if one of its mappings has it.
  void add(const Architecture& machine, const LayerShape& layer, std::span<const Mapping> mappings);
  /// Returns the features that fewer than 5 % of the cases have, each with its number of cases; empty if
  /// there are none, or if there are too few cases.
  std::string below_five_per_cent() const;
  std::string to_string() const;

 private:
  std::array<std::size_t, static_cast<std::size_t>(Feature::count_)> cases_with_{};
  std::size_t cases_ = 0;
};

}  // namespace nestor::tests
