// Kinds of fields that results have (io/fields.h): figures that may be absent, and values that are written
// but not read.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/fields.h"

namespace nestor::io {

/// Returns a number as JSON. Integral values, such as cycles, are written without a decimal point.
inline Json figure_to_json(double value) {
  constexpr double exact_limit = 9007199254740992.0;  // 2^53
  if (std::floor(value) == value && std::fabs(value) <= exact_limit) return static_cast<Int>(value);
  return value;
}

/// A number that may be absent.
void add_figure(Fields& fields, std::string_view key, std::optional<double>& value, std::string_view meaning);
/// A number of at least `low` that is always written; unchanged if a file lacks it.
void add_figure(Fields& fields, std::string_view key, double& value, std::string_view meaning,
                double low = std::numeric_limits<double>::lowest());
/// A number that is not negative and may be absent, or is always written.
void add_count(Fields& fields, std::string_view key, std::optional<Int>& value, std::string_view meaning);
void add_count(Fields& fields, std::string_view key, Int& value, std::string_view meaning);
/// A text that is always written; unchanged if a file lacks it. `words` are its values, if they are few.
void add_word(Fields& fields, std::string_view key, std::string& value, Words words,
              std::string_view meaning);
/// A map that is not interpreted; empty or null if absent.
void add_json(Fields& fields, std::string_view key, Json& value, FunctionRef<Json()> item_schema,
              std::string_view meaning);
/// A value that follows from the others: it is written unless it is null, and skipped when a file is read.
void add_output(Fields& fields, std::string_view key, const Json& value, FunctionRef<Json()> schema,
                std::string_view meaning);

inline constexpr NumberRange seconds_range = {0, std::numeric_limits<double>::max()};

// Schemas, as callables.
inline constexpr NumberRange any_number = {std::numeric_limits<double>::lowest(),
                                           std::numeric_limits<double>::max()};
inline constexpr auto count_schema = [] { return integer_schema({0}); };
inline constexpr auto figure_schema = [] { return number_schema(any_number); };
inline constexpr auto any_schema = [] { return Json(); };

/// The schema of a result that has one of several forms, by their names.
Json schema_of_forms(std::span<const std::pair<const char*, Json>> forms);

// Values of results that are only written. Their types determine their schemas; numbers are not negative.
template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename T>
Json schema_of_type() {
  if constexpr (std::is_same_v<T, bool>)
    return flag_schema();
  else if constexpr (std::is_integral_v<T>)
    return integer_schema({0});
  else if constexpr (std::is_floating_point_v<T>)
    return number_schema({0, std::numeric_limits<double>::max()});
  else if constexpr (std::is_convertible_v<T, std::string_view>)
    return text_schema();
  else
    return list_schema(schema_of_type<typename T::value_type>());
}

/// Writes what `write` returns, unless it is null.
void put_json(Fields& fields, std::string_view key, Presence presence, FunctionRef<Json()> write,
              FunctionRef<Json()> schema, std::string_view meaning);
/// Writes a map from names to values.
inline void put_map(Fields& fields, std::string_view key, FunctionRef<Json()> write,
                    FunctionRef<Json()> value_schema, std::string_view meaning) {
  put_json(
      fields, key, always, write, [&] { return map_schema({}, value_schema()); }, meaning);
}
/// Writes a value; a std::optional only if it has one.
template <typename T>
void put(Fields& fields, std::string_view key, const T& value, std::string_view meaning) {
  if constexpr (is_optional<T>)
    put_json(
        fields, key, optional, [&] { return value ? Json(*value) : Json(); },
        [] { return schema_of_type<typename T::value_type>(); }, meaning);
  else
    put_json(
        fields, key, always, [&] { return Json(value); }, [] { return schema_of_type<T>(); }, meaning);
}
/// Writes a number of any sign.
inline void put_signed(Fields& fields, std::string_view key, std::optional<double> value,
                       std::string_view meaning) {
  put_json(
      fields, key, optional, [&] { return value ? Json(*value) : Json(); }, figure_schema, meaning);
}
/// Writes a text if it is not empty.
inline void put_text(Fields& fields, std::string_view key, std::string_view text, std::string_view meaning) {
  put(fields, key, text.empty() ? std::nullopt : std::optional(text), meaning);
}
/// Writes one of `words`; a std::optional only if it has one.
template <typename T>
void put_word(Fields& fields, std::string_view key, const T& word, Words words, std::string_view meaning) {
  const auto schema = [&] { return words_schema(words); };
  if constexpr (is_optional<T>)
    put_json(
        fields, key, optional, [&] { return word ? Json(*word) : Json(); }, schema, meaning);
  else
    put_json(
        fields, key, always, [&] { return Json(word); }, schema, meaning);
}
/// Writes a list of records; if it is optional, only if there is one.
template <typename Records, typename Describe>
void put_list(Fields& fields, std::string_view key, const Records& records, const Describe& describe,
              std::string_view meaning) {
  const auto of = [&](const auto& list) {
    Json json = Json::array();
    for (const auto& record : list)
      json.push_back(write_fields([&](Fields& inner) { describe(inner, record); }));
    return json;
  };
  const auto schema_of_list = [&]<typename T>(const std::vector<T>& /*none*/) {
    const T record{};
    return list_schema(schema_of([&](Fields& inner) { describe(inner, record); }, SchemaKind::output));
  };
  if constexpr (is_optional<Records>)
    put_json(
        fields, key, optional, [&] { return records ? of(*records) : Json(); },
        [&] { return schema_of_list(typename Records::value_type()); }, meaning);
  else
    put_json(
        fields, key, always, [&] { return of(records); }, [&] { return schema_of_list(Records()); }, meaning);
}
/// Writes a record if there is one.
template <typename T, typename Describe>
void put_part(Fields& fields, std::string_view key, const std::optional<T>& part, const Describe& describe,
              std::string_view meaning) {
  const auto write = [&] {
    return part ? write_fields([&](Fields& inner) { describe(inner, *part); }) : Json();
  };
  const auto schema = [&] {
    const T empty{};
    return schema_of([&](Fields& inner) { describe(inner, empty); }, SchemaKind::output);
  };
  put_json(fields, key, optional, write, schema, meaning);
}
}  // namespace nestor::io
