#include "check/problem.h"

namespace nestor::check {
namespace {

Int integer_or(const Json& object, const std::string& key, Int otherwise) {
  return object.contains(key) ? integer_of(object[key], key) : otherwise;
}

// Returns the sum of capacities times positions, over memories with a capacity that are not the home of any
// operand.
Wide full_sizes(const Machine& machine) {
  Wide all = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    bool counts = machine.memories[m].capacity != Memory{}.capacity;
    for (const auto& chain : machine.chains) counts = counts && chain[0] != m;
    if (counts) all = plus(all, times(static_cast<Wide>(m), machine.memories[m].capacity));
  }
  return all;
}

void check_names(const Machine& machine) {
  std::set<std::string> memories;
  std::set<std::string> axes;
  for (const Memory& memory : machine.memories)
    if (!memories.insert(memory.name).second)
      throw Unreadable("two memories are named '" + memory.name + "'");
  for (const Axis& axis : machine.axes)
    if (!axes.insert(axis.name).second) throw Unreadable("two axes are named '" + axis.name + "'");
}

}  // namespace

Int integer_of(const Json& node, const std::string& what, Int largest) {
  if (!node.is_number_integer() || node.get<Int>() < 1 || node.get<Int>() > largest)
    throw Unreadable(what + " is not an integer from 1 to " + std::to_string(largest));
  return node.get<Int>();
}
std::size_t place_of(const std::string& letter, std::string_view letters) {
  const auto at = letter.size() == 1 ? letters.find(letter) : std::string_view::npos;
  if (at == std::string_view::npos)
    throw Unreadable("'" + letter + "' is not one of " + std::string(letters));
  return at;
}
std::size_t memory_named(const Machine& machine, const std::string& name) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    if (machine.memories[m].name == name) return m;
  throw Unreadable("there is no memory '" + name + "'");
}

std::string text_of(const Json& object, const char* key) { return member(object, key).get<std::string>(); }

// Computes (1.1) to (1.3) of docs/models/cim.md.
Int Layer::elements(Operand operand, const Extents& tile) const {
  if (operand == W) return times(tile[G], tile[K], tile[C], tile[R], tile[S]);
  if (operand == O) return times(tile[G], tile[N], tile[K], tile[P], tile[Q]);
  const auto window = [&](std::size_t outer, std::size_t inner, std::size_t axis) {
    return plus(times(tile[outer] - 1, stride[axis]), times(tile[inner] - 1, dilation[axis]), 1);
  };
  return times(tile[G], tile[N], tile[C], window(P, R, 0), window(Q, S, 1));
}

Machine read_machine(const Json& architecture, Form machine_form) {
  check_form(architecture, machine_form, "the machine");
  Machine machine;
  machine.unit = power_of_ten(most_places(architecture));
  const auto energy = [&](const Json& object, const char* key) {
    return object.contains(key) ? decimal_of(object[key]).in(machine.unit) : 0;
  };
  const Json& compute = member(architecture, "compute");
  machine.mvm_cycles = integer_of(member(compute, "mvm_cycles"), "mvm_cycles");
  machine.mac = energy(compute, "mac_energy");
  machine.leakage = energy(architecture, "leakage");
  const Json& hierarchy = member(architecture, "hierarchy");
  for (std::size_t place = 0; place < hierarchy.size(); ++place) {
    const Json& entry = hierarchy.at(place);
    if (entry.size() != 1) throw Unreadable("an entry of the hierarchy is not one memory or one axis");
    if (entry.contains("memory")) {
      const Json& node = entry["memory"];
      Memory memory{.name = text_of(node, "name"), .place = place};
      if (node.contains("capacity")) memory.capacity = integer_of(node["capacity"], "capacity", most_bits);
      memory.bandwidth = integer_of(member(node, "bandwidth"), "bandwidth", most_bits);
      memory.double_buffer = node.value("double_buffer", false);
      memory.read = energy(node, "read_energy");
      memory.write = energy(node, "write_energy");
      for (const Json& letter : member(node, "operands"))
        machine.chains[place_of(letter, operand_letters)].push_back(machine.memories.size());
      machine.memories.push_back(std::move(memory));
    } else {
      const Json& node = member(entry, "spatial");
      Axis axis{.name = text_of(node, "name"), .size = integer_of(member(node, "size"), "size")};
      axis.place = place;
      for (const Json& letter : member(node, "dims")) axis.dims[place_of(letter, dim_letters)] = true;
      machine.axes.push_back(std::move(axis));
    }
  }
  if (machine.memories.size() > most_memories) throw Unreadable("it has more than 16 memories");
  for (const auto& chain : machine.chains)
    if (chain.size() < 2) throw Unreadable("an operand has fewer than two memories");
  check_names(machine);
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    Int needed = 0;  // operands with this innermost memory; each takes at least one bit
    for (const auto& chain : machine.chains) needed += chain.back() == m ? 1 : 0;
    if (machine.memories[m].capacity < needed) throw Unreadable("a memory is too small for any tile");
  }
  return machine;
}

