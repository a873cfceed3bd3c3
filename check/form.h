// Check of the form of inputs that are embedded in results, by tables of the keys and values of each kind of
// object. Everything that the parsers of the nestor tool refuse is also refused here.
#pragma once

#include <span>

#include "check/exact.h"

namespace nestor::check {

struct Field {
  enum class Kind { any, name, title, flag, integer, amount, word, letters, pair, counts, object, list };
  const char* key;
  Kind kind = Kind::any;
  bool is_required = true;
  Int least = 0;                    ///< lower limit of integers, or of the number of entries of a list
  Int most = 0;                     ///< upper limit of integers, or of the number of entries of a list
  const char* words = "";           ///< allowed words, separated by blanks, or allowed letters
  std::span<const Field> fields{};  ///< fields of an object, or of the objects of a list
};
using Form = std::span<const Field>;

namespace form {

constexpr Field any(const char* key) { return {key}; }
/// Text of 1 to 64 printable characters. A title can be longer.
constexpr Field name(const char* key) { return {key, Field::Kind::name}; }
constexpr Field title(const char* key) { return {key, Field::Kind::title}; }
constexpr Field flag(const char* key) { return {key, Field::Kind::flag}; }
constexpr Field integer(const char* key, Int least, Int most) {
  return {key, Field::Kind::integer, true, least, most};
}
/// A number from 0 to 1e30.
constexpr Field amount(const char* key) { return {key, Field::Kind::amount}; }
constexpr Field word(const char* key, const char* words) {
  return {key, Field::Kind::word, true, 0, 0, words};
}
/// A nonempty list of different letters.
constexpr Field letters(const char* key, const char* all) {
  return {key, Field::Kind::letters, true, 0, 0, all};
}
constexpr Field pair(const char* key, Int least, Int most) {
  return {key, Field::Kind::pair, true, least, most};
}
/// An object with arbitrary keys and integer values.
constexpr Field counts(const char* key, Int least, Int most) {
  return {key, Field::Kind::counts, true, least, most};
}
constexpr Field object(const char* key, Form fields) {
  return {key, Field::Kind::object, true, 0, 0, "", fields};
}
constexpr Field list(const char* key, Int least, Int most, Form fields = {}) {
  return {key, Field::Kind::list, true, least, most, "", fields};
}
constexpr Field optional(Field field) {
  field.is_required = false;
  return field;
}

}  // namespace form

/// Throws Unreadable for the first fault. If `knows_all` is true, keys without a field are also faults.
void check_form(const Json& object, Form fields, const std::string& what, bool knows_all = true);

/// Parses JSON. Throws Unreadable for a key that occurs twice in an object and for any other fault.
Json parse_strictly(std::istream& in);

}  // namespace nestor::check
