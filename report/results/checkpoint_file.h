// Checkpoints of a long run, "nestor.checkpoint/4": the identity of the run, and the states of its searches,
// shape by shape (docs/formats.md, "Checkpoint"). The first line has the hash of the rest, so a file that
// is incomplete or was modified is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"
#include "solver/engine/state.h"

namespace nestor::io {

inline constexpr std::string_view checkpoint_schema = "nestor.checkpoint/4";

/// The packed states of one shape's searches, in order.
using ShapeStates = std::vector<std::string>;

struct CheckpointFile {
  Json run;  ///< the identity of the run
  std::vector<ShapeStates> shapes;
};

/// Replaces `path` atomically, and durably even if the machine crashes.
MaybeError write_checkpoint(const std::filesystem::path& path, const CheckpointFile& checkpoint);
Result<CheckpointFile> parse_checkpoint(std::string_view text, const std::string& path);
Result<CheckpointFile> read_checkpoint(const std::string& path);

/// Returns the compressed bytes of a state, or an empty string if `write` gives up.
std::string pack_state(const StateKeeper::Write& write);
/// Returns true if `read` accepts the state. `read` receives at most `most_bytes`, independent of the packed
/// size.
bool unpack_state(const std::string& packed, std::size_t most_bytes, const StateKeeper::Read& read);

}  // namespace nestor::io
