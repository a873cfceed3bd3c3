// A proof of nestor compile as text: runs of operators, their paths, and the tree of steps. What it says is
// not checked; that is what nestor-check is for.
#pragma once

#include <functional>
#include <string_view>

#include "report/proof/proof_file.h"

namespace nestor::report {

/// What follows a head, run by run.
io::Result<bool> dump_compile_proof(io::ProofReader& reader, const io::Json& head,
                                    const std::function<void(std::string_view)>& sink);

}  // namespace nestor::report
