#include "check/pim/machine.h"

#include <utility>

#include "check/pim/form.h"

namespace nestor::check::pim {
namespace {

// Checks that at most one memory has rows: the home of all its operands, with no axes outside it except
// vaults and units.
void check_rows(const CheckedPimMachine& machine, std::size_t outer_axes) {
  std::size_t with_rows = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    if (machine.ports[m].row == 0) continue;
    if (++with_rows > 1) throw Unreadable("two memories have rows");
    for (std::size_t a = outer_axes; a < machine.axes.size(); ++a)
      if (machine.axes[a].place < machine.memories[m].place)
        throw Unreadable("an axis other than vaults and units is outside a memory with rows");
    for (const auto& chain : machine.chains)
      if (chain[0] != m && std::find(chain.begin(), chain.end(), m) != chain.end())
        throw Unreadable("a memory with rows is not the home of an operand");
  }
}

Port read_port(const Json& node, const CheckedPimMachine& machine) {
  const auto count = [&](const char* key, Int largest = most_cycles) {
    const bool is_zero = !node.contains(key) || node[key] == 0;
    return is_zero ? Int{0} : integer_of(node[key], key, largest);
  };
  Port port{.read_bandwidth = count("read_bandwidth", most_bits),
            .write_bandwidth = count("write_bandwidth", most_bits)};
  port.access_latency = count("access_latency");
  port.is_shared = text_of(node, "ports") == "shared";
  port.row = count("row");
  port.banks = std::max(Int{1}, count("banks"));
  port.activation_cycles = count("activation_cycles");
  if (node.contains("activation_energy"))
    port.activation_energy = decimal_of(node["activation_energy"]).in(machine.unit);
  return port;
}

// Finds neighbouring axes without a memory in between.
void find_joined(CheckedPimMachine& machine) {
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    bool joined = a != 0;
    for (const Memory& memory : machine.memories)
      if (joined && machine.axes[a - 1].place <= memory.place && memory.place < machine.axes[a].place)
        joined = false;
    machine.joined.push_back(joined);
  }
}

}  // namespace

CheckedPimMachine read_hardware(const Json& architecture) {
  CheckedPimMachine machine;
  static_cast<check::Machine&>(machine) = check::read_machine(architecture, machine_form);
  std::vector<Axis> outer;  // axes outside all memories
  for (const auto* const key : {"vaults", "units"}) {
    if (!architecture.contains(key)) continue;
    Axis& axis = outer.emplace_back(Axis{.name = key, .size = integer_of(architecture[key], key)});
    axis.dims.fill(true);
  }
  machine.axes.insert(machine.axes.begin(), outer.begin(), outer.end());
  for (const Json& entry : architecture["hierarchy"])
    if (entry.contains("memory")) machine.ports.push_back(read_port(entry["memory"], machine));
  check_rows(machine, outer.size());
  const Json& compute = architecture["compute"];
  if (compute.contains("reduction_latency"))
    machine.reduction_latency = integer_of(compute["reduction_latency"], "reduction_latency");
  machine.is_even = text_of(architecture, "blocks") != "uneven";
  const auto once = architecture.value("dim_once", Json::array());
  for (const Axis& axis : machine.axes)
    machine.once.push_back(std::find(once.begin(), once.end(), axis.name) != once.end());
  return machine;
}

CheckedPimMachine read_machine(const Json& result) {
  const Json& architecture = member(result, "architecture");
  const Json options = result.value("options", Json::object());
  if (text_of(architecture, "row_model") != "exact" || result.contains("bypass_table") ||
      text_of(member(result, "objective"), "name") == "eq14")
    throw Unreadable("row_model hybrid, eq14 and one bypass table for all layers are not proved");
  CheckedPimMachine machine = read_hardware(architecture);
  fix(machine, result);
  find_joined(machine);
  if (options.value("top", "1") != "1") machine.joined.assign(machine.axes.size(), false);
  const auto kinds = "," + options.value("layouts", "sequential,hwc,row_aligned") + ",";
  for (const auto kind : {Layout::sequential, Layout::hwc, Layout::row_aligned})
    machine.layouts[kind] = kinds.find("," + std::string(layout_words[kind]) + ",") != std::string::npos;
  return machine;
}

