// Tests of `--set PATH=VALUE` on random machines of four spaces. A setting has the same effect as an edit of
// the file. Errors name wrong paths and values.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>

#include "base/random.h"
#include "io/chip/machine_file.h"
#include "io/cim/architecture_file.h"
#include "io/cnm/system_file.h"
#include "io/document_edit.h"
#include "io/find_data.h"
#include "io/pim/machine_file.h"

namespace nestor::io::set_values_test {
namespace {

/// Reads a machine and returns it as JSON or text; "" if it is refused.
using ReadBack = std::string (*)(const Node&);

template <typename Read, typename Write>
std::string read_back(const Node& root, Read read, Write write) {
  Reading reading;
  const auto machine = read(root, reading);
  return reading.failed() ? std::string() : write(machine).dump();
}

struct Kind {
  const char* name;
  std::vector<std::string> machines;
  ReadBack read;
  std::vector<std::pair<std::string, std::string>> absent;  ///< settings for keys that the files omit
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> table = {
      {"cim",
       {"miredo-default", "miredo-table4", "six-memory", "zigzag-dimc"},
       [](const Node& root) { return read_back(root, read_architecture_node, architecture_to_json); },
       {{"leakage", "0.25"}, {"clock", "1 GHz"}, {"source", "'a: b'"}}},
      {"pim",
       {"pim-default", "pim-hbm", "pim-lpddr"},
       [](const Node& root) { return read_back(root, pim::read_machine_node, pim::machine_to_json); },
       {{"leakage", "0.25"}, {"vaults", "4"}, {"compute.reduction_latency", "3"}}},
      {"chip",
       {"isaac-table3", "jain-fig19", "puma-fig18"},
       [](const Node& root) { return read_back(root, read_chip_machine_node, chip_machine_to_json); },
       {{"chip.l0.bandwidth", "64"}, {"energy.leakage", "0.5"}, {"chip.cores", "[4, 8]"}}},
      {"cnm",
       {"upmem", "upmem-400", "hbm-pim"},
       [](const Node& root) {
         const auto system = cnm_system_from(root);
         return system ? to_text(*system) : std::string();
       },
       {{"host.reduce_ns", "3"}}},
  };
  return table;
}

Json to_json(const Node& node) {
  if (node.is_map()) {
    Json json = Json::object();
    for (std::size_t i = 0; i < node.size(); ++i)
      json[std::string(node.key(i).text())] = to_json(node.value(i));
    return json;
  }
  if (node.is_list()) {
    Json json = Json::array();
    for (std::size_t i = 0; i < node.size(); ++i) json.push_back(to_json(node.item(i)));
    return json;
  }
  if (node.is_quoted()) return std::string(node.text());
  const auto parsed = Json::parse(node.text(), nullptr, false);
  return parsed.is_discarded() ? Json(std::string(node.text())) : parsed;
}

struct Leaf {
  std::string path;
  Json::json_pointer pointer;
  std::string text;
};

// Finds every scalar value of a file, with its path on the command line and its JSON pointer.
void find_leaves(const Json& json, const std::string& path, const Json::json_pointer& pointer,
                 std::vector<Leaf>& leaves) {
  const auto inner = [&](const std::string& word) { return path.empty() ? word : path + "." + word; };
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (path.empty() && key == "hierarchy") {
        for (std::size_t i = 0; i < value.size(); ++i) {
          const std::string kind = value[i].contains("memory") ? "memory" : "spatial";
          const Json& entry = value[i][kind];
          find_leaves(entry, (kind == "memory" ? "memory." : "axis.") + entry["name"].get<std::string>(),
                      pointer / key / i / kind, leaves);
        }
      } else if (key != "kind" && key != "name" && key != "target") {
        find_leaves(value, inner(key), pointer / key, leaves);
      }
    }
  } else if (json.is_array()) {
    leaves.push_back({path, pointer, json.dump()});
    for (std::size_t i = 0; i < json.size(); ++i) {
      const bool named = json[i].is_object() && json[i].contains("name");
      find_leaves(json[i], inner(named ? json[i]["name"].get<std::string>() : std::to_string(i)), pointer / i,
                  leaves);
    }
  } else {
    leaves.push_back({path, pointer, json.is_string() ? json.get<std::string>() : json.dump()});
  }
}

