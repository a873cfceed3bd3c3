#include "report/results/result_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/vocabulary.h"

namespace nestor::io {
namespace {

OptionTexts read_options(const MapReader& top, Reading& reading) {
  constexpr std::size_t most = 1000;
  OptionTexts options;
  const auto node = top.find(key::options);
  if (!node) return options;
  if (!node->is_map())
    reading.fail(*node, fmt::format("options is {}, expected a map", node->describe()));
  else if (node->size() > most)
    reading.fail(*node, fmt::format("options has {} keys, expected at most {}", node->size(), most));
  for (std::size_t i = 0; i < node->size() && !reading.failed(); ++i)
    options.emplace_back(node->key(i).text(), read_text(node->value(i), "option", reading));
  return options;
}

std::vector<ResultInput> read_inputs(const MapReader& top, Reading& reading) {
  constexpr std::size_t most = 1'000'000;
  std::vector<ResultInput> inputs;
  const auto node = top.find(key::inputs);
  if (!node) return inputs;
  for (const auto& entry : read_list(*node, key::inputs, 0, most, reading)) {
    const MapReader map(entry, "input", result_keys::input, reading);
    inputs.push_back({map.text(key::role, ""), map.text(key::name, ""), map.integer(key::bytes, {0}, 0),
                      map.text(key::digest, "")});
  }
  return inputs;
}

}  // namespace

bool is_result(const Document& document) { return document.root().find(key::schema).has_value(); }

std::string members_text(const OptionTexts& options) {
  std::string text = "exact divisors";
  bool is_fixed = false;
  for (const auto& [name, value] : options) {
    if (name == "pad" && value == "auto") text = "bounds padded to multiples of 2, 4 or 8";
    if (name == "pad" && value != "auto" && value != "0")
      text = fmt::format("bounds padded by at most {} %", value);
    if (name == "factors" && value == "flexible") text += ", some merged";
    is_fixed |= name == "fix";
  }
  return is_fixed ? text + ", as --fix says" : text;
}

Json input_to_json(const ResultInput& input) {
  return {{key::role, input.role},
          {key::name, input.name},
          {key::bytes, input.bytes},
          {key::digest, input.digest}};
}

void put_members(Json& json, const RunHead& run) {
  const auto is_baseline = [](const auto& option) { return option.first == "method" && option.second != "optimal"; };
  if (run.verb == "map" && std::none_of(run.options.begin(), run.options.end(), is_baseline))
    json[key::members] = members_text(run.options);
}

void put_origin(Json& json, const RunHead& run) {
  json[key::complete] = run.complete;
  auto& options = json[key::options] = Json::object();
  for (const auto& [name, value] : run.options) options[name] = value;
  auto& inputs = json[key::inputs] = Json::array();
  for (const auto& input : run.inputs) inputs.push_back(input_to_json(input));
}

void read_run_head(const MapReader& top, RunHead& run, Reading& reading) {
  run.version = top.text(key::version, run.version);
  run.verb = top.text(key::verb, run.verb);
  run.network = top.text(key::network, run.network);
  run.objective = top.text(key::objective, run.objective);
  run.complete = top.flag(key::complete, run.complete);
  run.options = read_options(top, reading);
  run.inputs = read_inputs(top, reading);
}

void put_padded(Json& json, const MappedBounds& mapped) {
  if (!mapped.padded) return;
  auto& padded = json[key::padded] = Json::object();
  for (const Dim dim : all_dims)
    if (const Int bound = (*mapped.padded)[index_of(dim)]; bound != 1)
      padded[std::string(1, letter(dim))] = bound;
}

MappedBounds read_padded(const MapReader& map, Reading& reading) {
  const auto node = map.find(key::padded);
  if (!node) return {};
  constexpr Int most_products = Int{1} << 56;  // as in a layer file
  const MapReader fields(*node, "padded", dim_words, reading);
  Extents bounds = unit_extents;
  Int products = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    bounds[d] = fields.integer(dim_words[d], {1, Int{1} << 31}, 1);
    products = checked_multiply(products, bounds[d]).value_or(most_products + 1);
    if (products > most_products) {
      reading.fail(*node, "padded has more than 2^56 multiply-accumulates");
      return {};
    }
  }
  return {bounds};
}

Json counts_to_json(const SearchCounts& counts) {
  return {{key::nodes, counts.expanded},
          {key::labels, counts.generated},
          {key::pruned, {{key::bound, counts.cut}, {key::dominated, counts.dominated}}}};
}

}  // namespace nestor::io
