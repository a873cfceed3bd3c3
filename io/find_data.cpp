#include "io/find_data.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

fs::path data_directory() {
  if (const char* given = std::getenv("NESTOR_DATA"); given != nullptr && *given != '\0') return given;
  if (const fs::path built = NESTOR_SOURCE_DATA_DIR; is_folder(built / DataKind::architecture.folder))
    return built;
  std::error_code code;
  const auto executable = fs::read_symlink("/proc/self/exe", code);
  if (code) return {};
  const auto installed = executable.parent_path().parent_path() / "share" / "nestor";
  return is_folder(installed) ? installed : fs::path();
}

std::vector<std::string> shipped_names(DataKind kind) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(data_directory() / kind.folder, code))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Result<fs::path> find_data(DataKind kind, const std::string& path_or_name) {
  if (looks_like_path(path_or_name)) return fs::path(path_or_name);
  const auto names = shipped_names(kind);
  if (std::binary_search(names.begin(), names.end(), path_or_name))
    return data_directory() / kind.folder / (path_or_name + ".yaml");
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return input_error({},
                     fmt::format("no {} {}{}, expected a file or one of: {}", kind.word, quote(path_or_name),
                                 suggestion(path_or_name, candidates), fmt::join(names, ", ")));
}

}  // namespace nestor::io
