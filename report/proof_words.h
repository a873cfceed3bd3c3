// Access to the parts of a proof that is printed. A damaged file can contain anything, so a missing word is
// "?" and a missing list is empty.
#pragma once

#include <string>

#include "io/files.h"

namespace nestor::report {

inline std::string proof_word(const io::Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? "?" : found->is_string() ? found->get<std::string>() : found->dump();
}

inline const io::Json& proof_list(const io::Json& json, const char* key) {
  static const io::Json none = io::Json::array();
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : none;
}

}  // namespace nestor::report
