// Claims of a result of nestor map on a cnm system, checked against its proof (docs/proofs.md).
#pragma once

#include <functional>

#include "check/cnm/space.h"

namespace nestor::check::cnm {

/// The next piece of a proof; null at the end.
using PieceSource = std::function<Json()>;

/// The verdict on a result, printed; the exit status of the program.
int check_kernel(const Json& result, const std::string& proof, const std::string& layer);

/// `head`: of the proof.
Verdict check_result(const Json& result, const Json& head, const PieceSource& pieces);

}  // namespace nestor::check::cnm
