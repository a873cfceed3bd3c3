// Whole files in and out. Reading checks the size before it allocates; writing goes to a temporary beside the
// target and renames, so that nobody ever sees a partial file.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/error.h"

namespace nestor::io {

/// JSON that keeps the order in which keys were written: what every output of the project is built from.
using Json = nlohmann::ordered_json;

inline constexpr std::uintmax_t default_size_limit = std::uintmax_t{1} << 30;

/// A pipe or a device is read once and remembered: later reads get the same content.
Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit = default_size_limit);

/// The first bytes of a file, to see what it is; nothing where it cannot be read.
std::string read_head(const std::filesystem::path& path, std::size_t bytes);

/// Replaces `path` in one step; "-" writes to standard output.
MaybeError write_file(const std::filesystem::path& path, std::string_view content);

/// The project's one way to print JSON: two spaces, keys in written order, a final newline.
std::string to_text(const Json& json);
MaybeError write_json(const std::filesystem::path& path, const Json& json);

}  // namespace nestor::io
