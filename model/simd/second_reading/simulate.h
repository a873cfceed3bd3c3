// Bit-parallel simulation of netlists with 64 input patterns per word, for one word or for a block of words
// at a time. This simulation is the only reference for the function of a netlist.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "model/simd/netlist.h"

namespace nestor::simd {

/// Returns one word per primary output. `inputs` has one word per primary input. `values` is scratch space
/// that calls can reuse.
std::vector<std::uint64_t> simulate(const Netlist& netlist, std::span<const std::uint64_t> inputs,
                                    std::vector<std::uint64_t>& values);

/// Number of words that one pass over gates or instructions computes. In a netlist of a million gates, a pass
/// spends its time on reading gates and locating operands, not on the operations.
inline constexpr std::size_t words_at_once = 16;
struct alignas(64) WordBlock {
  std::array<std::uint64_t, words_at_once> word{};
};

/// Simulates blocks of words: `outputs` has one block per output. `values` is scratch space.
void simulate(const Netlist& netlist, std::span<const WordBlock> inputs, std::vector<WordBlock>& values,
              std::vector<WordBlock>& outputs);

/// Source of blocks of 64 patterns: all combinations for at most 16 inputs, otherwise random patterns.
class PatternSource {
 public:
  static constexpr std::size_t exhaustive_inputs = 16;

  PatternSource(std::size_t input_count, std::uint64_t random_patterns, std::uint64_t seed);

  std::uint64_t block_count() const { return blocks_; }
  bool is_exhaustive() const { return exhaustive_; }
  /// Writes one word per input for the next block. Patterns repeat if the source is exhaustive and has fewer
  /// than 6 inputs.
  void next(std::span<std::uint64_t> inputs);

 private:
  Random random_;
  std::uint64_t blocks_;
  std::uint64_t at_ = 0;
  bool exhaustive_;
};

}  // namespace nestor::simd
