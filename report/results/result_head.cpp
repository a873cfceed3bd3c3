#include "report/results/result_head.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"
#include "report/results/node_json.h"

namespace nestor::io {
namespace {

// Schemas before nestor.result/2, when heads differed by verb and space.
constexpr std::array<std::string_view, 5> old_schemas = {"nestor.result/1", "nestor.compile/1",
                                                         "nestor.compile-evaluation/1",
                                                         "nestor.compile-simulation/1", "nestor.schedule/1"};

OptionTexts read_options(const Node& node, Reading& reading) {
  constexpr std::size_t most = 1000;
  OptionTexts options;
  if (!node.is_map())
    reading.fail(node, fmt::format("options is {}, expected a map", node.describe()));
  else if (node.size() > most)
    reading.fail(node, fmt::format("options has {} keys, expected at most {}", node.size(), most));
  for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i)
    options.emplace_back(node.key(i).text(), read_text(node.value(i), "option", reading));
  return options;
}

std::vector<ResultInput> read_inputs(const Node& node, Reading& reading) {
  constexpr std::size_t most = 1'000'000;
  std::vector<ResultInput> inputs;
  for (const auto& entry : read_list(node, key::inputs, 0, most, reading)) {
    const MapReader map(entry, "input", result_keys::input, reading);
    inputs.push_back({map.text(key::role, ""), map.text(key::name, ""), map.text(key::sha256, "")});
  }
  return inputs;
}

ResultObjective read_objective(const Node& node, Reading& reading) {
  const MapReader map(node, key::objective, result_keys::objective, reading);
  ResultObjective objective{map.text(key::name, ""), map.text(key::latency_model, "")};
  if (const auto value = map.find(key::value)) objective.value = node_to_json(*value);
  return objective;
}

}  // namespace

Json input_to_json(const ResultInput& input) {
  Json json = {{key::role, input.role}, {key::name, input.name}};
  if (!input.sha256.empty()) json[key::sha256] = input.sha256;
  return json;
}

Json objective_to_json(const ResultHead& head) {
  Json json = {{key::name, head.objective.name}};
  if (!head.objective.latency_model.empty()) json[key::latency_model] = head.objective.latency_model;
  for (const auto& [name, text] : head.options)
    if (std::find(std::begin(key::weight_names), std::end(key::weight_names), name) !=
        std::end(key::weight_names))
      if (const auto weight = parse_number<double>(text)) json[key::weights][name] = *weight;
  if (!head.objective.value.is_null()) json[key::value] = head.objective.value;
  return json;
}

Json head_to_json(const ResultHead& head) {
  Json json = {{key::schema, result_schema},
               {key::version, head.version},
               {key::space, head.space},
               {key::verb, head.verb}};
  auto& options = json[key::options] = Json::object();
  for (const auto& [name, value] : head.options) options[name] = value;
  auto& inputs = json[key::inputs] = Json::array();
  for (const auto& input : head.inputs) inputs.push_back(input_to_json(input));
  if (!head.objective.name.empty()) json[key::objective] = objective_to_json(head);
  return json;
}

bool is_result(const Document& document) { return document.root().find(key::schema).has_value(); }

MaybeError check_schema(const Node& root) {
  if (!root.is_map())
    return input_error(root.where(), fmt::format("file is {}, expected a result with schema: {}",
                                                 root.describe(), result_schema));
  const auto schema = root.find(key::schema);
  if (!schema)
    return input_error(root.where(),
                       fmt::format("result has no key 'schema', expected schema: {}", result_schema));
  if (schema->text() == result_schema) return std::nullopt;
  const bool is_old = std::find(old_schemas.begin(), old_schemas.end(), schema->text()) != old_schemas.end();
  return input_error(schema->where(),
                     fmt::format("schema is {}, expected {}{}", schema->describe(), result_schema,
                                 is_old ? ": run the command again with this version of nestor" : ""));
}

void read_head(const MapReader& top, ResultHead& head, Reading& reading) {
  head.version = top.text(key::version, head.version);
  head.space = top.text(key::space, head.space);
  head.verb = top.text(key::verb, head.verb);
  if (const auto options = top.find(key::options)) head.options = read_options(*options, reading);
  if (const auto inputs = top.find(key::inputs)) head.inputs = read_inputs(*inputs, reading);
  if (const auto objective = top.find(key::objective)) head.objective = read_objective(*objective, reading);
}

}  // namespace nestor::io
