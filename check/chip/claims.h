// Check of the claims in a result of nestor compile against its proof (docs/proofs.md).
#pragma once

#include <functional>

#include "check/chip/model.h"

namespace nestor::check::chip {

/// Function that returns the next run of a proof, or null at the end.
using RunSource = std::function<Json()>;

/// Prints the verdict on a result. Returns 0 if it is "verified", otherwise 1. `proof` is the path of the
/// proof file. Throws Unreadable if `layer` is not empty.
int check_network(const Json& result, const std::string& proof, const std::string& layer);

/// Checks a result against its proof and returns the verdict. `head` is the head of the proof.
Verdict check_result(const Json& result, const Json& head, const RunSource& runs);

/// Throws NotChecked if proofs have no rules for this chip, network or schedule.
void require_rules(const CheckedChipProblem& problem, const Schedule& schedule);

/// The outcome of verifying a proof. `failure` is the reason why the proof does not show that every schedule
/// of the network takes at least `least` cycles (an argument of follow). It is empty if the proof shows this.
struct FollowedNetwork {
  std::string failure;
  std::size_t runs = 0;
  std::size_t nodes = 0;
  std::size_t beginnings = 0;
};
FollowedNetwork follow(const CheckedChipProblem& problem, Int least, const RunSource& runs);

}  // namespace nestor::check::chip