Layer read_layer(const Json& record) {
  check_form(record, layer_form, "a layer", false);
  Layer layer;
  const Json& dims = member(record, "dims");
  for (std::size_t d = 0; d < dim_count; ++d)
    layer.bounds[d] = integer_or(dims, std::string(1, dim_letters[d]), 1);
  const Int groups = integer_or(record, "groups", 1);
  for (const Dim d : {K, C}) {
    if (layer.bounds[d] % groups != 0) throw Unreadable("groups do not divide its channels");
    layer.bounds[d] /= groups;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (record.contains("stride")) layer.stride[i] = integer_of(record["stride"].at(i), "stride");
    if (record.contains("dilation")) layer.dilation[i] = integer_of(record["dilation"].at(i), "dilation");
  }
  const Json bits = record.value("bits", Json::object());
  for (const Operand x : operands)
    layer.bits[x] = integer_or(bits, std::string(1, operand_letters[x]), layer.bits[x]);
  layer.partial_sum = integer_or(bits, "psum", layer.partial_sum);
  if (layer.partial_sum < layer.bits[O]) throw Unreadable("partial sums are narrower than outputs");
  return layer;
}

Spatial read_spatial(const Json& mapping, const Machine& machine) {
  Spatial spatial;
  const Json& given = member(mapping, "spatial");
  for (const auto& entry : given.items())
    if (std::none_of(machine.axes.begin(), machine.axes.end(),
                     [&](const Axis& axis) { return axis.name == entry.key(); }))
      throw Unreadable("there is no axis '" + entry.key() + "'");
  for (const Axis& axis : machine.axes) {
    Extents& factors = spatial.emplace_back(ones);
    const Json named = member(mapping, "spatial").value(axis.name, Json::object());
    for (const auto& [letter, factor] : named.items())
      factors[place_of(letter, dim_letters)] = integer_of(factor, letter);
  }
  return spatial;
}
std::size_t position_of(const Json& at, Operand operand, const Machine& machine) {
  const auto& chain = machine.chains[operand];
  const std::string letter(1, operand_letters[operand]);
  const auto memory = memory_named(machine, text_of(at, letter.c_str()));
  return static_cast<std::size_t>(std::find(chain.begin(), chain.end(), memory) - chain.begin());
}

Objective read_objective(const Json& result, const Machine& machine) {
  const auto word = text_of(member(result, "objective"), "name");
  if (!std::set<std::string>{"latency", "energy", "edp", "eq14", "blended", "pareto"}.contains(word))
    throw Unreadable("objective '" + word + "' is not supported");
  Objective objective{.miredo = result["objective"].value("latency_model", "") == "miredo",
                      .follows_latency = word != "energy" || machine.leakage != 0,
                      .is_front = word == "pareto",
                      .is_product = word == "edp",
                      .counts_sizes = word == "eq14"};
  const auto weight = [&](const char* key, const char* otherwise) {
    return parse_decimal(member(result, "options").value(key, otherwise));
  };
  // Weights of a cycle, and of a pJ or a bit.
  Decimal cycle{word == "latency" ? 1 : 0};
  Decimal other{word == "latency" ? 0 : 1};
  Wide parts = machine.unit;
  if (word == "blended") {
    cycle = weight("alpha", "1");
    other = weight("beta", "1");
  } else if (objective.counts_sizes) {
    cycle = weight("mu1", "1");
    other = weight("mu2", "0.001");
    parts = result["options"].contains("mu2") ? 1 : full_sizes(machine);
    if (parts == 0) std::tie(other, parts) = std::pair(Decimal{}, 1);
  }
  const Wide unit = power_of_ten(std::max(cycle.places, other.places));
  objective.per_cycle = times(cycle.in(unit), parts);
  objective.per_energy = other.in(unit);
  objective.unit = times(unit, parts);
  return objective;
}

Cost least_cost(const Layer& layer, const Machine& machine) {
  Int products = 1;
  for (const Int bound : layer.bounds) products = times(products, bound);
  Int steps = products;
  for (const Axis& axis : machine.axes) steps = ceiling(steps, axis.size);
  return {times(steps, machine.mvm_cycles), times(machine.mac, products)};
}

SpatialLanes::SpatialLanes(const Layer& layer, const Machine& machine, const Spatial& spatial)
    : temporal(layer.bounds) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    for (const Extents& factors : spatial) {
      if (temporal[d] % factors[d] != 0) throw Unreadable("a spatial factor does not divide its dimension");
      temporal[d] /= factors[d];
    }
    steps = times(steps, temporal[d]);
  }
  for (const Memory& memory : machine.memories) {
    Around& around = memories.emplace_back();
    for (std::size_t a = 0; a < spatial.size(); ++a)
      for (std::size_t d = 0; d < dim_count; ++d) {
        const bool is_below = machine.axes[a].place > memory.place;
        Int& lanes = is_below ? around.below[d] : around.above;
        lanes = times(lanes, spatial[a][d]);
        around.reduced_above |= !is_below && is_reduction(d) && spatial[a][d] > 1;
      }
  }
}

