// The oracle of these tests. It decides whether a claim holds for every mapping of a layer, by the checker's
// own rules and without a proof. It lists all spatial choices. Below each, nests grow from the innermost loop
// outward, and stop if the rules end them or another nest dominates them. By induction on the remaining
// loops, every continuation of a followed nest is followed, closed, or no better than a continuation of
// another followed nest. So if no complete nest is found that the claim does not close, none exists.
#pragma once

#include "check/cim/rules.h"

namespace nestor::check_cases {

struct Report {
  bool finished = true;  ///< false: there were too many nests
  bool refuted = false;
  check::Cost better;  ///< cost of a mapping that is better than the claim
};

/// `is_of_impossibility` means that the claim is that no mapping exists. The deepest nests then come first.
Report prove(const check::Layer& layer, const check::Machine& machine, const check::Claim& claim,
             bool is_of_impossibility = false);

}  // namespace nestor::check_cases
