// Decisions of compiling a network for a chip (docs/models/chip.md, section 4). The network is cut into
// contiguous segments that run one after another. Each segment may be pipelined. Each operator has numbers of
// copies, row parts and phases, a unit (crossbars or digital unit) if it is a product, and a first core. The
// operators are those of the network after splitting (split.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/chip/machine.h"

namespace nestor::chip {

/// Optimisation levels. The level cg is always active; vvm and stream require mvm.
struct Levels {
  bool mvm = false;
  bool vvm = false;
  bool stream = false;
  bool operator==(const Levels&) const = default;
};

/// Returns all levels that a mode supports, except streams, which are used only on request.
constexpr Levels offered(Mode mode) { return {mode != Mode::CM, mode == Mode::WLM, false}; }
/// Returns `wanted` without the levels that the mode lacks, and without vvm and stream if mvm is missing.
constexpr Levels allowed(Levels wanted, Mode mode) {
  const bool mvm = wanted.mvm && mode != Mode::CM;
  return {mvm, wanted.vvm && mvm && mode == Mode::WLM, wanted.stream && mvm};
}

struct OperatorDecision {
  Int copies = 1;         ///< D
  Int parts = 0;          ///< v; 0: the least number of parts for the matrix (v0)
  Int phases = 1;         ///< g
  bool on_array = false;  ///< only for products: true if on crossbars
  /// Set for all operators of a segment that run on crossbars, or for none of them.
  std::optional<Int> first_core;
  bool operator==(const OperatorDecision&) const = default;
};

/// Segment of the operators first .. last, inclusive.
struct SegmentDecision {
  std::size_t first = 0;
  std::size_t last = 0;
  bool pipeline = true;
  /// True if the segment runs pixel by pixel (docs/models/chip.md, section 5, "Streams"); only if pipelined.
  bool stream = false;
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
