// nestor compile --proof: the runs of operators whose bounds the search worked out, and how, go to a file
// that nestor-check follows (docs/proofs.md).
#pragma once

#include "io/output_file.h"
#include "report/chip/compile_run.h"

namespace nestor::report {

/// A run of operators in a proof.
io::Json proof_run_json(const chip::SegmentProof& proof, const chip::ChipNetwork& network);

/// Writes the file that options name, if they name one. `result`: what compile_json() made of the run.
io::MaybeError write_compile_proof(const CompileRun& run, const io::Json& result);

}  // namespace nestor::report
