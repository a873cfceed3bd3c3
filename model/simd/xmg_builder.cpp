#include "model/simd/xmg_builder.h"

#include <algorithm>
#include <cassert>

#include "model/simd/unique_names.h"

namespace nestor::simd {
namespace {

// True if `a` comes before `b`. Signals are ordered by node, with constants last, so that `a & b` prints as
// written.
bool ordered_before(Signal a, Signal b) {
  const auto key = [](Signal signal) {
    return (std::uint64_t{signal.is_constant()} << 40U) | (std::uint64_t{signal.node()} << 1U) |
           std::uint64_t{signal.complemented()};
  };
  return key(a) < key(b);
}

void sort_fanins(std::array<Signal, 3>& fanin) {
  if (ordered_before(fanin[1], fanin[0])) std::swap(fanin[0], fanin[1]);
  if (ordered_before(fanin[2], fanin[1])) std::swap(fanin[1], fanin[2]);
  if (ordered_before(fanin[1], fanin[0])) std::swap(fanin[0], fanin[1]);
}

std::uint64_t mix(std::uint64_t value) {
  value ^= value >> 32U;
  value *= 0x9e3779b97f4a7c15ULL;
  value ^= value >> 29U;
  return value * 0xbf58476d1ce4e5b9ULL;
}

std::uint64_t hash_of(const Gate& gate) {
  std::uint64_t hash = gate.kind == GateKind::maj3 ? 1 : 0;
  for (const auto signal : gate.fanin) {
    hash = mix(hash ^ (std::uint64_t{signal.node()} << 1U | std::uint64_t{signal.complemented()}));
  }
  return hash ^ (hash >> 31U);
}

}  // namespace

Signal XmgBuilder::input(std::string name) {
  assert(netlist_.gates.empty());
  netlist_.input_names.push_back(std::move(name));
  return Signal(static_cast<NodeIndex>(netlist_.input_names.size()), false);
}

// Negations of a parity move to its output; equal fanins cancel.
Signal XmgBuilder::xor3(Signal a, Signal b, Signal c) {
  std::array<Signal, 3> fanin = {a, b, c};
  bool inverted = false;
  for (auto& signal : fanin) {
    if (!signal.complemented()) continue;
    inverted = !inverted;
    signal = !signal;
  }
  sort_fanins(fanin);
  Signal result;
  if (fanin[0] == fanin[1]) {
    result = fanin[2];
  } else if (fanin[1] == fanin[2]) {
    result = fanin[0];
  } else {
    result = hashed({GateKind::xor3, fanin});
  }
  return inverted ? !result : result;
}

// Majority is self-dual, so at most one of three fanins remains negated.
Signal XmgBuilder::maj3(Signal a, Signal b, Signal c) {
  if (a == b || a == c) return a;
  if (b == c) return b;
  if (a == !b) return c;
  if (a == !c) return b;
  if (b == !c) return a;
  const bool inverted = static_cast<int>(a.complemented()) + static_cast<int>(b.complemented()) +
                            static_cast<int>(c.complemented()) >
                        1;
  std::array<Signal, 3> fanin = {a, b, c};
  if (inverted) fanin = {!a, !b, !c};
  sort_fanins(fanin);
  const auto result = hashed({GateKind::maj3, fanin});
  return inverted ? !result : result;
}

std::size_t XmgBuilder::slot_of(const Gate& gate) const {
  const auto mask = table_.size() - 1;
  auto slot = static_cast<std::size_t>(hash_of(gate)) & mask;
  while (table_[slot] != 0 && netlist_.gate(table_[slot]) != gate) slot = (slot + 1) & mask;
  return slot;
}

void XmgBuilder::grow_table() {
  constexpr std::size_t smallest = 1024;
  table_.assign(std::max(smallest, table_.size() * 2), 0);
  for (NodeIndex node = netlist_.first_gate(); node < netlist_.node_count(); ++node) {
    table_[slot_of(netlist_.gate(node))] = node;
  }
}

Signal XmgBuilder::hashed(Gate gate) {
  if (netlist_.gates.size() * 2 >= table_.size()) grow_table();
  auto& entry = table_[slot_of(gate)];
  if (entry == 0) {
    entry = netlist_.node_count();
    netlist_.gates.push_back(gate);
  }
  return Signal(entry, false);
}

Netlist XmgBuilder::finish() {
  UniqueNames names;
  for (const auto& input : netlist_.input_names) names.reserve(input);
  for (const auto& output : netlist_.outputs) names.reserve(output.name);
  netlist_.gate_names.reserve(netlist_.gates.size());
  for (NodeIndex node = netlist_.first_gate(); node < netlist_.node_count(); ++node) {
    netlist_.gate_names.push_back(names.fresh(node));
  }
  table_.clear();
  return std::move(netlist_);
}

}  // namespace nestor::simd