std::string other_value(const std::string& text, Random& random) {
  if (text == "true" || text == "false") return text == "true" ? "false" : "true";
  if (text.front() == '[') return text;
  const auto number = to_number(text.substr(0, text.find(' ')));
  if (!number) return text;
  const auto unit = text.find(' ') == std::string::npos ? std::string() : text.substr(text.find(' '));
  constexpr std::array factors = {0.5, 2.0, 3.0, 1.0};
  const double value = *number * factors[random.below(factors.size())];
  return fmt::format("{}{}", value, unit);
}

Json value_json(const std::string& text) {
  auto parsed = Json::parse(text, nullptr, false);
  if (!parsed.is_discarded()) return parsed;
  return text.front() == '\'' ? text.substr(1, text.size() - 2) : text;
}

Document parse(const std::string& text, const std::string& file) {
  auto document = Document::parse(text, file);
  EXPECT_TRUE(document) << document.error().to_string();
  return std::move(document.value());
}

TEST(SetValues, EqualsAnEditedFileOnRandomMachinesOfFourSpaces) {
  constexpr int machines_of_a_kind = 60;
  for (const Kind& kind : kinds()) {
    int accepted = 0;
    int added = 0;
    for (int machine = 0; machine < machines_of_a_kind; ++machine) {
      Random random(static_cast<std::uint64_t>(machine) + 1);
      const auto& name = kind.machines[random.below(kind.machines.size())];
      const auto path = find_data(DataKind::architecture, name);
      ASSERT_TRUE(path);
      auto set = Document::read(path->string());
      ASSERT_TRUE(set);
      Json edited = to_json(set->root());
      std::vector<Leaf> leaves;
      find_leaves(edited, "", Json::json_pointer(), leaves);
      std::vector<std::string> settings;
      const auto count = 1 + random.below(4);
      for (std::size_t i = 0; i < count; ++i) {
        const auto& leaf = leaves[random.below(leaves.size())];
        const auto value = other_value(leaf.text, random);
        settings.push_back(leaf.path + "=" + value);
        edited[leaf.pointer] = value_json(value);
      }
      if (random.below(2) == 0) {
        const auto& [key, value] = kind.absent[random.below(kind.absent.size())];
        settings.push_back(key + "=" + value);
        Json::json_pointer pointer;
        for (std::size_t begin = 0; begin <= key.size();) {
          const auto end = std::min(key.find('.', begin), key.size());
          pointer /= key.substr(begin, end - begin);
          begin = end + 1;
        }
        edited[pointer] = value_json(value);
        ++added;
      }
      SCOPED_TRACE(fmt::format("{}: --set {}", name, fmt::join(settings, " --set ")));
      const auto error = set_values(*set, settings);
      ASSERT_FALSE(error) << error->to_string();
      const auto file = parse(edited.dump(), "edited.json");
      const auto expected = kind.read(file.root());
      EXPECT_EQ(kind.read(set->root()), expected);
      accepted += expected.empty() ? 0 : 1;
    }
    EXPECT_GT(accepted, machines_of_a_kind / 3) << kind.name << ": too few machines that can be read";
    EXPECT_GT(added, machines_of_a_kind / 4) << kind.name;
  }
}

template <typename Read>
std::string message_of(Read read, const std::string& machine, const std::string& setting) {
  const auto result = read(machine, std::span(&setting, 1));
  if (result) return "no error";
  EXPECT_EQ(result.error().kind, ErrorKind::usage) << setting;
  return result.error().to_string();
}

std::string of_cim(const std::string& setting) {
  return message_of(read_architecture, "miredo-default", setting);
}

