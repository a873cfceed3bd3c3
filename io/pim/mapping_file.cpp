#include "io/pim/mapping_file.h"

#include <fmt/format.h>

#include "io/fields.h"
#include "io/vocabulary.h"

namespace nestor::io::pim {
namespace {

using nestor::pim::Layout;
using nestor::pim::LayoutKind;
using nestor::pim::PimMapping;

class MappingReader {
 public:
  MappingReader(const NamedPimMachine& machine, Reading& reading)
      : nest_(machine.memory_names, machine.axis_names, reading), reading_(reading) {}

  PimMapping read(const Node& node) {
    const MapReader map(node, "mapping", mapping_keys::top, reading_);
    result_.nest = nest_.read(map);
    if (const auto pairs = map.find("double_buffer"))
      for (const auto& pair : read_list(*pairs, "double_buffer", 0, max_memories * operand_count, reading_))
        reading_.fail(pair,
                      "double_buffer cannot be used with kind 'pim', where transfers overlap perfectly");
    if (const auto layouts = map.find("layout")) read_layouts(*layouts);
    nest_.read_pairs(map, "stored", "stored", result_.stored);
    return result_;
  }

 private:
  void read_layouts(const Node& node) {
    const MapReader operands(node, "layout", operand_words, reading_);
    for (std::size_t x = 0; x < operand_count; ++x)
      if (const auto layout = operands.find(operand_words[x])) result_.layouts[x] = read_layout(*layout);
  }

  Layout read_layout(const Node& node) {
    const MapReader map(node, "layout of an operand", mapping_keys::layout, reading_);
    Layout layout;
    layout.kind = map.word("kind", nestor::pim::layout_kinds);
    if (const auto block = map.find("block")) {
      const auto sizes = read_list(*block, "block", 2, 2, reading_);
      if (layout.kind != LayoutKind::row_aligned)
        reading_.fail(*block, fmt::format("block belongs to layout row_aligned, but this layout is {}",
                                          nestor::pim::layout_kinds.word(layout.kind)));
      if (reading_.failed()) return {};
      layout.block_height = read_integer(sizes[0], "block height", factor_range, reading_);
      layout.block_width = read_integer(sizes[1], "block width", factor_range, reading_);
    }
    return layout;
  }

  NestReader nest_;
  Reading& reading_;
  PimMapping result_;
};

std::string name_of(Operand operand) { return std::string(1, letter(operand)); }

}  // namespace

PimMapping read_mapping_node(const Node& node, const NamedPimMachine& machine, Reading& reading) {
  return MappingReader(machine, reading).read(node);
}

Result<std::vector<PimMapping>> parse_mappings(std::string_view text, const std::string& file,
                                               const NamedPimMachine& machine,
                                               std::span<const Layer> layers) {
  return parse_one_per_layer(text, file, layers.size(), [&](const Node& node, Reading& reading) {
    return read_mapping_node(node, machine, reading);
  });
}

Result<std::vector<PimMapping>> read_mappings(const std::string& path, const NamedPimMachine& machine,
                                              std::span<const Layer> layers) {
  const auto text = read_file(path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_mappings(*text, path, machine, layers);
}

Json mapping_to_json(const PimMapping& mapping, const NamedPimMachine& machine) {
  Json layouts = Json::object();
  for (const auto operand : all_operands) {
    const Layout& layout = mapping.layouts[index_of(operand)];
    auto& json = layouts[name_of(operand)] = {{"kind", nestor::pim::layout_kinds.word(layout.kind)}};
    if (layout.kind == LayoutKind::row_aligned && operand != Operand::W)
      json["block"] = {layout.block_height, layout.block_width};
  }
  Json json = {{"spatial", spatial_to_json(mapping.nest, machine.axis_names)},
               {"temporal", temporal_to_json(mapping.nest, machine.memory_names)},
               {"layout", layouts}};
  Json stored = pairs_to_json(mapping.stored, machine.memory_names);
  if (!stored.empty()) json["stored"] = stored;
  return json;
}

Json mapping_schema() {
  const auto layout = schema_of([](Fields& fields) {
    Layout values;
    std::array<Int, 2> block = {1, 1};
    fields.word("kind", values.kind, nestor::pim::layout_kinds, required, "");
    fields.integers("block", block, factor_range, 1,
                    "Height and width of the blocks of a row-aligned plane.");
  });
  const std::string nest = "mapping.schema.json#/$defs/mapping/properties/";
  const auto reference = [](const std::string& to) { return Json{{"$ref", to}}; };
  const Json pairs =
      list_schema({0, max_memories * operand_count}, reference("mapping.schema.json#/$defs/pair"));
  return record_schema(
      {{"spatial", reference(nest + "spatial")},
       {"temporal", reference(nest + "temporal")},
       {"layout", map_schema(operand_words, layout)},
       {"stored",
        described(
            pairs,
            "Pairs of memory and operand that a bypass table stores, although the pair has no loops.")}},
      false);
}

std::string layout_text(const Layout& layout, Operand operand) {
  const std::string kind(nestor::pim::layout_kinds.word(layout.kind));
  const bool blocks =
      layout.kind == LayoutKind::row_aligned && operand != Operand::W && layout.block_height > 1;
  return blocks ? fmt::format("{} {} x {}", kind, layout.block_height, layout.block_width) : kind;
}

}  // namespace nestor::io::pim
