// Values of a netlist's outputs on 64 patterns at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/simd/netlist.h"

namespace nestor::tests {

/// Returns one word per output. `inputs` has one word per input.
inline std::vector<std::uint64_t> values_of(const simd::Netlist& netlist,
                                            const std::vector<std::uint64_t>& inputs) {
  std::vector<std::uint64_t> values = {0};
  values.insert(values.end(), inputs.begin(), inputs.end());
  const auto value = [&](simd::Signal signal) {
    return signal.complemented() ? ~values[signal.node()] : values[signal.node()];
  };
  for (const auto& [kind, fanin] : netlist.gates) {
    const auto a = value(fanin[0]), b = value(fanin[1]), c = value(fanin[2]);
    values.push_back(kind == simd::GateKind::xor3 ? a ^ b ^ c : (a & b) | (a & c) | (b & c));
  }
  std::vector<std::uint64_t> outputs;
  for (const auto& output : netlist.outputs) outputs.push_back(value(output.signal));
  return outputs;
}

/// Returns all patterns of at most 6 inputs, or block `block` of all patterns of more.
inline std::vector<std::uint64_t> all_patterns(std::size_t inputs, std::uint64_t block = 0) {
  constexpr std::uint64_t alternating[] = {0xaaaaaaaaaaaaaaaaULL, 0xccccccccccccccccULL,
                                           0xf0f0f0f0f0f0f0f0ULL, 0xff00ff00ff00ff00ULL,
                                           0xffff0000ffff0000ULL, 0xffffffff00000000ULL};
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < inputs; ++i)
    words.push_back(i < 6 ? alternating[i] : ((block >> (i - 6)) & 1U) != 0 ? ~std::uint64_t{0} : 0);
  return words;
}

/// Compares two netlists with the same inputs: on all patterns of at most 16 inputs, otherwise on random
/// ones.
inline bool are_equivalent(const simd::Netlist& left, const simd::Netlist& right,
                           std::uint64_t random_blocks = 64) {
  const auto inputs = left.input_names.size();
  if (right.input_names.size() != inputs) return false;
  const bool is_exhaustive = inputs <= 16;
  const std::uint64_t blocks =
      is_exhaustive ? std::uint64_t{1} << (inputs < 6 ? 0 : inputs - 6) : random_blocks;
  Random random(9);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    auto words = all_patterns(inputs, block);
    if (!is_exhaustive)
      for (auto& word : words) word = random.next();
    if (values_of(left, words) != values_of(right, words)) return false;
  }
  return true;
}

}  // namespace nestor::tests
