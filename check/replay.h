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

#include "check/prove.h"

namespace nestor::check {

/// A nest of a list.
struct LoggedNest {
  std::uint32_t parent = 0;  ///< 0 is the innermost nest without loops, i the i-th of the list
  std::uint8_t dim = 0;
  Int factor = 1;
  struct Move {
    bool moves = false;
    bool doubled = false;
    std::uint8_t to = 0;  ///< position in the chain, where it moves
  };
  std::array<Move, 3> moves;
};

struct LoggedChoice {
  Spatial spatial;
  std::vector<LoggedNest> nests;
};

/// The next choice of a layer's proof; false at its end. Called by one thread at a time.
using ChoiceSource = std::function<bool(LoggedChoice&)>;

/// What is claimed of a choice: of some, listed among the best, another thing than of the rest.
struct Claims {
  Claim of_the_rest;
  std::map<Spatial, Claim> of_listed;  ///< by standing_for() of the choice
};

struct ReplayReport {
  bool finished = true;
  std::string failure;  ///< the first step that fails, in words; empty if there is none
  std::uint64_t choices = 0;
  std::uint64_t logged = 0;  ///< of these, with a list
  std::uint64_t nests = 0;
  std::uint64_t children = 0;
};

ReplayReport replay(const Layer& layer, const Machine& machine, const Claims& claims,
                    const ChoiceSource& source, const Limits& limits);

}  // namespace nestor::check
