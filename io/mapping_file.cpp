#include "io/mapping_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/vocabulary.h"

namespace nestor::io {
namespace {

namespace keys = mapping_keys;

constexpr IntRange factor_range = {1, Int{1} << 31};
constexpr std::size_t most_loops_in_file = 4096;  // loops with factor 1 included

std::vector<std::string_view> views(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

class MappingReader {
 public:
  MappingReader(const NamedArchitecture& architecture, Reading& reading)
      : memory_words_(views(architecture.memory_names)),
        axis_words_(views(architecture.axis_names)),
        reading_(reading) {}

  Mapping read(const Node& node) {
    if (const auto layout = node.find("layout"))
      reading_.fail(*layout, "layout belongs to mappings of kind 'pim', this architecture is of kind 'cim'");
    const MapReader map(node, "mapping", keys::top, reading_);
    if (const auto spatial = map.find("spatial")) read_spatial(*spatial);
    if (const auto temporal = map.find("temporal"))
      for (const auto& loop : read_list(*temporal, "temporal", 0, most_loops_in_file, reading_))
        read_loop(loop);
    if (const auto pairs = map.find("double_buffer"))
      for (const auto& pair : read_list(*pairs, "double_buffer", 0, max_memories * operand_count, reading_))
        read_pair(pair);
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
        result_.spatial[a][d] = map.integer(dim_words[d], factor_range, 1);
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
    if (result_.loops.full())
      reading_.fail(node, fmt::format("more than {} temporal loops", result_.loops.capacity()));
    else
      result_.loops.push_back(loop);
  }

  void read_pair(const Node& node) {
    const MapReader map(node, "double_buffer entry", keys::pair, reading_);
    const auto memory = map.word("memory", memory_words_);
    const auto operand = all_operands[map.word("operand", operand_words)];
    if (reading_.failed()) return;
    if (result_.double_buffered[memory].contains(operand))
      reading_.fail(
          node, fmt::format("{} in '{}' is already double-buffered", letter(operand), memory_words_[memory]));
    result_.double_buffered[memory].insert(operand);
  }

  std::vector<std::string_view> memory_words_;
  std::vector<std::string_view> axis_words_;
  Reading& reading_;
  Mapping result_;
};

}  // namespace

Mapping read_mapping_node(const Node& node, const NamedArchitecture& architecture, Reading& reading) {
  return MappingReader(architecture, reading).read(node);
}

Result<std::vector<Mapping>> parse_mappings(std::string_view text, const std::string& file,
                                            const NamedArchitecture& architecture,
                                            std::span<const Layer> layers) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  const auto root = document->root();
  Reading reading;
  std::vector<Mapping> mappings;
  const std::size_t count = root.is_list() ? root.size() : 1;
  if (count != layers.size())
    reading.fail(root, fmt::format("{} mapping{} for {} layer{}, expected one per layer", count,
                                   count == 1 ? "" : "s", layers.size(), layers.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < count && !reading.failed(); ++i)
    mappings.push_back(read_mapping_node(root.is_list() ? root.item(i) : root, architecture, reading));
  if (reading.failed()) return reading.error();
  return mappings;
}

Result<std::vector<Mapping>> read_mappings(const std::string& path, const NamedArchitecture& architecture,
                                           std::span<const Layer> layers) {
  const auto text = read_file(path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_mappings(*text, path, architecture, layers);
}

Json mapping_to_json(const Mapping& mapping, const NamedArchitecture& architecture) {
  const auto operand_name = [](Operand operand) { return std::string(1, letter(operand)); };
  Json spatial = Json::object();
  for (std::size_t a = 0; a < architecture.axis_names.size(); ++a) {
    auto& factors = spatial[architecture.axis_names[a]] = Json::object();
    for (const auto dim : all_dims)
      if (const Int factor = mapping.spatial[a][index_of(dim)]; factor != 1)
        factors[std::string(1, letter(dim))] = factor;
  }
  Json temporal = Json::array();
  for (const auto& loop : mapping.loops) {
    Json at = Json::object();
    for (const auto operand : all_operands)
      at[operand_name(operand)] = architecture.memory_names[loop.at[index_of(operand)]];
    temporal.push_back({{"dim", std::string(1, letter(loop.dim))}, {"factor", loop.factor}, {"at", at}});
  }
  Json double_buffer = Json::array();
  for (std::size_t m = 0; m < architecture.memory_names.size(); ++m)
    for (const auto operand : all_operands)
      if (mapping.double_buffered[m].contains(operand))
        double_buffer.push_back(
            {{"memory", architecture.memory_names[m]}, {"operand", operand_name(operand)}});
  return {{"spatial", spatial}, {"temporal", temporal}, {"double_buffer", double_buffer}};
}

}  // namespace nestor::io
