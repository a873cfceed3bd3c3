// Labels that the search of a branch kept, for proof files (docs/proofs.md).
// Every label but the root that dominance left, and what these came from, each as the step that leads to it.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

namespace nestor {

/// A label: where it came from, and the step from there in the space's own words.
struct KeptStep {
  std::uint32_t parent = 0;  ///< 0 is the root, i the label of steps[i - 1]; less than its own number
  std::uint64_t step = 0;
};

struct KeptLabels {
  std::vector<std::int64_t> branch;  ///< which branch it is, in the space's own words
  std::vector<KeptStep> steps;
};

/// A run that can say what it kept.
template <typename Run>
concept KeepsLabels = requires(const Run& run) {
  { run.kept() } -> std::same_as<KeptLabels>;
};

}  // namespace nestor
