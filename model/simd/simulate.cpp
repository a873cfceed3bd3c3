#include "model/simd/simulate.h"

#include <array>

namespace nestor::simd {

std::vector<std::uint64_t> simulate(const Netlist& netlist, std::span<const std::uint64_t> inputs,
                                    std::vector<std::uint64_t>& values) {
  values.resize(netlist.node_count());
  values[0] = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) values[i + 1] = inputs[i];
  const auto value = [&](Signal signal) {
    const auto word = values[signal.node()];
    return signal.complemented() ? ~word : word;
  };
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
