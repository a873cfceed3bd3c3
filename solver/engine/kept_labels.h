// Labels that the search of a branch recorded, for proof files (docs/proofs.md). These are the labels that
// dominance did not prune, and their ancestors, without the root. Each label is recorded as the step that
// leads to it.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

namespace nestor {

/// A label: its parent, and the step from the parent, in the encoding of the space.
struct KeptStep {
  /// Number of the parent: 0 for the root, i for the label of steps[i - 1]. It is less than this label's
  /// number.
  std::uint32_t parent = 0;
  std::uint64_t step = 0;
};

struct KeptLabels {
  std::vector<std::int64_t> branch;  ///< identifies the branch, in the encoding of the space
  std::vector<KeptStep> steps;
};

/// A run that reports its recorded labels.
template <typename Run>
concept KeepsLabels = requires(const Run& run) {
  { run.kept() } -> std::same_as<KeptLabels>;
};

}  // namespace nestor
