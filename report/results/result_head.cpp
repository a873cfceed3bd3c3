#include "report/results/result_head.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse_number.h"
#include "report/results/node_json.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"

namespace nestor::io {
namespace {

// Schemas before nestor.result/2, when heads differed by verb and space.
constexpr std::array<std::string_view, 5> old_schemas = {"nestor.result/1", "nestor.compile/1",
                                                         "nestor.compile-evaluation/1",
                                                         "nestor.compile-simulation/1", "nestor.schedule/1"};

constexpr SizeRange input_count = {0, 1'000'000};
constexpr std::size_t most_options = 1000;
constexpr std::array<std::string_view, 11> input_roles = {"architecture", "layers",   "network", "kernel",
                                                          "program",      "netlist",  "mapping", "decisions",
                                                          "constraints",  "solution", "result"};
constexpr std::array<std::string_view, 9> objectives = {"latency", "energy", "edp",    "eq14",      "blended",
                                                        "pareto",  "time",   "copies", "peak-power"};
constexpr std::array<std::string_view, 2> latency_models_of_results = {"miredo", "stall"};

void describe_options(Fields& fields, OptionTexts& options) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    options.clear();
    if (!node.is_map())
      reading.fail(node, fmt::format("{} is {}, expected a map", label, node.describe()));
    else if (node.size() > most_options)
      reading.fail(node,
                   fmt::format("{} has {} keys, expected at most {}", label, node.size(), most_options));
    for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i)
      options.emplace_back(node.key(i).text(), read_text(node.value(i), "option", reading));
  };
  const auto write = [&] {
    Json json = Json::object();
    for (const auto& [name, value] : options) json[name] = value;
    return json;
  };
  fields.field({key::options, always, read, [] {}, write, [] { return map_schema({}, text_schema()); },
                "Options given on the command line, without the names of output files."});
}

void describe_input(Fields& fields, ResultInput& input) {
  add_word(fields, key::role, input.role, input_roles, "");
  add_word(fields, key::name, input.name, {}, "Name as given on the command line.");
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    input.sha256 = read_text(node, label, reading);
  };
  fields.field({key::sha256, optional, read, [] {},
                [&] { return input.sha256.empty() ? Json() : Json(input.sha256); },
                [] {
                  auto json = text_schema();
                  json["pattern"] = "^[0-9a-f]{64}$";
                  return json;
                },
                "SHA-256 of the bytes; absent if the input is not a file."});
}

// The weights are written for readers of the file; the options contain them.
void describe_objective(Fields& fields, ResultHead& head) {
  auto& objective = head.objective;
  add_word(fields, key::name, objective.name, objectives, "");
  const auto read_model = [&](const Node& node, const std::string& label, Reading& reading) {
    objective.latency_model =
        latency_models_of_results[read_word(node, label, latency_models_of_results, reading)];
  };
  fields.field(
      {key::latency_model, optional, read_model, [&] { objective.latency_model.clear(); },
       [&] { return objective.latency_model.empty() ? Json() : Json(objective.latency_model); },
       [] { return words_schema(latency_models_of_results); },
       "The model behind every latency, EDP and leakage figure, except those of `evaluation`. Only the cim "
       "space has several."});
  Json weights;
  const auto weights_schema = [] {
    Json weights_by_name;
    for (const char* const weight : key::weight_names) weights_by_name[weight] = figure_schema();
    return record_schema(std::move(weights_by_name), false);
  };
  for (const auto& [name, text] : head.options)
    if (std::find(std::begin(key::weight_names), std::end(key::weight_names), name) !=
        std::end(key::weight_names))
      if (const auto weight = parse_number<double>(text)) weights[name] = *weight;
  add_output(fields, key::weights, weights, weights_schema, "The weights that the user gave.");
  const auto read_value = [&](const Node& node, const std::string& /*label*/, Reading& /*reading*/) {
    objective.value = node_to_json(node);
  };
  fields.field({key::value, optional, read_value, [] {}, [&] { return objective.value; }, figure_schema,
                "Value of the objective, in spaces whose results have no layers."});
}

}  // namespace

void describe_head(Fields& fields, ResultHead& head, Words spaces, Words verbs) {
  fields.constant(key::schema, result_schema, always, "");
  add_word(fields, key::version, head.version, {}, "Version of the tool that wrote the result.");
  add_word(fields, key::space, head.space, spaces, "");
  add_word(fields, key::verb, head.verb, verbs, "");
  describe_options(fields, head.options);
  fields.list(key::inputs, always, input_count, head.inputs, "input", describe_input, "");
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    head.objective.name.clear();
    read_fields(node, label, reading, [&](Fields& inner) { describe_objective(inner, head); });
  };
  fields.field(
      {key::objective, optional, read, [] {},
       [&] {
         return head.objective.name.empty()
                    ? Json()
                    : write_fields([&](Fields& inner) { describe_objective(inner, head); });
       },
       [&] { return schema_of([&](Fields& inner) { describe_objective(inner, head); }, SchemaKind::output); },
       ""});
}

Json input_to_json(ResultInput input) {
  return write_fields([&](Fields& fields) { describe_input(fields, input); });
}

Json head_to_json(ResultHead head) {
  return write_fields([&](Fields& fields) { describe_head(fields, head); });
}

Json result_head_schema() {
  ResultHead head;
  auto schema = schema_of([&](Fields& fields) { describe_head(fields, head); }, SchemaKind::output);
  schema.erase("additionalProperties");
  schema["$defs"][key::status] =
      described(words_schema(statuses.words), "How a search ended, for the whole result or for a layer.");
  return schema;
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

}  // namespace nestor::io
