#include "io/cim/architecture_file.h"

#include <fmt/format.h>

#include "io/document_edit.h"
#include "io/foreign_keys.h"
#include "io/hierarchy_fields.h"
#include "io/neighbours/neighbours.h"
#include "io/part_costs.h"

namespace nestor::io {
namespace {

constexpr std::array<std::string_view, 1> cim_kinds = {"cim"};

void describe_memory(Fields& fields, const Technology& technology, std::string& name, Memory& memory,
                     PartCosts& costs) {
  describe_memory_head(fields, name, memory);
  fields.quantity("bandwidth", memory.bandwidth, size_units, bits_range, required,
                  "Bits per cycle between this memory and the next level inward.");
  fields.flag("double_buffer", memory.double_buffer, false,
              "True if tiles may be double-buffered, as chosen per operand.");
  describe_part_costs(fields, technology, memory, costs);
}

// `technology` and `memory_nodes` are used only by the reader.
void describe_machine(Fields& fields, NamedArchitecture& named, Technology& technology,
                      std::vector<Node>& memory_nodes) {
  auto& machine = named.machine;
  fields.name("name", named.name, "Name of the machine.");
  fields.text("source", named.source, "Origin of the parameters.");
  fields.constant("kind", "cim", optional, "Kind of machine; default: cim.");
  fields.part(
      "technology", optional, [&](Fields& part) { describe_technology(part, technology); }, "");
  describe_hierarchy(fields, "cim", machine, named, 0, memory_nodes,
                     [&](Fields& memory, std::string& name, Memory& values, PartCosts& costs) {
                       describe_memory(memory, technology, name, values, costs);
                     });
  fields.part(
      "compute", required,
      [&](Fields& compute) {
        compute.integer("mvm_cycles", machine.mvm_cycles, count_range, required,
                        "Cycles of one matrix-vector product.");
        compute.number("mac_energy", machine.mac_energy, energy_range, 0, "pJ per multiply-accumulate.");
        describe_compute_area(compute, named.compute_area);
      },
      "");
  describe_rates(fields, machine.leakage, machine.clock);
}

}  // namespace

NamedArchitecture read_architecture_node(const Node& node, Reading& reading) {
  if (const auto kind = node.find("kind")) read_word(*kind, "kind", cim_kinds, reading);
  refuse_foreign_keys(node, "cim", reading);
  if (const auto compute = node.find("compute")) refuse_foreign_keys(*compute, "cim", reading);
  NamedArchitecture result;
  Technology technology;
  std::vector<Node> memory_nodes;
  read_fields(node, "architecture", reading,
              [&](Fields& fields) { describe_machine(fields, result, technology, memory_nodes); });
  if (const auto hierarchy = node.find("hierarchy"))
    check_operands(result.machine, result.memory_names, memory_nodes, *hierarchy, reading);
  return result;
}

namespace {

// Returns the machine of another tool's file. Errors in the translated machine have no line number.
Result<NamedArchitecture> architecture_of(const neighbours::Translated& translated, const std::string& file) {
  auto architecture = parse_architecture(translated.json.dump(), file + ".json");
  if (!architecture) return input_error({file}, architecture.error().message);
  architecture->untranslated = translated.untranslated;
  return architecture;
}

Result<NamedArchitecture> architecture_from(const Node& root) {
  if (const auto translated = neighbours::translate_machine(root)) {
    if (!*translated) return translated->error();
    return architecture_of(**translated, root.where().file);
  }
  Reading reading;
  auto architecture = read_architecture_node(root, reading);
  if (reading.failed()) return reading.error();
  return architecture;
}

}  // namespace

Result<NamedArchitecture> parse_architecture(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file, {.foreign = true});
  if (!document) return document.error();
  return architecture_from(document->root());
}

Result<NamedArchitecture> read_architecture(const std::string& path_or_name,
                                            std::span<const std::string> settings) {
  return read_machine_file(path_or_name, settings, architecture_from);
}

Json architecture_to_json(NamedArchitecture architecture) {
  Technology technology;
  std::vector<Node> memory_nodes;
  return write_fields(
      [&](Fields& fields) { describe_machine(fields, architecture, technology, memory_nodes); });
}

Json architecture_schema() {
  NamedArchitecture named;
  Technology technology;
  std::vector<Node> memory_nodes;
  return schema_of([&](Fields& fields) { describe_machine(fields, named, technology, memory_nodes); });
}

}  // namespace nestor::io
