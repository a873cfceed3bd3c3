// MASIM's perturbation of a sequence of choices (docs/scheduling.md, section 6.1): another gate that is ready
// at a random step is moved to this step.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/random.h"
#include "model/simd/problem.h"

namespace nestor::simd {

/// `position` is scratch space for one number per gate. Returns the first index that differs, or the size if
/// no other gate is ready at that step.
template <typename Choice>
std::size_t perturb_order(const ScheduleProblem& problem, std::span<Choice> sequence,
                          std::vector<std::uint32_t>& position, Random& random) {
  if (sequence.empty()) return 0;
  for (std::uint32_t i = 0; i < sequence.size(); ++i) position[sequence[i].gate] = i;
  const auto at = static_cast<std::size_t>(random.below(sequence.size()));
  std::size_t picked = sequence.size();
  std::uint64_t candidates = 0;
  for (std::size_t i = at + 1; i < sequence.size(); ++i) {
    bool ready = true;
    for (const Value value : problem.fanins(sequence[i].gate))
      if (value != no_value && !problem.is_input(value))
        ready = ready && position[problem.gate_of(value)] < at;
    if (ready && random.below(++candidates) == 0) picked = i;
  }
  if (picked == sequence.size()) return picked;
  std::rotate(sequence.begin() + static_cast<std::ptrdiff_t>(at),
              sequence.begin() + static_cast<std::ptrdiff_t>(picked),
              sequence.begin() + static_cast<std::ptrdiff_t>(picked) + 1);
  return at;
}

}  // namespace nestor::simd
