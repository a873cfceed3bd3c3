#include "io/netlist/written_names.h"

#include "base/tables/hash_table.h"

namespace nestor::io {

using simd::NodeIndex;

WrittenNames::WrittenNames(const simd::Netlist& netlist, Format format) : netlist_(netlist) {
  if (format == Format::blif) replace_unsayable();
  HashMap<std::string_view, NodeIndex> inputs;
  for (std::size_t i = 0; i < netlist.input_names.size(); ++i) {
    inputs.emplace(sayable(netlist.input_names[i]), static_cast<NodeIndex>(i + 1));
  }
  HashMap<std::string, simd::Signal> taken;  // signal of each output name that is in use
  for (const auto& output : netlist.outputs) {
    std::string name(sayable(output.name));
    const auto clashes = [&] {
      const auto input = inputs.find(name);
      return taken.count(name) != 0 ||
             (input != inputs.end() &&
              (format != Format::blif || output.signal != simd::Signal(input->second, false)));
    };
    while (clashes()) name += '_';
    taken.emplace(name, output.signal);
    outputs_.push_back(std::move(name));
  }
  HashSet<std::string> all;  // filled on first use
  for (NodeIndex node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    const std::string own(sayable(netlist.gate_names[node - netlist.first_gate()]));
    const auto clash = taken.find(own);
    if (clash == taken.end() || clash->second == simd::Signal(node, false)) continue;
    if (all.empty()) {
      for (const auto& name : netlist.input_names) all.emplace(sayable(name));
      for (const auto& name : netlist.gate_names) all.emplace(sayable(name));
      for (const auto& name : outputs_) all.insert(name);
    }
    auto name = own + "_gate";
    while (!all.insert(name).second) name += '_';
    renamed_.emplace(node, std::move(name));
  }
}

void WrittenNames::replace_unsayable() {
  constexpr std::string_view unsayable = "#\\";
  HashSet<std::string> taken;
  const auto for_each_name = [&](auto visit) {
    for (const auto& name : netlist_.input_names) visit(name);
    for (const auto& name : netlist_.gate_names) visit(name);
    for (const auto& output : netlist_.outputs) visit(output.name);
  };
  bool any = false;
  for_each_name(
      [&](const std::string& name) { any = any || name.find_first_of(unsayable) != std::string::npos; });
  if (!any) return;
  for_each_name([&](const std::string& name) { taken.insert(name); });
  for_each_name([&](const std::string& name) {
    if (name.find_first_of(unsayable) == std::string::npos || replaced_.count(name) != 0) return;
    auto other = name;
    for (auto at = other.find_first_of(unsayable); at != std::string::npos;
         at = other.find_first_of(unsayable, at)) {
      other[at] = '_';
    }
    while (!taken.insert(other).second) other += '_';
    replaced_.emplace(name, std::move(other));
  });
}

std::string_view WrittenNames::sayable(const std::string& name) const {
  if (replaced_.empty()) return name;
  const auto found = replaced_.find(name);
  return found == replaced_.end() ? std::string_view(name) : std::string_view(found->second);
}

std::string_view WrittenNames::node(NodeIndex node) const {
  if (!netlist_.is_gate(node)) return sayable(netlist_.input_names[node - 1]);
  if (!renamed_.empty()) {
    if (const auto found = renamed_.find(node); found != renamed_.end()) return found->second;
  }
  return sayable(netlist_.gate_names[node - netlist_.first_gate()]);
}

bool WrittenNames::is_connected(std::size_t index) const {
  const auto signal = netlist_.outputs[index].signal;
  return !signal.is_constant() && !signal.complemented() && node(signal.node()) == outputs_[index];
}

}  // namespace nestor::io
