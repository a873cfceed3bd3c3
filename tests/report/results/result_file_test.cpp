// Tests of result files: results are read back unchanged, totals follow from the layers, and finished layers
// are on disk before the run ends.
#include "report/results/cim/result_file.h"
#include "support/parse_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "io/cim/architecture_file.h"

namespace nestor::io::result_file_test {
namespace {

constexpr const char* machine = R"(
name: m
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 64, read_energy: 1.5}
  - memory: {name: buf, operands: [I, O], bandwidth: 64, double_buffer: true}
  - memory: {name: macro, operands: [W], bandwidth: 64}
  - spatial: {name: row, size: 4, dims: [C]}
compute: {mvm_cycles: 1}
)";

CimRecord solved_layer(const std::string& name) {
  CimRecord layer;
  layer.layer.name = name;
  layer.layer.shape.bounds = {1, 8, 4, 1, 1, 1, 1, 1};
  layer.layer.repeat = 3;
  layer.status = Status::optimal;
  layer.best.objective = 100;
  layer.lower_bound = 100;
  layer.best.latency_cycles = 100;
  layer.best.energy_pj = 2.5;
  Mapping mapping;
  mapping.spatial[0][index_of(Dim::C)] = 4;
  mapping.loops.push_back({Dim::K, 8, {0, 2, 1}});
  mapping.double_buffered[1].insert(Operand::O);
  layer.best.mapping = mapping;
  layer.usage_bits = {{"buf", 512}};
  layer.traffic_bits = {{"dram/I", {{"read", 64}}}};
  layer.search = SearchStatistics{
      .counts = {7, 9, 3, 1}, .seconds = 0.25, .incumbents = {{0.1, 120}, {0.2, 100, 5, 90.5}}};
  return layer;
}

CimRun example() {
  CimRun run;
  run.version = "0.1.0";
  run.network = "net";
  run.options = {{"seed", "1"}};
  run.inputs = {{"architecture", "m.yaml", std::string(64, 'a')}, {"kernel", "gemv", {}}};
  run.machine = parse_architecture(machine, "m.yaml").value();
  run.layers.push_back(solved_layer("a"));
  CimRecord unsolved;
  unsolved.layer.name = "b";
  unsolved.status = Status::time_limit;
  unsolved.lower_bound = 12.5;
  run.layers.push_back(unsolved);
  run.unmapped = {{"MaxPool", 2}};
  return run;
}

TEST(ResultFile, RoundTripsUnchanged) {
  const auto text = to_text(run_to_json(example()));
  const auto read = tests::parse_run(text, "run.json");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(to_text(run_to_json(*read)), text);
  EXPECT_EQ(read->options, example().options);
  ASSERT_EQ(read->layers.size(), 2U);
  EXPECT_EQ(read->layers[0].best.mapping, example().layers[0].best.mapping);
  EXPECT_EQ(read->layers[0].layer, example().layers[0].layer);
  EXPECT_EQ(read->machine.machine, example().machine.machine);
  EXPECT_EQ(read->layers[0].search->counts.dominated, 1U);
  const auto& incumbents = read->layers[0].search->incumbents;
  ASSERT_EQ(incumbents.size(), 2U);
  EXPECT_LT(incumbents[0].nodes, 0);  // files of earlier versions have neither nodes nor bounds
  EXPECT_EQ(incumbents[0].lower_bound, no_bound);
  EXPECT_EQ(incumbents[1].nodes, 5);
  EXPECT_EQ(incumbents[1].lower_bound, 90.5);
  EXPECT_FALSE(read->layers[1].best.mapping);
  EXPECT_EQ(read->layers[1].lower_bound, 12.5);
}

// Names of layers in ONNX graphs are long and contain slashes.
TEST(ResultFile, AcceptsLayerNamesOfOnnxGraphs) {
  auto run = example();
  run.layers[0].layer.name = "/layer1/layer1.0/conv1/Conv" + std::string(200, '_');
  run.unmapped = {{"com.example/Thing", 1}};
  const auto read = tests::parse_run(to_text(run_to_json(run)), "run.json");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->layers[0].layer.name, run.layers[0].layer.name);
}

// A result of --fix with an empty file states its constraints; a result without --fix has none.
TEST(ResultFile, KeepsEmptyConstraints) {
  auto run = example();
  EXPECT_FALSE(run_to_json(run).contains("constraints"));
  run.constraints = Json::object();
  const auto read = tests::parse_run(to_text(run_to_json(run)), "run.json");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->constraints, Json::object());
}

TEST(ResultFile, TotalsWeighEachLayerByItsRepeat) {
  auto run = example();
  const auto partial = compute_totals(run);
  EXPECT_EQ(partial.layers, 2);
  EXPECT_EQ(partial.mapped, 1);
  EXPECT_EQ(partial.macs, 3 * 32);
  EXPECT_EQ(partial.latency_cycles, 300);
  EXPECT_DOUBLE_EQ(partial.energy_pj, 7.5);
  EXPECT_DOUBLE_EQ(partial.edp, 7.5 * 300);
  EXPECT_FALSE(partial.objective) << "layer b has none";
  EXPECT_EQ(partial.lower_bound, 312.5);
  run.layers.pop_back();
  EXPECT_EQ(compute_totals(run).objective, 300);
  EXPECT_EQ(compute_totals(run).gap, 0);
}

TEST(ResultFile, HasTheStallModelByDefault) {
  auto json = run_to_json(example());
  json["objective"].erase("latency_model");
  const auto read = tests::parse_run(to_text(json), "run.json");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->objective.latency_model, "stall");
  json["objective"]["latency_model"] = "ideal";
  EXPECT_FALSE(tests::parse_run(to_text(json), "run.json"));
}

TEST(ResultFile, TotalsIncludeTheFastestPointOfAFront) {
  auto layer = solved_layer("a");
  layer.front = {layer.best, layer.best};
  layer.front[0].latency_cycles = 7;
  layer.best = {};
  CimRun run;
  run.layers = {layer};
  EXPECT_EQ(compute_totals(run).mapped, 1);
  EXPECT_EQ(compute_totals(run).latency_cycles, 7 * layer.layer.repeat);
  run.layers[0].front[0].mapping.reset();
  EXPECT_EQ(compute_totals(run).mapped, 0);
}

TEST(ResultFile, TotalsOfHostileFiguresDoNotOverflow) {
  auto layer = solved_layer("a");
  layer.best.latency_cycles = std::numeric_limits<Int>::max();
  CimRun run;
  run.layers = {layer, layer};
  EXPECT_EQ(compute_totals(run).latency_cycles, std::numeric_limits<Int>::max());
}

}  // namespace
}  // namespace nestor::io::result_file_test
