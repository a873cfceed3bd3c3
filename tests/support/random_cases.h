// Random small machines, layers and legal canonical mappings, for tests of code that evaluates, checks or
// replays a mapping. A case is a pure function of its seed, so a failure report needs only one number.
//
// FeatureCount (case_features.h) measures the coverage of a random test. It counts the cases that exercise
// each branch of the formulas. below_five_per_cent() names the features that are too rare for a meaningful
// test.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_machine.h"

namespace nestor::tests {

struct RandomCase {
  std::uint64_t seed = 0;
  NamedArchitecture architecture;
  LayerShape layer;
  Mapping mapping;

  /// Describes the case completely, for failure messages.
  std::string describe() const;
};

struct RandomCaseOptions {
  Int max_steps = 2000;  ///< limit on the iterations of all drawn loops together
  int max_loops = 9;
  bool long_loops = false;  ///< some loops have tens to hundreds of iterations
  /// Outer memories are slower and costlier, as in real machines, so that optimal mappings use the buffers.
  bool graded = false;
  bool canonical = true;  ///< false: legal but not necessarily canonical
  /// (P, R) and (Q, S) have equal bounds and usually equal axes, strides and dilations. Use with few short
  /// loops.
  bool mirrored = false;
  /// Operands depend on random sets of dimensions instead of those of a convolution.
  bool any_relevance = false;
  bool groups = false;  ///< some loops and axes use dimension G
};

/// Returns a random mapping on a random machine whose capacities fit it, often exactly.
RandomCase random_case(std::uint64_t seed, const RandomCaseOptions& options = {});

/// Draws random legal mappings of `layer` onto `architecture` by rejection. The result may have fewer than
/// `count` mappings, or none, if capacities are tight.
std::vector<Mapping> random_mappings(const LayerShape& layer, const NamedArchitecture& architecture,
                                     std::size_t count, std::uint64_t seed);

/// Returns the memories that may hold an operand, from its home inward.
std::vector<std::uint8_t> chain_of(Operand operand, const Architecture& machine);

}  // namespace nestor::tests
