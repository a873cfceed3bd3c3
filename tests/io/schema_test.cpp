// Tests that compare the JSON Schemas in data/schema with the readers. Every shipped file satisfies its
// schema.
#include <gtest/gtest.h>

#include <filesystem>

#include "io/chip/network_file.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/find_data.h"
#include "io/layer_file.h"
#include "io/pim/machine_file.h"
#include "io/vocabulary.h"
#include "places.h"
#include "report/results/cim/result_file.h"
#include "report/results/node_json.h"
#include "support/cim_architectures.h"
#include "support/schema_check.h"

namespace nestor::io::schema_test {
namespace {

using nestor::tests::check_schema;

nlohmann::json as_json(const std::string& path) {
  const auto document = Document::read(path);
  EXPECT_TRUE(document) << document.error().to_string();
  return document ? nlohmann::json(node_to_json(document->root())) : nlohmann::json();
}

TEST(Schema, AcceptsEveryShippedArchitecture) {
  const auto names = tests::shipped_cim_architectures();
  EXPECT_FALSE(names.empty());
  for (const auto& name : names) {
    const auto path = find_data(DataKind::architecture, name);
    ASSERT_TRUE(path);
    EXPECT_EQ(check_schema("architecture.schema.json", as_json(path->string())), "") << name;
    const auto architecture = read_architecture(name);
    ASSERT_TRUE(architecture) << architecture.error().to_string();
    EXPECT_EQ(architecture->name, name);
    EXPECT_FALSE(architecture->source.empty()) << name;
    EXPECT_EQ(check_schema("architecture.schema.json", architecture_to_json(*architecture)), "") << name;
  }
}

TEST(Schema, AcceptsEveryShippedPimMachine) {
  int met = 0;
  for (const auto& name : shipped_names(DataKind::architecture)) {
    const auto written = as_json(find_data(DataKind::architecture, name).value().string());
    if (written.value("kind", "cim") != "pim") continue;
    ++met;
    EXPECT_EQ(check_schema("pim-architecture.schema.json", written), "") << name;
    const auto machine = pim::read_machine(name);
    ASSERT_TRUE(machine) << machine.error().to_string();
    EXPECT_FALSE(machine->source.empty()) << name;
    EXPECT_EQ(check_schema("pim-architecture.schema.json", pim::machine_to_json(*machine)), "") << name;
  }
  EXPECT_GE(met, 3);
}

// Schema and reader accept the same files, except for rules on names and on sums over the hierarchy.
TEST(Schema, AgreesWithTheReaderOnPimKeys) {
  const auto good = as_json(NESTOR_SOURCE_DIR "/tests/fuzz/corpus/pim/every-key.yaml");
  EXPECT_TRUE(pim::parse_machine(good.dump(), "good"));
  const auto expect_refused = [&](const char* pointer, const nlohmann::json& value) {
    auto changed = good;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_NE(check_schema("pim-architecture.schema.json", changed), "") << pointer << " " << value;
    EXPECT_FALSE(pim::parse_machine(changed.dump(), "changed")) << pointer << " " << value;
  };
  EXPECT_EQ(check_schema("pim-architecture.schema.json", good), "");
  expect_refused("/kind", "cim");
  expect_refused("/extra", 1);
  expect_refused("/blocks", "odd");
  expect_refused("/row_model", "none");
  expect_refused("/ports", 2);
  expect_refused("/vaults", 0);
  expect_refused("/units", "many");
  expect_refused("/dim_once", "row");
  expect_refused("/hierarchy/0/memory/banks", 65);
  expect_refused("/hierarchy/0/memory/row", 0);
  expect_refused("/hierarchy/0/memory/RL", -1);
  expect_refused("/hierarchy/0/memory/activation_energy", -1);
  expect_refused("/hierarchy/1/memory/tRP", 1);  // the memory has no rows
  expect_refused("/hierarchy/1/memory/access_latency", 0.5);
  expect_refused("/hierarchy/1/memory/double_buffer", true);
  expect_refused("/compute/unit", "vector");
  expect_refused("/compute/macs", 0);
  auto without = good;
  without["hierarchy"][1]["memory"].erase("bandwidth");
  without["hierarchy"][1]["memory"].erase("write_bandwidth");
  EXPECT_NE(check_schema("pim-architecture.schema.json", without), "");
  EXPECT_FALSE(pim::parse_machine(without.dump(), "without"));
}

TEST(Schema, AcceptsEveryShippedNetwork) {
  const auto names = shipped_names(DataKind::network);
  for (const auto& name : names) {
    const auto path = find_data(DataKind::network, name);
    ASSERT_TRUE(path);
    EXPECT_EQ(check_schema("layers.schema.json", as_json(path->string())), "") << name;
    const auto network = read_layers(name);
    ASSERT_TRUE(network) << network.error().to_string();
    EXPECT_EQ(network->name, name);
    EXPECT_EQ(check_schema("layers.schema.json", network_to_json(*network)), "") << name;
  }
}

TEST(Schema, AcceptsEveryShippedPlan) {
  std::size_t plans = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NESTOR_SOURCE_DIR "/data/plans")) {
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_EQ(check_schema("plan.schema.json", as_json(entry.path().string())), "") << entry.path();
    ++plans;
  }
  EXPECT_GT(plans, 0U);
}

