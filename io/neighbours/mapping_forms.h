// Mappings in the forms of other tools: ZigZag's printed loop ordering, Timeloop's mapping YAML, AccelForge's
// mapping YAML. What is written is read back as the same mapping; what a form cannot say is refused, but for
// double buffers, which none of them has: a part of our own holds those (docs/neighbours.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/shown_form.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_machine.h"
#include "model/workload/network.h"

namespace nestor::io::neighbours {

/// A layer with a canonical, legal mapping of its own bounds.
struct MappedLayer {
  const Layer* layer = nullptr;
  const Mapping* mapping = nullptr;
};

/// True for the forms of this room.
bool is_mapping_form(ShownForm form);
/// Whether a text begins as one of them.
bool is_foreign_mapping(std::string_view text);

/// ZigZag's form holds any number of layers, the others one.
Result<std::string> write_mappings(ShownForm form, std::span<const MappedLayer> layers,
                                   const NamedArchitecture& architecture);

/// A mapping for each of the layers; nothing for a text of another form. ZigZag's names the layers it is of.
std::optional<Result<std::vector<Mapping>>> parse_mappings(std::string_view text, const std::string& file,
                                                           const NamedArchitecture& architecture,
                                                           std::span<const Layer> layers);

}  // namespace nestor::io::neighbours
