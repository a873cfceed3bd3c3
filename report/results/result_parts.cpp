#include "report/results/result_parts.h"

#include <fmt/format.h>

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

Json input_to_json(const ResultInput& input) {
  return {{key::role, input.role},
          {key::name, input.name},
          {key::bytes, input.bytes},
          {key::digest, input.digest}};
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

Json counts_to_json(const SearchCounts& counts) {
  return {{key::nodes, counts.expanded},
          {key::labels, counts.generated},
          {key::pruned, {{key::bound, counts.cut}, {key::dominated, counts.dominated}}}};
}

}  // namespace nestor::io
