#include "support/schema_check.h"

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "places.h"

namespace nestor::tests {
namespace {

using nlohmann::json;

const json& load(const std::string& file) {
  static std::map<std::string, json> cache;
  auto& schema = cache[file];
  if (schema.is_null()) {
    std::ifstream in(std::string(NESTOR_SOURCE_DIR) + "/data/schema/" + file);
    schema = json::parse(in);
  }
  return schema;
}

bool has_type(const std::string& type, const json& value) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  if (type == "integer")
    return value.is_number_integer() ||
           (value.is_number_float() && value.get<double>() == static_cast<double>(value.get<std::int64_t>()));
  throw std::runtime_error("unknown type " + type);
}

class Checker {
 public:
  // `file` is the schema file to which references without a file name point.
  std::string check(const std::string& file, const json& schema, const json& value, const std::string& at) {
    for (const auto& [keyword, argument] : schema.items())
      if (auto problem = apply(keyword, argument, file, schema, value, at); !problem.empty()) return problem;
    return {};
  }

  std::string follow(const std::string& reference, const std::string& file, const json& value,
                     const std::string& at) {
    const auto hash = reference.find('#');
    const auto target = hash == 0 ? file : reference.substr(0, hash);
    const auto pointer = hash == std::string::npos ? "" : reference.substr(hash + 1);
    return check(target, load(target).at(json::json_pointer(pointer)), value, at);
  }

 private:
  std::string apply(const std::string& keyword, const json& argument, const std::string& file,
                    const json& schema, const json& value, const std::string& at) {
    static const std::set<std::string> silent = {"$schema", "$id",         "$defs",     "title",
                                                 "default", "description", "properties"};
    const auto fail = [&](const std::string& why) { return at + ": " + why + " (" + value.dump() + ")"; };
    if (keyword == "properties" && value.is_object()) {
      for (const auto& [key, child] : argument.items())
        if (value.contains(key))
          if (auto problem = check(file, child, value.at(key), at + "/" + key); !problem.empty())
            return problem;
      return {};
    }
    if (silent.contains(keyword)) return {};
    if (keyword == "$ref") return follow(argument.get<std::string>(), file, value, at);
    if (keyword == "type")
      return has_type(argument.get<std::string>(), value) ? "" : fail("not of type " + argument.dump());
    if (keyword == "const") return value == argument ? "" : fail("is not " + argument.dump());
    if (keyword == "enum")
      return std::find(argument.begin(), argument.end(), value) != argument.end()
                 ? ""
                 : fail("not one of " + argument.dump());
    if (keyword == "oneOf" || keyword == "anyOf")
      return one_of(argument, keyword == "anyOf", file, value, at);
    if (keyword == "required") return required(argument, value, at);
    if (keyword == "dependentRequired") {
      for (const auto& [key, others] : argument.items())
        if (value.is_object() && value.contains(key))
          if (auto problem = required(others, value, at); !problem.empty()) return problem + " beside " + key;
      return {};
    }
    if (keyword == "additionalProperties") return additional(argument, file, schema, value, at);
    if (keyword == "propertyNames") {
      for (const auto& [key, child] : value.items())
        if (auto problem = check(file, argument, key, at + "/" + key); !problem.empty()) return problem;
      return {};
    }
    if (keyword == "items") return items(argument, file, value, at);
    if (keyword == "uniqueItems") return unique(value) ? "" : fail("repeats an item");
    if (keyword == "minimum")
      return !value.is_number() || value >= argument ? "" : fail("below " + argument.dump());
    if (keyword == "maximum")
      return !value.is_number() || value <= argument ? "" : fail("above " + argument.dump());
    if (keyword == "minItems")
      return !value.is_array() || value.size() >= argument ? "" : fail("too few items");
    if (keyword == "maxItems")
      return !value.is_array() || value.size() <= argument ? "" : fail("too many items");
    if (keyword == "minLength") return length(value) >= argument ? "" : fail("too short");
    if (keyword == "maxLength")
      return !value.is_string() || length(value) <= argument ? "" : fail("too long");
    if (keyword == "pattern")
      return !value.is_string() ||
                     std::regex_search(value.get<std::string>(), std::regex(argument.get<std::string>()))
                 ? ""
                 : fail("does not match " + argument.dump());
    throw std::runtime_error("schema keyword '" + keyword + "' is not checked");
  }

  static std::size_t length(const json& value) {
    return value.is_string() ? value.get_ref<const std::string&>().size() : SIZE_MAX;
  }

  static bool unique(const json& value) {
    return !value.is_array() || std::set<json>(value.begin(), value.end()).size() == value.size();
  }

  std::string one_of(const json& options, bool or_more, const std::string& file, const json& value,
                     const std::string& at) {
    int matching = 0;
    std::string problems;
    for (const auto& option : options) {
      const auto problem = check(file, option, value, at);
      matching += problem.empty() ? 1 : 0;
      problems += "\n  " + problem;
    }
    return matching == 1 || (or_more && matching > 1)
               ? ""
               : at + ": matches " + std::to_string(matching) + " of the alternatives" + problems;
  }

  static std::string required(const json& keys, const json& value, const std::string& at) {
    for (const auto& key : keys)
      if (value.is_object() && !value.contains(key.get<std::string>())) return at + ": no key " + key.dump();
    return {};
  }

  std::string additional(const json& argument, const std::string& file, const json& schema, const json& value,
                         const std::string& at) {
    if (!value.is_object()) return {};
    for (const auto& [key, child] : value.items()) {
      if (schema.contains("properties") && schema.at("properties").contains(key)) continue;
      if (argument == false) return at + ": unknown key " + key;
      if (auto problem = check(file, argument, child, at + "/" + key); !problem.empty()) return problem;
    }
    return {};
  }

  std::string items(const json& schema, const std::string& file, const json& value, const std::string& at) {
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
      if (auto problem = check(file, schema, value.at(i), at + "/" + std::to_string(i)); !problem.empty())
        return problem;
    return {};
  }
};

}  // namespace

const json& schema_part(const std::string& reference) {
  const auto hash = reference.find('#');
  const auto pointer = hash == std::string::npos ? "" : reference.substr(hash + 1);
  return load(reference.substr(0, hash)).at(json::json_pointer(pointer));
}

std::string check_schema(const std::string& name, const json& value) {
  return Checker().follow(name, name, value, "");
}

}  // namespace nestor::tests
