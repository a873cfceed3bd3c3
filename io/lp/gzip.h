// gzip in memory, over zlib.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "io/files.h"

namespace nestor::io {

/// Starts with gzip's two magic bytes.
bool is_gzip(std::string_view content);
/// Refuses to grow beyond `limit` bytes: a small hostile file can unpack to terabytes.
Result<std::string> gunzip(std::string_view content, const std::string& file,
                           std::uintmax_t limit = default_size_limit);
std::string gzip(std::string_view text);

}  // namespace nestor::io
