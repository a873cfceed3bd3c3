#include "io/cnm/mapping_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/checked_reader.h"
#include "io/cnm/lexer.h"
#include "io/files.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_maps = 256;
constexpr std::size_t most_kernels = 10'000;
constexpr Int largest_factor = cnm::max_count;

std::vector<Int> factors(const Node& node, std::string_view what, Reading& reading) {
  std::vector<Int> values;
  for (const Node& item : read_list(node, what, 1, cnm::max_dims, reading))
    values.push_back(read_integer(item, what, {1, largest_factor}, reading));
  return values;
}

cnm::CnmMap map_from(const Node& node, Reading& reading) {
  // Keys of a mapping, and of the figures that a result adds to it.
  constexpr std::array<std::string_view, 21> keys = {
      "name",    "tuples",   "block",      "order",      "collect",    "grf",       "layout",
      "half",    "half_dim", "bank",       "cycles",     "time_ms",    "units",     "causes",
      "host_ms", "bounds",   "wram_bytes", "mram_bytes", "iram_bytes", "simulated", "replay"};
  const MapReader reader(node, "map", keys, reading);
  cnm::CnmMap map;
  map.name = reader.find("name") ? reader.name("name") : "M1";
  for (const Node& tuple : reader.list("tuples", 2, 8))
    map.tuples.push_back(factors(tuple, "tuple", reading));
  // Results for HBM-PIM contain an empty list `block`.
  const auto block = reader.find("block");
  if (block && !(block->is_list() && block->size() == 0)) map.block = factors(*block, "block", reading);
  if (const auto order = reader.find("order"))
    for (const Node& item : read_list(*order, "order", 0, cnm::max_dims, reading))
      map.order.push_back(static_cast<std::size_t>(
          read_integer(item, "order", {0, static_cast<Int>(cnm::max_dims) - 1}, reading)));
  if (reader.find("collect")) map.collect = reader.integer("collect", {1, largest_factor});
  if (reader.find("grf")) map.pim.grf = reader.integer("grf", {1, 16});
  if (reader.find("layout")) map.pim.layout = reader.word("layout", cnm::pim_layouts);
  if (reader.find("half")) map.pim.half = reader.word("half", cnm::pim_halves);
  constexpr IntRange dims{0, static_cast<Int>(cnm::max_dims) - 1};
  if (reader.find("half_dim")) map.pim.half_dim = static_cast<std::size_t>(reader.integer("half_dim", dims));
  if (reader.find("bank")) map.pim.bank = static_cast<std::size_t>(reader.integer("bank", dims));
  return map;
}

std::vector<Int> short_tuple(Lexer& lexer, Int least = 1) {
  std::vector<Int> values;
  lexer.expect("(");
  do values.push_back(lexer.number("a factor", least, largest_factor));
  while (lexer.accept(",") && values.size() <= cnm::max_dims);
  lexer.expect(")");
  return values;
}

template <typename Enum, std::size_t N>
Enum short_word(Lexer& lexer, const EnumWords<Enum, N>& words) {
  const Token token = lexer.next();
  const auto value = words.find(token.text);
  if (!value) lexer.fail_at(token, join_words(words.words));
  return value.value_or(words.values[0]);
}

cnm::PimKeys short_keys(Lexer& lexer) {
  constexpr Int last_dim = static_cast<Int>(cnm::max_dims) - 1;
  cnm::PimKeys keys;
  if (lexer.accept("half")) keys.half = short_word(lexer, cnm::pim_halves);
  if (lexer.accept("half_dim")) keys.half_dim = static_cast<std::size_t>(lexer.number("a dim", 0, last_dim));
  if (lexer.accept("bank")) keys.bank = static_cast<std::size_t>(lexer.number("an input", 0, last_dim));
  if (lexer.accept("grf")) keys.grf = lexer.number("vectors", 1, 16);
  if (lexer.accept("layout")) keys.layout = short_word(lexer, cnm::pim_layouts);
  return keys;
}

// Returns a text for each HBM-PIM key that is set: its word, `between` and its value.
std::vector<std::string> key_texts(const cnm::PimKeys& keys, std::string_view between) {
  std::vector<std::string> texts;
  const auto add = [&](std::string_view key, const auto& value) {
    texts.push_back(fmt::format("{}{}{}", key, between, value));
  };
  if (keys.half) add("half", cnm::pim_halves.word(*keys.half));
  if (keys.half_dim) add("half_dim", *keys.half_dim);
  if (keys.bank) add("bank", *keys.bank);
  if (keys.grf) add("grf", *keys.grf);
  if (keys.layout) add("layout", cnm::pim_layouts.word(*keys.layout));
  return texts;
}

Result<cnm::CnmMapping> parse_short(std::string_view text, const std::string& file) {
  Lexer lexer(text, file, "#");
  cnm::CnmMapping mapping;
  do {
    if (lexer.at_end()) break;
    cnm::CnmMap map;
    map.name = fmt::format("M{}", mapping.size() + 1);
    if (!lexer.accept("{")) {
      map.name = lexer.word("a map's name such as M1");
      lexer.expect(":");
      lexer.expect("{");
    }
    do map.tuples.push_back(short_tuple(lexer));
    while (lexer.accept(",") && map.tuples.size() < 8);
    lexer.expect("}");
    if (lexer.accept("block")) map.block = short_tuple(lexer);
    if (lexer.accept("order"))
      for (const Int dim : short_tuple(lexer, 0)) map.order.push_back(static_cast<std::size_t>(dim));
    if (lexer.accept("collect")) map.collect = lexer.number("a number of elements", 1, largest_factor);
    map.pim = short_keys(lexer);
    mapping.push_back(std::move(map));
  } while (lexer.accept(",") && mapping.size() < most_maps);
  if (!lexer.failed() && !lexer.at_end()) lexer.fail_here("',' and another map, or the end");
  if (!lexer.failed() && mapping.empty()) lexer.fail_here("a map such as M1: {(2,9),(64,1),(2,4),(2,32)}");
  if (lexer.failed()) return lexer.error();
  return mapping;
}

}  // namespace

