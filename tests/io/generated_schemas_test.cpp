// Tests that the committed JSON Schemas of files and docs/machines.md are those that the fields of the
// readers yield. `make expected` rewrites them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/cim/architecture_file.h"
#include "io/cnm/system_file.h"
#include "io/layer_file.h"
#include "io/netlist/energies.h"
#include "io/pim/machine_file.h"
#include "places.h"
#include "report/results/cim/result_file.h"
#include "report/results/pim/result_file.h"

namespace nestor::io::generated_schemas_test {
namespace {

struct Format {
  std::string file;
  std::string title;
  std::string description;
  Json (*schema)();
};

const std::vector<Format> machines = {
    {"architecture.schema.json", "Architecture of kind cim",
     "A compute-in-memory machine: a hierarchy of memories and spatial axes, listed from the outermost "
     "memory to the "
     "compute array (docs/models/cim.md, section 2).",
     architecture_schema},
    {"pim-architecture.schema.json", "Architecture of kind pim",
     "A machine that computes in or next to DRAM: a hierarchy of memories and spatial axes, outermost first "
     "(docs/models/pim.md, section 1).",
     pim::machine_schema},
    {"chip-architecture.schema.json", "Architecture of kind chip",
     "A chip with cores of crossbars (docs/models/chip.md). An omitted size is unlimited, and an omitted "
     "rate is ideal.",
     chip_machine_schema},
    {"cnm-architecture.schema.json", "Architecture of kind cnm",
     "A compute-near-memory system: three levels of units and the parameters of their times "
     "(docs/models/cnm.md), or "
     "the host of such systems.",
     cnm_system_schema},
};

// The machine of `schedule` has no file: --set changes its values.
const Format simd_machine = {"", "Machine of schedule",
                             "Energies of bit-serial arrays (docs/models/simd.md), which have no file.",
                             simd_machine_schema};

const std::vector<Format> networks = {
    {"layers.schema.json", "Layers",
     "The layers of a network, each a loop nest over the dimensions N, K, C, P, Q, R, S and G "
     "(docs/formats.md).",
     layers_schema},
    {"chip-network.schema.json", "Network of chip operators",
     "Operators in topological order, each with its inputs (docs/models/chip.md, section 2).",
     chip_network_schema},
};

const std::vector<Format> results = {
    {"result-head.schema.json", "Head of a result",
     "The keys with which results of all verbs and spaces begin, in this order. Schemas of results refer to "
     "them.",
     result_head_schema},
    {"result.schema.json", "Result of kind cim",
     "The request of a run, its results for each layer, and their totals (docs/formats.md).",
     result_schema_of_cim},
    {"pim-result.schema.json", "Result of kind pim",
     "The request of a run, its results for each layer, and their totals (docs/formats.md).",
     pim::result_schema},
};

// Prints a value on one line if the line is short, and otherwise each of its elements.
std::string layout(const Json& json, std::size_t indent) {
  if ((!json.is_object() && !json.is_array()) || json.empty()) return json.dump();
  const auto print = [&](const std::string& separator, auto&& value_text) {
    std::string text;
    for (const auto& [key, value] : json.items()) {
      if (!text.empty()) text += separator;
      if (json.is_object()) text += Json(key).dump() + ": ";
      text += value_text(value);
    }
    return text;
  };
  const std::string open = json.is_object() ? "{" : "[", close = json.is_object() ? "}" : "]";
  const std::function<std::string(const Json&)> flat = [&](const Json& value) { return layout(value, 0); };
  if (const auto line = print(", ", flat); indent + line.size() < 108 && line.find('\n') == std::string::npos)
    return open + line + close;
  const std::string margin(indent + 2, ' ');
  return open + "\n" + margin +
         print(",\n" + margin, [&](const Json& value) { return layout(value, indent + 2); }) + "\n" +
         std::string(indent, ' ') + close;
}

std::string schema_file(const Format& format) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", format.file},
                 {"title", format.title},
                 {"description", format.description}};
  schema.update(format.schema());
  return layout(schema, 0) + "\n";
}

std::string range_text(const std::string& type, const Json& schema) {
  const auto high = schema.at("maximum").get<double>();
  const auto low = schema.at("minimum").dump();
  return high > 1e12 ? fmt::format("{} of at least {}", type, low)
                     : fmt::format("{} from {} to {}", type, low, schema.at("maximum").dump());
}

