#include "io/cim/mapping_file.h"

#include "io/foreign_keys.h"
#include "io/neighbours/mapping_forms.h"

namespace nestor::io {

Mapping read_mapping_node(const Node& node, const NamedArchitecture& architecture, Reading& reading) {
  refuse_foreign_mapping_keys(node, "cim", reading);
  const MapReader map(node, "mapping", mapping_keys::top, reading);
  NestReader nest(architecture.memory_names, architecture.axis_names, reading);
  Mapping mapping = nest.read(map);
  nest.read_pairs(map, "double_buffer", "double-buffered", mapping.double_buffered);
  return mapping;
}

Result<std::vector<Mapping>> parse_mappings(std::string_view text, const std::string& file,
                                            const NamedArchitecture& architecture,
                                            std::span<const Layer> layers) {
  if (auto foreign = neighbours::parse_mappings(text, file, architecture, layers)) return *foreign;
  return parse_one_per_layer(text, file, layers.size(), [&](const Node& node, Reading& reading) {
    return read_mapping_node(node, architecture, reading);
  });
}

Result<std::vector<Mapping>> read_mappings(const std::string& path, const NamedArchitecture& architecture,
                                           std::span<const Layer> layers) {
  const auto text = read_file(path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_mappings(*text, path, architecture, layers);
}

Json mapping_to_json(const Mapping& mapping, const NamedArchitecture& architecture) {
  return {{"spatial", spatial_to_json(mapping, architecture.axis_names)},
          {"temporal", temporal_to_json(mapping, architecture.memory_names)},
          {"double_buffer", pairs_to_json(mapping.double_buffered, architecture.memory_names)}};
}

}  // namespace nestor::io