Result<cnm::CnmMap> cnm_map_from(const Node& node) {
  Reading reading;
  auto map = map_from(node, reading);
  if (reading.failed()) return reading.error();
  return map;
}

Result<cnm::CnmMapping> cnm_mapping_from(const Node& node) {
  Reading reading;
  cnm::CnmMapping mapping;
  if (!node.is_map() || !node.find("maps"))
    return input_error(node.where(), "expected a mapping with key 'maps', found " + node.describe());
  for (const Node& item : read_list(*node.find("maps"), "maps", 1, most_maps, reading))
    mapping.push_back(map_from(item, reading));
  if (reading.failed()) return reading.error();
  return mapping;
}

Result<cnm::CnmMapping> parse_cnm_mapping(std::string_view text, const std::string& file) {
  const auto first_after = [&](std::size_t at) { return text.find_first_not_of(" \n\t", at); };
  const auto brace = text.find('{'), colon = text.find(':');
  const bool begins = brace != std::string_view::npos &&
                      (first_after(0) == brace || (colon < brace && first_after(colon + 1) == brace));
  const auto body = begins ? first_after(brace + 1) : std::string_view::npos;
  const bool is_short = body != std::string_view::npos && text[body] == '(';
  if (is_short) return parse_short(text, file);
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  return cnm_mapping_from(document->root());
}

Result<cnm::CnmMapping> read_cnm_mapping(const std::string& path_or_text) {
  if (path_or_text.find('{') != std::string::npos) return parse_cnm_mapping(path_or_text, "--mapping");
  const auto text = read_file(path_or_text, DocumentLimits{}.yaml_bytes);
  if (!text) return text.error();
  return parse_cnm_mapping(*text, path_or_text);
}

Result<std::vector<OperationMapping>> read_operation_mappings(const std::string& path_or_text) {
  const bool is_text = path_or_text.find('{') != std::string::npos;
  const auto document = is_text ? Document::parse(path_or_text, "--mapping") : Document::read(path_or_text);
  if (!document) return document.error();
  const auto root = document->root();
  const auto placed = root.is_map() ? root.find("offload") : std::nullopt;
  const auto holder = placed && placed->is_map() ? *placed : root;
  const auto kernels = holder.is_map() ? holder.find("kernels") : std::nullopt;
  if (!kernels)
    return input_error(root.where(), "expected the mappings of a program, 'kernels: [{name, maps}]', found " +
                                         root.describe());
  Reading reading;
  std::vector<OperationMapping> mappings;
  for (const Node& kernel : read_list(*kernels, "kernels", 0, most_kernels, reading)) {
    // Entries of a result also contain figures.
    constexpr std::array<std::string_view, 7> keys = {"name", "maps",   "system", "source",
                                                      "note", "cycles", "time_ms"};
    const MapReader reader(kernel, "kernel", keys, reading);
    OperationMapping entry{reader.title("name"), reader.text("system", ""), {}, kernel.where()};
    for (const Node& item : reader.list("maps", 1, most_maps))
      entry.mapping.push_back(map_from(item, reading));
    if (reading.failed()) break;
    mappings.push_back(std::move(entry));
  }
  if (reading.failed()) return reading.error();
  return mappings;
}

std::string short_keys_text(const cnm::PimKeys& keys) {
  return fmt::format("{}", fmt::join(key_texts(keys, " "), " "));
}

std::string short_text(const cnm::CnmMap& map) {
  std::string text = "{";
  for (const auto& tuple : map.tuples)
    text += fmt::format("{}({})", text.size() == 1 ? "" : ",", fmt::join(tuple, ","));
  text += "}";
  if (!map.block.empty()) text += fmt::format(" block ({})", fmt::join(map.block, ","));
  if (!map.order.empty()) text += fmt::format(" order ({})", fmt::join(map.order, ","));
  if (map.collect) text += fmt::format(" collect {}", *map.collect);
  if (map.pim.any()) text += " " + short_keys_text(map.pim);
  return text;
}

std::string short_text(const cnm::CnmMapping& mapping) {
  std::string text;
  for (const cnm::CnmMap& map : mapping)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", map.name, short_text(map));
  return text;
}

std::string to_text(const cnm::CnmMapping& mapping) {
  std::string text = "maps:\n";
  for (const cnm::CnmMap& map : mapping) {
    std::string tuples;
    for (const auto& tuple : map.tuples)
      tuples += fmt::format("{}[{}]", tuples.empty() ? "" : ", ", fmt::join(tuple, ", "));
    text += fmt::format("  - {{name: {}, tuples: [{}]", map.name, tuples);
    if (!map.block.empty()) text += fmt::format(", block: [{}]", fmt::join(map.block, ", "));
    if (!map.order.empty()) text += fmt::format(", order: [{}]", fmt::join(map.order, ", "));
    if (map.collect) text += fmt::format(", collect: {}", *map.collect);
    for (const auto& key : key_texts(map.pim, ": ")) text += ", " + key;
    text += "}\n";
  }
  return text;
}

}  // namespace nestor::io
