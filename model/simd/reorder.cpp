#include "model/simd/reorder.h"

#include <utility>

#include "base/random.h"
#include "model/simd/unique_names.h"

namespace nestor::simd {
namespace {

// Readers of each node, as lists in one array.
struct Fanouts {
  std::vector<std::uint32_t> begin;
  std::vector<NodeIndex> gates;
  std::vector<std::uint8_t> missing;  ///< per gate: number of fanins that are gates
};

Fanouts find_fanouts(const Netlist& netlist) {
  Fanouts fanouts;
  fanouts.begin.assign(std::size_t{netlist.node_count()} + 1, 0);
  fanouts.missing.assign(netlist.gates.size(), 0);
  for (std::size_t i = 0; i < netlist.gates.size(); ++i) {
    for (const auto fanin : netlist.gates[i].fanin) {
      ++fanouts.begin[fanin.node() + 1];
      if (netlist.is_gate(fanin.node())) ++fanouts.missing[i];
    }
  }
  for (std::size_t i = 1; i < fanouts.begin.size(); ++i) fanouts.begin[i] += fanouts.begin[i - 1];
  fanouts.gates.resize(fanouts.begin.back());
  auto next = fanouts.begin;
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    for (const auto fanin : netlist.gate(node).fanin) fanouts.gates[next[fanin.node()]++] = node;
  }
  return fanouts;
}

std::vector<NodeIndex> random_order(const Netlist& netlist, std::uint64_t seed) {
  auto fanouts = find_fanouts(netlist);
  Random random(seed);
  std::vector<NodeIndex> ready;
  const auto first = netlist.first_gate();
  for (auto node = first; node < netlist.node_count(); ++node) {
    if (fanouts.missing[node - first] == 0) ready.push_back(node);
  }
  std::vector<NodeIndex> order;
  order.reserve(netlist.gates.size());
  while (!ready.empty()) {
    std::swap(ready[random.below(ready.size())], ready.back());
    const auto node = ready.back();
    ready.pop_back();
    order.push_back(node);
    for (auto i = fanouts.begin[node]; i < fanouts.begin[node + 1]; ++i) {
      if (--fanouts.missing[fanouts.gates[i] - first] == 0) ready.push_back(fanouts.gates[i]);
    }
  }
  return order;
}

}  // namespace

Netlist shuffled(const Netlist& netlist, std::uint64_t seed, bool rename) {
  Netlist result;
  result.name = netlist.name;
  result.input_names = netlist.input_names;
  std::vector<NodeIndex> position(netlist.node_count());
  for (NodeIndex node = 0; node < netlist.first_gate(); ++node) position[node] = node;
  const auto moved = [&](Signal signal) { return Signal(position[signal.node()], signal.complemented()); };
  UniqueNames names;
  for (const auto& input : netlist.input_names) names.reserve(input);
  for (const auto& output : netlist.outputs) names.reserve(output.name);
  for (const auto node : random_order(netlist, seed)) {
    position[node] = result.node_count();
    auto gate = netlist.gate(node);
    for (auto& fanin : gate.fanin) fanin = moved(fanin);
    result.gate_names.push_back(rename ? names.fresh(result.node_count())
                                       : netlist.gate_names[node - netlist.first_gate()]);
    result.gates.push_back(gate);
  }
  for (const auto& output : netlist.outputs) result.outputs.push_back({output.name, moved(output.signal)});
  return result;
}

}  // namespace nestor::simd
