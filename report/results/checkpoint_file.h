// Checkpoints of a long run, "nestor.checkpoint/1": the run as a result file would have it, with the layers
// that are finished and no others, behind a line that holds its digest. What is read back is therefore what
// was written, whole, or refused: a layer that a checkpoint calls proved is not searched again.
#pragma once

#include "report/results/result_file.h"

namespace nestor::io {

inline constexpr std::string_view checkpoint_schema = "nestor.checkpoint/1";

/// Replaces `path` in one step that outlasts a crash of the machine.
MaybeError write_checkpoint(const std::filesystem::path& path, const RunResult& run);
Result<RunResult> read_checkpoint(const std::string& path);

}  // namespace nestor::io
