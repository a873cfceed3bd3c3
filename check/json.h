// Functions for the checks of chips and cnm systems: reading words, integers and lists from a result, and
// printing a verdict. Contracts of all spaces use sentence().
#pragma once

#include <sstream>
#include <string>

#include "check/exact.h"

namespace nestor::check {

/// Thrown if this program has no rules for a result. The claim may be true or false.
struct NotChecked : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::string word_of(const Json& object, const char* key) {
  const Json& word = member(object, key);
  if (!word.is_string()) throw Unreadable(std::string("'") + key + "' is not a string");
  return word.get<std::string>();
}
/// Reads an integer from `least` to 2^52.
inline Int integer(const Json& number, Int least, const std::string& what) {
  constexpr Int largest = Int{1} << 52;
  const bool is_small =
      number.is_number_unsigned() ? number.get<std::uint64_t>() <= largest : number.is_number_integer();
  if (!is_small || number.get<Int>() < least) throw Unreadable(what + " is not a valid integer");
  return number.get<Int>();
}
inline const Json& list_of(const Json& object, const char* key, std::size_t most) {
  const Json& items = member(object, key);
  if (!items.is_array() || items.size() > most) throw Unreadable(std::string(key) + " is not a list");
  return items;
}

/// Joins words and numbers.
template <typename... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

/// Prints the verdict on a result with a single claim: one line, then one word and `of`. Returns 0 if the
/// verdict is "verified", otherwise 1.
int say(const Verdict& verdict, const std::string& name, const std::string& of);

}  // namespace nestor::check
