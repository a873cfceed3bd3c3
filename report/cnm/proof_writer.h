// nestor map --proof of a kernel on a cnm system: the programs that bounds alone do not close go to a file
// that nestor-check follows (docs/proofs.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/files.h"
#include "io/output_file.h"
#include "model/cnm/search/map_space.h"

namespace nestor::report {

/// Forms as pieces of a proof, those of one work together.
std::vector<io::Json> proof_pieces(const std::vector<cnm::FormCycles>& forms);

/// Writes the file, if a path is given. `result`: the JSON of the run.
io::MaybeError write_kernel_proof(const std::string& path, const io::Json& result,
                                  const std::vector<cnm::FormCycles>& forms);

}  // namespace nestor::report
