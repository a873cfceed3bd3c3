// gzip compression in memory, based on zlib.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "io/files.h"

namespace nestor::io {

/// True if the content starts with the two magic bytes of gzip.
bool is_gzip(std::string_view content);
/// Unpacks gzip data. Fails if the text exceeds `limit` bytes, since a small malicious file can unpack to
/// terabytes.
Result<std::string> gunzip(std::string_view content, const std::string& file,
                           std::uintmax_t limit = default_size_limit);
std::string gzip(std::string_view text);

}  // namespace nestor::io
