// A proof file as text, a line a nest. What it says is not checked; that is what nestor-check is for.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/error.h"

namespace nestor::report {

using TextSink = std::function<void(std::string_view)>;

/// Piece by piece: proofs are large.
io::MaybeError dump_proof(std::string content, const TextSink& sink);

}  // namespace nestor::report
