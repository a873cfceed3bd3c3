// The form of what a result repeats from its inputs: which keys an object may have and what each holds, in
// tables, one for each kind of object. What every reader of the tool refuses is refused here, too.
#pragma once

#include <span>

#include "check/exact.h"

namespace nestor::check {

struct Field {
  enum class Kind { any, name, title, flag, integer, amount, word, letters, pair, counts, object, list };
  const char* key;
  Kind kind = Kind::any;
  bool is_required = true;
  Int least = 0;                    ///< of integers
  Int most = 0;                     ///< of integers, and of the entries of a list
  const char* words = "";           ///< separated by blanks; letters: all of them
  std::span<const Field> fields{};  ///< of an object, or of the objects of a list
};
using Form = std::span<const Field>;

namespace form {

constexpr Field any(const char* key) { return {key}; }
/// Text of 1 to 64 printable characters; a title may be longer.
constexpr Field name(const char* key) { return {key, Field::Kind::name}; }
constexpr Field title(const char* key) { return {key, Field::Kind::title}; }
constexpr Field flag(const char* key) { return {key, Field::Kind::flag}; }
constexpr Field integer(const char* key, Int least, Int most) {
  return {key, Field::Kind::integer, true, least, most};
}
/// Not below 0, at most 1e30.
constexpr Field amount(const char* key) { return {key, Field::Kind::amount}; }
constexpr Field word(const char* key, const char* words) {
  return {key, Field::Kind::word, true, 0, 0, words};
}
/// A list of different letters, at least one.
constexpr Field letters(const char* key, const char* all) {
  return {key, Field::Kind::letters, true, 0, 0, all};
}
constexpr Field pair(const char* key, Int least, Int most) {
  return {key, Field::Kind::pair, true, least, most};
}
/// An object of any keys, each with an integer.
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

/// Throws Unreadable with the first thing that is wrong. `knows_all`: other keys are refused.
void check_form(const Json& object, Form fields, const std::string& what, bool knows_all = true);

/// JSON without a key twice in one object; anything else is Unreadable.
Json parse_strictly(std::istream& in);

}  // namespace nestor::check
