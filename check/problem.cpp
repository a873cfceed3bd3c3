#include "check/problem.h"

#include <algorithm>

namespace nestor::check {
namespace {

constexpr Int largest = Int{1} << 40;

Int integer_of(const Json& node, const std::string& what) {
  if (!node.is_number_integer() || node.get<Int>() < 1 || node.get<Int>() > largest)
    throw Unreadable(what + " is not an integer from 1 to 2^40");
  return node.get<Int>();
}
Int integer_or(const Json& object, const char* key, Int otherwise) {
  const auto found = object.find(key);
  return found == object.end() ? otherwise : integer_of(*found, key);
}
std::size_t dim_of(const std::string& letter) {
  const auto found = letter.size() == 1 ? dim_letters.find(letter[0]) : std::string_view::npos;
  if (found == std::string_view::npos) throw Unreadable("'" + letter + "' is not a dimension");
  return found;
}
Operand operand_of(const std::string& letter) {
  if (letter == "I") return I;
  if (letter == "W") return W;
  if (letter == "O") return O;
  throw Unreadable("'" + letter + "' is not an operand");
}
const char* const operand_letters[] = {"I", "W", "O"};

std::size_t memory_named(const Machine& machine, const std::string& name) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    if (machine.memories[m].name == name) return m;
  throw Unreadable("there is no memory '" + name + "'");
}

}  // namespace

const Json& member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Unreadable(std::string("there is no '") + key + "'");
  return *found;
}

// A JSON number is kept as the nearest double, whose shortest text is the number that was written.
Decimal decimal_of(const Json& number) {
  if (!number.is_number()) throw Unreadable("a number is missing");
  return parse_decimal(number.dump());
}

Int Layer::elements(Operand operand, const Extents& tile) const {
  const auto product = [&](std::initializer_list<std::size_t> dims) {
    Int result = 1;
    for (const std::size_t dim : dims) result = times(result, tile[dim]);
    return result;
  };
  if (operand == W) return product({K, C, R, S});
  if (operand == O) return product({N, K, P, Q});
  const auto window = [&](std::size_t outer, std::size_t inner, std::size_t axis) {
    return plus(plus(times(tile[outer] - 1, stride[axis]), times(tile[inner] - 1, dilation[axis])), Int{1});
  };
  return times(product({N, C}), times(window(P, R, 0), window(Q, S, 1)));
}

Machine read_machine(const Json& architecture) {
  Machine machine;
  machine.name = member(architecture, "name").get<std::string>();
  const Json& compute = member(architecture, "compute");
  machine.mvm_cycles = integer_of(member(compute, "mvm_cycles"), "mvm_cycles");
  const auto energy = [](const Json& object, const char* key) {
    return object.contains(key) ? decimal_of(object[key]) : Decimal();
  };
  std::vector<std::pair<Decimal, Decimal>> energies;
  const Decimal mac = energy(compute, "mac_energy");
  const Decimal leakage = energy(architecture, "leakage");
  machine.places = std::max(mac.places(), leakage.places());
  std::size_t place = 0;
  for (const Json& entry : member(architecture, "hierarchy")) {
    if (entry.contains("memory")) {
      const Json& node = entry["memory"];
      Memory memory;
      memory.name = member(node, "name").get<std::string>();
      memory.place = place;
      for (const Json& letter : member(node, "operands"))
        memory.holds[operand_of(letter.get<std::string>())] = true;
      if (node.contains("capacity")) memory.capacity = integer_of(node["capacity"], "capacity");
      memory.bandwidth = integer_of(member(node, "bandwidth"), "bandwidth");
      memory.double_buffer = node.value("double_buffer", false);
      energies.emplace_back(energy(node, "read_energy"), energy(node, "write_energy"));
      machine.places =
          std::max({machine.places, energies.back().first.places(), energies.back().second.places()});
      for (const Operand x : operands)
        if (memory.holds[x]) machine.chains[x].push_back(machine.memories.size());
      machine.memories.push_back(std::move(memory));
    } else {
      const Json& node = member(entry, "spatial");
      Axis axis;
      axis.name = member(node, "name").get<std::string>();
      axis.size = integer_of(member(node, "size"), "size");
      axis.place = place;
      for (const Json& letter : member(node, "dims")) axis.dims[dim_of(letter.get<std::string>())] = true;
      machine.axes.push_back(std::move(axis));
    }
    ++place;
  }
  if (machine.memories.size() > most_memories) throw Unreadable("it has more than 16 memories");
  for (const Operand x : operands)
    if (machine.chains[x].size() < 2) throw Unreadable("an operand has fewer than two memories");
  machine.mac = mac.in_units(machine.places);
  machine.leakage = leakage.in_units(machine.places);
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    machine.memories[m].read = energies[m].first.in_units(machine.places);
    machine.memories[m].write = energies[m].second.in_units(machine.places);
  }
  return machine;
}

