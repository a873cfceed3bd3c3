// Inputs that the calling program holds in memory. While a scope lasts, its thread reads them by their names,
// as it reads files:
//
//   const MemoryFiles files = {{"<arch>.json", text}};
//   const ThreadOverride<const MemoryFiles> scope(files);
//   const auto machine = read_architecture("<arch>.json");
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/thread_override.h"

namespace nestor::io {

using MemoryFiles = std::map<std::string, std::string, std::less<>>;

/// Null if this thread has none of this name.
const std::string* find_memory_file(const std::filesystem::path& path);

/// True for a regular file and for one in memory: it can be read as often as needed.
bool is_stored_file(const std::filesystem::path& path);

}  // namespace nestor::io
