// Kinds of fields that results have (io/fields.h): figures that may be absent, and parts that only the writer
// knows.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

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

}  // namespace nestor::io
