#include "io/cnm/program_file.h"

#include <fmt/format.h>

#include "io/cnm/program_kernel.h"
#include "io/fields.h"

namespace nestor::io {
namespace {

constexpr std::size_t most_values = 100'000;
constexpr SizeRange operation_counts = {1, 10'000};
constexpr std::size_t most_systems = 16;
constexpr NumberRange ms_range = {0, 1e9};
constexpr IntRange byte_range = {0, cnm::max_count};

// Reads a map of at most `most` entries. `by` says what its keys are.
template <typename ReadEntry>
void read_map(const Node& node, const std::string& label, std::string_view by, std::size_t most,
              Reading& reading, const ReadEntry& read_entry) {
  if (!node.is_map())
    return reading.fail(node, fmt::format("{}: expected a map by {}, found {}", label, by, node.describe()));
  if (node.size() > most)
    return reading.fail(node,
                        fmt::format("{} has {} entries, expected at most {}", label, node.size(), most));
  for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i) read_entry(node.key(i), node.value(i));
}

void describe_value(Fields& fields, cnm::ProgramValue& value) {
  fields.text("type", value.type, "Such as 16x32xf32; absent if it is unknown.");
  fields.integer("bytes", value.bytes, byte_range, required, "Size of the value.");
}

// The fields of a program. Those that name values are read after the values.
class ProgramFields {
 public:
  explicit ProgramFields(cnm::KernelProgram& program) : program_(program) {}

  void describe(Fields& fields) {
    fields.title("program", program_.name, required, "Name of the function.");
    add_values(fields);
    add_names(fields, "inputs", program_.inputs, "Names of values that the caller supplies.");
    add_names(fields, "outputs", program_.outputs, "Names of values that the program returns.");
    add_names(fields, "constants", program_.constants, "Names of values that are stored in the program.");
    fields.list(
        "ops", required, operation_counts, program_.operations, "operation",
        [&](Fields& inner, cnm::ProgramOperation& operation) { describe_operation(inner, operation); },
        [&](const Node& node, const cnm::ProgramOperation& operation, Reading& reading) {
          check_order(node, operation, reading);
        },
        "Operations in the order of their execution.");
  }

  /// Checks that operations write all outputs, after the program was read.
  void check_outputs(const Node& node, Reading& reading) const {
    for (const std::size_t value : program_.outputs)
      if (!is_known_[value])
        return reading.fail(node, fmt::format("output {} is not written by any operation", name_of(value)));
  }

 private:
  std::string name_of(std::size_t value) const { return quote(program_.values[value].name); }

  void add_values(Fields& fields) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      read_map(node, label, "name", most_values, reading, [&](const Node& name, const Node& record) {
        auto& value = program_.values.emplace_back();
        value.name = read_title(name, "value", reading);
        names_.emplace(value.name, program_.values.size() - 1);
        read_fields(record, "value", reading, [&](Fields& inner) { describe_value(inner, value); });
      });
    };
    const auto write = [&] {
      Json json = Json::object();
      for (auto& value : program_.values)
        json[value.name] = write_fields([&](Fields& inner) { describe_value(inner, value); });
      return json;
    };
    const auto schema = [] {
      cnm::ProgramValue value;
      return map_schema({}, schema_of([&](Fields& inner) { describe_value(inner, value); }));
    };
    fields.field({"values", required, read, [] {}, write, schema,
                  "Inputs, constants, and results that operations use, by name."});
  }

  std::size_t read_value_name(const Node& node, Reading& reading) const {
    if (const auto known = names_.find(std::string(node.text())); known != names_.end()) return known->second;
    reading.fail(node, fmt::format("no value {}, expected one of 'values'", node.describe()));
    return 0;
  }

