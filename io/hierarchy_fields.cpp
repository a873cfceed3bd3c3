#include "io/hierarchy_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/foreign_keys.h"
#include "io/vocabulary.h"

namespace nestor::io {
namespace {

template <typename Set, typename All>
Json letters_to_json(const Set& set, const All& all) {
  Json list = Json::array();
  for (const auto element : all)
    if (set.contains(element)) list.push_back(std::string(1, letter(element)));
  return list;
}

Json letters_schema(Words letters) {
  return {{"type", "array"},
          {"minItems", 1},
          {"maxItems", letters.size()},
          {"uniqueItems", true},
          {"items", words_schema(letters)}};
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

// The word `all` selects all dimensions except G.
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

void describe_axis(Fields& fields, std::string& name, Axis& axis) {
  fields.name("name", name, "Name of the axis.");
  fields.integer("size", axis.size, count_range, required, "Number of lanes.");
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    axis.dims = read_dims(node, reading);
  };
  const auto schema = [] {
    return Json{{"oneOf", Json::array({Json{{"const", "all"}}, letters_schema(dim_words)})}};
  };
  fields.field({"dims", required, read, [] {}, [&] { return letters_to_json(axis.dims, all_dims); }, schema,
                "The dimensions that may be unrolled on this axis; `all`: all except G."});
}

// Reads an entry of the hierarchy at a time.
class HierarchyReader {
 public:
  HierarchyReader(std::string_view kind, Hierarchy& machine, HierarchyNames& names, std::vector<Node>& nodes,
                  DescribeMemory describe_memory, Reading& reading)
      : kind_(kind),
        machine_(machine),
        names_(names),
        nodes_(nodes),
        describe_(describe_memory),
        reading_(reading) {}

  void read(const Node& node) {
    constexpr std::array<std::string_view, 2> keys = {"memory", "spatial"};
    const MapReader entry(node, "entry of the hierarchy", keys, reading_);
    if (reading_.failed()) return;
    if (node.size() != 1)
      reading_.fail(node, "entry of the hierarchy must be one memory or one spatial axis");
    else if (const auto memory = entry.find("memory"))
      read_memory(*memory);
    else
      read_axis(node.value(0));
  }

 private:
  void read_memory(const Node& node) {
    refuse_foreign_keys(node, kind_, reading_);
    if (machine_.memories.full())
      reading_.fail(node, fmt::format("more than {} memories", machine_.memories.capacity()));
    std::string name;
    Memory memory;
    PartCosts costs;
    read_fields(node, "memory", reading_, [&](Fields& fields) { describe_(fields, name, memory, costs); });
    refuse_taken(node, "memory", name, names_.memory_names);
    if (reading_.failed()) return;
    memory.axes_above = static_cast<std::uint8_t>(machine_.axes.size());
    machine_.memories.push_back(memory);
    names_.memory_names.push_back(name);
    names_.memory_costs.push_back(costs);
    nodes_.push_back(node);
  }

  void read_axis(const Node& node) {
    std::string name;
    Axis axis;
    read_fields(node, "spatial axis", reading_, [&](Fields& fields) { describe_axis(fields, name, axis); });
    refuse_taken(node, "spatial axis", name, names_.axis_names);
    if (!reading_.failed()) add_axis(machine_, names_.axis_names, name, axis, node, reading_);
  }

  void refuse_taken(const Node& node, std::string_view what, const std::string& name,
                    const std::vector<std::string>& taken) {
    if (!reading_.failed() && std::find(taken.begin(), taken.end(), name) != taken.end())
      reading_.fail(*node.find("name"), fmt::format("{} '{}' is already in the hierarchy", what, name));
  }

  std::string_view kind_;
  Hierarchy& machine_;
  HierarchyNames& names_;
  std::vector<Node>& nodes_;
  DescribeMemory describe_;
  Reading& reading_;
};

Json hierarchy_to_json(Hierarchy& machine, HierarchyNames& names, std::size_t first_axis,
                       DescribeMemory describe_memory) {
  Json hierarchy = Json::array();
  std::size_t axis = first_axis;
  const auto add_axes_before = [&](std::size_t end) {
    for (; axis < end; ++axis)
      hierarchy.push_back({{"spatial", write_fields([&](Fields& fields) {
                              describe_axis(fields, names.axis_names[axis], machine.axes[axis]);
                            })}});
  };
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    add_axes_before(machine.memories[m].axes_above);
    PartCosts costs = m < names.memory_costs.size() ? names.memory_costs[m] : PartCosts{};
    hierarchy.push_back({{"memory", write_fields([&](Fields& fields) {
                            describe_memory(fields, names.memory_names[m], machine.memories[m], costs);
                          })}});
  }
  add_axes_before(machine.axes.size());
  return hierarchy;
}

Json hierarchy_schema(DescribeMemory describe_memory) {
  std::string name;
  Memory memory;
  PartCosts costs;
  Axis axis;
  const auto entry = [](const char* key, Json schema) {
    return record_schema({{key, std::move(schema)}}, true);
  };
  const auto entries = Json::array(
      {entry("memory", schema_of([&](Fields& fields) { describe_memory(fields, name, memory, costs); })),
       entry("spatial", schema_of([&](Fields& fields) { describe_axis(fields, name, axis); }))});
  return list_schema({1, max_memories + max_axes}, {{"oneOf", entries}});
}

}  // namespace

void describe_memory_head(Fields& fields, std::string& name, Memory& memory) {
  fields.name("name", name, "Name of the memory.");
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    memory.operands = read_operands(node, reading);
  };
  fields.field({"operands", required, read, [] {},
                [&] { return letters_to_json(memory.operands, all_operands); },
                [] { return letters_schema(operand_words); },
                "The operands that it may hold: I (input), W (weight), O (output)."});
  fields.quantity("capacity", memory.capacity, size_units, bits_range, unlimited_capacity,
                  "Bits of one instance, not checked in the home of an operand; default: unlimited.");
}

void describe_hierarchy(Fields& fields, std::string_view kind, Hierarchy& machine, HierarchyNames& names,
                        std::size_t first_axis, std::vector<Node>& nodes, DescribeMemory describe_memory) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    HierarchyReader reader(kind, machine, names, nodes, describe_memory, reading);
    for (const auto& entry : read_list(node, label, 1, max_memories + max_axes, reading)) reader.read(entry);
  };
  fields.field(
      {"hierarchy", required, read, [] {},
       [&] { return hierarchy_to_json(machine, names, first_axis, describe_memory); },
       [&] { return hierarchy_schema(describe_memory); },
       "The memories and spatial axes, from the outermost memory to the compute unit. An axis is inside "
       "every memory that is listed before it."});
}

void describe_rates(Fields& fields, double& leakage, double& clock) {
  fields.number("leakage", leakage, energy_range, 0, "pJ per cycle of the whole machine.");
  auto hertz = static_cast<Int>(clock);
  fields.quantity("clock", hertz, frequency_units, {1, Int{1} << 50}, 0, "Frequency in Hz.");
  clock = static_cast<double>(hertz);
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

void check_operands(const Hierarchy& machine, const std::vector<std::string>& memory_names,
                    const std::vector<Node>& memory_nodes, const Node& hierarchy, Reading& reading) {
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
      reading.fail(memory_nodes[m].find("capacity").value_or(memory_nodes[m]),
                   fmt::format("capacity of '{}' is {} bit{}, below the smallest tile: one element of each "
                               "of its {} innermost operands",
                               memory_names[m], memories[m].capacity, memories[m].capacity == 1 ? "" : "s",
                               needed[m]));
}

}  // namespace nestor::io
