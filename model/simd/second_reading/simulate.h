// Bit-parallel simulation of netlists: 64 input patterns per word, one word at a time or a block of words at
// once. It is the only reference for the function of a netlist.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "model/simd/netlist.h"

namespace nestor::simd {

/// `inputs` has one word per primary input, the result one per output. `values` is scratch space, reused
/// between calls.
std::vector<std::uint64_t> simulate(const Netlist& netlist, std::span<const std::uint64_t> inputs,
                                    std::vector<std::uint64_t>& values);

/// Number of words that one pass over gates or instructions computes. In a netlist of a million gates, the
/// time of a pass is spent on reading gates and locating operands, not on the operations.
inline constexpr std::size_t words_at_once = 16;
struct alignas(64) WordBlock {
  std::array<std::uint64_t, words_at_once> word{};
};

/// The same on blocks: `outputs` has one for each output. `values` is scratch space.
void simulate(const Netlist& netlist, std::span<const WordBlock> inputs, std::vector<WordBlock>& values,
              std::vector<WordBlock>& outputs);

/// Blocks of 64 patterns: all combinations for at most 16 inputs, otherwise random ones.
class PatternSource {
 public:
  static constexpr std::size_t exhaustive_inputs = 16;

  PatternSource(std::size_t input_count, std::uint64_t random_patterns, std::uint64_t seed);

  std::uint64_t block_count() const { return blocks_; }
  bool is_exhaustive() const { return exhaustive_; }
  /// Fills one word per input for the next block. Patterns repeat if the source is exhaustive with fewer than
  /// 6 inputs.
  void next(std::span<std::uint64_t> inputs);

 private:
  Random random_;
  std::uint64_t blocks_;
  std::uint64_t at_ = 0;
  bool exhaustive_;
};

}  // namespace nestor::simd
