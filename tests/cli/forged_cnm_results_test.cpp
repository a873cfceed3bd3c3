// Tests of verify with results of the cnm and pim spaces that contain one forgery: a value is changed,
// dropped, doubled or exchanged between layers, or a key is added. verify refuses each forged result, or
// lists the changed part as not checked. NESTOR_FORGED_RESULTS sets the number of forgeries of each result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "cli/tool_folder.h"
#include "support/forgeries.h"

namespace nestor::forged_cnm_results_test {
namespace {

namespace fs = std::filesystem;
using tests::collect;
using tests::forge;
using tests::Json;
using tests::Place;

bool is_named(const Json& not_checked, const std::string& keys) {
  return tests::is_named(not_checked.get<std::vector<std::string>>(), keys);
}

// True if a value is inside a `source`, whose content verify does not check.
bool is_inside_source(const Place& place) {
  const auto& path = place.path;
  return path.starts_with("source.") || path.starts_with("layers[].source.") ||
         path.starts_with("offload.kernels[].source.");
}

// True for the path of a map's block on HBM-PIM. If the streams of a changed block take equally long, the
// result states another valid mapping with the same figures, and verify accepts it.
bool is_another_block(std::string_view run, const std::string& path) {
  return run.find("hbm-pim") != std::string_view::npos &&
         (path == "maps[].block[]" || path == "layers[].maps[].block[]");
}

class CnmResults : public ::testing::Test {
 protected:
  CnmResults() {
    folder_.write(
        "gemv.mlir",
        "func.func @gemv(%A: memref<64x96xi32>, %x: memref<96xi32>, %y: memref<64xi32>) {\n"
        "  linalg.matvec ins(%A, %x : memref<64x96xi32>, memref<96xi32>) outs(%y : memref<64xi32>)\n"
        "  return\n}\n");
    folder_.write("mlp.mlir",
                  "func.func @f(%x: tensor<16x64xi32>, %w: tensor<64x32xi32>, %o: tensor<16x32xi32>) -> "
                  "tensor<16x32xi32> {\n"
                  "  %0 = linalg.matmul ins(%x, %w : tensor<16x64xi32>, tensor<64x32xi32>) outs(%o : "
                  "tensor<16x32xi32>) -> tensor<16x32xi32>\n"
                  "  %1 = linalg.add ins(%0, %0 : tensor<16x32xi32>, tensor<16x32xi32>) outs(%o : "
                  "tensor<16x32xi32>) -> tensor<16x32xi32>\n"
                  "  return %1 : tensor<16x32xi32>\n}\n");
    folder_.write("net.yaml",
                  "name: net\nlayers:\n  - {name: one, dims: {K: 64, C: 32}}\n"
                  "  - {name: two, dims: {K: 16, C: 32, P: 4}, repeat: 3}\n"
                  "  - {name: conv, dims: {K: 16, C: 32, P: 4, R: 3}}\n");
  }

  int run(const std::string& arguments) const { return folder_.run(arguments); }
  fs::path path(const char* name) const { return folder_.path(name); }
  Json read(const std::string& name) const { return Json::parse(folder_.text(name), nullptr, false); }
  void write(const std::string& name, const Json& json, const std::string& more = {}) const {
    folder_.write(name, json.dump(1) + more);
  }

