// Checkpoints of a long run, "nestor.checkpoint/3": which run it is, and the states of its searches, shape by
// shape (docs/formats.md, "Checkpoint"). A first line holds the digest of all that follows, so what is read
// back is what was written, whole, or refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"
#include "solver/engine/state.h"

namespace nestor::io {

inline constexpr std::string_view checkpoint_schema = "nestor.checkpoint/3";

/// The states of one shape's searches in their order, each packed.
using ShapeStates = std::vector<std::string>;

struct CheckpointFile {
  Json run;  ///< what tells one run from another
  std::vector<ShapeStates> shapes;
};

/// Replaces `path` in one step that outlasts a crash of the machine.
MaybeError write_checkpoint(const std::filesystem::path& path, const CheckpointFile& checkpoint);
Result<CheckpointFile> parse_checkpoint(std::string_view text, const std::string& path);
Result<CheckpointFile> read_checkpoint(const std::string& path);

/// The compressed bytes of a state; empty where `write` gives up.
std::string pack_state(const StateKeeper::Write& write);
/// Whether `read` takes the state. It gets no more than `most_bytes`, whatever they are unpacked from.
bool unpack_state(const std::string& packed, std::size_t most_bytes, const StateKeeper::Read& read);

}  // namespace nestor::io
