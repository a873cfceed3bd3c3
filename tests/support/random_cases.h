// Random small machines, layers and legal canonical mappings for the tests of everything that evaluates,
// checks or replays a mapping. A case is a pure function of its seed, so a failure is reported as one number.
//
// FeatureCount makes a random test honest: it counts how many cases exercise what the formulas branch on, and
// below_five_per_cent() names what was too rare for the test to mean anything.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_machine.h"

namespace nestor::testing {

struct RandomCase {
  std::uint64_t seed = 0;
  NamedArchitecture architecture;
  LayerShape layer;
  Mapping mapping;

  /// Everything needed to see what the case is, for a failure message.
  std::string describe() const;
};

struct RandomCaseOptions {
  Int max_steps = 2000;  ///< iterations of all temporal loops
  int max_loops = 9;
  bool long_loops = false;  ///< some loops of tens to hundreds of iterations
  bool graded =
      false;  ///< as real machines are: outer memories slower and dearer, so that optima use the chain
  bool canonical = true;  ///< false: legal but for the canonical form
  /// (P, R) and (Q, S) alike in bounds and, mostly, in axes, strides and dilations; for few short loops.
  bool mirrored = false;
  /// Operands see random sets of dimensions, not those of a convolution.
  bool any_relevance = false;
  bool groups = false;  ///< some loops and axes are of G
};

/// A random mapping on a random machine, whose capacities fit it (often exactly).
RandomCase random_case(std::uint64_t seed, const RandomCaseOptions& options = {});

/// A random legal mapping of `layer` onto `architecture`, by rejection; the last draw need not exist when the
/// capacities are tight, so the result may be empty.
std::vector<Mapping> random_mappings(const LayerShape& layer, const NamedArchitecture& architecture,
                                     std::size_t count, std::uint64_t seed);

/// The memories that may hold an operand, from its home inward.
std::vector<std::uint8_t> chain_of(Operand operand, const Architecture& machine);

}  // namespace nestor::testing
