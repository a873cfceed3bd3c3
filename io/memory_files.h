// Input files that the calling program provides in memory. While a ThreadOverride exists, its thread can read
// the files by name:
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

/// Returns the content of the file, or null if this thread has no such file.
const std::string* find_memory_file(const std::filesystem::path& path);

/// True for regular files and files in memory, which can be read any number of times.
bool is_stored_file(const std::filesystem::path& path);

}  // namespace nestor::io
