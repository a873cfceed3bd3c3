// A checker for the part of JSON Schema that data/schema uses. A keyword it does not know is an error, so
// that no schema can promise more than is tested.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace nestor::testing {

/// Empty if `value` satisfies the schema `name` (a file of data/schema, optionally with "#/..."); otherwise
/// where and why not.
std::string check_schema(const std::string& name, const nlohmann::json& value);

/// The part of a schema that a reference such as "layers.schema.json#/$defs/bits" names.
const nlohmann::json& schema_part(const std::string& reference);

}  // namespace nestor::testing
