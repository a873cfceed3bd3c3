// Translation of machines and networks in files of ZigZag, Timeloop and AccelForge (docs/neighbours.md) to
// the formats of architecture_file.h and layer_file.h. Entries that these formats cannot express are listed;
// entries that would change the meaning of other entries are rejected. The keys of a file identify its
// format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/checked_reader.h"
#include "io/files.h"
#include "io/layer_file.h"

namespace nestor::io::neighbours {

struct Translated {
  Json json;
  std::vector<std::string> untranslated;  ///< entries without a translation, as "key path: why"
};

/// Translates the machine of another tool; returns nothing for any other document.
std::optional<Result<Translated>> translate_machine(const Node& root);
/// Parses a network of another tool, named after the file; returns nothing for any other text.
std::optional<Result<Network>> parse_network(std::string_view text, const std::string& file,
                                             const LayerOptions& options = {});
/// Reads a network file of another tool or in the format of layer_file.h, or a built-in network by name.
Result<Network> read_network(const std::string& path_or_name, const LayerOptions& options = {});
/// True if the keys of a document are those of another tool's machine or network.
bool is_machine(const Node& root);
bool is_network(const Node& root);

}  // namespace nestor::io::neighbours
