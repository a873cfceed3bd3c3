// Results of the cnm and pim spaces with one leaf changed, dropped or added: verify refuses each, or names
// what was changed as not checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "nlohmann/json.hpp"
#include "places.h"

namespace nestor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Place {
  Json::json_pointer at;
  std::string keys;
};

void collect(const Json& node, const Place& here, std::vector<Place>& leaves) {
  if (node.is_object() && here.keys != "source" && here.keys != "architecture")
    for (const auto& [key, value] : node.items())
      collect(value, {here.at / key, here.keys.empty() ? key : here.keys + "." + key}, leaves);
  else if (node.is_array())
    for (std::size_t i = 0; i < node.size(); ++i) collect(node[i], {here.at / i, here.keys + "[]"}, leaves);
  else if (!node.is_object())
    leaves.push_back(here);
}

void change(Json& value, Random& random) {
  if (value.is_boolean())
    value = !value.get<bool>();
  else if (value.is_number_integer())
    value = value.get<std::int64_t>() + 1;
  else if (value.is_number())
    value = value.get<double>() * (random.chance(0.5) ? 1.001 : 0.5) + 1e-4;
  else
    value = std::vector<std::string>{"optimal", "time_limit", "map", "zzz"}[random.below(4)];
}

bool is_named(const Json& not_checked, const std::string& keys) {
  for (const auto& entry : not_checked) {
    auto list = entry.get<std::string>();
    list = list.substr(0, list.find(" ("));
    for (std::size_t begin = 0; begin <= list.size();) {
      const auto end = std::min(list.find(", ", begin), list.size());
      const auto key = list.substr(begin, end - begin);
      if (!key.empty() && keys.starts_with(key) &&
          (keys.size() == key.size() || keys[key.size()] == '.' || keys[key.size()] == '['))
        return true;
      begin = end + 2;
    }
  }
  return false;
}

