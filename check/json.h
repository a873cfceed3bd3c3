// Pieces of a result file, and what may come of it: what chips and cnm systems share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "check/exact.h"

namespace nestor::check {

using Json = nlohmann::ordered_json;

/// What this program has no rules for. It says nothing about the claim.
struct NotChecked : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One of "verified", "REFUTED", "not proved" and "not checked", and a sentence.
struct Verdict {
  std::string word;
  std::string sentence;
};

inline const Json& part_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Unreadable(std::string("there is no '") + key + "'");
  return *found;
}
inline std::string word_of(const Json& object, const char* key) {
  const Json& word = part_of(object, key);
  if (!word.is_string()) throw Unreadable(std::string("'") + key + "' is no text");
  return word.get<std::string>();
}
/// From `least` to 2^52.
inline Int integer(const Json& number, Int least, const std::string& what) {
  constexpr Int largest = Int{1} << 52;
  const bool is_small =
      number.is_number_unsigned() ? number.get<std::uint64_t>() <= largest : number.is_number_integer();
  if (!is_small || number.get<Int>() < least) throw Unreadable(what + " is no such integer");
  return number.get<Int>();
}
inline const Json& list_of(const Json& object, const char* key, std::size_t most) {
  const Json& items = part_of(object, key);
  if (!items.is_array() || items.size() > most) throw Unreadable(std::string(key) + " is no list");
  return items;
}

/// What is said of a result that is one claim: a line, then the verdict in one word and `of` whom. The exit
/// status. `quoted`: as names are printed.
int say(const Verdict& verdict, const std::string& name, const std::string& of,
        std::string (*quoted)(const std::string&));

}  // namespace nestor::check
