// nestor map --proof for a kernel on a cnm system: writes the programs that bounds alone do not rule out to a
// file that nestor-check verifies (docs/proofs.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/files.h"
#include "io/output_file.h"
#include "model/cnm/search/map_space.h"

namespace nestor::report {

/// Returns forms as pieces of a proof. Consecutive forms that give a tasklet the same work are in one piece.
std::vector<io::Json> proof_pieces(const std::vector<cnm::FormCycles>& forms);

/// Writes the file, if a path is given. `result` is the JSON of the run.
io::MaybeError write_kernel_proof(const std::string& path, const io::Json& result,
                                  const std::vector<cnm::FormCycles>& forms);

}  // namespace nestor::report
