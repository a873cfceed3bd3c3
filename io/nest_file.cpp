#include "io/nest_file.h"

#include <fmt/format.h>

#include "io/vocabulary.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_loops_in_file = 4096;  // including loops with factor 1

struct Pair {
  std::size_t memory = 0;
  std::size_t operand = 0;
};

}  // namespace

void NestFields::describe_memory(Fields& fields, std::string_view key, std::size_t& memory) const {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    memory = read_word(node, label, memory_words_, reading);
  };
  fields.field({key, required, read, [] {}, [&] { return Json(memory_words_[memory]); },
                [] { return text_schema(); }, ""});
}

void describe_iterations(Fields& fields, Loop& loop, IntRange factors) {
  std::size_t dim = index_of(loop.dim);
  fields.word("dim", dim, dim_words, required, "Dimension of the loop.");
  loop.dim = all_dims[dim];
  fields.integer("factor", loop.factor, factors, required, "Number of iterations.");
}

void NestFields::describe_loop(Fields& fields, Loop& loop) const {
  describe_iterations(fields, loop, factor_range);
  fields.part(
      "at", required,
      [&](Fields& at) {
        for (std::size_t x = 0; x < operand_count; ++x) {
          std::size_t memory = loop.at[x];
          describe_memory(at, operand_words[x], memory);
          loop.at[x] = static_cast<std::uint8_t>(memory);
        }
      },
      "For each operand, the memory to whose block the loop belongs.");
}

void NestFields::describe_nest(Fields& fields, Mapping& mapping) const {
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    read_spatial(node, mapping, reading);
  };
  const auto schema = [] {
    Json factors;
    for (const auto dim : dim_words) factors[std::string(dim)] = integer_schema(factor_range);
    return map_schema({}, record_schema(std::move(factors), false));
  };
  fields.field({"spatial", always, read, [] {}, [&] { return spatial_to_json(mapping); }, schema,
                "Factors of the dimensions on each axis of the architecture."});
  const auto read_loops = [&](const Node& node, const std::string& label, Reading& reading) {
    for (const Node& item : read_list(node, label, 0, most_loops_in_file, reading)) {
      Loop loop;
      read_fields(item, "loop", reading, [&](Fields& inner) { describe_loop(inner, loop); });
      if (reading.failed() || loop.factor == 1) continue;
      if (mapping.loops.full())
        reading.fail(item, fmt::format("more than {} temporal loops", mapping.loops.capacity()));
      else
        mapping.loops.push_back(loop);
    }
  };
  const auto write_loops = [&] {
    Json json = Json::array();
    for (Loop& loop : mapping.loops)
      json.push_back(write_fields([&](Fields& inner) { describe_loop(inner, loop); }));
    return json;
  };
  const auto schema_of_loops = [&] {
    Loop loop;
    return list_schema({0, most_loops_in_file},
                       schema_of([&](Fields& inner) { describe_loop(inner, loop); }));
  };
  fields.field(
      {"temporal", always, read_loops, [] {}, write_loops, schema_of_loops, "The loops, outermost first."});
}

void NestFields::read_spatial(const Node& node, Mapping& mapping, Reading& reading) const {
  const MapReader axes(node, "spatial", axis_words_, reading);
  for (std::size_t a = 0; a < axis_words_.size(); ++a) {
    const auto factors = axes.find(axis_words_[a]);
    if (!factors) continue;
    const MapReader map(*factors, fmt::format("axis '{}'", axis_words_[a]), dim_words, reading);
    for (std::size_t d = 0; d < dim_count; ++d)
      mapping.spatial[a][d] = map.integer(dim_words[d], factor_range, 1);
  }
}

Json NestFields::spatial_to_json(const Mapping& mapping) const {
  Json spatial = Json::object();
  for (std::size_t a = 0; a < axis_words_.size(); ++a) {
    auto& factors = spatial[std::string(axis_words_[a])] = Json::object();
    for (std::size_t d = 0; d < dim_count; ++d)
      if (const Int factor = mapping.spatial[a][d]; factor != 1) factors[std::string(dim_words[d])] = factor;
  }
  return spatial;
}

void NestFields::describe_pairs(Fields& fields, std::string_view key, Presence presence,
                                std::string_view state, std::array<OperandSet, max_memories>& pairs,
                                std::string_view meaning) const {
  const auto describe = [&](Fields& inner, Pair& pair) {
    describe_memory(inner, "memory", pair.memory);
    inner.word("operand", pair.operand, operand_words, required, "");
  };
  const auto accept = [&](const Node& node, const Pair& pair, Reading& reading) {
    const Operand operand = all_operands[pair.operand];
    if (pairs[pair.memory].contains(operand))
      reading.fail(
          node, fmt::format("{} in '{}' is already {}", letter(operand), memory_words_[pair.memory], state));
    pairs[pair.memory].insert(operand);
  };
  std::vector<Pair> listed;
  for (std::size_t m = 0; m < memory_words_.size(); ++m)
    for (const auto operand : all_operands)
      if (pairs[m].contains(operand)) listed.push_back({m, index_of(operand)});
  fields.list(key, presence, {0, max_memories * operand_count}, listed, fmt::format("{} entry", key),
              describe, accept, meaning);
}

std::string other_count_of_mappings(std::size_t mappings, std::size_t layers) {
  return fmt::format("{} mapping{} for {} layer{}, expected one per layer", mappings,
                     mappings == 1 ? "" : "s", layers, layers == 1 ? "" : "s");
}

}  // namespace nestor::io
