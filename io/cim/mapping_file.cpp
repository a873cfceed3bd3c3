#include "io/cim/mapping_file.h"

#include "io/foreign_keys.h"
#include "io/neighbours/mapping_forms.h"

namespace nestor::io {

namespace {

void describe_mapping(Fields& fields, Mapping& mapping, const NamedArchitecture& architecture) {
  const NestFields nest(architecture.memory_names, architecture.axis_names);
  nest.describe_nest(fields, mapping);
  nest.describe_pairs(fields, "double_buffer", always, "double-buffered", mapping.double_buffered,
                      "Pairs of memory and operand with two buffers.");
}

}  // namespace

Mapping read_mapping_node(const Node& node, const NamedArchitecture& architecture, Reading& reading) {
  refuse_foreign_mapping_keys(node, "cim", reading);
  Mapping mapping;
  read_fields(node, "mapping", reading,
              [&](Fields& fields) { describe_mapping(fields, mapping, architecture); });
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
  Mapping written = mapping;
  return write_fields([&](Fields& fields) { describe_mapping(fields, written, architecture); });
}

Json mapping_schema() {
  Mapping mapping;
  const NamedArchitecture none;
  return schema_of([&](Fields& fields) { describe_mapping(fields, mapping, none); });
}

Json mapping_file_schema() {
  const Json reference = {{"$ref", "#/$defs/mapping"}};
  return {{"oneOf", Json::array({reference, Json{{"type", "array"}, {"items", reference}}})},
          {"$defs", {{"mapping", mapping_schema()}}}};
}

}  // namespace nestor::io
