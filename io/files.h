// Functions that read and write whole files. Reading checks the size before it allocates. Content is written
// to a temporary file beside the target, and this file is then renamed, so that partial files are never
// visible.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/error.h"

namespace nestor::io {

/// JSON type that preserves the order of keys. Every JSON output of the project uses it.
using Json = nlohmann::ordered_json;

inline constexpr std::uintmax_t default_size_limit = std::uintmax_t{1} << 30;

/// Reads a file; a file of more than `limit` bytes is an error. The content of a pipe, a terminal or standard
/// input is kept, so that later reads return the same content.
Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit = default_size_limit);

/// Returns the first `bytes` bytes of a file, or all of a shorter file, to identify it. The result is empty
/// if the file cannot be read.
std::string read_head(const std::filesystem::path& path, std::size_t bytes);

/// Replaces `path` atomically; "-" writes to standard output.
MaybeError write_file(const std::filesystem::path& path, std::string_view content);

/// Returns JSON in the project's only layout: indented by two spaces, keys in the order of insertion, a final
/// newline.
std::string to_text(const Json& json);
MaybeError write_json(const std::filesystem::path& path, const Json& json);

}  // namespace nestor::io
