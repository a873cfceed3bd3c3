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
    for (const auto dim : all_dims) set.insert(dim);
    return set;
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
