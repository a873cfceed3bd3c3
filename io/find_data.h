// Architectures and networks that ship with Nestor are found by name, everything else by path. An argument
// with a '/' or a file ending, or that names an existing file, is a path; "-" is standard input. Shipped
// files are looked for in $NESTOR_DATA, then in share/nestor below the prefix of the library or the program.
// Only binaries in their build tree use the source tree instead.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"

namespace nestor::io {

/// What ships, in a folder of `data/` each.
struct DataKind {
  std::string_view folder;
  std::string_view word;  ///< for one of them, in messages

  static const DataKind architecture;
  static const DataKind network;
};
constexpr DataKind DataKind::architecture = {"architectures", "architecture"};
constexpr DataKind DataKind::network = {"networks", "network"};

/// The file behind a path or a shipped name; an unknown name is answered with the nearest shipped one.
Result<std::filesystem::path> find_data(DataKind kind, const std::string& path_or_name);

/// The error for a name that is neither a file nor one of `names`, which are suggested; without shipped data
/// it says where Nestor looks for them.
Error unknown_name(std::string_view what, const std::string& given, const std::vector<std::string>& names);

/// Names that can be given instead of a path, sorted.
std::vector<std::string> shipped_names(DataKind kind);

/// The data directory in use, empty if there is none.
std::filesystem::path data_directory();

}  // namespace nestor::io
