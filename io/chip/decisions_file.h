// Reader and writer of the decisions of a compiled network (docs/models/chip.md, section 4), in JSON or YAML.
// Operators have the names that splitting assigns.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/chip/decisions.h"
#include "model/chip/network.h"

namespace nestor::io {

inline constexpr std::array<std::string_view, 4> chip_level_words = {"cg", "mvm", "stream", "vvm"};
/// Adds the level with the name `word` to `levels`. The level cg always applies and is not stored.
constexpr void add_chip_level(std::string_view word, chip::Levels& levels) {
  levels.mvm |= word == "mvm";
  levels.stream |= word == "stream";
  levels.vvm |= word == "vvm";
}

/// Value of `pipeline` for a segment that streams. For other segments, the value is true or false.
inline constexpr std::string_view chip_stream_word = "stream";
Json chip_pipeline_to_json(const chip::SegmentDecision& segment);

/// Reads decisions for `network`, which is already split. Levels that `mode` lacks are dropped.
chip::Decisions read_chip_decisions_node(const Node& node, const chip::ChipNetwork& network, chip::Mode mode,
                                         Reading& reading);
Result<chip::Decisions> read_chip_decisions(const std::string& path, const chip::ChipNetwork& network,
                                            chip::Mode mode);

/// Returns the decisions with the operators in the order of `network`. Omits digital operators, and parts,
/// phases and first cores that have the defaults of section 4.
Json chip_decisions_to_json(const chip::Decisions& decisions, const chip::ChipNetwork& network);
Json chip_decisions_schema();
/// Schema of `pipeline`.
Json chip_pipeline_schema();

}  // namespace nestor::io
