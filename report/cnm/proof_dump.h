// A proof of a kernel's best mapping as text. This code does not check the proof; nestor-check does.
#pragma once

#include <functional>
#include <string_view>

#include "report/proof/proof_file.h"

namespace nestor::report {

/// Prints the rest of a proof whose head has been read: for each distinct amount of work of a tasklet, the
/// programs (forms) that the proof lists.
io::Result<bool> dump_kernel_proof(io::ProofReader& reader, const io::Json& head,
                                   const std::function<void(std::string_view)>& sink);

}  // namespace nestor::report
