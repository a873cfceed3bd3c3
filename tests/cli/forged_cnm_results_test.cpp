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

class ForgedCnmResults : public ::testing::TestWithParam<const char*> {
 protected:
  ForgedCnmResults()
      : folder_(fs::temp_directory_path() / ("nestor-forged-cnm-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "gemv.mlir")
        << "func.func @gemv(%A: memref<64x96xi32>, %x: memref<96xi32>, %y: memref<64xi32>) {\n"
           "  linalg.matvec ins(%A, %x : memref<64x96xi32>, memref<96xi32>) outs(%y : memref<64xi32>)\n"
           "  return\n}\n";
    std::ofstream(folder_ / "net.yaml") << "name: net\nlayers:\n  - {name: one, dims: {K: 64, C: 32}}\n"
                                           "  - {name: two, dims: {K: 16, C: 32, P: 4}, repeat: 3}\n"
                                           "  - {name: conv, dims: {K: 16, C: 32, P: 4, R: 3}}\n";
  }
  ~ForgedCnmResults() override { fs::remove_all(folder_); }

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
  void write(const std::string& name, const Json& json) const {
    std::ofstream(folder_ / name) << json.dump(1);
  }

 private:
  fs::path folder_;
};

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
