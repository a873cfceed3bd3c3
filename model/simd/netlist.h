// A Boolean function as a network of XOR3/MAJ3 gates with free negations and constants (XMG;
// docs/models/simd.md, section 1). Gates are stored in topological order. A signal is a node index with a
// complement bit: node 0 is the constant 0, nodes 1..n are the primary inputs, and gates follow.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace nestor::simd {

using NodeIndex = std::uint32_t;

class Signal {
 public:
  constexpr Signal() = default;
  constexpr Signal(NodeIndex node, bool complement)
      : code_((node << 1U) | static_cast<std::uint32_t>(complement)) {}
  constexpr NodeIndex node() const { return code_ >> 1U; }
  constexpr bool complemented() const { return (code_ & 1U) != 0; }
  constexpr bool is_constant() const { return node() == 0; }
  constexpr Signal operator!() const { return Signal(node(), !complemented()); }
  friend constexpr bool operator==(Signal, Signal) = default;

 private:
  std::uint32_t code_ = 0;
};

enum class GateKind : std::uint8_t { xor3, maj3 };

struct Gate {
  GateKind kind = GateKind::xor3;
  std::array<Signal, 3> fanin;
  friend constexpr bool operator==(const Gate&, const Gate&) = default;
};

struct Output {
  std::string name;
  Signal signal;
};

struct Netlist {
  std::string name;
  std::vector<std::string> input_names;
  std::vector<Gate> gates;              ///< topological order
  std::vector<std::string> gate_names;  ///< parallel to `gates`; the names of the source file, or "n<index>"
  std::vector<Output> outputs;

  NodeIndex first_gate() const { return static_cast<NodeIndex>(1 + input_names.size()); }
  NodeIndex node_count() const { return static_cast<NodeIndex>(first_gate() + gates.size()); }
  bool is_gate(NodeIndex node) const { return node >= first_gate(); }
  const Gate& gate(NodeIndex node) const { return gates[node - first_gate()]; }
};

}  // namespace nestor::simd
