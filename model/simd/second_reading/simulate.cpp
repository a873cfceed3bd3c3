#include "model/simd/second_reading/simulate.h"

#include <array>

namespace nestor::simd {

namespace {

// Returns all ones if the signal is complemented, otherwise 0.
std::uint64_t mask_of(Signal signal) { return signal.complemented() ? ~std::uint64_t{0} : 0; }

}  // namespace

std::vector<std::uint64_t> simulate(const Netlist& netlist, std::span<const std::uint64_t> inputs,
                                    std::vector<std::uint64_t>& values) {
  values.resize(netlist.node_count());
  values[0] = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) values[i + 1] = inputs[i];
  const auto value = [&](Signal signal) { return values[signal.node()] ^ mask_of(signal); };
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    const auto& gate = netlist.gate(node);
    const auto a = value(gate.fanin[0]);
    const auto b = value(gate.fanin[1]);
    const auto c = value(gate.fanin[2]);
    values[node] = gate.kind == GateKind::xor3 ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
  }
  std::vector<std::uint64_t> outputs;
  outputs.reserve(netlist.outputs.size());
  for (const auto& output : netlist.outputs) outputs.push_back(value(output.signal));
  return outputs;
}

void simulate(const Netlist& netlist, std::span<const WordBlock> inputs, std::vector<WordBlock>& values,
              std::vector<WordBlock>& outputs) {
  values.resize(netlist.node_count());
  values[0] = {};
  for (std::size_t i = 0; i < inputs.size(); ++i) values[i + 1] = inputs[i];
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    const auto& [kind, fanin] = netlist.gate(node);
    const auto& a = values[fanin[0].node()].word;
    const auto& b = values[fanin[1].node()].word;
    const auto& c = values[fanin[2].node()].word;
    const auto flip_a = mask_of(fanin[0]), flip_b = mask_of(fanin[1]), flip_c = mask_of(fanin[2]);
    auto& result = values[node].word;
    if (kind == GateKind::xor3) {
      const auto flip = flip_a ^ flip_b ^ flip_c;
      for (std::size_t i = 0; i < words_at_once; ++i) result[i] = a[i] ^ b[i] ^ c[i] ^ flip;
    } else {
      for (std::size_t i = 0; i < words_at_once; ++i) {
        const auto x = a[i] ^ flip_a, y = b[i] ^ flip_b, z = c[i] ^ flip_c;
        result[i] = (x & y) | (x & z) | (y & z);
      }
    }
  }
  outputs.resize(netlist.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto signal = netlist.outputs[i].signal;
    for (std::size_t word = 0; word < words_at_once; ++word)
      outputs[i].word[word] = values[signal.node()].word[word] ^ mask_of(signal);
  }
}

PatternSource::PatternSource(std::size_t input_count, std::uint64_t random_patterns, std::uint64_t seed)
    : random_(seed), exhaustive_(input_count <= exhaustive_inputs) {
  const auto patterns = exhaustive_ ? std::uint64_t{1} << input_count : random_patterns;
  blocks_ = (patterns + 63) / 64;
}

void PatternSource::next(std::span<std::uint64_t> inputs) {
  static constexpr std::array<std::uint64_t, 6> alternating = {0xaaaaaaaaaaaaaaaaULL, 0xccccccccccccccccULL,
                                                               0xf0f0f0f0f0f0f0f0ULL, 0xff00ff00ff00ff00ULL,
                                                               0xffff0000ffff0000ULL, 0xffffffff00000000ULL};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!exhaustive_) {
      inputs[i] = random_.next();
    } else if (i < alternating.size()) {
      inputs[i] = alternating[i];
    } else {
      inputs[i] = ((at_ >> (i - alternating.size())) & 1U) != 0 ? ~std::uint64_t{0} : 0;
    }
  }
  ++at_;
}

}  // namespace nestor::simd