// Returns the valid values in words.
std::string values_text(const Json& schema) {
  if (schema.contains("const"))
    return fmt::format(
        "`{}`", schema["const"].is_string() ? schema["const"].get<std::string>() : schema["const"].dump());
  if (schema.contains("enum")) {
    std::string text;
    for (const auto& word : schema["enum"])
      text += fmt::format("{}`{}`", text.empty() ? "" : " ", word.get<std::string>());
    return text;
  }
  if (schema.contains("oneOf")) {
    std::string text;
    for (const auto& option : schema["oneOf"]) text += (text.empty() ? "" : "; or ") + values_text(option);
    return text;
  }
  const auto type = schema.at("type").get<std::string>();
  if (type == "integer") return range_text("an integer", schema);
  if (type == "number") return range_text("a number", schema);
  if (type == "boolean") return "`true` `false`";
  if (type == "array")
    return "a list" + (schema.at("items").contains("enum") ? " of " + values_text(schema["items"]) : "");
  if (type == "object") return "a map";
  const auto pattern = schema.value("pattern", std::string());
  if (pattern.find("*(") == std::string::npos) return schema.contains("maxLength") ? "a name" : "a text";
  auto units = pattern.substr(pattern.find("*(") + 2);
  units.resize(units.find(')'));
  std::replace(units.begin(), units.end(), '|', ' ');
  return "a number with unit `" + units + "`";
}

void add_rows(const std::string& path, const Json& schema, std::string& page);

void add_row(const std::string& path, const Json& schema, bool required, std::string& page) {
  const auto fallback = schema.find("default");
  auto value = fallback == schema.end() ? std::string()
               : fallback->is_string()  ? fallback->get<std::string>()
                                        : fallback->dump();
  if (required) value = "required";
  const auto meaning = schema.value("description", std::string());
  const bool is_record = schema.contains("properties");
  if (!is_record || !meaning.empty())
    page +=
        fmt::format("| `{}` | {} | {} | {} |\n", path, is_record ? "" : values_text(schema), value, meaning);
  add_rows(path + ".", schema, page);
}

void add_rows(const std::string& path, const Json& schema, std::string& page) {
  if (schema.contains("items") && schema["items"].contains("properties"))
    return add_rows(path, schema["items"], page);
  if (schema.contains("items") && schema["items"].contains("oneOf")) {
    for (const auto& entry : schema["items"]["oneOf"]) add_rows("", entry, page);
    return;
  }
  if (!schema.contains("properties")) return;
  const auto keys = schema.value("required", Json::array());
  for (const auto& [key, value] : schema["properties"].items())
    add_row(path + key, value, std::find(keys.begin(), keys.end(), key) != keys.end(), page);
}

std::string machines_page() {
  std::string page =
      "# Keys of machine files\n\n"
      "Generated from the fields of the readers by `make expected`; a test compares them. `--set PATH=VALUE` "
      "changes\n"
      "any of these values for one run: `--set memory.gbuf.capacity=512KiB`, `--set chip.l0.hidden=true`,\n"
      "`--set dma.read.setup=40` (an item of a list is given by its name). Units: `b` is a bit, `B` a byte, "
      "`Ki` 1024.\n"
      "[formats.md](formats.md) has an example and explains `auto`.\n";
  auto formats = machines;
  formats.push_back(simd_machine);
  for (const auto& format : formats) {
    const auto schema = format.schema();
    const auto add_table = [&](const std::string& title, const Json& table) {
      page += fmt::format("{}\n| key | value | default | meaning |\n|---|---|---|---|\n", title);
      add_rows("", table, page);
    };
    page += fmt::format("\n## {}\n\n{}", format.title, format.description);
    if (!format.file.empty()) page += fmt::format(" [Schema](../data/schema/{}).", format.file);
    page += "\n";
    if (!schema.contains("$defs"))
      add_table("", schema);
    else
      for (const auto& [target, table] : schema["$defs"].items())
        add_table("\n### Target " + target + "\n", table);
  }
  return page;
}

void expect_committed(const std::string& file, const std::string& text) {
  const auto path = NESTOR_SOURCE_DIR "/" + file;
  if (std::getenv("NESTOR_UPDATE_EXPECTED") != nullptr) {
    ASSERT_FALSE(write_file(path, text));
  }
  const auto committed = read_file(path);
  ASSERT_TRUE(committed) << committed.error().to_string();
  EXPECT_EQ(*committed, text) << "run `make expected`";
}

TEST(GeneratedSchemas, CommittedFilesMatchTheFields) {
  for (const auto* formats : {&machines, &networks, &results})
    for (const auto& format : *formats) expect_committed("data/schema/" + format.file, schema_file(format));
}

TEST(GeneratedSchemas, CommittedPageMatchesTheFields) {
  expect_committed("docs/machines.md", machines_page());
}

}  // namespace
}  // namespace nestor::io::generated_schemas_test
