#include "io/find_data.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "io/document.h"

namespace nestor::io {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(path, code);
}

bool looks_like_path(const std::string& argument) {
  if (argument == "-" || argument.find('/') != std::string::npos) return true;
  const auto ending = fs::path(argument).extension();
  for (const char* known : {".yaml", ".yml", ".json", ".onnx"})
    if (ending == known) return true;
  std::error_code code;
  return fs::exists(argument, code) && !is_folder(argument);
}

// Returns the file from which this code was loaded: a shared library, or else the program.
fs::path own_library() {
  Dl_info info{};
  std::error_code code;
  const auto* here = reinterpret_cast<const void*>(&data_directory);
  if (dladdr(here, &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::canonical(info.dli_fname, code);
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  const auto below = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return below.first == folder.end();
}

// Returns the data folder of a binary. A binary in its build tree uses the source tree. An installed binary
// never does, because a checkout on the same machine may have another version.
fs::path data_of(const fs::path& image) {
  std::error_code code;
  fs::path source = NESTOR_SOURCE_DATA_DIR;
  if (is_inside(image, fs::weakly_canonical(NESTOR_BUILD_DIR, code)) && is_folder(source)) return source;
  const fs::path folder = image.parent_path();  // bin, lib, or lib/x86_64-linux-gnu
  for (const auto& prefix : {folder.parent_path(), folder.parent_path().parent_path()})
    if (const auto installed = prefix / "share" / "nestor";
        is_folder(installed / DataKind::architecture.folder))
      return installed;
  return {};
}

}  // namespace

fs::path data_directory() {
  if (const char* given = std::getenv("NESTOR_DATA"); given != nullptr && *given != '\0') return given;
  std::error_code code;
  for (const fs::path& image : {own_library(), fs::read_symlink("/proc/self/exe", code)}) {
    if (image.empty()) continue;
    if (auto found = data_of(image); !found.empty()) return found;
  }
  return {};
}

std::vector<std::string> shipped_names(DataKind kind) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(data_directory() / kind.folder, code))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Error unknown_name(std::string_view what, const std::string& given, const std::vector<std::string>& names) {
  if (names.empty())
    return input_error({}, fmt::format("no {} {}: expected a file, or shipped data in the folder of the "
                                       "environment variable NESTOR_DATA (it contains {}/)",
                                       what, quote(given), DataKind::architecture.folder));
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return input_error({}, fmt::format("no {} {}{}, expected a file or one of: {}", what, quote(given),
                                     suggestion(given, candidates), fmt::join(names, ", ")));
}

Result<fs::path> find_data(DataKind kind, const std::string& path_or_name) {
  if (looks_like_path(path_or_name)) return fs::path(path_or_name);
  const auto names = shipped_names(kind);
  if (std::binary_search(names.begin(), names.end(), path_or_name))
    return data_directory() / kind.folder / (path_or_name + ".yaml");
  return unknown_name(kind.word, path_or_name, names);
}

}  // namespace nestor::io
