// A proof of a kernel's best mapping as text. What it says is not checked; that is what nestor-check is for.
#pragma once

#include <functional>
#include <string_view>

#include "report/proof/proof_file.h"

namespace nestor::report {

/// What follows a head, work by work.
io::Result<bool> dump_kernel_proof(io::ProofReader& reader, const io::Json& head,
                                   const std::function<void(std::string_view)>& sink);

}  // namespace nestor::report
