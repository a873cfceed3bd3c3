// Claims of a result of nestor compile, checked against its proof (docs/proofs.md).
#pragma once

#include <functional>

#include "check/chip/model.h"

namespace nestor::check::chip {

/// The next run of a proof; null at the end.
using RunSource = std::function<Json()>;

/// The verdict on a result, printed; the exit status of the program.
int check_network(const Json& result, const std::string& proof, const std::string& layer);

/// `head`: of the proof.
Verdict check_result(const Json& result, const Json& head, const RunSource& runs);

/// Why the proof does not show that no schedule of the network takes fewer cycles than `least`; nothing if it
/// does.
struct FollowedNetwork {
  std::string failure;
  std::size_t runs = 0;
  std::size_t nodes = 0;
  std::size_t beginnings = 0;
};
FollowedNetwork follow(const CheckedChipProblem& problem, Int least, const RunSource& runs);

}  // namespace nestor::check::chip
