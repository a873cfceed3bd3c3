// A proof of nestor compile as text: runs of operators, their paths, and the tree of steps. It is not checked
// here; nestor-check does that.
#pragma once

#include <functional>
#include <string_view>

#include "report/proof/proof_file.h"

namespace nestor::report {

/// Prints everything after a head, run by run.
io::Result<bool> dump_compile_proof(io::ProofReader& reader, const io::Json& head,
                                    const std::function<void(std::string_view)>& sink);

}  // namespace nestor::report
