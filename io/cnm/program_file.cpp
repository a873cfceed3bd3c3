#include "io/cnm/program_file.h"

#include <fmt/format.h>

#include <array>

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"
#include "io/cnm/program_kernel.h"

namespace nestor::io {
Json to_json(const cnm::KernelProgram& program) {
  const auto names = [&](const std::vector<std::size_t>& list) {
    auto array = Json::array();
    for (const auto value : list) array.push_back(program.values[value].name);
    return array;
  };
  Json json = {{"program", program.name}, {"values", Json::object()}};
  for (const auto& [name, type, bytes] : program.values) {
    Json& value = json["values"][name] = Json::object();
    if (!type.empty()) value["type"] = type;
    value["bytes"] = bytes;
  }
  json["inputs"] = names(program.inputs);
  json["outputs"] = names(program.outputs);
  json["constants"] = names(program.constants);
  auto operations = Json::array();
  for (const auto& operation : program.operations) {
    Json entry = {
        {"name", operation.name}, {"reads", names(operation.reads)}, {"writes", names(operation.writes)}};
    if (operation.kernel) entry["kernel"] = kernel_json(program, operation);
    if (!operation.host.empty()) entry["host"] = operation.host;
    if (!operation.time_ms.empty()) entry["time_ms"] = operation.time_ms;
    for (const auto& [system, parts] : operation.parts)
      for (const auto& [value, part] : parts) {
        const auto& name = program.values[value].name;
        if (part.token) entry["parts"][system][name] = *part.token;
        if (part.bytes) entry["bytes"][system][name] = *part.bytes;
      }
    operations.push_back(std::move(entry));
  }
  json["ops"] = std::move(operations);
  return json;
}

namespace {

constexpr std::size_t most_values = 100'000;
constexpr std::size_t most_program_operations = 10'000;
constexpr std::size_t most_systems = 16;
constexpr double most_ms = 1e9;

class ProgramReader {
 public:
  Result<cnm::KernelProgram> run(const Node& node) {
    constexpr std::array<std::string_view, 6> keys = {"program", "values",    "inputs",
                                                      "outputs", "constants", "ops"};
    const MapReader reader(node, "program", keys, reading_);
    program_.name = reader.title("program");
    if (const auto values = reader.require("values")) read_values(*values);
    made_.assign(program_.values.size(), false);
    program_.inputs = read_names(reader, "inputs");
    program_.constants = read_names(reader, "constants");
    for (const auto* const list : {&program_.inputs, &program_.constants})
      for (const std::size_t value : *list) made_[value] = true;
    for (const Node& operation : reader.list("ops", 1, most_program_operations)) {
      if (reading_.failed()) break;
      read_operation(operation);
    }
    program_.outputs = read_names(reader, "outputs");
    if (reading_.failed()) return reading_.error();
    for (const std::size_t value : program_.outputs)
      if (!made_[value])
        return input_error(node.where(), fmt::format("output {} is not written by any operation",
                                                     quote(program_.values[value].name)));
    return std::move(program_);
  }

 private:
  void read_values(const Node& node) {
    constexpr std::array<std::string_view, 2> keys = {"type", "bytes"};
    if (!node.is_map() || node.size() > most_values)
      return reading_.fail(node, fmt::format("values: expected a map of at most {} values", most_values));
    for (std::size_t i = 0; i < node.size(); ++i) {
      const MapReader reader(node.value(i), "value", keys, reading_);
      cnm::ProgramValue value;
      value.name = read_title(node.key(i), "value", reading_);
      value.type = reader.text("type", "");
      value.bytes = reader.integer("bytes", {0, cnm::max_count});
      if (reading_.failed()) return;
      names_.emplace(value.name, program_.values.size());
      program_.values.push_back(std::move(value));
    }
  }

  std::size_t value_of(const Node& node) {
    const std::string name(node.text());
    if (const auto known = names_.find(name); known != names_.end()) return known->second;
    reading_.fail(node, fmt::format("no value {}, expected one of 'values'", node.describe()));
    return 0;
  }

  std::vector<std::size_t> read_names(const MapReader& reader, std::string_view key) {
    std::vector<std::size_t> list;
    for (const Node& item : reader.list(key, 0, most_values)) {
      if (reading_.failed()) return {};
      list.push_back(value_of(item));
    }
    return reading_.failed() ? std::vector<std::size_t>{} : list;
  }

  void read_operation(const Node& node) {
    constexpr std::array<std::string_view, 8> keys = {"name", "reads",   "writes", "kernel",
                                                      "host", "time_ms", "parts",  "bytes"};
    const MapReader reader(node, "operation", keys, reading_);
    cnm::ProgramOperation operation;
    operation.name = reader.title("name");
    operation.reads = read_names(reader, "reads");
    operation.writes = read_names(reader, "writes");
    operation.host = reader.text("host", "");
    if (reading_.failed()) return;
    for (const std::size_t value : operation.reads)
      if (!made_[value])
        return reading_.fail(node, fmt::format("{} reads {} before an operation writes it",
                                               quote(operation.name), quote(program_.values[value].name)));
    for (const std::size_t value : operation.writes) {
      if (made_[value])
        return reading_.fail(node, fmt::format("{} writes {}, which is already written",
                                               quote(operation.name), quote(program_.values[value].name)));
      made_[value] = true;
    }
    if (const auto kernel = reader.find("kernel"); kernel && !reading_.failed())
      read_kernel(*kernel, program_, names_, operation, reading_);
    for_each(reader, "time_ms", [&](const Node& system, const Node& time) {
      const double ms = read_number(time, "time_ms", 0, reading_);
      if (ms > most_ms) reading_.fail(time, fmt::format("time_ms: expected at most {:.0f}", most_ms));
      operation.time_ms[std::string(system.text())] = ms;
    });
    read_parts(reader, "parts", operation, [&](cnm::ValuePart& part, const Node& text) {
      part.token = read_text(text, "token", reading_);
    });
    read_parts(reader, "bytes", operation, [&](cnm::ValuePart& part, const Node& text) {
      part.bytes = read_integer(text, "bytes", {0, cnm::max_count}, reading_);
    });
    program_.operations.push_back(std::move(operation));
  }

  template <typename Visit>
  void for_each(const MapReader& reader, std::string_view key, Visit&& visit) {
    const auto map = reader.find(key);
    if (!map || reading_.failed()) return;
    if (!map->is_map() || map->size() > most_systems)
      return reading_.fail(*map, fmt::format("{}: expected a map by system, found {}", key, map->describe()));
    for (std::size_t i = 0; i < map->size() && !reading_.failed(); ++i) visit(map->key(i), map->value(i));
  }

  template <typename Set>
  void read_parts(const MapReader& reader, std::string_view key, cnm::ProgramOperation& operation,
                  Set&& set) {
    for_each(reader, key, [&](const Node& system, const Node& values) {
      if (!values.is_map())
        return reading_.fail(values, "expected a map by value, found " + values.describe());
      for (std::size_t i = 0; i < values.size() && !reading_.failed(); ++i)
        set(operation.parts[std::string(system.text())][value_of(values.key(i))], values.value(i));
    });
  }

  Reading reading_;
  cnm::KernelProgram program_;
  HashMap<std::string, std::size_t> names_;
  std::vector<bool> made_;
};

}  // namespace

Result<cnm::KernelProgram> program_from(const Node& node) { return ProgramReader().run(node); }

Result<cnm::KernelProgram> read_program_file(const std::string& path) {
  const auto document = Document::read(path);
  if (!document) return document.error();
  return program_from(document->root());
}

}  // namespace nestor::io
