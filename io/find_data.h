// Lookup of built-in architectures and networks by name, and of all other files by path. An argument is a
// path if it contains a '/', ends in .yaml, .yml, .json or .onnx, or names an existing file; "-" is standard
// input. Built-in files are in $NESTOR_DATA, or in share/nestor below the prefix of the library or the
// program. Only binaries that run from their build tree read the source tree instead.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace nestor::io {

/// A kind of built-in data, with its folder in `data/`.
struct DataKind {
  std::string_view folder;
  std::string_view word;  ///< noun for messages

  static const DataKind architecture;
  static const DataKind network;
};
constexpr DataKind DataKind::architecture = {"architectures", "architecture"};
constexpr DataKind DataKind::network = {"networks", "network"};

/// Returns the file for a path or a built-in name. The error for an unknown name suggests the nearest
/// built-in name.
Result<std::filesystem::path> find_data(DataKind kind, const std::string& path_or_name);

/// Returns the error for a name that is neither a file nor one of `names`. The message lists `names`. If
/// there are none, it explains how to specify the data folder.
Error unknown_name(std::string_view what, const std::string& given, const std::vector<std::string>& names);

/// Returns the names that can be given instead of a path, sorted.
std::vector<std::string> shipped_names(DataKind kind);

/// Returns the data folder in use; empty if there is none.
std::filesystem::path data_directory();

}  // namespace nestor::io
