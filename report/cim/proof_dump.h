// A proof file as text, a line a nest. What it says is not checked; that is what nestor-check is for.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/proof/proof_file.h"

namespace nestor::report {

using TextSink = std::function<void(std::string_view)>;

/// What follows a head, piece by piece: proofs are large.
io::MaybeError dump_proof(io::ProofReader& reader, const io::Json& head, const TextSink& sink);

}  // namespace nestor::report
