// The replay of a proof file: per spatial choice a list of nests, each by the loop that leads to it from an
// earlier one. Nothing in it is believed. Every nest's numbers are worked out anew, and every way on from
// every nest must end at once: it does not fit, the claim closes it, or the list has a nest that makes it
// superfluous. There is no search: the first way on for which none holds is where the proof fails.
//
// Why that proves the claim: by induction on the iterations of the loops to come, nothing below a nest of the
// list is better than the claim. A way on has fewer of them than the nest it comes from; what stands for it
// has as many as it has; and of nests in the list that make one another superfluous one is followed.
#pragma once

#include <functional>
#include <map>

#include "check/nest.h"

namespace nestor::check {

/// The next choice of a layer's proof; false at its end.
using ChoiceSource = std::function<bool(LoggedChoice&)>;

/// What is claimed of a choice: of some, listed among the best, another thing than of the rest.
struct Claims {
  Claim of_the_rest;
  std::map<Spatial, Claim> of_listed;  ///< by standing_for() of the choice
};

struct ReplayReport {
  std::string failure;  ///< the first step that fails, in words; empty if there is none
  std::size_t choices = 0;
  std::size_t logged = 0;  ///< of these, with a list
  std::size_t nests = 0;
};

/// The same for any number of threads.
ReplayReport replay(const Layer& layer, const Machine& machine, const Claims& claims,
                    const ChoiceSource& source);

}  // namespace nestor::check
