// Decisions of compiling a network to a chip (docs/models/chip.md, section 4): contiguous
// segments that run one after another, each pipelined or not, and per operator copies, row parts, phases,
// where a product runs and the first core. Operators are those of the network after splitting (split.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/chip/machine.h"

namespace nestor::chip {

/// What the optimiser may use. cg is always among them; vvm and stream need mvm.
struct Levels {
  bool mvm = false;
  bool vvm = false;
  bool stream = false;
  bool operator==(const Levels&) const = default;
};

/// All that a mode offers but for streams, which are used only where they are asked for.
constexpr Levels offered(Mode mode) { return {mode != Mode::CM, mode == Mode::WLM, false}; }
/// `wanted` without what the mode lacks and without vvm and stream where mvm is missing.
constexpr Levels allowed(Levels wanted, Mode mode) {
  const bool mvm = wanted.mvm && mode != Mode::CM;
  return {mvm, wanted.vvm && mvm && mode == Mode::WLM, wanted.stream && mvm};
}

struct OperatorDecision {
  Int copies = 1;                 ///< D
  Int parts = 0;                  ///< v; 0: as few as hold the matrix (v0)
  Int phases = 1;                 ///< g
  bool on_array = false;          ///< of a product
  std::optional<Int> first_core;  ///< given for all array operators of a segment or for none
  bool operator==(const OperatorDecision&) const = default;
};

/// Operators first .. last of the list, both included.
struct SegmentDecision {
  std::size_t first = 0;
  std::size_t last = 0;
  bool pipeline = true;
  bool stream = false;  ///< pixel by pixel (docs/models/chip.md, section 5, "Streams"); only if pipelined
  bool operator==(const SegmentDecision&) const = default;
};

struct Decisions {
  Levels levels;
  std::vector<SegmentDecision> segments;
  std::vector<OperatorDecision> operators;  ///< one per operator of the network
};

inline bool has_stream(const Decisions& decisions) {
  return std::any_of(decisions.segments.begin(), decisions.segments.end(),
                     [](const SegmentDecision& segment) { return segment.stream; });
}

}  // namespace nestor::chip
