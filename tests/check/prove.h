// An oracle for tests. It decides by the checker's own rules, without a proof file, whether a claim about all
// mappings of a layer is true. It lists all spatial choices. Below each choice, nests grow from the innermost
// loop outward until the rules close them or another nest dominates them. By induction on the remaining
// loops, every continuation of an expanded nest is expanded, closed, or no better than a continuation of
// another expanded nest. So if the oracle finds no complete nest that refutes the claim, none exists.
#pragma once

#include "check/cim/rules.h"

namespace nestor::check_cases {

struct Report {
  bool finished = true;  ///< false: there were too many nests
  bool refuted = false;
  check::Cost better;  ///< cost of a mapping that is better than the claim
};

/// If `is_of_impossibility`, the claim is that no mapping exists, and the deepest nests come first.
Report prove(const check::Layer& layer, const check::Machine& machine, const check::Claim& claim,
             bool is_of_impossibility = false);

}  // namespace nestor::check_cases
