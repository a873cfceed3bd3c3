// Tests that the committed JSON Schemas of files and docs/machines.md and docs/keys.md are those that the
// fields of the readers yield. `make expected` rewrites them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/cnm/mapping_file.h"
#include "io/cnm/program_file.h"
#include "io/cnm/system_file.h"
#include "io/constraint_file.h"
#include "io/layer_file.h"
#include "io/netlist/energies.h"
#include "io/pim/machine_file.h"
#include "io/plan_file.h"
#include "key_table.h"
#include "places.h"
#include "report/chip/compile_run.h"
#include "report/chip/program_run.h"
#include "report/cim/bounds.h"
#include "report/cnm/estimate_text.h"
#include "report/cnm/result_json.h"
#include "report/keys/common.h"
#include "report/lp_solution.h"
#include "report/results/cim/result_file.h"
#include "report/results/pim/result_file.h"
#include "report/shipped.h"
#include "report/simd/schedule_run.h"
#include "report/verification.h"
#include "report/verify/baseline.h"

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
    {"mapping.schema.json", "Mapping", "One mapping, or a list with one mapping per layer.",
     mapping_file_schema},
    {"cnm-mapping.schema.json", "Mapping of a kernel",
     "The maps of a kernel, each onto a part of the units (docs/models/cnm.md).", cnm_mapping_schema},
    {"cnm-program.schema.json", "Program of kernels",
     "Values and the operations on them (docs/formats.md, Programs). nestor show prints such programs, and "
     "nestor map places them.",
     cnm_program_schema},
    {"constraints.schema.json", "Constraints",
     "Decisions that map --fix FILE fixes before the search (docs/formats.md). Every part is optional.",
     constraints_schema},
    {"plan.schema.json", "Plan of a sweep",
     "Networks, machines and options whose combinations nestor sweep solves (docs/sweep.md).", plan_schema},
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
    {"cnm-result.schema.json", "Result of kind cnm",
     "Results of estimate, evaluate, simulate and map on a compute-near-memory system: for one kernel, for "
     "the "
     "layers of a network, or for a program of several operations.",
     report::cnm_result_schema},
    {"compile.schema.json", "Compiled network",
     "Results of compile, and of evaluate and simulate for its results (docs/models/chip.md). Cycles, bits "
     "and "
     "counts are integers; energies are in picojoules, and powers in picojoules per cycle.",
     report::chip_result_schema},
    {"schedule.schema.json", "Result of kind simd",
     "The request of nestor schedule, the schedule with its figures, and data for the charts of reports.",
     report::schedule_result_schema},
};

const std::vector<Format> other_outputs = {
    {"bounds.schema.json", "Root bounds",
     "Output of nestor map --bound-only --json: the bound that each technique gives before any search, and "
     "the "
     "number of spatial choices that it closes.",
     report::bounds_schema},
    {"catalogue.schema.json", "Shipped architectures and networks",
     "Output of nestor show --list --json: the built-in architectures and networks.", report::shipped_schema},
    {"check.schema.json", "Comparison with baselines",
     "Output of nestor check: the runs of older results are repeated, and the outcomes are compared.",
     baselines_schema},
    {"chip-program.schema.json", "Program of a chip",
     "Output of nestor show --json for the program of a compiled network: its text "
     "(docs/models/chip-program.md).",
     report::program_schema},
    {"kernel.schema.json", "Kernel, lowered",
     "Output of nestor show --json for a compute-near-memory kernel: its text in the language that --as "
     "selects "
     "(docs/models/cnm.md).",
     report::kernel_text_schema},
    {"lp.schema.json", "Solution of a linear program",
     "Output of nestor lp --json: the status, and the value, price or certificate entry of every column and "
     "row.",
     report::lp_schema},
    {"verification.schema.json", "Verification",
     "Output of nestor verify --json for a result file (or given mappings), or for a schedule.",
     report::verification_schema},
};

