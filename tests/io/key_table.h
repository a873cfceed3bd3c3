// Tables of the keys of files for the documentation, from JSON Schemas.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "io/files.h"

namespace nestor::io::generated_schemas_test {

inline std::string range_text(const std::string& type, const Json& schema) {
  if (!schema.contains("minimum")) return type;
  const auto low = schema["minimum"].dump();
  return schema.contains("maximum") && schema["maximum"].get<double>() <= 1e12
             ? fmt::format("{} from {} to {}", type, low, schema["maximum"].dump())
             : fmt::format("{} of at least {}", type, low);
}

/// Returns the valid values in words.
inline std::string values_text(const Json& schema) {
  if (schema.contains("const"))
    return fmt::format(
        "`{}`", schema["const"].is_string() ? schema["const"].get<std::string>() : schema["const"].dump());
  if (schema.contains("enum")) {
    std::string text;
    for (const auto& word : schema["enum"])
      text += fmt::format("{}`{}`", text.empty() ? "" : " ",
                          word.is_string() ? word.get<std::string>() : word.dump());
    return text;
  }
  if (schema.contains("oneOf")) {
    std::string text;
    for (const auto& option : schema["oneOf"]) text += (text.empty() ? "" : "; or ") + values_text(option);
    return text;
  }
  if (schema.contains("$ref")) {
    const auto target = schema["$ref"].get<std::string>();
    if (target.find('#') == std::string::npos)
      return fmt::format("a map, see its [schema](../data/schema/{})", target);
  }
  if (!schema.contains("type")) return {};
  const auto type = schema["type"].get<std::string>();
  if (type == "integer") return range_text("an integer", schema);
  if (type == "number") return range_text("a number", schema);
  if (type == "boolean") return "`true` `false`";
  if (type == "array") {
    const auto items = schema.value("items", Json::object());
    return "a list" + (items.contains("enum") ? " of " + values_text(items) : "");
  }
  if (type == "object") return "a map";
  const auto pattern = schema.value("pattern", std::string());
  if (pattern.find("*(") == std::string::npos) return schema.contains("maxLength") ? "a name" : "a text";
  auto units = pattern.substr(pattern.find("*(") + 2);
  units.resize(units.find(')'));
  std::replace(units.begin(), units.end(), '|', ' ');
  return "a number with unit `" + units + "`";
}

/// A table of keys. A record that an earlier row of the page has expanded is not expanded again.
class KeyTable {
 public:
  explicit KeyTable(std::string& page) : page_(page) {}

  /// `required` is the word for a required key. `name` is the name of the record in other tables.
  void add(std::string_view required, const std::string& name, const Json& schema) {
    required_ = required;
    page_ += fmt::format("\n| key | value | {} | meaning |\n|---|---|---|---|\n",
                         required_ == "required" ? "default" : "written");
    table_ = name;
    if (schema.contains("properties")) seen_.emplace(schema["properties"].dump(), Place{name, {}});
    add_rows("", schema);
  }

 private:
  void add_row(const std::string& path, const Json& schema, bool is_required) {
    const auto fallback = schema.find("default");
    auto value = fallback == schema.end() ? std::string()
                 : fallback->is_string()  ? fallback->get<std::string>()
                                          : fallback->dump();
    if (is_required) value = required_;
    auto meaning = escaped(schema.value("description", std::string()));
    const bool is_record = schema.contains("properties");
    const Json* const record = record_of(schema);
    constexpr std::size_t few = 2;
    const bool is_large = record != nullptr && (*record)["properties"].size() > few;
    const auto [first, is_new] = is_large ? seen_.emplace((*record)["properties"].dump(), Place{table_, path})
                                          : std::pair(seen_.end(), true);
    if (!is_new) meaning += (meaning.empty() ? "Keys as in " : " Keys as in ") + named(first->second) + ".";
    if (!is_record || !meaning.empty())
      page_ += fmt::format("| `{}` | {} | {} | {} |\n", path, is_record ? "a record" : values_text(schema),
                           value, meaning);
    if (is_new) add_rows(path + ".", schema);
  }

  struct Place {
    std::string table;
    std::string path;
  };
  std::string named(const Place& place) const {
    if (place.path.empty()) return place.table;
    return place.table == table_ ? "`" + place.path + "`" : "`" + place.path + "` of " + place.table;
  }

  // A bar would end the cell.
  static std::string escaped(const std::string& text) {
    std::string cell;
    for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return cell;
  }

  static const Json* record_of(const Json& schema) {
    if (schema.contains("properties")) return &schema;
    for (const char* const key : {"items", "additionalProperties"})
      if (const auto inner = schema.find(key); inner != schema.end() && inner->contains("properties"))
        return &*inner;
    return nullptr;
  }

  void add_rows(const std::string& path, const Json& schema) {
    if (schema.contains("items") && schema["items"].contains("oneOf")) {
      // Parts of machines have paths of their own for --set.
      const auto& entries = schema["items"]["oneOf"];
      const bool are_records = std::all_of(entries.begin(), entries.end(),
                                           [](const Json& entry) { return entry.contains("properties"); });
      for (const auto& entry : entries) add_rows(are_records ? "" : path, entry);
      return;
    }
    const Json* const record = record_of(schema);
    if (record == nullptr) return;
    const auto keys = record->value("required", Json::array());
    const bool is_named =
        schema.contains("additionalProperties") && schema["additionalProperties"].is_object();
    for (const auto& [key, value] : (*record)["properties"].items())
      add_row(path + (is_named ? "*." : "") + key, value,
              std::find(keys.begin(), keys.end(), key) != keys.end());
  }

  std::string_view required_;
  std::string& page_;
  std::string table_;  ///< the name of the table
  std::map<std::string, Place> seen_;
};

}  // namespace nestor::io::generated_schemas_test
