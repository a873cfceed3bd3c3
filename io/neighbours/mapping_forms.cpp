#include "io/neighbours/mapping_forms.h"

#include <fmt/format.h>

#include "io/neighbours/mapping_parts.h"
#include "io/nest_file.h"
#include "model/loopnest/canonical.h"

namespace nestor::io::neighbours {
namespace {

std::optional<Node> mapping_of(const Document& document) {
  const auto mapping = document.root().find("mapping");
  return mapping && (mapping->is_list() || mapping->is_map()) ? mapping : std::nullopt;
}

// Returns the first entry if the document is an input mapping of ZigZag, rather than the loop ordering that
// ZigZag prints.
std::optional<Node> zigzag_input_of(const Document& document) {
  const auto root = document.root();
  if (!root.is_list() || root.size() == 0) return std::nullopt;
  for (const auto* const name :
       {"spatial_mapping", "spatial_mapping_hint", "temporal_ordering", "memory_operand_links"})
    if (root.item(0).find(name)) return root.item(0);
  return std::nullopt;
}

}  // namespace

bool is_mapping_form(ShownForm form) {
  return form == ShownForm::zigzag || form == ShownForm::timeloop || form == ShownForm::accelforge;
}

bool is_foreign_mapping(std::string_view text) {
  if (is_zigzag(text)) return true;
  const auto head = Document::head(text, "");
  return mapping_of(head) || zigzag_input_of(head);
}

Result<std::string> write_mappings(ShownForm form, std::span<const MappedLayer> layers,
                                   const NamedArchitecture& architecture) {
  if (form == ShownForm::zigzag) return write_zigzag(layers, architecture);
  if (layers.size() != 1)
    return usage_error(
        fmt::format("--as {} writes one mapping, but there are {}: choose a layer with --layer",
                    shown_forms.word(form), layers.size()));
  return form == ShownForm::timeloop ? write_timeloop(layers[0], architecture)
                                     : write_accelforge(layers[0], architecture);
}

std::optional<Result<std::vector<Mapping>>> parse_mappings(std::string_view text, const std::string& file,
                                                           const NamedArchitecture& architecture,
                                                           std::span<const Layer> layers) {
  if (is_zigzag(text)) return read_zigzag(text, file, architecture, layers);
  const auto head = Document::head(text, file);
  if (const auto input = zigzag_input_of(head))
    return input_error(input->where(),
                       "a mapping file for ZigZag does not specify the memories of its loops: expected the "
                       "loop ordering that ZigZag prints ('Loop ordering for LAYER')");
  if (!mapping_of(head)) return std::nullopt;
  const auto document = Document::parse(text, file, {.foreign = true});
  if (!document) return document.error();
  const auto mapping = mapping_of(*document);
  if (!mapping) return std::nullopt;
  Reading reading;
  std::vector<Mapping> mappings;
  if (layers.size() != 1)
    reading.fail(*mapping, fmt::format("found one mapping for {} layers: choose the layer with --layer",
                                       layers.size()));
  else
    mappings.push_back(mapping->is_list()
                           ? read_timeloop(document->root(), architecture, reading)
                           : read_accelforge(document->root(), architecture, layers[0], reading));
  if (reading.failed()) return reading.error();
  return mappings;
}

std::array<OperandSet, max_memories> used_memories(const Mapping& mapping, const Hierarchy& machine) {
  auto used = memories_with_loops(mapping);
  for (const Operand operand : all_operands) {
    used[machine.home(operand)].insert(operand);
    used[machine.innermost(operand)].insert(operand);
  }
  return used;
}

std::string yaml_name(std::string_view name) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  constexpr std::array<std::string_view, 10> words = {"null", "true", "false", "yes", "no",
                                                      "on",   "off",  "y",     "n",   "inf"};
  std::string lowered(name);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool plain = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                     std::all_of(name.begin(), name.end(), is_plain) &&
                     std::find(words.begin(), words.end(), lowered) == words.end();
  return plain ? std::string(name) : Json(name).dump();
}

std::string double_buffers_text(const Mapping& mapping, const NamedArchitecture& architecture) {
  std::string text;
  for (std::size_t m = 0; m < architecture.memory_names.size(); ++m)
    for (const auto operand : all_operands)
      if (mapping.double_buffered[m].contains(operand))
        text += fmt::format("  - {{memory: {}, operand: {}}}\n", yaml_name(architecture.memory_names[m]),
                            letter(operand));
  if (text.empty()) return text;
  return "nestor:  # not part of the form: which tiles are double-buffered\n  double_buffer:\n" + text;
}

void read_double_buffers(const Node& root, const NamedArchitecture& architecture, Mapping& mapping,
                         Reading& reading) {
  const auto own = root.find("nestor");
  if (!own) return;
  const NestFields nest(architecture.memory_names, architecture.axis_names);
  read_fields(*own, "nestor", reading, [&](Fields& fields) {
    nest.describe_pairs(fields, "double_buffer", optional, "double-buffered", mapping.double_buffered, "");
  });
}

void add_loop(Mapping& mapping, const Loop& loop, const Node& where, Reading& reading) {
  if (loop.factor == 1 || reading.failed()) return;
  if (mapping.loops.full())
    reading.fail(where, fmt::format("more than {} temporal loops", mapping.loops.capacity()));
  else
    mapping.loops.push_back(loop);
}

bool multiply_factor(Mapping& mapping, std::size_t axis, Dim dim, Int factor) {
  Int& value = mapping.spatial[axis][index_of(dim)];
  if (factor < 1 || value > factor_range.high / factor) return false;
  value *= factor;
  return true;
}

void refuse_idle_stores(const Mapping& mapping, const std::array<OperandSet, max_memories>& stored,
                        const NamedArchitecture& architecture, const Node& where, Reading& reading) {
  const auto used = used_memories(mapping, architecture.machine);
  for (std::size_t m = 0; m < architecture.memory_names.size(); ++m)
    for (const Operand operand : all_operands)
      if (stored[m].contains(operand) && !used[m].contains(operand))
        reading.fail(where, fmt::format("{} is kept in '{}' without a loop, but is bypassed there in Nestor",
                                        letter(operand), architecture.memory_names[m]));
}

}  // namespace nestor::io::neighbours