TEST(SetValues, NamesWrongPathsWithTheNearestWord) {
  EXPECT_EQ(of_cim("memory.gbuff.capacity=1"),
            "--set 'memory.gbuff.capacity=1': no memory 'gbuff' (did you mean 'gbuf'?), expected dram, gbuf, "
            "obuf, ibuf, oreg, ireg, macro");
  EXPECT_EQ(of_cim("axis.cores.size=1"),
            "--set 'axis.cores.size=1': no spatial axis 'cores' (did you mean 'core'?), expected core, row, "
            "column");
  EXPECT_EQ(of_cim("memori.gbuf.capacity=1"),
            "--set 'memori.gbuf.capacity=1': unknown word 'memori' (did you mean 'memory'?)");
  EXPECT_EQ(
      of_cim("memory.gbuf.capcity=1")
          .find("--set 'memory.gbuf.capcity=1': unknown key 'capcity' in memory (did you mean 'capacity'?)"),
      0U);
  EXPECT_EQ(of_cim("compute.mvm_cycles.x=1"),
            "--set 'compute.mvm_cycles.x=1': 'x' is inside a single value, expected a map or a list");
  EXPECT_EQ(of_cim("memory.gbuf=1"), "--set 'memory.gbuf=1': the path ends at 'gbuf', expected a key of it");
  for (const std::string path : {"a..b=1", ".a=1", "a.=1"})
    EXPECT_EQ(of_cim(path), fmt::format("--set '{}': the path has an empty word", path));
  for (const std::string setting : {"compute.mvm_cycles", "=1", ""})
    EXPECT_EQ(of_cim(setting), fmt::format("--set: expected PATH=VALUE, found '{}'", setting));
  EXPECT_EQ(message_of(read_chip_machine, "isaac-table3", "crossbar.size.2=1"),
            "--set 'crossbar.size.2=1': no item '2', expected a number below 2");
  EXPECT_EQ(message_of(read_cnm_system, "upmem", "levels.dpus=4"),
            "--set 'levels.dpus=4': no item 'dpus' (did you mean 'dpu'?), expected rank, dpu, tasklet");
}

TEST(SetValues, NamesWrongValues) {
  EXPECT_EQ(of_cim("axis.core.size=0"),
            "--set 'axis.core.size=0': size is 0, expected a whole number of at least 1");
  EXPECT_EQ(of_cim("axis.core.size=[1"), "--set 'axis.core.size=[1': the value is neither YAML nor JSON");
  EXPECT_EQ(
      of_cim("memory.gbuf.capacity=512kB").find("--set 'memory.gbuf.capacity=512kB': capacity is '512kB'"),
      0U);
  EXPECT_EQ(message_of(read_cnm_system, "hbm-pim", "dram.tRP=x"),
            "--set 'dram.tRP=x': tRP is 'x', expected a whole number of at least 0");
  EXPECT_EQ(message_of(read_chip_machine, "isaac-table3", "crossbar.size=[128]"),
            "--set 'crossbar.size=[128]': size has 1 item, expected 2");
}

// A setting that contradicts the file. The error reports the position in the file, and the setting.
TEST(SetValues, NamesTheSettingsInErrors) {
  const std::string setting = "dram.groups=3";
  const auto system = read_cnm_system("hbm-pim", std::span(&setting, 1));
  ASSERT_FALSE(system);
  EXPECT_EQ(system.error().kind, ErrorKind::input);
  EXPECT_NE(system.error().message.find("(with --set dram.groups=3)"), std::string::npos)
      << system.error().message;
}

TEST(SetValues, ReachesNamesWithDots) {
  auto document =
      parse("{hierarchy: [{memory: {name: a.b, capacity: 1}}, {memory: {name: a, capacity: 2}}]}", "x");
  const std::array<std::string, 2> settings = {"memory.a.b.capacity=3", "memory.a.capacity=4"};
  ASSERT_FALSE(set_values(document, settings));
  EXPECT_EQ(to_json(document.root()).dump(),
            R"({"hierarchy":[{"memory":{"name":"a.b","capacity":3}},{"memory":{"name":"a","capacity":4}}]})");
}

}  // namespace
}  // namespace nestor::io::set_values_test
