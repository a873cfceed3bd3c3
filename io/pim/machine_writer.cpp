// Writer of PIM machines. The reader is machine_file.cpp.
#include "io/hierarchy_fields.h"
#include "io/part_costs.h"
#include "io/pim/machine_file.h"

namespace nestor::io::pim {
namespace {

Json memory_to_json(const NamedPimMachine& named, std::size_t m) {
  const Memory& memory = named.machine.memories[m];
  Json json = {{"name", named.memory_names[m]}, {"operands", operands_to_json(memory.operands)}};
  const auto add = [&json](const char* key, auto value) {
    if (value != 0) json[key] = value;
  };
  if (memory.capacity != unlimited_capacity) json["capacity"] = memory.capacity;
  json["bandwidth"] = memory.bandwidth;
  add("read_bandwidth", memory.read_bandwidth);
  add("write_bandwidth", memory.write_bandwidth);
  add("access_latency", memory.access_latency);
  json["ports"] = memory.shared_port ? "shared" : "per_operand";
  if (memory.row > 0) {
    json["row"] = memory.row;
    json["banks"] = memory.banks;
    json["activation_cycles"] = memory.activation_cycles;
    add("activation_energy", memory.activation_energy);
  }
  add_part_costs(memory, named, m, json);
  return json;
}

}  // namespace

Json machine_to_json(const NamedPimMachine& named) {
  const auto& machine = named.machine;
  Json json = {{"name", named.name}};
  if (!named.source.empty()) json["source"] = named.source;
  json["kind"] = "pim";
  json["blocks"] = nestor::pim::block_rules.word(machine.blocks);
  json["row_model"] = nestor::pim::row_models.word(machine.row_model);
  std::size_t axis = 0;
  for (const std::string outer : {"vaults", "units"})
    if (axis < named.axis_names.size() && named.axis_names[axis] == outer &&
        machine.memories[0].axes_above > axis)
      json[outer] = machine.axes[axis++].size;
  json["hierarchy"] = hierarchy_to_json(machine, named.axis_names, axis,
                                        [&](std::size_t m) { return memory_to_json(named, m); });
  json["compute"] = {{"mvm_cycles", machine.mvm_cycles}};
  if (machine.mac_energy != 0) json["compute"]["mac_energy"] = machine.mac_energy;
  if (machine.reduction_latency != 0) json["compute"]["reduction_latency"] = machine.reduction_latency;
  auto& once = json["dim_once"] = Json::array();
  for (std::size_t a = 0; a < named.axis_names.size(); ++a)
    if (((machine.dim_once >> a) & 1U) != 0) once.push_back(named.axis_names[a]);
  if (once.empty()) json.erase("dim_once");
  if (named.compute_area) json["compute"]["area"] = *named.compute_area;
  if (machine.leakage != 0) json["leakage"] = machine.leakage;
  if (machine.clock != 0) json["clock"] = static_cast<Int>(machine.clock);
  return json;
}

}  // namespace nestor::io::pim
