// Check of the claims in a result of nestor map on a cnm system against its proof (docs/proofs.md).
#pragma once

#include <functional>

#include "check/cnm/space.h"

namespace nestor::check::cnm {

/// Function that returns the next piece of a proof, or null at the end.
using PieceSource = std::function<Json()>;

/// Prints the verdict on a result. Returns 0 if it is "verified", otherwise 1. `proof` is the path of the
/// proof file. Throws Unreadable if `layer` is not empty.
int check_kernel(const Json& result, const std::string& proof, const std::string& layer);

/// Checks a result against its proof and returns the verdict. `head` is the head of the proof.
Verdict check_result(const Json& result, const Json& head, const PieceSource& pieces);

}  // namespace nestor::check::cnm
