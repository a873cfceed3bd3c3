// Keys of files for another kind of machine, for a clearer message than "unknown key". The kinds that
// have some are in one table (foreign_keys.cpp), a row each.
#pragma once

#include <string_view>

#include "io/checked_reader.h"

namespace nestor::io {

/// In an architecture of this kind, or a part of it.
void refuse_foreign_keys(const Node& node, std::string_view kind, Reading& reading);
/// In a mapping onto one.
void refuse_foreign_mapping_keys(const Node& node, std::string_view kind, Reading& reading);

}  // namespace nestor::io
