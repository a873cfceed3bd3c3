#include "io/cnm/mapping_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/cnm/lexer.h"
#include "io/files.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_maps = 256;
constexpr std::size_t most_kernels = 10'000;
constexpr Int largest_factor = cnm::max_count;

constexpr SizeRange tuple_counts = {2, 8};
constexpr SizeRange tuple_sizes = {1, cnm::max_dims};
constexpr IntRange factor_range_of_map = {1, largest_factor};
constexpr IntRange dim_range = {0, static_cast<Int>(cnm::max_dims) - 1};

// An integer or a word that may be absent.
void add_integer(Fields& fields, std::string_view key, std::optional<Int>& value, IntRange range,
                 std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = read_integer(node, label, range, reading);
  };
  fields.field({key, optional, read, [] {}, [&] { return value ? Json(*value) : Json(); },
                [&] { return integer_schema(range); }, meaning});
}
void add_dim(Fields& fields, std::string_view key, std::optional<std::size_t>& value,
             std::string_view meaning) {
  auto index = value ? std::optional(static_cast<Int>(*value)) : std::nullopt;
  add_integer(fields, key, index, dim_range, meaning);
  value = index ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}
template <typename Enum, std::size_t N>
void add_optional_word(Fields& fields, std::string_view key, std::optional<Enum>& value,
                       const EnumWords<Enum, N>& table, std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = read_word(node, label, table, reading);
  };
  fields.field({key, optional, read, [] {}, [&] { return value ? Json(table.word(*value)) : Json(); },
                [&] { return words_schema(table.words); }, meaning});
}

cnm::CnmMap map_from(const Node& node, Reading& reading) {
  // Figures that a result adds to a map.
  constexpr std::array<std::string_view, 11> figures = {"cycles",     "time_ms",   "units",      "causes",
                                                        "host_ms",    "bounds",    "wram_bytes", "mram_bytes",
                                                        "iram_bytes", "simulated", "replay"};
  cnm::CnmMap map;
  read_fields(node, "map", reading, [&](Fields& fields) {
    describe_map(fields, map);
    for (const auto key : figures)
      fields.field({key, optional, [](const Node&, const std::string&, Reading&) {}, [] {},
                    [] { return Json(); }, [] { return Json(); }, ""});
  });
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

void describe_shape(Fields& fields, cnm::CnmMap& map) {
  const auto tuple_schema = [] { return list_schema(tuple_sizes, integer_schema(factor_range_of_map)); };
  const auto read_tuples = [&](const Node& node, const std::string& label, Reading& reading) {
    for (const Node& tuple : read_list(node, label, tuple_counts.low, tuple_counts.high, reading))
      map.tuples.push_back(
          read_integers(tuple, "tuple", tuple_sizes.low, tuple_sizes.high, factor_range_of_map, reading));
  };
  fields.field({"tuples", required, read_tuples, [] {}, [&] { return Json(map.tuples); },
                [&] { return list_schema(tuple_counts, tuple_schema()); },
                "Factors of each level, outermost first, followed by the iterations of one unit."});
  // Results for HBM-PIM contain an empty list `block`.
  constexpr SizeRange most_dims = {0, cnm::max_dims};
  fields.integers("block", map.block, most_dims, factor_range_of_map, always,
                  "Iterations between transfers.");
  std::vector<Int> order(map.order.begin(), map.order.end());
  fields.integers("order", order, most_dims, dim_range, always, "Dims of the step loops, outermost first.");
  map.order.assign(order.begin(), order.end());
}

void describe_pim_keys(Fields& fields, cnm::PimKeys& keys) {
  add_optional_word(fields, "half", keys.half, cnm::pim_halves,
                    "HBM-PIM: the distribution of tiles over even and odd banks.");
  add_dim(fields, "half_dim", keys.half_dim, "HBM-PIM: the dim whose steps the halves share.");
  add_dim(fields, "bank", keys.bank, "HBM-PIM: index of the factor of a product that is in the banks.");
  add_integer(fields, "grf", keys.grf, {1, 16}, "HBM-PIM: number of vectors processed at a time.");
  add_optional_word(fields, "layout", keys.layout, cnm::pim_layouts, "HBM-PIM: rows of the operands.");
}

void describe_map(Fields& fields, cnm::CnmMap& map) {
  fields.name("name", map.name, written(std::string("M1")), "Name of the map.");
  describe_shape(fields, map);
  add_integer(fields, "collect", map.collect, factor_range_of_map,
              "Number of elements of an output that are gathered for one write.");
  describe_pim_keys(fields, map.pim);
}

Json cnm_mapping_schema() {
  cnm::CnmMap map;
  return record_schema(
      {{"maps", list_schema({1, most_maps}, schema_of([&](Fields& fields) { describe_map(fields, map); }))}},
      true);
}

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
