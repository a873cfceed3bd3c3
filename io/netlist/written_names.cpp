#include "io/netlist/written_names.h"

#include <unordered_set>

namespace nestor::io {

using simd::NodeIndex;

WrittenNames::WrittenNames(const simd::Netlist& netlist, bool outputs_may_be_inputs) : netlist_(netlist) {
  std::unordered_map<std::string_view, NodeIndex> inputs;
  for (std::size_t i = 0; i < netlist.input_names.size(); ++i) {
    inputs.emplace(netlist.input_names[i], static_cast<NodeIndex>(i + 1));
  }
  std::unordered_map<std::string, simd::Signal> taken;  // outputs by the name they are written with
  for (const auto& output : netlist.outputs) {
    auto name = output.name;
    const auto clashes = [&] {
      const auto input = inputs.find(name);
      return taken.count(name) != 0 ||
             (input != inputs.end() &&
              !(outputs_may_be_inputs && output.signal == simd::Signal(input->second, false)));
    };
    while (clashes()) name += '_';
    taken.emplace(name, output.signal);
    outputs_.push_back(std::move(name));
  }
  std::unordered_set<std::string> fresh;
  for (NodeIndex node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    const auto& own = netlist.gate_names[node - netlist.first_gate()];
    const auto clash = taken.find(own);
    if (clash == taken.end() || clash->second == simd::Signal(node, false)) continue;
    auto name = own + "_gate";
    while (taken.count(name) != 0 || !fresh.insert(name).second) name += '_';
    renamed_.emplace(node, std::move(name));
  }
}

std::string_view WrittenNames::node(NodeIndex node) const {
  if (!netlist_.is_gate(node)) return netlist_.input_names[node - 1];
  if (!renamed_.empty()) {
    if (const auto found = renamed_.find(node); found != renamed_.end()) return found->second;
  }
  return netlist_.gate_names[node - netlist_.first_gate()];
}

bool WrittenNames::is_connected(std::size_t index) const {
  const auto signal = netlist_.outputs[index].signal;
  return !signal.is_constant() && !signal.complemented() && node(signal.node()) == outputs_[index];
}

}  // namespace nestor::io
