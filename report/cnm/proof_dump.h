// A proof of a kernel's best mapping as text. It is not checked here; nestor-check does that.
#pragma once

#include <functional>
#include <string_view>

#include "report/proof/proof_file.h"

namespace nestor::report {

/// Prints everything after a head, work by work.
io::Result<bool> dump_kernel_proof(io::ProofReader& reader, const io::Json& head,
                                   const std::function<void(std::string_view)>& sink);

}  // namespace nestor::report
