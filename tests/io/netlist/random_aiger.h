// Random and-inverter graphs of any size as binary AIGER.
#pragma once

#include <algorithm>
#include <string>

#include "base/random.h"
#include "model/simd/netlist.h"

namespace nestor::tests {

inline void add_delta(std::string& text, std::uint32_t delta) {
  for (; delta >= 0x80; delta >>= 7U) text += static_cast<char>(delta | 0x80U);
  text += static_cast<char>(delta);
}

// Returns the bytes of the file. Sets the input names and the gates of `expected`.
inline std::string random_binary_aiger(std::uint32_t inputs, std::uint32_t ands, std::uint64_t seed,
                                       simd::Netlist& expected) {
  Random random(seed);
  std::string body;
  expected.input_names.resize(inputs);
  for (std::uint32_t i = 0; i < ands; ++i) {
    const std::uint32_t self = 2 * (inputs + 1 + i);
    const auto window = std::min<std::uint64_t>(self, 4000);
    auto left = self - 1 - static_cast<std::uint32_t>(random.below(window));
    auto right = self - 1 - static_cast<std::uint32_t>(random.below(window));
    if (left < right) std::swap(left, right);
    add_delta(body, self - left);
    add_delta(body, left - right);
    expected.gates.push_back(
        {simd::GateKind::maj3,
         {simd::Signal(left / 2, left % 2 != 0), simd::Signal(right / 2, right % 2 != 0), simd::Signal()}});
  }
  const auto variables = inputs + ands;
  const auto count = [](std::uint32_t n) { return std::to_string(n); };
  return "aig " + count(variables) + " " + count(inputs) + " 0 1 " + count(ands) + "\n" +
         count(2 * variables + 1) + "\n" + body + "o0 last\n";
}

}  // namespace nestor::tests
