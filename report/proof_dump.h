// A proof file as text, with one line for each recorded loop nest. This code does not check the proof;
// nestor-check does.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/files.h"
#include "report/proof/proof_file.h"

namespace nestor::report {

using TextSink = std::function<void(std::string_view)>;

/// Prints the rest of a proof whose head has been read, part by part, because proofs are large. Returns false
/// for an invalid head.
using DumpProof = io::Result<bool> (*)(io::ProofReader& reader, const io::Json& head, const TextSink& sink);

/// Prints the proof of a loop-nest search. If `is_inward` is true, loops are placed from the outermost
/// inward.
io::Result<bool> dump_nest_proof(io::ProofReader& reader, const io::Json& head, const TextSink& sink,
                                 bool is_inward);

}  // namespace nestor::report
