// JSON Schemas of values that several formats have, and the ranges of these values.
#pragma once

#include <cstddef>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"

namespace nestor::io {

struct NumberRange {
  double low = 0;
  double high = 0;
  double least = 0;  ///< smallest value other than `low`
};
struct SizeRange {
  std::size_t low = 0;
  std::size_t high = 0;
};

/// Returns a number; a whole one without its ".0".
Json shortest_json(double value);
template <typename T>
Json shortest_json(const T& value) {
  return value;
}

Json name_schema();
Json title_schema();
Json integer_schema(IntRange range);
Json number_schema(NumberRange range);
Json words_schema(Words words);
/// A map from `names` to values; any names if there are none.
Json map_schema(Words names, Json value);
/// A list of `sizes` items.
Json list_schema(SizeRange sizes, Json item);
/// A list of any number of items; of any items if `item` is null.
Json list_schema(Json item);
Json text_schema();
Json flag_schema();
/// The keys of a map with their schemas.
const Json& properties_of(const Json& schema);
/// A map with these keys and their schemas, of which all or none are required.
Json record_schema(Json properties, bool are_required);
/// Adds what a value means to its schema.
Json described(Json schema, std::string_view meaning);

}  // namespace nestor::io
