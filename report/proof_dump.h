// A proof file as text, a line a nest of mappings. What it says is not checked; that is what nestor-check is
// for.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/files.h"
#include "report/proof/proof_file.h"

namespace nestor::report {

using TextSink = std::function<void(std::string_view)>;

/// What follows the head of a proof, piece by piece: proofs are large. False for a head that is none.
using DumpProof = io::Result<bool> (*)(io::ProofReader& reader, const io::Json& head, const TextSink& sink);

/// Of a search of loop nests; loops are placed from the outermost on if `is_inward`.
io::Result<bool> dump_nest_proof(io::ProofReader& reader, const io::Json& head, const TextSink& sink,
                                 bool is_inward);

}  // namespace nestor::report