TEST(Schema, AcceptsShippedExamples) {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(NESTOR_SOURCE_DIR "/data/examples")) {
    if (entry.is_directory()) continue;
    const auto example = as_json(entry.path().string());
    const auto* schema = example.contains("layers")      ? "layers.schema.json"
                         : example.contains("hierarchy") ? "pim-architecture.schema.json"
                                                         : "mapping.schema.json";
    EXPECT_EQ(check_schema(schema, example), "") << entry.path();
  }
}

TEST(Schema, AcceptsReferenceMappings) {
  const auto path = std::string(NESTOR_SHARED_DIR) + "/data/cim/mappings.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  for (const auto& entry : as_json(path)) {
    EXPECT_EQ(check_schema("mapping.schema.json", entry.at("mapping")), "");
    EXPECT_EQ(check_schema("architecture.schema.json", entry.at("architecture")), "");
  }
}

TEST(Schema, AcceptsWrittenResults) {
  CimRun run;
  run.machine = read_architecture("miredo-default").value();
  run.inputs = {{"architecture", "miredo-default", std::string(64, '0')}, {"kernel", "gemv", {}}};
  CimRecord layer;
  layer.status = Status::optimal;
  layer.layer.name = "a";
  layer.best = {{}, 1.5, 2, 3.5, Mapping{}};
  layer.search = SearchStatistics{.counts = {1, 2, 1, 0}, .seconds = 0.5, .incumbents = {{0.5, 1, 1, 0.5}}};
  layer.front = {layer.best};
  layer.usage_bits = {{"gbuf", 8}};
  layer.traffic_bits = {{"dram/O", {{"read", 0}, {"write", 8}}}};
  run.layers = {layer};
  run.unmapped = {{"Relu", 3}};
  EXPECT_EQ(check_schema("result.schema.json", run_to_json(run)), "");
}

// The schema checker itself detects errors.
TEST(Schema, CheckerDetectsErrors) {
  const auto good = as_json(find_data(DataKind::architecture, "miredo-default").value().string());
  const auto refused = [&](const char* pointer, const nlohmann::json& value) {
    auto changed = good;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return !check_schema("architecture.schema.json", changed).empty();
  };
  EXPECT_TRUE(refused("/kind", "pim"));
  EXPECT_TRUE(refused("/extra", 1));
  EXPECT_TRUE(refused("/hierarchy/0/memory/bandwidth", 0));
  EXPECT_TRUE(refused("/hierarchy/0/memory/bandwidth", "8 bytes"));
  EXPECT_TRUE(refused("/hierarchy/0/memory/operands", {"I", "I"}));
  EXPECT_TRUE(refused("/hierarchy/0/spatial", {{"name", "x"}}));
  EXPECT_TRUE(refused("/compute", nlohmann::json::object()));
  EXPECT_FALSE(refused("/leakage", 0.5));
}

}  // namespace
}  // namespace nestor::io::schema_test
