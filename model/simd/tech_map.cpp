#include "model/simd/tech_map.h"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "model/simd/cuts.h"
#include "model/simd/xmg_builder.h"

namespace nestor::simd {
namespace {

// Returns the nodes on which outputs depend.
boost::dynamic_bitset<> reachable(const Netlist& netlist) {
  boost::dynamic_bitset<> needed(netlist.node_count());
  for (const auto& output : netlist.outputs) needed[output.signal.node()] = true;
  for (auto node = netlist.node_count(); node-- > netlist.first_gate();) {
    if (!needed[node]) continue;
    for (const auto fanin : netlist.gate(node).fanin) needed[fanin.node()] = true;
  }
  return needed;
}

XmgBuilder with_inputs_of(const Netlist& netlist) {
  XmgBuilder builder(netlist.name);
  for (const auto& input : netlist.input_names) builder.input(input);
  return builder;
}

// Returns the netlist with equal gates shared, constants folded, and gates without effect on an output
// removed.
Netlist hashed(const Netlist& netlist) {
  auto builder = with_inputs_of(netlist);
  const auto needed = reachable(netlist);
  std::vector<Signal> image(netlist.node_count());
  for (NodeIndex node = 1; node < netlist.first_gate(); ++node) image[node] = Signal(node, false);
  const auto moved = [&](Signal signal) {
    const auto to = image[signal.node()];
    return signal.complemented() ? !to : to;
  };
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    if (!needed[node]) continue;
    const auto& gate = netlist.gate(node);
    const auto [a, b, c] = gate.fanin;
    image[node] = gate.kind == GateKind::xor3 ? builder.xor3(moved(a), moved(b), moved(c))
                                              : builder.maj3(moved(a), moved(b), moved(c));
  }
  for (const auto& output : netlist.outputs) builder.output(output.name, moved(output.signal));
  return builder.finish();
}

// Selection of one cut per needed node. It starts from the cuts of least flow. It then improves each choice
// by the exact number of gates that the choice adds to the remaining cover (known as exact local area).
class Cover {
 public:
  explicit Cover(const Netlist& netlist) : netlist_(netlist), cuts_(netlist, count_readers(netlist)) {
    choice_.assign(netlist.node_count(), 0);
    count_references();
  }

  void improve();
  Netlist build() const;

 private:
  static std::vector<std::uint32_t> count_readers(const Netlist& netlist) {
    std::vector<std::uint32_t> readers(netlist.node_count(), 0);
    for (const auto& gate : netlist.gates) {
      for (const auto fanin : gate.fanin) ++readers[fanin.node()];
    }
    for (const auto& output : netlist.outputs) ++readers[output.signal.node()];
    return readers;
  }

  const Cut& chosen(NodeIndex node) const { return cuts_.of(node)[choice_[node]]; }
  void count_references();
  unsigned reference(const Cut& cut);
  unsigned release(const Cut& cut);

  const Netlist& netlist_;
  CutTable cuts_;
  std::vector<std::uint8_t> choice_;
  /// Number of references from chosen cuts of needed nodes, and from outputs.
  std::vector<std::uint32_t> references_;
  std::vector<const Cut*> stack_;
  std::uint64_t effort_ = 0;
};

void Cover::count_references() {
  references_.assign(netlist_.node_count(), 0);
  for (const auto& output : netlist_.outputs) ++references_[output.signal.node()];
  for (auto node = netlist_.node_count(); node-- > netlist_.first_gate();) {
    if (references_[node] == 0) continue;
    const auto& cut = chosen(node);
    for (std::size_t i = 0; i < cut.leaf_count; ++i) ++references_[cut.leaves[i]];
  }
}

// Adds the references of a cut. Returns the number of gates that this adds to the cover: those of the cut
// itself and those of leaves that nothing else needs.
unsigned Cover::reference(const Cut& cut) {
  unsigned gates = 0;
  stack_.assign(1, &cut);
  while (!stack_.empty()) {
    const Cut& at = *stack_.back();
    stack_.pop_back();
    gates += at.gates;
    ++effort_;
    for (std::size_t i = 0; i < at.leaf_count; ++i) {
      if (references_[at.leaves[i]]++ == 0 && netlist_.is_gate(at.leaves[i]))
        stack_.push_back(&chosen(at.leaves[i]));
    }
  }
  return gates;
}

unsigned Cover::release(const Cut& cut) {
  unsigned gates = 0;
  stack_.assign(1, &cut);
  while (!stack_.empty()) {
    const Cut& at = *stack_.back();
    stack_.pop_back();
    gates += at.gates;
    ++effort_;
    for (std::size_t i = 0; i < at.leaf_count; ++i) {
      if (--references_[at.leaves[i]] == 0 && netlist_.is_gate(at.leaves[i]))
        stack_.push_back(&chosen(at.leaves[i]));
    }
  }
  return gates;
}

void Cover::improve() {
  // Long chains without sharing would make every step process the whole chain, so the effort is limited.
  constexpr std::uint64_t effort_per_gate = 200;
  const auto limit = effort_per_gate * (netlist_.gates.size() + 1);
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    bool changed = false;
    for (auto node = netlist_.first_gate(); node < netlist_.node_count(); ++node) {
      if (references_[node] == 0) continue;
      if (effort_ > limit) return;
      auto best = choice_[node];
      unsigned fewest = release(chosen(node));
      const auto options = cuts_.of(node);
      for (std::size_t i = 0; i < options.size(); ++i) {
        if (i == choice_[node]) continue;
        const auto gates = reference(options[i]);
        release(options[i]);
        if (gates < fewest) {
          fewest = gates;
          best = static_cast<std::uint8_t>(i);
        }
      }
      changed = changed || best != choice_[node];
      choice_[node] = best;
      reference(chosen(node));
    }
    if (!changed) return;
  }
}

Netlist Cover::build() const {
  auto builder = with_inputs_of(netlist_);
  std::vector<Signal> image(netlist_.node_count());
  for (NodeIndex node = 1; node < netlist_.first_gate(); ++node) image[node] = Signal(node, false);
  for (auto node = netlist_.first_gate(); node < netlist_.node_count(); ++node) {
    if (references_[node] == 0) continue;
    const auto& cut = chosen(node);
    std::array<Signal, 3> leaves;
    for (std::size_t i = 0; i < cut.leaf_count; ++i) leaves[i] = image[cut.leaves[i]];
    image[node] = FunctionTable::get().build(builder, cut.table, leaves);
  }
  for (const auto& output : netlist_.outputs) {
    const auto signal = image[output.signal.node()];
    builder.output(output.name, output.signal.complemented() ? !signal : signal);
  }
  return builder.finish();
}

}  // namespace

MappedNetlist map_to_xmg(LogicNetwork network, MapPolicy policy) {
  MappedNetlist result;
  auto& report = result.report;
  report.gates_before = network.netlist.gates.size();
  if (network.already_mapped && policy == MapPolicy::when_needed) {
    report.gates_after = report.gates_before;
    result.netlist = std::move(network.netlist);
    return result;
  }
  report.restructured = true;
  result.netlist = hashed(network.netlist);
  network = {};
  // Each pass can make further improvements possible.
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    Cover cover(result.netlist);
    cover.improve();
    auto mapped = hashed(cover.build());
    if (mapped.gates.size() >= result.netlist.gates.size()) break;
    result.netlist = std::move(mapped);
  }
  report.gates_after = result.netlist.gates.size();
  return result;
}

}  // namespace nestor::simd
