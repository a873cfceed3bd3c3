// Rejection of keys that belong to another kind of machine, with a clearer message than "unknown key". The
// table in foreign_keys.cpp lists, by kind, the keys that only machines or mappings of this kind have.
#pragma once

#include <string_view>

#include "io/checked_reader.h"

namespace nestor::io {

/// Rejects keys of other kinds in an architecture of kind `kind`, or in a part of it.
void refuse_foreign_keys(const Node& node, std::string_view kind, Reading& reading);
/// Rejects keys of other kinds in a mapping for an architecture of kind `kind`.
void refuse_foreign_mapping_keys(const Node& node, std::string_view kind, Reading& reading);

}  // namespace nestor::io
