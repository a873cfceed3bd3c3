// A proof of nestor compile as text: runs of operators, their paths, and the tree of steps. This code does
// not check the proof; nestor-check does.
#pragma once

#include <functional>
#include <string_view>

#include "report/proof/proof_file.h"

namespace nestor::report {

/// Prints the rest of a proof whose head has been read, one run of operators at a time.
io::Result<bool> dump_compile_proof(io::ProofReader& reader, const io::Json& head,
                                    const std::function<void(std::string_view)>& sink);

}  // namespace nestor::report
