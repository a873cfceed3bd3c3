// nestor compile --proof: writes the runs of operators with bounds from the search, and the steps that prove
// these bounds, to a file that nestor-check verifies (docs/proofs.md).
#pragma once

#include "io/output_file.h"
#include "report/chip/compile_run.h"

namespace nestor::report {

/// Returns a run of operators as part of a proof.
io::Json proof_run_json(const chip::SegmentProof& proof, const chip::ChipNetwork& network);

/// Writes the file that --proof names, if any.
io::MaybeError write_compile_proof(const CompileRun& run);

}  // namespace nestor::report
