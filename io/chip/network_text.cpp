#include "io/chip/network_text.h"

#include <algorithm>

#include "io/chip/network_file.h"

namespace nestor::io {
namespace {

// True only if the YAML reader takes the unquoted text as a string, in both block and flow style.
bool is_plain(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !letter(text[0]) || text == "true" || text == "false" || text == "null") return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; });
}

std::string flow(const Json& json) {
  std::string text;
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      text += (text.empty() ? "" : ", ") + key + ": " + flow(value);
    return "{" + text + "}";
  }
  if (json.is_array()) {
    for (const auto& item : json) text += (text.empty() ? "" : ", ") + flow(item);
    return "[" + text + "]";
  }
  if (json.is_string() && is_plain(json.get<std::string>())) return json.get<std::string>();
  return json.dump();
}

}  // namespace

std::string chip_network_to_yaml(const chip::ChipNetwork& network, const std::string& comment) {
  const Json json = chip_network_to_json(network);
  std::string text = "# " + comment + "\n";
  for (const auto& [key, value] : json.items()) {
    if (key != "inputs" && key != "operators") {
      text += key + ": " + flow(value) + "\n";
      continue;
    }
    text += key + ":\n";
    for (const auto& item : value) text += "  - " + flow(item) + "\n";
  }
  return text;
}

}  // namespace nestor::io