 private:
  ToolFolder folder_;
};

class ForgedCnmResults : public CnmResults, public ::testing::WithParamInterface<const char*> {};

TEST_P(ForgedCnmResults, AreRefusedOrListedAsUnchecked) {
  ASSERT_EQ(run(std::string(GetParam()) + " --json honest.json"), 0);
  ASSERT_EQ(run("verify honest.json --json verdict.json"), 0) << read("verdict.json").dump(1);
  const Json honest = read("honest.json");
  std::vector<Place> places;
  collect(honest, {Json::json_pointer(), ""}, places);
  std::erase_if(places, is_inside_source);
  const char* const asked = std::getenv("NESTOR_FORGED_RESULTS");
  const std::size_t wanted = asked != nullptr ? std::stoul(asked) : 25;
  constexpr std::uint64_t seed = 3;
  Random random(seed);
  std::size_t refused = 0;
  for (std::size_t count = 0; count < wanted;) {
    auto forgery = forge(honest, places, random);
    if (forgery && random.chance(0.1)) {  // adds an unknown key instead
      Json& holder = (forgery->document = honest)[forgery->at.parent_pointer()];
      if (holder.is_object()) holder["more"] = 1;
    }
    if (!forgery || forgery->document == honest) continue;
    ++count;
    write("forged.json", forgery->document);
    const int status = run("verify forged.json --json verdict.json");
    ASSERT_TRUE(status == 0 || status == 3 || status == 7)
        << forgery->action << " " << forgery->at << ": " << forgery->document[forgery->at];
    refused += status == 0 ? 0U : 1U;
    if (status != 0 || is_another_block(GetParam(), forgery->path)) continue;
    const Json named = read("verdict.json")["not_checked"];
    // Of exchanged records, only some values may differ.
    for (const auto& path : forgery->action == "exchanged" ? tests::changed_paths(honest, forgery->document)
                                                           : std::vector{forgery->path})
      EXPECT_TRUE(is_named(named, path))
          << forgery->action << " at " << forgery->at << " passes (seed " << seed << ")";
  }
  EXPECT_GE(refused, wanted / 3) << "verify knows hardly anything";
}

TEST_F(CnmResults, MapsOntoChannelsThatCoverTooLittleOrTooMuchAreRefused) {
  ASSERT_EQ(run("map net.yaml --arch hbm-pim --dtype f16 --json honest.json"), 0);
  ASSERT_EQ(run("verify honest.json"), 0);
  Json extent = read("honest.json");
  for (const int block : {3, 16}) {
    extent["layers"][0]["maps"][0]["block"][1] = block;
    write("forged.json", extent);
    EXPECT_EQ(run("verify forged.json"), 7) << block;
  }
  const Json honest = read("honest.json");
  const auto refused = [&](const Json& forged) {
    write("forged.json", forged);
    return run("verify forged.json") == 7;
  };
  const auto tuple = [](Json& result, std::size_t i) -> Json& {
    return result["layers"][0]["maps"][0]["tuples"][i];
  };
  for (const int more : {1, 7, 8, 64}) {
    auto forged = honest;
    tuple(forged, 3)[0] = tuple(forged, 3)[0].get<int>() + more;
    EXPECT_TRUE(refused(forged)) << more << " more rows for a unit";
  }
  for (const std::size_t level : {1U, 2U}) {
    auto forged = honest;
    std::swap(tuple(forged, level)[0], tuple(forged, level)[1]);
    EXPECT_TRUE(refused(forged)) << "level " << level;
  }
  auto exchanged = honest;
  std::swap(exchanged["layers"][0]["maps"], exchanged["layers"][1]["maps"]);
  EXPECT_TRUE(refused(exchanged));
}

// In a hand-written map, tuples may extend beyond the kernel at the same cost.
TEST_F(CnmResults, WiderMapsOntoChannelsAreListedAsUnchecked) {
  ASSERT_EQ(run("evaluate gemv.mlir --arch hbm-pim --dtype f16 --mapping 'M1: {(1,1),(8,1),(1,16),(8,8)}' "
                "--json wide.json"),
            0);
  ASSERT_EQ(run("verify wide.json --json verdict.json"), 0);
  EXPECT_TRUE(is_named(read("verdict.json")["not_checked"], "maps[].tuples"));
}

TEST_F(CnmResults, ARankingNamesNoMappingTwice) {
  ASSERT_EQ(run("map gemv.mlir --arch upmem --top 3 --json honest.json"), 0);
  Json forged = read("honest.json");
  forged["top"][1] = forged["top"][0];
  write("forged.json", forged);
  EXPECT_EQ(run("verify forged.json"), 7);
}

TEST_F(CnmResults, PaddedKernelsKeepTheirPaddedExtents) {
  std::ofstream(path("odd.mlir"))
      << "func.func @gemv(%A: memref<62x89xi32>, %x: memref<89xi32>, %y: memref<62xi32>) {\n"
         "  linalg.matvec ins(%A, %x : memref<62x89xi32>, memref<89xi32>) outs(%y : memref<62xi32>)\n"
         "  return\n}\n";
  ASSERT_EQ(run("map odd.mlir --arch upmem --pad 8 --json padded.json"), 0);
  EXPECT_NE(read("padded.json")["source"]["text"].get<std::string>().find("memref<62x92xi32>"),
            std::string::npos);
  for (const auto* const verb : {"verify", "verify --recheck", "evaluate", "simulate"})
    EXPECT_EQ(run(std::string(verb) + " padded.json"), 0) << verb;
  // Other members of the list may be padded differently, but no member is smaller than the requested kernel.
  ASSERT_EQ(run("map odd.mlir --arch upmem --pad 8 --top 60 --json padded.json"), 0);
  for (const auto* const verb : {"verify", "verify --recheck"})
    EXPECT_EQ(run(std::string(verb) + " padded.json"), 0) << verb;
  auto forged = read("padded.json");
  forged.erase("note");
  write("forged.json", forged);
  EXPECT_EQ(run("verify forged.json"), 7) << "members of the list do not cover the kernel";
}

// Regression case: verify once confirmed PIM results without comparing them with their inputs.
TEST_F(CnmResults, PimResultsAreComparedWithTheirInputs) {
  ASSERT_EQ(run("map net.yaml --arch pim-default --json honest.json"), 0);
  const Json honest = read("honest.json");
  const auto refused = [&](const Json& forged) {
    write("forged.json", forged);
    return run("verify forged.json") == 7;
  };
  auto forged = honest;
  forged["inputs"][1]["sha256"] = std::string(64, '0');
  EXPECT_TRUE(refused(forged));
  forged = honest;
  forged["layers"] = Json::array();
  forged["totals"] = {{"layers", 0}, {"latency_cycles", 0}, {"energy_pj", 0.0}, {"edp", 0.0}};
  EXPECT_TRUE(refused(forged)) << "no layers";
  fs::rename(path("net.yaml"), path("away.yaml"));
  EXPECT_TRUE(refused(forged)) << "no layers, and no network at hand";
  EXPECT_FALSE(refused(honest));
  fs::rename(path("away.yaml"), path("net.yaml"));
  forged = honest;
  const auto dropped = forged["layers"][1];
  const auto repeat = dropped["repeat"].get<double>();
  forged["layers"].erase(1);
  auto& totals = forged["totals"];
  totals["layers"] = totals["mapped"] = 2;
  double macs = repeat;
  for (const auto& [dim, bound] : dropped["dims"].items()) macs *= bound.get<double>();
  totals["macs"] = static_cast<std::int64_t>(totals["macs"].get<double>() - macs);
  for (const auto* const key : {"latency_cycles", "objective", "lower_bound"})
    totals[key] = totals[key].get<double>() - repeat * dropped[key].get<double>();
  totals["latency_cycles"] = static_cast<std::int64_t>(totals["latency_cycles"].get<double>());
  totals["energy_pj"] = totals["energy_pj"].get<double>() - repeat * dropped["energy_pj"].get<double>();
  totals["edp"] = totals["energy_pj"].get<double>() * totals["latency_cycles"].get<double>();
  EXPECT_TRUE(refused(forged)) << "a layer is missing";
  ASSERT_EQ(run("verify forged.json --json verdict.json"), 7);
  EXPECT_EQ(read("verdict.json")["findings"].size(), 1U) << read("verdict.json").dump(1);
}

TEST_F(CnmResults, PimIncumbentsAgreeWithTheResult) {
  ASSERT_EQ(run("map net.yaml --arch pim-default --objective energy --json honest.json"), 0);
  const Json honest = read("honest.json");
  ASSERT_EQ(run("verify honest.json"), 0);
  const auto refused = [&](const char* key, const Json& value) {
    auto forged = honest;
    forged["layers"][0]["search"]["incumbents"].back()[key] = value;
    write("forged.json", forged);
    return run("verify forged.json") == 7;
  };
  const double objective = honest["layers"][0]["objective"];
  EXPECT_FALSE(refused("objective", objective));
  EXPECT_TRUE(refused("objective", objective / 2));
  EXPECT_TRUE(refused("nodes", honest["layers"][0]["search"]["nodes"].get<int>() + 1));
  EXPECT_TRUE(refused("lower_bound", 2 * objective));
}

TEST_F(CnmResults, PimLayersThatHaveAMappingAreNotInfeasible) {
  for (const auto* const machine : {"pim-default", "pim-lpddr", "pim-hbm"}) {
    ASSERT_EQ(run(std::string("map net.yaml --method sampled --arch ") + machine + " --json honest.json"), 0)
        << machine;
    auto forged = read("honest.json");
    forged["options"].erase("method");
    forged["members"] = "exact divisors";
    for (auto& layer : forged["layers"]) {
      for (const auto* const key : {"objective", "lower_bound", "gap", "latency_cycles", "energy_pj", "edp",
                                    "dataflow", "mapping", "evaluation"})
        layer.erase(key);
      layer["status"] = "infeasible";
    }
    forged["totals"] = {{"layers", 3},         {"mapped", 0},      {"macs", 0},
                        {"latency_cycles", 0}, {"energy_pj", 0.0}, {"edp", 0.0}};
    write("forged.json", forged);
    EXPECT_EQ(run("verify forged.json --json verdict.json"), 7) << machine;
    EXPECT_EQ(read("verdict.json")["findings"].size(), 3U) << read("verdict.json").dump(1);
  }
}

TEST_F(CnmResults, APimRankingNamesNoMappingTwice) {
  ASSERT_EQ(run("map net.yaml --arch pim-default --top 3 --layer one --json honest.json"), 0);
  const Json honest = read("honest.json");
  ASSERT_EQ(honest["layers"][0]["alternatives"].size(), 2U);
  auto forged = honest;
  forged["layers"][0]["alternatives"][1] = forged["layers"][0]["alternatives"][0];
  write("forged.json", forged);
  EXPECT_EQ(run("verify forged.json"), 7);
  forged = honest;
  forged["options"]["top"] = "2";
  write("forged.json", forged);
  EXPECT_EQ(run("verify forged.json"), 7) << "more than were asked for";
}

// Results of many layers may exceed the size limit on inputs; the verbs read them nevertheless.
TEST_F(CnmResults, EveryVerbReadsLargeResults) {
  constexpr std::size_t size = std::size_t{70} << 20U;
  struct {
    const char* map;
    std::vector<const char*> verbs;
  } const spaces[] = {
      {"gemv.mlir --arch upmem", {"verify", "evaluate", "simulate"}},
      {"net.yaml --arch pim-default --layer one", {"verify", "evaluate", "simulate", "show"}},
      {"net.yaml --arch miredo-table4 --layer one", {"verify", "evaluate", "simulate", "show"}}};
  for (const auto& [map, verbs] : spaces) {
    ASSERT_EQ(run(std::string("map ") + map + " --json small.json"), 0);
    write("large.json", read("small.json"), std::string(size, ' '));
    for (const auto* verb : verbs) EXPECT_EQ(run(std::string(verb) + " large.json"), 0) << verb << " " << map;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, ForgedCnmResults,
    ::testing::Values(
        "map gemv.mlir --arch upmem --top 3 --set host.reduce_ns=3",
        "map gemv.mlir --arch upmem --pad 5 --top 9", "map gemv.mlir --arch hbm-pim --dtype f16",
        "map net.yaml --arch upmem", "map net.yaml --arch hbm-pim --dtype f16",
        "map net.yaml --arch pim-lpddr",
        "map net.yaml --arch pim-default --objective edp --top 2 --layer one",
        "map net.yaml --arch pim-lpddr --objective pareto --layer two",
        "map net.yaml --arch pim-default --fix-bypass",
        "map net.yaml --arch pim-default --layer one --explain",
        "estimate va --arch upmem --dims iterations=40,buffer_elems=64", "estimate gemv.mlir --arch upmem",
        "simulate gemv.mlir --arch upmem", "map mlp.mlir --arch upmem,hbm-pim",
        "map mlp.mlir --arch host,upmem --weights move",
        "estimate mlp.mlir --arch upmem --transfers all "
        "--mapping 'kernels: [{name: f.1, maps: [{tuples: [[1, 8, 4], [16, 4, 1], [1, 1, 2], [1, 1, 8]], "
        "block: [1, 1, 8]}]}, {name: f.2, maps: [{tuples: [[1, 4], [16, 4], [1, 1], [1, 2]]}]}]'",
        "simulate add --arch hbm-pim --dims out_tiles=5"));

}  // namespace
}  // namespace nestor::forged_cnm_results_test
