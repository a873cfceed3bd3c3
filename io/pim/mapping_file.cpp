#include "io/pim/mapping_file.h"

#include <fmt/format.h>

#include "io/vocabulary.h"

namespace nestor::io::pim {
namespace {

namespace keys = mapping_keys;
using nestor::pim::Layout;
using nestor::pim::LayoutKind;
using nestor::pim::PimMapping;

constexpr IntRange factor_range = {1, Int{1} << 31};
constexpr std::size_t most_loops_in_file = 4096;  // loops with factor 1 included

std::vector<std::string_view> views(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

class MappingReader {
 public:
  MappingReader(const NamedMachine& machine, Reading& reading)
      : memory_words_(views(machine.memory_names)),
        axis_words_(views(machine.axis_names)),
        reading_(reading) {}

  PimMapping read(const Node& node) {
    const MapReader map(node, "mapping", keys::top, reading_);
    if (const auto spatial = map.find("spatial")) read_spatial(*spatial);
    if (const auto temporal = map.find("temporal"))
      for (const auto& loop : read_list(*temporal, "temporal", 0, most_loops_in_file, reading_))
        read_loop(loop);
    if (const auto pairs = map.find("double_buffer"))
      for (const auto& pair : read_list(*pairs, "double_buffer", 0, max_memories * operand_count, reading_))
        reading_.fail(pair, "double_buffer does not go with kind 'pim', where transfers overlap perfectly");
    if (const auto layouts = map.find("layout")) read_layouts(*layouts);
    if (const auto pairs = map.find("stored"))
      for (const auto& pair : read_list(*pairs, "stored", 0, max_memories * operand_count, reading_))
        read_stored(pair);
    return result_;
  }

 private:
  void read_spatial(const Node& node) {
    const MapReader axes(node, "spatial", axis_words_, reading_);
    for (std::size_t a = 0; a < axis_words_.size(); ++a) {
      const auto factors = axes.find(axis_words_[a]);
      if (!factors) continue;
      const MapReader map(*factors, fmt::format("axis '{}'", axis_words_[a]), dim_words, reading_);
      for (std::size_t d = 0; d < dim_count; ++d)
        result_.nest.spatial[a][d] = map.integer(dim_words[d], factor_range, 1);
    }
  }

  void read_loop(const Node& node) {
    const MapReader map(node, "loop", keys::loop, reading_);
    Loop loop;
    loop.dim = all_dims[map.word("dim", dim_words)];
    loop.factor = map.integer("factor", factor_range);
    if (const auto at = map.require("at")) {
      const MapReader operands(*at, "at", operand_words, reading_);
      for (std::size_t x = 0; x < operand_count; ++x)
        loop.at[x] = static_cast<std::uint8_t>(operands.word(operand_words[x], memory_words_));
    }
    if (reading_.failed() || loop.factor == 1) return;
    if (result_.nest.loops.full())
      reading_.fail(node, fmt::format("more than {} temporal loops", result_.nest.loops.capacity()));
    else
      result_.nest.loops.push_back(loop);
  }

  void read_layouts(const Node& node) {
    const MapReader operands(node, "layout", operand_words, reading_);
    for (std::size_t x = 0; x < operand_count; ++x)
      if (const auto layout = operands.find(operand_words[x])) result_.layouts[x] = read_layout(*layout);
  }

  Layout read_layout(const Node& node) {
    const MapReader map(node, "layout of an operand", keys::layout, reading_);
    Layout layout;
    layout.kind = static_cast<LayoutKind>(map.word("kind", layout_words));
    if (const auto block = map.find("block")) {
      const auto sizes = read_list(*block, "block", 2, 2, reading_);
      if (layout.kind != LayoutKind::row_aligned)
        reading_.fail(*block, fmt::format("block belongs to layout row_aligned, this one is {}",
                                          layout_words[static_cast<std::size_t>(layout.kind)]));
      if (reading_.failed()) return {};
      layout.block_height = read_integer(sizes[0], "block height", factor_range, reading_);
      layout.block_width = read_integer(sizes[1], "block width", factor_range, reading_);
    }
    return layout;
  }

  void read_stored(const Node& node) {
    const MapReader map(node, "stored entry", keys::pair, reading_);
    const auto memory = map.word("memory", memory_words_);
    const auto operand = all_operands[map.word("operand", operand_words)];
    if (reading_.failed()) return;
    if (result_.stored[memory].contains(operand))
      reading_.fail(node,
                    fmt::format("{} in '{}' is already stored", letter(operand), memory_words_[memory]));
    result_.stored[memory].insert(operand);
  }

  std::vector<std::string_view> memory_words_;
  std::vector<std::string_view> axis_words_;
  Reading& reading_;
  PimMapping result_;
};

std::string name_of(Operand operand) { return std::string(1, letter(operand)); }

}  // namespace

PimMapping read_mapping_node(const Node& node, const NamedMachine& machine, Reading& reading) {
  return MappingReader(machine, reading).read(node);
}

Result<std::vector<PimMapping>> parse_mappings(std::string_view text, const std::string& file,
                                               const NamedMachine& machine, std::span<const Layer> layers) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  const auto root = document->root();
  Reading reading;
  std::vector<PimMapping> mappings;
  const std::size_t count = root.is_list() ? root.size() : 1;
  if (count != layers.size())
    reading.fail(root, fmt::format("{} mapping{} for {} layer{}, expected one per layer", count,
                                   count == 1 ? "" : "s", layers.size(), layers.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < count && !reading.failed(); ++i)
    mappings.push_back(read_mapping_node(root.is_list() ? root.item(i) : root, machine, reading));
  if (reading.failed()) return reading.error();
  return mappings;
}

Result<std::vector<PimMapping>> read_mappings(const std::string& path, const NamedMachine& machine,
                                              std::span<const Layer> layers) {
  const auto text = read_file(path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_mappings(*text, path, machine, layers);
}

Json mapping_to_json(const PimMapping& mapping, const NamedMachine& machine) {
  Json spatial = Json::object();
  for (std::size_t a = 0; a < machine.axis_names.size(); ++a) {
    auto& factors = spatial[machine.axis_names[a]] = Json::object();
    for (const auto dim : all_dims)
      if (const Int factor = mapping.nest.spatial[a][index_of(dim)]; factor != 1)
        factors[std::string(1, letter(dim))] = factor;
  }
  Json temporal = Json::array();
  for (const auto& loop : mapping.nest.loops) {
    Json at = Json::object();
    for (const auto operand : all_operands)
      at[name_of(operand)] = machine.memory_names[loop.at[index_of(operand)]];
    temporal.push_back({{"dim", std::string(1, letter(loop.dim))}, {"factor", loop.factor}, {"at", at}});
  }
  Json layouts = Json::object();
  for (const auto operand : all_operands) {
    const Layout& layout = mapping.layouts[index_of(operand)];
    auto& json = layouts[name_of(operand)] = {{"kind", layout_words[static_cast<std::size_t>(layout.kind)]}};
    if (layout.kind == LayoutKind::row_aligned && operand != Operand::W)
      json["block"] = {layout.block_height, layout.block_width};
  }
  Json json = {{"spatial", spatial}, {"temporal", temporal}, {"layout", layouts}};
  Json stored = Json::array();
  for (std::size_t m = 0; m < machine.memory_names.size(); ++m)
    for (const auto operand : all_operands)
      if (mapping.stored[m].contains(operand))
        stored.push_back({{"memory", machine.memory_names[m]}, {"operand", name_of(operand)}});
  if (!stored.empty()) json["stored"] = stored;
  return json;
}

std::string layout_text(const Layout& layout, Operand operand) {
  const std::string kind(layout_words[static_cast<std::size_t>(layout.kind)]);
  const bool blocks =
      layout.kind == LayoutKind::row_aligned && operand != Operand::W && layout.block_height > 1;
  return blocks ? fmt::format("{} {} x {}", kind, layout.block_height, layout.block_width) : kind;
}

}  // namespace nestor::io::pim
