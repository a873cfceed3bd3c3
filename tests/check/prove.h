// The oracle of these tests: finds for itself whether a claim holds for every mapping of a layer, by the
// checker's own rules and without a proof. All spatial choices are listed; below each, nests grow from the
// innermost loop outward and go no further if they end by the rules, or another nest dominates them. By
// induction on the loops still to come: every way on of a nest that was followed is followed, closed, or no
// better than one of another nest that was followed. So if no complete nest is found that the claim does not
// close, there is none.
#pragma once

#include "check/cim/rules.h"

namespace nestor::check_cases {

struct Report {
  bool finished = true;  ///< false: too many nests
  bool refuted = false;
  check::Cost better;  ///< of a mapping that is better than the claim
};

/// `is_of_impossibility`: that there is no mapping is claimed; then the deepest nests come first.
Report prove(const check::Layer& layer, const check::Machine& machine, const check::Claim& claim,
             bool is_of_impossibility = false);

}  // namespace nestor::check_cases
