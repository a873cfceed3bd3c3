// A checker for the subset of JSON Schema that data/schema uses. An unknown keyword is an error, so no rule
// of a schema is ignored.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace nestor::tests {

/// Returns an empty string if `value` satisfies the schema `name` (a file of data/schema, optionally with
/// "#/..."). Otherwise returns the place and the reason.
std::string check_schema(const std::string& name, const nlohmann::json& value);

/// Returns the part of a schema that a reference such as "layers.schema.json#/$defs/bits" names.
const nlohmann::json& schema_part(const std::string& reference);

}  // namespace nestor::tests