  void add_names(Fields& fields, std::string_view key, std::vector<std::size_t>& values,
                 std::string_view meaning) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      for (const Node& item : read_list(node, label, 0, most_values, reading)) {
        values.push_back(read_value_name(item, reading));
        if (reading.failed()) return;
      }
    };
    const auto write = [&] {
      auto json = Json::array();
      for (const std::size_t value : values) json.push_back(program_.values[value].name);
      return json;
    };
    fields.field({key, required, read, [] {}, write,
                  [] {
                    return list_schema({0, most_values}, text_schema());
                  },
                  meaning});
  }

  void describe_operation(Fields& fields, cnm::ProgramOperation& operation) {
    fields.title("name", operation.name, required, "Such as `FUNCTION.1`.");
    add_names(fields, "reads", operation.reads, "Names of values.");
    add_names(fields, "writes", operation.writes, "Names of values that no earlier operation writes.");
    add_kernel(fields, operation);
    fields.text("host", operation.host,
                "Instead of a kernel: an action that only the host performs, such as `pad`.");
    add_times(fields, operation);
    add_parts(
        fields, "parts", operation, &cnm::ValuePart::token, "a token", read_text, text_schema(),
        "By system and value: a name of the form in which the system stores the value; `@host` on the host. "
        "A value that two operations of one system store in the same form needs no transfer.");
    const auto read_bytes = [](const Node& node, std::string_view what, Reading& reading) {
      return read_integer(node, what, byte_range, reading);
    };
    add_parts(fields, "bytes", operation, &cnm::ValuePart::bytes, "bytes", read_bytes,
              integer_schema(byte_range),
              "By system and value: the size of that form, if it is not that of the value.");
  }

  void add_kernel(Fields& fields, cnm::ProgramOperation& operation) {
    const auto description = [&](Fields& inner) { describe_kernel(inner, operation, program_, names_); };
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      operation.kernel.emplace().name = operation.name;
      read_fields(node, label, reading, description);
      if (reading.failed()) return;
      if (const auto fault = cnm::find_fault(*operation.kernel); !fault.empty()) reading.fail(node, fault);
    };
    const auto schema = [&] {
      cnm::ProgramOperation any;
      any.kernel.emplace();
      return schema_of([&](Fields& inner) { describe_kernel(inner, any, program_, names_); });
    };
    fields.field({"kernel", optional, read, [] {},
                  [&] { return operation.kernel ? write_fields(description) : Json(); }, schema,
                  "The loop nest that computes what the operation writes."});
  }

  static void add_times(Fields& fields, cnm::ProgramOperation& operation) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      read_map(node, label, "system", most_systems, reading, [&](const Node& system, const Node& time) {
        operation.time_ms[std::string(system.text())] = read_number(time, label, ms_range, reading);
      });
    };
    fields.field({"time_ms", optional, read, [] {},
                  [&] { return operation.time_ms.empty() ? Json() : Json(operation.time_ms); },
                  [] { return map_schema({}, number_schema(ms_range)); },
                  "Time of the operation by system. A system that is omitted does not run it."});
  }

  // Adds the part `of` of the values that an operation reads or writes, by system and value.
  template <typename T, typename ReadPart>
  void add_parts(Fields& fields, std::string_view key, cnm::ProgramOperation& operation,
                 std::optional<T> cnm::ValuePart::*of, std::string_view what, const ReadPart& read_part,
                 const Json& part_schema, std::string_view meaning) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      read_map(node, label, "system", most_systems, reading, [&](const Node& system, const Node& parts) {
        auto& of_system = operation.parts[std::string(system.text())];
        read_map(parts, label, "value", most_values, reading, [&](const Node& name, const Node& part) {
          of_system[read_value_name(name, reading)].*of = read_part(part, what, reading);
        });
      });
    };
    const auto write = [&] {
      Json json;
      for (const auto& [system, parts] : operation.parts)
        for (const auto& [value, part] : parts)
          if (part.*of) json[system][program_.values[value].name] = *(part.*of);
      return json;
    };
    fields.field({key, optional, read, [] {}, write,
                  [&] { return map_schema({}, map_schema({}, part_schema)); }, meaning});
  }

  // Checks that an operation reads only values that exist, and writes only values that do not exist yet.
  void check_order(const Node& node, const cnm::ProgramOperation& operation, Reading& reading) {
    if (program_.operations.empty()) {
      is_known_.assign(program_.values.size(), false);
      for (const auto* const list : {&program_.inputs, &program_.constants})
        for (const std::size_t value : *list) is_known_[value] = true;
    }
    for (const std::size_t value : operation.reads)
      if (!is_known_[value])
        return reading.fail(node, fmt::format("{} reads {} before an operation writes it",
                                              quote(operation.name), name_of(value)));
    for (const std::size_t value : operation.writes) {
      if (is_known_[value])
        return reading.fail(node, fmt::format("{} writes {}, which is already written", quote(operation.name),
                                              name_of(value)));
      is_known_[value] = true;
    }
  }

  cnm::KernelProgram& program_;
  ValueNames names_;            ///< of the values that were read
  std::vector<bool> is_known_;  ///< by value: an input, a constant or written by an operation
};

}  // namespace

Json to_json(const cnm::KernelProgram& program) {
  auto written = program;
  return write_fields([&](Fields& fields) { ProgramFields(written).describe(fields); });
}

Json cnm_program_schema() {
  cnm::KernelProgram program;
  return schema_of([&](Fields& fields) { ProgramFields(program).describe(fields); });
}

Result<cnm::KernelProgram> program_from(const Node& node) {
  Reading reading;
  cnm::KernelProgram program;
  ProgramFields description(program);
  read_fields(node, "program", reading, [&](Fields& fields) { description.describe(fields); });
  if (!reading.failed()) description.check_outputs(node, reading);
  if (reading.failed()) return reading.error();
  return program;
}

Result<cnm::KernelProgram> read_program_file(const std::string& path) {
  const auto document = Document::read(path);
  if (!document) return document.error();
  return program_from(document->root());
}

}  // namespace nestor::io