Layer read_layer(const Json& record) {
  Layer layer;
  layer.name = member(record, "name").get<std::string>();
  const Json& dims = member(record, "dims");
  const Int groups = integer_or(record, "groups", 1);
  for (std::size_t d = 0; d < dim_count; ++d)
    layer.bounds[d] = integer_or(dims, std::string(1, dim_letters[d]).c_str(), 1);
  for (const std::size_t d : {std::size_t{K}, std::size_t{C}}) {
    if (layer.bounds[d] % groups != 0) throw Unreadable("groups do not divide its channels");
    layer.bounds[d] /= groups;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (record.contains("stride")) layer.stride[i] = integer_of(record["stride"].at(i), "stride");
    if (record.contains("dilation")) layer.dilation[i] = integer_of(record["dilation"].at(i), "dilation");
  }
  if (record.contains("bits")) {
    for (const Operand x : operands)
      layer.bits[x] = integer_or(record["bits"], operand_letters[x], layer.bits[x]);
    layer.partial_sum = integer_or(record["bits"], "psum", layer.partial_sum);
  }
  return layer;
}

Mapping read_mapping(const Json& node, const Machine& machine) {
  Mapping mapping;
  const Json& spatial = member(node, "spatial");
  for (const Axis& axis : machine.axes) {
    Extents& factors = mapping.spatial.emplace_back();
    factors.fill(1);
    if (!spatial.contains(axis.name)) continue;
    for (const auto& [letter, factor] : spatial[axis.name].items())
      factors[dim_of(letter)] = integer_of(factor, letter);
  }
  for (const Json& entry : member(node, "temporal")) {
    Loop loop;
    loop.dim = dim_of(member(entry, "dim").get<std::string>());
    loop.factor = integer_of(member(entry, "factor"), "factor");
    for (const Operand x : operands) {
      const auto memory =
          memory_named(machine, member(member(entry, "at"), operand_letters[x]).get<std::string>());
      const auto& chain = machine.chains[x];
      const auto found = std::find(chain.begin(), chain.end(), memory);
      if (found == chain.end()) throw Unreadable("a loop lies in a memory that does not hold its operand");
      loop.at[x] = static_cast<std::size_t>(found - chain.begin());
    }
    mapping.loops.push_back(loop);
  }
  mapping.doubled.resize(machine.memories.size());
  if (node.contains("double_buffer"))
    for (const Json& pair : node["double_buffer"])
      mapping.doubled[memory_named(machine, member(pair, "memory").get<std::string>())]
                     [operand_of(member(pair, "operand").get<std::string>())] = true;
  return mapping;
}

std::optional<Objective> read_objective(const Json& result, bool& front) {
  Objective objective;
  const auto word = member(result, "objective").get<std::string>();
  front = word == "pareto";
  if (word == "energy")
    objective.kind = Kind::energy;
  else if (word == "edp")
    objective.kind = Kind::edp;
  else if (word == "blended")
    objective.kind = Kind::blended;
  else if (word != "latency" && !front)
    return std::nullopt;
  objective.miredo = member(result, "latency_model").get<std::string>() == "miredo";
  const Json& options = member(result, "options");
  const auto weight = [&](const char* key) {
    return options.contains(key) ? parse_decimal(options[key].get<std::string>()) : Decimal{1, 0};
  };
  if (objective.kind == Kind::blended) {
    const Decimal alpha = weight("alpha");
    const Decimal beta = weight("beta");
    objective.weight_places = std::max(alpha.places(), beta.places());
    objective.alpha = alpha.in_units(objective.weight_places);
    objective.beta = beta.in_units(objective.weight_places);
  }
  return objective;
}

}  // namespace nestor::check