Layouts read_layouts(const Json& mapping) {
  Layouts layouts;
  for (const Operand x : operands) {
    const Json& layout = member(member(mapping, "layout"), std::string(1, operand_letters[x]).c_str());
    const auto word = std::find(layout_words.begin(), layout_words.end(), text_of(layout, "kind"));
    if (word == layout_words.end()) throw Unreadable("a layout is invalid");
    layouts[x].kind = static_cast<Layout::Kind>(word - layout_words.begin());
    if (!layout.contains("block")) continue;
    layouts[x].height = integer_of(layout["block"].at(0), "block");
    layouts[x].width = integer_of(layout["block"].at(1), "block");
  }
  return layouts;
}

CheckedPimMapping read_mapping(const Json& node, const CheckedPimMachine& machine) {
  check_form(node, mapping_form, "a mapping");
  if (node.contains("stored")) throw Unreadable("a mapping with a key 'stored' is not supported");
  CheckedPimMapping mapping{{read_spatial(node, machine), {}}, {}};
  std::array<std::size_t, 3> at{};
  const Json& loops = member(node, "temporal");
  for (std::size_t l = 0; l <= loops.size(); ++l) {  // in a mapping, the outermost loop is first
    LoggedNest nest{.parent = static_cast<std::uint32_t>(l)};
    if (l != 0) {
      nest.dim = static_cast<std::uint8_t>(place_of(text_of(loops.at(l - 1), "dim"), dim_letters));
      nest.factor = integer_of(member(loops.at(l - 1), "factor"), "factor");
    }
    for (const Operand x : operands) {
      const auto& chain = machine.chains[x];
      std::size_t to = chain.size() - 1;
      if (l != loops.size()) to = position_of(member(loops.at(l), "at"), x, machine);
      if (to == at[x]) continue;
      nest.moves[x] = {true, false, static_cast<std::uint8_t>(to)};
      at[x] = to;
    }
    mapping.nests.push_back(nest);
  }
  mapping.layouts = read_layouts(node);
  return mapping;
}

bool is_symmetric(const Layer& layer, const CheckedPimMachine& machine) {
  return check::is_symmetric(layer, static_cast<const check::Machine&>(machine)) &&
         std::all_of(machine.ports.begin(), machine.ports.end(), [](const Port& p) { return p.row == 0; });
}

Spatial standing_for(const Spatial& spatial, const Layer& layer, const CheckedPimMachine& machine) {
  const auto joined = [&](Spatial choice) {
    for (std::size_t a = choice.size(); a-- > 1;)
      for (std::size_t d = 0; d < dim_count && machine.joined[a]; ++d)
        choice[a - 1][d] *= std::exchange(choice[a][d], 1);
    return choice;
  };
  return is_symmetric(layer, machine) ? std::min(joined(spatial), joined(mirror(spatial))) : joined(spatial);
}

bool keeps_dims_once(const Spatial& spatial, const CheckedPimMachine& machine) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    int axes = 0;
    for (std::size_t a = 0; a < spatial.size(); ++a)
      if (machine.once[a] && spatial[a][d] > 1) ++axes;
    if (axes > 1) return false;
  }
  return true;
}

std::set<Spatial> spatial_choices(const Layer& layer, const CheckedPimMachine& machine,
                                  const std::function<Spatial(const Spatial&)>& standing) {
  auto all =
      check::spatial_choices(layer, static_cast<const check::Machine&>(machine), [&](const Spatial& spatial) {
        return keeps_dims_once(spatial, machine) ? standing(spatial) : Spatial{};
      });
  if (!machine.axes.empty()) all.erase(Spatial{});
  return all;
}

bool grows_with_factors(const CheckedPimMachine& machine, const Objective& objective) {
  return !machine.is_fixed && std::none_of(machine.ports.begin(), machine.ports.end(), [&](const Port& port) {
    return port.row > 0 && ((objective.follows_latency && port.activation_cycles > 0) ||
                            (objective.per_energy > 0 && port.activation_energy > 0) ||
                            ((objective.is_front || objective.is_product) && port.activation_energy > 0));
  });
}

}  // namespace nestor::check::pim
