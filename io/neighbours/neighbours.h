// Files of ZigZag, Timeloop and AccelForge (docs/neighbours.md): machines and networks, translated to the
// formats of architecture_file.h and layer_file.h as far as those can express them. What a file says beyond
// that is listed; what would change the meaning of the rest is refused. A format is recognised by its keys.
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
  std::vector<std::string> untranslated;  ///< "key path: why"
};

/// The machine of a file of another tool; nothing for any other document.
std::optional<Result<Translated>> translate_machine(const Node& root);
/// A network in such a file, named after it; nothing for any other text.
std::optional<Result<Network>> parse_network(std::string_view text, const std::string& file,
                                             const LayerOptions& options = {});
/// Such a file, or one of layer_file.h, by path or by the name of a network that ships.
Result<Network> read_network(const std::string& path_or_name, const LayerOptions& options = {});
/// Whether a document's keys are those of such a file.
bool is_machine(const Node& root);
bool is_network(const Node& root);

}  // namespace nestor::io::neighbours
