// One step of a search as a single number: the loop that is placed, and the operands that move to other
// memories of their chains at the same time. Search logs contain steps; solutions are of type Mapping.
#pragma once

#include <array>
#include <cstdint>

#include "model/loopnest/layer.h"

namespace nestor {

struct NestStep {
  std::uint8_t dim = 0;
  Int factor = 1;
  std::array<std::uint8_t, operand_count> at{};  ///< position in the chain, home first
  std::array<bool, operand_count> moved{};
  std::array<bool, operand_count> doubled{};  ///< true if the operand leaves a double-buffered block
};

/// A chain has at most 16 memories; a factor has at most 43 bits.
constexpr std::uint64_t pack(const NestStep& step) {
  std::uint64_t packed = static_cast<std::uint64_t>(step.factor);
  for (std::size_t x = 0; x < operand_count; ++x)
    packed = packed << 6U | static_cast<std::uint64_t>(step.at[x]) << 2U |
             static_cast<std::uint64_t>(step.moved[x]) << 1U | static_cast<std::uint64_t>(step.doubled[x]);
  return packed << 3U | step.dim;
}

constexpr NestStep unpack(std::uint64_t packed) {
  NestStep step;
  step.dim = packed & 7U;
  packed >>= 3U;
  for (std::size_t x = operand_count; x-- > 0; packed >>= 6U) {
    step.at[x] = packed >> 2U & 15U;
    step.moved[x] = (packed >> 1U & 1U) != 0;
    step.doubled[x] = (packed & 1U) != 0;
  }
  step.factor = static_cast<Int>(packed);
  return step;
}

}  // namespace nestor
