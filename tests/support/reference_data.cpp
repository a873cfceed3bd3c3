#include "support/reference_data.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "places.h"

namespace nestor::tests {
namespace {

using nlohmann::json;

Dim dim_of(std::string_view letter_text) {
  return all_dims[std::string_view("NKCPQRSG").find(letter_text.front())];
}

Operand operand_of(std::string_view letter_text) {
  return all_operands[std::string_view("IWO").find(letter_text.front())];
}

std::size_t position(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

Mapping mapping_from_json(const json& source, const NamedArchitecture& architecture) {
  Mapping mapping;
  for (const auto& [axis, factors] : source.at("spatial").items())
    for (const auto& [dim, factor] : factors.items())
      mapping.spatial[position(architecture.axis_names, axis)][index_of(dim_of(dim))] = factor.get<Int>();
  for (const auto& entry : source.at("temporal")) {
    Loop loop{.dim = dim_of(entry.at("dim").get<std::string>()), .factor = entry.at("factor").get<Int>()};
    for (const auto& [operand, memory] : entry.at("at").items())
      loop.at[index_of(operand_of(operand))] =
          static_cast<std::uint8_t>(position(architecture.memory_names, memory.get<std::string>()));
    mapping.loops.push_back(loop);
  }
  for (const auto& pair : source.at("double_buffer"))
    mapping.double_buffered[position(architecture.memory_names, pair.at("memory").get<std::string>())].insert(
        operand_of(pair.at("operand").get<std::string>()));
  return mapping;
}

json read_json(const std::string& file) {
  std::ifstream in(std::string(NESTOR_SHARED_DIR) + "/data/cim/" + file);
  return in ? json::parse(in) : json();
}

}  // namespace

NamedArchitecture architecture_from_json(const json& source) {
  NamedArchitecture architecture;
  architecture.name = source.at("name").get<std::string>();
  Architecture& machine = architecture.machine;
  for (const auto& entry : source.at("hierarchy")) {
    if (entry.contains("spatial")) {
      const auto& axis = entry.at("spatial");
      Axis parsed{.size = axis.at("size").get<Int>()};
      for (const auto& dim : axis.at("dims")) parsed.dims.insert(dim_of(dim.get<std::string>()));
      machine.axes.push_back(parsed);
      architecture.axis_names.push_back(axis.at("name").get<std::string>());
      continue;
    }
    const auto& memory = entry.at("memory");
    Memory parsed;
    for (const auto& operand : memory.at("operands"))
      parsed.operands.insert(operand_of(operand.get<std::string>()));
    parsed.capacity = memory.value("capacity", unlimited_capacity);
    parsed.bandwidth = memory.at("bandwidth").get<Int>();
    parsed.double_buffer = memory.value("double_buffer", false);
    parsed.read_energy = memory.value("read_energy", 0.0);
    parsed.write_energy = memory.value("write_energy", 0.0);
    parsed.axes_above = static_cast<std::uint8_t>(machine.axes.size());
    machine.memories.push_back(parsed);
    architecture.memory_names.push_back(memory.at("name").get<std::string>());
  }
  machine.mvm_cycles = source.at("compute").at("mvm_cycles").get<Int>();
  machine.mac_energy = source.at("compute").value("mac_energy", 0.0);
  machine.leakage = source.value("leakage", 0.0);
  return architecture;
}

LayerShape layer_from_json(const json& source) {
  LayerShape layer;
  for (const auto& [dim, bound] : source.at("dims").items())
    layer.bounds[index_of(dim_of(dim))] = bound.get<Int>();
  if (source.contains("stride")) layer.stride = source.at("stride").get<std::array<Int, 2>>();
  if (source.contains("dilation")) layer.dilation = source.at("dilation").get<std::array<Int, 2>>();
  if (source.contains("bits")) {
    const auto& bits = source.at("bits");
    layer.bits = {bits.at("I").get<Int>(), bits.at("W").get<Int>(), bits.at("O").get<Int>(),
                  bits.at("psum").get<Int>()};
  }
  return layer;
}

NamedArchitecture load_reference_architecture(const std::string& name) {
  return architecture_from_json(read_json(name + ".json"));
}

std::vector<ReferenceCase> load_reference_cases(const std::string& file) {
  std::vector<ReferenceCase> cases;
  for (const auto& entry : read_json(file)) {
    ReferenceCase reference;
    const auto& architecture = entry.at("architecture");
    reference.architecture = architecture.is_string()
                                 ? load_reference_architecture(architecture.get<std::string>())
                                 : architecture_from_json(architecture);
    reference.layer = layer_from_json(entry.at("layer"));
    if (entry.contains("mapping"))
      reference.mapping = mapping_from_json(entry.at("mapping"), reference.architecture);
    reference.proved_optimal = entry.value("proved_optimal", json::object());
    reference.evaluation = entry.value("evaluation", json::object());
    reference.replay_cycles = entry.value("replay_cycles", Int{0});
    cases.push_back(std::move(reference));
  }
  return cases;
}

}  // namespace nestor::tests