class CnmResults : public ::testing::Test {
 protected:
  CnmResults() : folder_(fs::temp_directory_path() / ("nestor-forged-cnm-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "gemv.mlir")
        << "func.func @gemv(%A: memref<64x96xi32>, %x: memref<96xi32>, %y: memref<64xi32>) {\n"
           "  linalg.matvec ins(%A, %x : memref<64x96xi32>, memref<96xi32>) outs(%y : memref<64xi32>)\n"
           "  return\n}\n";
    std::ofstream(folder_ / "net.yaml") << "name: net\nlayers:\n  - {name: one, dims: {K: 64, C: 32}}\n"
                                           "  - {name: two, dims: {K: 16, C: 32, P: 4}, repeat: 3}\n"
                                           "  - {name: conv, dims: {K: 16, C: 32, P: 4, R: 3}}\n";
  }
  ~CnmResults() override { fs::remove_all(folder_); }

  int run(const std::string& arguments) const {
    const auto command = "cd '" + folder_.string() +
                         "' && NESTOR_DATA='" NESTOR_SOURCE_DIR "/data' '" NESTOR_TOOL "' " + arguments +
                         " >/dev/null 2>errors";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  Json read(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return Json::parse(in, nullptr, false);
  }
  void write(const std::string& name, const Json& json, const std::string& more = {}) const {
    std::ofstream(folder_ / name) << json.dump(1) << more;
  }

 private:
  fs::path folder_;
};

class ForgedCnmResults : public CnmResults, public ::testing::WithParamInterface<const char*> {};

TEST_P(ForgedCnmResults, AreRefusedOrWhatIsForgedIsNamed) {
  ASSERT_EQ(run(std::string(GetParam()) + " --json honest.json"), 0);
  ASSERT_EQ(run("verify honest.json --json verdict.json"), 0) << read("verdict.json").dump(1);
  const Json honest = read("honest.json");
  std::vector<Place> leaves;
  collect(honest, {Json::json_pointer(), ""}, leaves);
  const char* const asked = std::getenv("NESTOR_FORGED_RESULTS");
  const std::size_t wanted = asked != nullptr ? std::stoul(asked) : 25;
  constexpr std::uint64_t seed = 3;
  Random random(seed);
  std::size_t refused = 0;
  for (std::size_t count = 0; count < wanted; ++count) {
    const Place& place = leaves[random.below(leaves.size())];
    Json forged = honest;
    const auto deed = random.below(5);
    if (deed == 0) {
      Json& holder = forged[place.at.parent_pointer()];
      if (!holder.is_object()) continue;
      holder.erase(place.at.back());
    } else if (deed == 1) {
      Json& holder = forged[place.at.parent_pointer()];
      if (!holder.is_object()) continue;
      holder["more"] = 1;
    } else {
      change(forged[place.at], random);
    }
    if (forged == honest) continue;
    write("forged.json", forged);
    const int status = run("verify forged.json --json verdict.json");
    ASSERT_TRUE(status == 0 || status == 1 || status == 3 || status == 2) << status;
    refused += status == 0 ? 0U : 1U;
    if (status == 0) {
      EXPECT_TRUE(is_named(read("verdict.json")["not_checked"], place.keys))
          << "deed " << deed << " at " << place.keys << " passes (seed " << seed << ")";
    }
  }
  EXPECT_GE(refused, wanted / 3) << "verify knows hardly anything";
}

TEST_F(CnmResults, MapsOntoChannelsThatCoverTooLittleOrTooMuchAreRefused) {
  ASSERT_EQ(run("map net.yaml --arch hbm-pim --json honest.json"), 0);
  ASSERT_EQ(run("verify honest.json"), 0);
  const Json honest = read("honest.json");
  const auto refused = [&](const Json& forged) {
    write("forged.json", forged);
    return run("verify forged.json") == 1;
  };
  const auto tuple = [](Json& result, std::size_t i) -> Json& {
    return result["layers"][0]["maps"][0]["tuples"][i];
  };
  for (const int rows : {1, 7, 9, 64}) {
    auto forged = honest;
    tuple(forged, 3)[0] = rows;
    EXPECT_TRUE(refused(forged)) << rows << " rows for a unit instead of " << tuple(forged, 3)[0];
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

// Whoever writes a map by hand may let it reach beyond the kernel, which costs the same.
TEST_F(CnmResults, WiderMapsOntoChannelsAreNamed) {
  ASSERT_EQ(
      run("evaluate gemv.mlir --arch hbm-pim --mapping 'M1: {(1,1),(8,1),(1,16),(8,8)}' --json wide.json"),
      0);
  ASSERT_EQ(run("verify wide.json --json verdict.json"), 0);
  EXPECT_TRUE(is_named(read("verdict.json")["not_checked"], "maps[].tuples"));
}

TEST_F(CnmResults, ARankingNamesNoMappingTwice) {
  ASSERT_EQ(run("map gemv.mlir --arch upmem --top 3 --json honest.json"), 0);
  Json forged = read("honest.json");
  forged["top"][1] = forged["top"][0];
  write("forged.json", forged);
  EXPECT_EQ(run("verify forged.json"), 1);
}

// Results of many layers are larger than any input may be.
TEST_F(CnmResults, LargeResultsAreReadByWhateverReadsResults) {
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
    OfRuns, ForgedCnmResults,
    ::testing::Values("map gemv.mlir --arch upmem --top 3 --set host.reduce_ns=3",
                      "map gemv.mlir --arch hbm-pim --dtype f16", "map net.yaml --arch upmem",
                      "map net.yaml --arch hbm-pim", "map net.yaml --arch pim-lpddr",
                      "map net.yaml --arch pim-default --objective edp --top 2 --layer one",
                      "map net.yaml --arch pim-lpddr --objective pareto --layer two",
                      "map net.yaml --arch pim-default --fix-bypass",
                      "estimate va --arch upmem --dims iterations=40,buffer_elems=64",
                      "estimate gemv.mlir --arch upmem", "simulate gemv.mlir --arch upmem",
                      "simulate add --arch hbm-pim --dims out_tiles=5"));

}  // namespace
}  // namespace nestor
