// Which features random mappings have, so that a test can say what its cases covered.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::testing {

/// With fewer cases a test makes no claim about what they cover: a fault that is planted is first shown to a
/// few (tests/mutation), and a test that fails there without a fault would notice everything.
inline constexpr std::size_t fewest_cases_that_tell = 40;

enum class Feature {
  bypass,
  uneven_blocks,
  double_buffering,
  returning_partial_sums,
  two_iteration_loop,  ///< that carries a transfer
  stride,
  dilation,
  batch,
  spatial_reduction,
  four_memories,  ///< used in one operand's chain
  count_
};

class FeatureCount {
 public:
  void add(const Architecture& machine, const LayerShape& layer, const Mapping& mapping) {
    add(machine, layer, std::span(&mapping, 1));
  }
  /// One case with several mappings: it has a feature if one of them has.
  void add(const Architecture& machine, const LayerShape& layer, std::span<const Mapping> mappings);
  /// Names and shares of the features that fewer than 5 % of the cases have; empty is good. Nothing of few
  /// cases.
  std::string below_five_per_cent() const;
  std::string to_string() const;

 private:
  std::array<std::size_t, static_cast<std::size_t>(Feature::count_)> cases_with_{};
  std::size_t cases_ = 0;
};

}  // namespace nestor::testing
