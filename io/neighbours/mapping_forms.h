// Readers and writers of mappings in the forms of other tools: ZigZag's printed loop ordering, Timeloop's
// mapping YAML and AccelForge's mapping YAML. Reading a written mapping yields the same mapping. Mappings
// that a form cannot express are rejected. No form has double buffers, so Nestor adds a section for them
// (docs/neighbours.md).
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

/// A layer with a canonical, legal mapping that has the layer's exact bounds.
struct MappedLayer {
  const Layer* layer = nullptr;
  const Mapping* mapping = nullptr;
};

/// True for zigzag, timeloop and accelforge.
bool is_mapping_form(ShownForm form);
/// True if the text begins like one of these forms, or like an input mapping of ZigZag, which parse_mappings
/// rejects.
bool is_foreign_mapping(std::string_view text);

/// Writes mappings in a form. ZigZag's form allows any number of layers, the other forms only one.
Result<std::string> write_mappings(ShownForm form, std::span<const MappedLayer> layers,
                                   const NamedArchitecture& architecture);

/// Returns one mapping per layer, or nothing if the text has none of these forms. A file in ZigZag's
/// form names the layers of its mappings.
std::optional<Result<std::vector<Mapping>>> parse_mappings(std::string_view text, const std::string& file,
                                                           const NamedArchitecture& architecture,
                                                           std::span<const Layer> layers);

}  // namespace nestor::io::neighbours
