#include "io/schema.h"

#include <cmath>
#include <limits>

namespace nestor::io {

Json shortest_json(double value) {
  return value == std::floor(value) && std::fabs(value) < 1e15 ? Json(static_cast<Int>(value)) : Json(value);
}

Json name_schema() {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", 64}, {"pattern", "^[^/]+$"}};
}

Json title_schema() { return {{"type", "string"}, {"minLength", 1}, {"maxLength", 1024}}; }

Json integer_schema(IntRange range) {
  constexpr IntRange all;
  Json json = {{"type", "integer"}};
  if (range.low != all.low) json["minimum"] = range.low;
  if (range.high != all.high) json["maximum"] = range.high;
  return json;
}

Json number_schema(NumberRange range) {
  const auto between = [](double low, double high) {
    Json json = {{"type", "number"}};
    if (low != std::numeric_limits<double>::lowest()) json["minimum"] = shortest_json(low);
    if (high != std::numeric_limits<double>::max()) json["maximum"] = shortest_json(high);
    return json;
  };
  if (range.least == 0) return between(range.low, range.high);
  return {
      {"oneOf", Json::array({Json{{"const", shortest_json(range.low)}}, between(range.least, range.high)})}};
}

Json list_schema(SizeRange sizes, Json item) {
  return {{"type", "array"}, {"minItems", sizes.low}, {"maxItems", sizes.high}, {"items", std::move(item)}};
}

Json list_schema(Json item) {
  Json schema = {{"type", "array"}};
  if (!item.is_null()) schema["items"] = std::move(item);
  return schema;
}

Json flag_schema() { return {{"type", "boolean"}}; }

const Json& properties_of(const Json& schema) { return schema.at("properties"); }

Json map_schema(Words names, Json value) {
  Json schema = {{"type", "object"}};
  if (!value.is_null()) schema["additionalProperties"] = std::move(value);
  if (!names.empty()) schema["propertyNames"] = words_schema(names);
  return schema;
}

Json text_schema() { return {{"type", "string"}}; }

Json record_schema(Json properties, bool are_required) {
  Json schema = {{"type", "object"}, {"additionalProperties", false}};
  if (are_required)
    for (const auto& [key, value] : properties.items()) schema["required"].push_back(key);
  schema["properties"] = std::move(properties);
  return schema;
}

Json described(Json schema, std::string_view meaning) {
  schema["description"] = meaning;
  return schema;
}

Json words_schema(Words words) { return {{"enum", words}}; }

}  // namespace nestor::io
