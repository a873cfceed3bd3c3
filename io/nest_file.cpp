#include "io/nest_file.h"

#include <fmt/format.h>

#include "io/vocabulary.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_loops_in_file = 4096;  // including loops with factor 1

std::string operand_name(Operand operand) { return std::string(1, letter(operand)); }

}  // namespace

Mapping NestReader::read(const MapReader& map) {
  Mapping mapping;
  if (const auto spatial = map.find("spatial")) read_spatial(*spatial, mapping);
  if (const auto temporal = map.find("temporal"))
    for (const auto& loop : read_list(*temporal, "temporal", 0, most_loops_in_file, reading_))
      read_loop(loop, mapping);
  return mapping;
}

void NestReader::read_spatial(const Node& node, Mapping& mapping) {
  const MapReader axes(node, "spatial", axis_words_, reading_);
  for (std::size_t a = 0; a < axis_words_.size(); ++a) {
    const auto factors = axes.find(axis_words_[a]);
    if (!factors) continue;
    const MapReader map(*factors, fmt::format("axis '{}'", axis_words_[a]), dim_words, reading_);
    for (std::size_t d = 0; d < dim_count; ++d)
      mapping.spatial[a][d] = map.integer(dim_words[d], factor_range, 1);
  }
}

void NestReader::read_loop(const Node& node, Mapping& mapping) {
  const MapReader map(node, "loop", nest_keys::loop, reading_);
  Loop loop;
  loop.dim = all_dims[map.word("dim", dim_words)];
  loop.factor = map.integer("factor", factor_range);
  if (const auto at = map.require("at")) {
    const MapReader operands(*at, "at", operand_words, reading_);
    for (std::size_t x = 0; x < operand_count; ++x)
      loop.at[x] = static_cast<std::uint8_t>(operands.word(operand_words[x], memory_words_));
  }
  if (reading_.failed() || loop.factor == 1) return;
  if (mapping.loops.full())
    reading_.fail(node, fmt::format("more than {} temporal loops", mapping.loops.capacity()));
  else
    mapping.loops.push_back(loop);
}

void NestReader::read_pairs(const MapReader& map, std::string_view key, std::string_view state,
                            std::array<OperandSet, max_memories>& pairs) {
  const auto list = map.find(key);
  if (!list) return;
  for (const auto& node : read_list(*list, key, 0, max_memories * operand_count, reading_)) {
    const MapReader pair(node, fmt::format("{} entry", key), nest_keys::pair, reading_);
    const auto memory = pair.word("memory", memory_words_);
    const auto operand = all_operands[pair.word("operand", operand_words)];
    if (reading_.failed()) return;
    if (pairs[memory].contains(operand))
      reading_.fail(node,
                    fmt::format("{} in '{}' is already {}", letter(operand), memory_words_[memory], state));
    pairs[memory].insert(operand);
  }
}

std::string other_count_of_mappings(std::size_t mappings, std::size_t layers) {
  return fmt::format("{} mapping{} for {} layer{}, expected one per layer", mappings,
                     mappings == 1 ? "" : "s", layers, layers == 1 ? "" : "s");
}

Json spatial_to_json(const Mapping& mapping, std::span<const std::string> axis_names) {
  Json spatial = Json::object();
  for (std::size_t a = 0; a < axis_names.size(); ++a) {
    auto& factors = spatial[axis_names[a]] = Json::object();
    for (const auto dim : all_dims)
      if (const Int factor = mapping.spatial[a][index_of(dim)]; factor != 1)
        factors[std::string(1, letter(dim))] = factor;
  }
  return spatial;
}

Json temporal_to_json(const Mapping& mapping, std::span<const std::string> memory_names) {
  Json temporal = Json::array();
  for (const auto& loop : mapping.loops) {
    Json at = Json::object();
    for (const auto operand : all_operands)
      at[operand_name(operand)] = memory_names[loop.at[index_of(operand)]];
    temporal.push_back({{"dim", std::string(1, letter(loop.dim))}, {"factor", loop.factor}, {"at", at}});
  }
  return temporal;
}

Json pairs_to_json(const std::array<OperandSet, max_memories>& pairs,
                   std::span<const std::string> memory_names) {
  Json list = Json::array();
  for (std::size_t m = 0; m < memory_names.size(); ++m)
    for (const auto operand : all_operands)
      if (pairs[m].contains(operand))
        list.push_back({{"memory", memory_names[m]}, {"operand", operand_name(operand)}});
  return list;
}

}  // namespace nestor::io
