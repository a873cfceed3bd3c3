#include "io/pim/mapping_file.h"

#include <fmt/format.h>

#include "io/fields.h"
#include "io/vocabulary.h"

namespace nestor::io::pim {
namespace {

using nestor::pim::Layout;
using nestor::pim::LayoutKind;
using nestor::pim::PimMapping;

void describe_layout(Fields& fields, Layout& layout, Operand operand) {
  fields.word("kind", layout.kind, nestor::pim::layout_kinds, required, "");
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    const auto sizes = read_list(node, label, 2, 2, reading);
    if (layout.kind != LayoutKind::row_aligned)
      reading.fail(node, fmt::format("block belongs to layout row_aligned, but this layout is {}",
                                     nestor::pim::layout_kinds.word(layout.kind)));
    if (reading.failed()) return;
    layout.block_height = read_integer(sizes[0], "block height", factor_range, reading);
    layout.block_width = read_integer(sizes[1], "block width", factor_range, reading);
  };
  const bool has_block = layout.kind == LayoutKind::row_aligned && operand != Operand::W;
  fields.field({"block", optional, read, [] {},
                [&] {
                  return has_block ? Json{layout.block_height, layout.block_width} : Json();
                },
                [] {
                  return list_schema({2, 2}, integer_schema(factor_range));
                },
                "Height and width of the blocks of a row-aligned plane; default: 1 and 1."});
}

void describe_layouts(Fields& fields, PimMapping& mapping) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    const MapReader operands(node, label, operand_words, reading);
    for (std::size_t x = 0; x < operand_count; ++x)
      if (const auto layout = operands.find(operand_words[x]))
        read_fields(*layout, "layout of an operand", reading,
                    [&](Fields& inner) { describe_layout(inner, mapping.layouts[x], all_operands[x]); });
  };
  const auto write = [&] {
    Json json = Json::object();
    for (std::size_t x = 0; x < operand_count; ++x)
      json[std::string(operand_words[x])] =
          write_fields([&](Fields& inner) { describe_layout(inner, mapping.layouts[x], all_operands[x]); });
    return json;
  };
  const auto schema = [] {
    Layout layout;
    return map_schema(operand_words,
                      schema_of([&](Fields& inner) { describe_layout(inner, layout, Operand::I); }));
  };
  fields.field({"layout", always, read, [] {}, write, schema, "Layout of each operand in DRAM."});
}

void describe_mapping(Fields& fields, PimMapping& mapping, const NamedPimMachine& machine) {
  const NestFields nest(machine.memory_names, machine.axis_names);
  nest.describe_nest(fields, mapping.nest);
  const auto refuse = [&](const Node& node, const std::string& label, Reading& reading) {
    for (const auto& pair : read_list(node, label, 0, max_memories * operand_count, reading))
      reading.fail(pair, "double_buffer cannot be used with kind 'pim', where transfers overlap perfectly");
  };
  fields.field({"double_buffer", optional, refuse, [] {}, [] { return Json(); },
                [] {
                  return Json{{"type", "array"}, {"maxItems", 0}};
                },
                "Must be empty: transfers overlap perfectly."});
  describe_layouts(fields, mapping);
  nest.describe_pairs(
      fields, "stored", optional, "stored", mapping.stored,
      "Pairs of memory and operand that a bypass table stores, although the pair has no loops.");
}

}  // namespace

PimMapping read_mapping_node(const Node& node, const NamedPimMachine& machine, Reading& reading) {
  PimMapping mapping;
  read_fields(node, "mapping", reading, [&](Fields& fields) { describe_mapping(fields, mapping, machine); });
  return mapping;
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
  PimMapping written = mapping;
  return write_fields([&](Fields& fields) { describe_mapping(fields, written, machine); });
}

Json mapping_schema() {
  PimMapping mapping;
  const NamedPimMachine none;
  return schema_of([&](Fields& fields) { describe_mapping(fields, mapping, none); });
}

std::string layout_text(const Layout& layout, Operand operand) {
  const std::string kind(nestor::pim::layout_kinds.word(layout.kind));
  const bool blocks =
      layout.kind == LayoutKind::row_aligned && operand != Operand::W && layout.block_height > 1;
  return blocks ? fmt::format("{} {} x {}", kind, layout.block_height, layout.block_width) : kind;
}

}  // namespace nestor::io::pim
