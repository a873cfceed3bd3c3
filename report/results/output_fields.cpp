#include "report/results/output_fields.h"

#include <fmt/format.h>

#include "report/results/node_json.h"

namespace nestor::io {
namespace {

constexpr IntRange counts = {0};

}  // namespace

void add_figure(Fields& fields, std::string_view key, std::optional<double>& value,
                std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = read_number(node, label, any_number.low, reading);
  };
  fields.field({key, optional, read, [] {}, [&] { return value ? figure_to_json(*value) : Json(); },
                figure_schema, meaning});
}

void add_figure(Fields& fields, std::string_view key, double& value, std::string_view meaning, double low) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = read_number(node, label, low, reading);
  };
  fields.field({key, always, read, [] {}, [&] { return figure_to_json(value); },
                [&] {
                  return number_schema({low, any_number.high});
                },
                meaning});
}

void add_count(Fields& fields, std::string_view key, std::optional<Int>& value, std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = read_integer(node, label, counts, reading);
  };
  fields.field(
      {key, optional, read, [] {}, [&] { return value ? Json(*value) : Json(); }, count_schema, meaning});
}

void add_count(Fields& fields, std::string_view key, Int& value, std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = read_integer(node, label, counts, reading);
  };
  fields.field({key, always, read, [] {}, [&] { return Json(value); }, count_schema, meaning});
}

void add_word(Fields& fields, std::string_view key, std::string& value, Words words,
              std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    value = read_text(node, label, reading);
  };
  fields.field({key, always, read, [] {}, [&] { return Json(value); },
                [&] { return words.empty() ? text_schema() : words_schema(words); }, meaning});
}

void add_json(Fields& fields, std::string_view key, Json& value, FunctionRef<Json()> item_schema,
              std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    if (!node.is_map()) reading.fail(node, fmt::format("{} is {}, expected a map", label, node.describe()));
    value = node_to_json(node);
  };
  const auto schema = [&] { return map_schema({}, item_schema()); };
  fields.field({key, optional, read, [] {}, [&] { return value.empty() ? Json() : value; }, schema, meaning});
}

void add_output(Fields& fields, std::string_view key, const Json& value, FunctionRef<Json()> schema,
                std::string_view meaning) {
  put_json(
      fields, key, optional, [&] { return value; }, schema, meaning);
}

Json schema_of_forms(std::span<const std::pair<const char*, Json>> forms) {
  Json schema;
  for (const auto& [name, form] : forms) {
    schema["oneOf"].push_back({{"$ref", std::string("#/$defs/") + name}});
    schema["$defs"][name] = form;
  }
  return schema;
}

void put_json(Fields& fields, std::string_view key, Presence presence, FunctionRef<Json()> write,
              FunctionRef<Json()> schema, std::string_view meaning) {
  fields.field(
      {key, presence, [](const Node&, const std::string&, Reading&) {}, [] {}, write, schema, meaning});
}

}  // namespace nestor::io