// Prints a list or a map between `open` and `close`, with `print` for each element.
template <typename Print>
std::string join_elements(const Json& json, const std::string& open, const std::string& separator,
                          const std::string& close, const Print& print) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!text.empty()) text += separator;
    if (json.is_object()) text += Json(key).dump() + ": ";
    text += print(value);
  }
  return (json.is_object() ? "{" : "[") + open + text + close + (json.is_object() ? "}" : "]");
}

std::string one_line(const Json& json) {
  return json.is_structured() && !json.empty() ? join_elements(json, "", ", ", "", one_line) : json.dump();
}

// Prints a value on one line if the line is short, and otherwise each of its elements.
std::string layout(const Json& json, std::size_t indent) {
  if (auto line = one_line(json); !json.is_structured() || indent + line.size() < 110) return line;
  const std::string margin = "\n" + std::string(indent + 2, ' ');
  return join_elements(json, margin, "," + margin, "\n" + std::string(indent, ' '),
                       [&](const Json& value) { return layout(value, indent + 2); });
}

std::string schema_file(const Format& format) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", format.file},
                 {"title", format.title},
                 {"description", format.description}};
  schema.update(format.schema());
  return layout(schema, 0) + "\n";
}

std::string title_of(const Format& format) {
  auto text = fmt::format("\n## {}\n\n{}", format.title, format.description);
  if (!format.file.empty()) text += fmt::format(" [Schema](../data/schema/{}).", format.file);
  return text + "\n";
}

std::string keys_page() {
  std::string page =
      "# Keys of networks, mappings, constraints, plans and results\n\n"
      "Generated from the fields of the readers and writers by `make expected`; a test compares them. A key "
      "in\n"
      "a list of records or in a map of records by name has a path: `layers.name` is the name of each "
      "layer,\n"
      "`spatial.*.K` the factor of K on any axis. A key without a default or the word always is present if "
      "it\n"
      "applies. A written key with a value such as `1` is left out if it has this value.\n"
      "[formats.md](formats.md) has examples, and [machines.md](machines.md) has the keys of machines.\n";
  KeyTable table(page);
  for (const auto& format : networks) {
    const auto schema = format.schema();
    page += title_of(format);
    table.add("required", format.title, schema.contains("$defs") ? schema["$defs"]["mapping"] : schema);
  }
  const auto head = result_head_schema()["properties"];
  for (const auto* formats : {&results, &other_outputs})
    for (const auto& format : *formats) {
      const auto schema = format.schema();
      page += title_of(format);
      const bool has_head = formats == &results && format.file != "result-head.schema.json";
      const auto add = [&](Json form, const std::string& name) {
        if (has_head)
          for (const auto& [key, value] : head.items()) form["properties"].erase(key);
        table.add("always", name, form);
      };
      if (has_head) page += "\nThe keys of the head, and:\n";
      if (!schema.contains("oneOf")) {
        add(schema, format.title);
        continue;
      }
      for (const auto& [name, form] : schema["$defs"].items()) {
        page += fmt::format("\n### {}: {}\n", format.title, name);
        add(form, format.title + ": " + name);
      }
    }
  return page;
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
    page += title_of(format);
    if (!schema.contains("$defs")) {
      KeyTable(page).add("required", format.title, schema);
      continue;
    }
    for (const auto& [target, table] : schema["$defs"].items()) {
      page += "\n### Target " + target + "\n";
      KeyTable(page).add("required", target, table);
    }
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
  for (const auto* formats : {&machines, &networks, &results, &other_outputs})
    for (const auto& format : *formats) expect_committed("data/schema/" + format.file, schema_file(format));
}

TEST(GeneratedSchemas, CommittedPageMatchesTheFields) {
  expect_committed("docs/machines.md", machines_page());
  expect_committed("docs/keys.md", keys_page());
}

}  // namespace
}  // namespace nestor::io::generated_schemas_test