bool axes_carry(const Spatial& spatial, const Machine& machine) {
  for (std::size_t a = 0; a < spatial.size(); ++a) {
    Int lanes = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (spatial[a][d] > 1 && !machine.axes[a].dims[d]) return false;
      lanes = times(lanes, spatial[a][d]);
    }
    if (lanes > machine.axes[a].size) return false;
  }
  return keeps_fixed_axes(spatial, machine);
}

std::vector<Int> divisors_of(Int number) {
  std::set<Int> divisors;
  for (Int n = 1; n <= number / n; ++n)
    if (number % n == 0) divisors.insert({n, number / n});
  return {divisors.begin(), divisors.end()};
}

std::string words(const Extents& bounds) {
  std::string text = "bounds";
  for (std::size_t d = 0; d < dim_count; ++d)
    if (bounds[d] > 1) text += std::string(" ") + dim_letters[d] + " " + std::to_string(bounds[d]);
  return text;
}

std::string words(const Spatial& spatial, const Machine& machine) {
  std::string text;
  for (std::size_t a = 0; a < spatial.size(); ++a)
    for (std::size_t d = 0; d < dim_count; ++d)
      if (spatial[a][d] > 1)
        text += (text.empty() ? "" : ", ") + machine.axes[a].name + " " + dim_letters[d] + " " +
                std::to_string(spatial[a][d]);
  return "spatial choice (" + (text.empty() ? "nothing in parallel" : text) + ")";
}

std::string words(const LoggedNest& nest, const Machine& machine) {
  auto text = std::string(1, dim_letters[nest.dim]) + " " + std::to_string(nest.factor);
  for (const Operand x : operands)
    if (const Move& move = nest.moves[x]; move.moves)
      text += std::string(", ") + operand_letters[x] + " to " +
              machine.memories[machine.chains[x][move.to]].name +
              (move.doubled ? " through two buffers" : "");
  return text;
}

bool is_symmetric(const Layer& layer, const Machine& machine) {
  return layer.bounds[P] == layer.bounds[Q] && layer.bounds[R] == layer.bounds[S] &&
         layer.stride[0] == layer.stride[1] && layer.dilation[0] == layer.dilation[1] &&
         std::all_of(
             machine.axes.begin(), machine.axes.end(),
             [](const Axis& axis) { return axis.dims[P] == axis.dims[Q] && axis.dims[R] == axis.dims[S]; }) &&
         std::all_of(machine.fixed_axes.begin(), machine.fixed_axes.end(), [](const FixedAxis& fixed) {
           return fixed.dims[P] == fixed.dims[Q] && fixed.dims[R] == fixed.dims[S] &&
                  fixed.factors[P] == fixed.factors[Q] && fixed.factors[R] == fixed.factors[S];
         });
}

Spatial mirror(Spatial spatial) {
  for (Extents& factors : spatial) {
    std::swap(factors[P], factors[Q]);
    std::swap(factors[R], factors[S]);
  }
  return spatial;
}
Spatial standing_for(const Spatial& spatial, const Layer& layer, const Machine& machine) {
  return is_symmetric(layer, machine) ? std::min(spatial, mirror(spatial)) : spatial;
}

std::set<Spatial> spatial_choices(const Layer& layer, const Machine& machine,
                                  const std::function<Spatial(const Spatial&)>& standing) {
  constexpr std::size_t most_choices = 3'000'000;
  std::set<Spatial> all;
  Spatial chosen(machine.axes.size(), ones);
  Extents left = layer.bounds;
  const auto choose = [&](const auto& self, std::size_t slot, Int lanes) -> void {
    if (all.size() > most_choices) throw Unreadable("a layer has too many spatial choices");
    if (slot == machine.axes.size() * dim_count) {
      if (keeps_fixed_axes(chosen, machine)) all.insert(standing(chosen));
      return;
    }
    const std::size_t dim = slot % dim_count;
    const Axis& axis = machine.axes[slot / dim_count];
    for (const Int factor : divisors_of(left[dim])) {
      if (factor > axis.size / lanes) break;
      chosen[slot / dim_count][dim] = factor;
      left[dim] /= factor;
      self(self, slot + 1, dim + 1 == dim_count ? 1 : lanes * factor);
      left[dim] *= factor;
      if (!axis.dims[dim]) break;
    }
    chosen[slot / dim_count][dim] = 1;
  };
  choose(choose, 0, 1);
  return all;
}

}  // namespace nestor::check
