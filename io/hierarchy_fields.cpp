#include "io/hierarchy_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/vocabulary.h"

namespace nestor::io {

double read_energy(const MapReader& map, std::string_view key, Reading& reading) {
  constexpr double most = 1e30;
  const double value = map.number(key, 0, 0);
  if (value > most && !reading.failed())
    reading.fail(*map.find(key), fmt::format("{} is {}, expected at most 1e30", key, value));
  return value;
}

std::string read_unique_name(const MapReader& map, std::string_view what,
                             const std::vector<std::string>& taken, Reading& reading) {
  auto name = map.name("name");
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    reading.fail(*map.find("name"), fmt::format("{} '{}' is already in the hierarchy", what, name));
  return name;
}

void add_axis(Hierarchy& machine, std::vector<std::string>& axis_names, const std::string& name,
              const Axis& axis, const Node& where, Reading& reading) {
  if (machine.axes.full()) {
    reading.fail(where, fmt::format("more than {} spatial axes", machine.axes.capacity()));
    return;
  }
  machine.axes.push_back(axis);
  axis_names.push_back(name);
}

namespace {

void read_axis(const Node& node, Hierarchy& machine, std::vector<std::string>& axis_names, Reading& reading) {
  const MapReader map(node, "spatial axis", hierarchy_keys::axis, reading);
  Axis axis;
  const auto name = read_unique_name(map, "spatial axis", axis_names, reading);
  axis.size = map.integer("size", count_range);
  if (const auto dims = map.require("dims")) axis.dims = read_dims(*dims, reading);
  if (!reading.failed()) add_axis(machine, axis_names, name, axis, node, reading);
}

}  // namespace

void read_hierarchy(const MapReader& top, Hierarchy& machine, std::vector<std::string>& axis_names,
                    Reading& reading, FunctionRef<void(const Node& memory)> read_memory) {
  for (const auto& node : top.list("hierarchy", 1, max_memories + max_axes)) {
    const MapReader entry(node, "entry of the hierarchy", hierarchy_keys::entry, reading);
    if (reading.failed()) return;
    if (node.size() != 1) {
      reading.fail(node, "entry of the hierarchy must be one memory or one spatial axis");
    } else if (const auto memory = entry.find("memory")) {
      read_memory(*memory);
    } else {
      read_axis(node.value(0), machine, axis_names, reading);
    }
  }
}

Json hierarchy_to_json(const Hierarchy& machine, std::span<const std::string> axis_names,
                       std::size_t first_axis, FunctionRef<Json(std::size_t memory)> memory_to_json) {
  Json hierarchy = Json::array();
  std::size_t axis = first_axis;
  const auto add_axes_before = [&](std::size_t end) {
    for (; axis < end; ++axis)
      hierarchy.push_back({{"spatial",
                            {{"name", axis_names[axis]},
                             {"size", machine.axes[axis].size},
                             {"dims", dims_to_json(machine.axes[axis].dims)}}}});
  };
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    add_axes_before(machine.memories[m].axes_above);
    hierarchy.push_back({{"memory", memory_to_json(m)}});
  }
  add_axes_before(machine.axes.size());
  return hierarchy;
}

OperandSet read_operands(const Node& node, Reading& reading) {
  OperandSet set;
  for (const auto& item : read_list(node, "operands", 1, operand_count, reading)) {
    const auto operand = all_operands[read_word(item, "operand", operand_words, reading)];
    if (set.contains(operand)) reading.fail(item, fmt::format("operand {} is listed twice", letter(operand)));
    set.insert(operand);
  }
  return set;
}

DimSet read_dims(const Node& node, Reading& reading) {
  DimSet set;
  if (node.text() == "all") {
    return group_dim_set;
  }
  if (node.is_scalar())
    reading.fail(node, fmt::format("dims is {}, expected a list of dimensions or all", node.describe()));
  for (const auto& item : read_list(node, "dims", 1, dim_count, reading)) {
    const auto dim = all_dims[read_word(item, "dimension", dim_words, reading)];
    if (set.contains(dim)) reading.fail(item, fmt::format("dimension {} is listed twice", letter(dim)));
    set.insert(dim);
  }
  return set;
}

void check_operands(const Hierarchy& machine, const std::vector<std::string>& memory_names,
                    const std::vector<Node>& capacity_nodes, const Node& hierarchy, Reading& reading) {
  if (reading.failed()) return;
  const auto& memories = machine.memories;
  std::vector<Int> needed(memories.size(), 0);
  for (const auto operand : all_operands) {
    std::vector<std::size_t> holders;
    for (std::size_t m = 0; m < memories.size(); ++m)
      if (memories[m].operands.contains(operand)) holders.push_back(m);
    if (holders.size() < 2) {
      const auto only = holders.empty() ? "no memory holds it"
                                        : fmt::format("only '{}' holds it", memory_names[holders[0]]);
      reading.fail(hierarchy, fmt::format("operand {} needs a home and an innermost memory, but {}",
                                          letter(operand), only));
      return;
    }
    ++needed[holders.back()];
  }
  for (std::size_t m = 0; m < memories.size(); ++m)
    if (memories[m].capacity < needed[m])
      reading.fail(capacity_nodes[m],
                   fmt::format("capacity of '{}' is {} bit{}, below the smallest tile: one element of each "
                               "of its {} innermost operands",
                               memory_names[m], memories[m].capacity, memories[m].capacity == 1 ? "" : "s",
                               needed[m]));
}

Json operands_to_json(OperandSet operands) {
  Json list = Json::array();
  for (const auto operand : all_operands)
    if (operands.contains(operand)) list.push_back(std::string(1, letter(operand)));
  return list;
}

Json dims_to_json(DimSet dims) {
  Json list = Json::array();
  for (const auto dim : all_dims)
    if (dims.contains(dim)) list.push_back(std::string(1, letter(dim)));
  return list;
}

}  // namespace nestor::io
