// Tests of nestor-check from the command line, as an independent user runs it. No forged claim of an optimum
// passes with the proof of the honest result.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "base/random.h"
#include "tool_runs.h"

namespace nestor::check_tool_test {
namespace {

using check_cases::Json;

class CheckTool : public ::testing::Test {
 protected:
  // Maps, and writes the proof that later calls to check() use.
  Json map(const std::string& options) const {
    auto result = runs_.nestor("map " + options + " --proof " + proof_);
    EXPECT_FALSE(result.is_discarded()) << options;
    return result;
  }
  int check(const Json& result, std::string* said = nullptr) const {
    return runs_.check(result.dump(), proof_, said);
  }

  check_cases::ToolRuns runs_;
  const std::string proof_ = runs_.path("proof");
};

// Changes that make a layer's claim false.
const std::vector<const char*> actions = {"raised bound",    "worse mapping",  "other layer's mapping",
                                          "infeasible",      "lower latency",  "lower energy",
                                          "lower objective", "larger machine", "smaller layer",
                                          "dropped loop",    "moved block",    "no mapping"};

// Makes one of these changes. Returns false if it does not apply to this layer.
bool forge(const std::string& action, Json& result, Json& layer, const Json& other) {
  const auto scale = [&](const char* key, double factor) {
    const auto old = layer[key].get<double>();
    const double more = std::abs(old) * (factor - 1);
    if (layer[key].is_number_integer())
      layer[key] = static_cast<std::int64_t>(old + more) + (factor > 1 ? 1 : -1);
    else
      layer[key] = old + more;
  };
  if (action == "raised bound") {
    layer["status"] = "time_limit";  // only the bound is claimed
    scale("lower_bound", 1.0001);
  } else if (action == "worse mapping") {
    // Claims a slightly worse objective as the optimum.
    scale("objective", 1.001);
    scale("lower_bound", 1.001);
  } else if (action == "other layer's mapping") {
    if (layer["mapping"] == other["mapping"]) return false;
    layer["mapping"] = other["mapping"];
  } else if (action == "infeasible") {
    layer["status"] = "infeasible";
  } else if (action == "lower latency") {
    scale("latency_cycles", 0.999);
  } else if (action == "lower energy") {
    scale("energy_pj", 0.999);
  } else if (action == "lower objective") {
    scale("objective", 0.999);
    scale("lower_bound", 0.999);
  } else if (action == "larger machine") {
    for (auto& entry : result["architecture"]["hierarchy"])
      if (entry.contains("spatial")) entry["spatial"]["size"] = entry["spatial"]["size"].get<int>() * 4;
  } else if (action == "smaller layer") {
    if (layer["dims"]["P"] == 1) return false;
    layer["dims"]["P"] = 1;
  } else if (action == "dropped loop") {
    if (layer["mapping"]["temporal"].empty()) return false;
    layer["mapping"]["temporal"].erase(0);
  } else if (action == "moved block") {
    auto& loops = layer["mapping"]["temporal"];
    if (loops.empty() || loops[0]["at"] == loops[loops.size() - 1]["at"]) return false;
    std::swap(loops[0]["at"], loops[loops.size() - 1]["at"]);
  } else {
    layer.erase("mapping");
  }
  return true;
}

TEST_F(CheckTool, RefutesForgedClaims) {
  std::map<std::string, int> refuted;
  Random random(19);
  for (const auto* const options :
       {"mlperf-tiny-dscnn --arch miredo-table4",
        "mlperf-tiny-resnet8 --arch miredo-default --objective energy",
        "mlperf-tiny-resnet8 --arch miredo-default --objective edp --latency-model miredo",
        "mlperf-tiny-dscnn --arch miredo-table4 --objective eq14",
        "mlperf-tiny-resnet8 --arch miredo-table4 --objective eq14 --mu2 0.5 --latency-model miredo"}) {
    const auto honest = map(options);
    for (const auto* const action : actions)
      for (int i = 0; i < 3; ++i) {
        auto forged = honest;
        auto& layers = forged["layers"];
        auto& layer = layers[random.below(layers.size())];
        const Json other = layers[random.below(layers.size())];
        if (!forge(action, forged, layer, other)) continue;
        forged["layers"] = Json::array({layer});
        forged.erase("totals");
        std::string said;
        const int status = check(forged, &said);
        // The same mapping may still be optimal on a larger machine.
        if (action == std::string("larger machine") && status == 0) continue;
        EXPECT_NE(status, 0) << action << ": " << options << '\n' << said;
        ++refuted[action];
      }
  }
  for (const auto* const action : actions) EXPECT_GT(refuted[action], 0) << action;
}

// Capacities and bandwidths may be up to 2^52 bits.
TEST_F(CheckTool, VerifiesMachinesWithVastMemories) {
  for (const auto* const bits : {"35184372088832", "4503599627370496"})  // 2^45 and 2^52
    for (const auto* const objective : {"latency", "energy", "eq14", "eq14 --mu2 0.5"}) {
      const auto result =
          map("mlperf-tiny-dscnn --arch miredo-table4 --set memory.gbuf.capacity=" + std::string(bits) +
              " --set memory.dram.bandwidth=" + bits + " --objective " + objective);
      std::string said;
      EXPECT_EQ(check(result, &said), 0) << bits << ' ' << objective << '\n' << said;
      auto larger = result;
      larger["architecture"]["hierarchy"][1]["memory"]["capacity"] = 4503599627370497;
      EXPECT_EQ(check(larger, &said), 3) << said;
    }
}

TEST_F(CheckTool, RefutesABaselineClaimedOptimal) {
  const std::string network = "mlperf-tiny-dscnn --arch miredo-table4";
  EXPECT_EQ(check(map(network)), 0);
  auto result = runs_.nestor("map " + network + " --method weight-stationary-greedy");
  result["options"].erase("method");
  for (auto& layer : result["layers"]) {
    layer["status"] = "optimal";
    layer["lower_bound"] = layer["objective"];
  }
  std::string said;
  EXPECT_EQ(check(result, &said), 7);
  EXPECT_NE(said.find("better than what is claimed"), std::string::npos) << said;
}

TEST_F(CheckTool, RefutesAFrontThatLacksAPoint) {
  auto result = map("mlperf-tiny-dscnn --arch miredo-table4 --objective pareto");
  int refuted = 0;
  for (const auto& layer : result["layers"]) {
    if (layer["front"].size() < 2) continue;
    auto forged = result;
    forged["layers"] = Json::array({layer});
    forged.erase("totals");
    forged["layers"][0]["front"].erase(1);
    std::string said;
    EXPECT_EQ(check(forged, &said), 7) << said;
    ++refuted;
  }
  EXPECT_GT(refuted, 2);
}

TEST_F(CheckTool, RefutesAFrontWithADominatedPoint) {
  const auto result = map("mlperf-tiny-dscnn --arch miredo-table4 --objective pareto");
  int refuted = 0;
  for (const auto& layer : result["layers"]) {
    const auto& front = layer["front"];
    if (front.empty()) continue;
    std::vector<Json> forged{Json::array({front.back(), front.back()})};
    if (front.size() > 1) forged.push_back({front.back(), front.front()});
    for (const auto& points : forged) {
      auto changed = result;
      changed["layers"] = Json::array({layer});
      changed.erase("totals");
      changed["layers"][0]["front"] = points;
      std::string said;
      EXPECT_EQ(check(changed, &said), 7) << said;
      EXPECT_NE(said.find("increasing cycles and decreasing energy"), std::string::npos) << said;
      ++refuted;
    }
  }
  EXPECT_GT(refuted, 4);
}

TEST_F(CheckTool, NamesUnsupportedClaims) {
  const std::string network = "mlperf-tiny-dscnn --arch miredo-table4";
  std::string said;
  const auto honest = map(network);
  auto unknown = honest;
  unknown["objective"]["name"] = "beauty";
  EXPECT_EQ(check(unknown, &said), 3);
  EXPECT_NE(said.find("objective 'beauty' is not supported"), std::string::npos) << said;
  auto narrow = honest;
  for (auto& layer : narrow["layers"]) layer["bits"]["psum"] = 4;
  EXPECT_EQ(check(narrow, &said), 3);
  EXPECT_NE(said.find("partial sums are narrower"), std::string::npos) << said;
  EXPECT_EQ(check(runs_.nestor("map " + network + " --method sampled"), &said), 7);
  EXPECT_NE(said.find("it has no lower bound"), std::string::npos) << said;
  EXPECT_EQ(check(Json::array(), &said), 3);
  EXPECT_EQ(check({{"space", "cim"}, {"verb", "map"}}, &said), 3);
  EXPECT_EQ(check({{"space", "chip"}, {"verb", "map"}}, &said), 3);
  EXPECT_NE(said.find("it is not a result of nestor map (cim), map (pim), map (cnm) or compile (chip)\n"),
            std::string::npos)
      << said;
  auto old = honest;
  old["schema"] = "nestor.result/1";
  EXPECT_EQ(check(old, &said), 3);
  EXPECT_NE(said.find("expected 'nestor.result/2': run the command again"), std::string::npos) << said;
  EXPECT_EQ(runs_.run(NESTOR_CHECK, runs_.write("r.json", honest.dump())), 2);
  EXPECT_NE(runs_.read("said").find("--proof FILE"), std::string::npos) << runs_.read("said");
}

TEST_F(CheckTool, StopsQuicklyOnHostileInput) {
  const auto status = [this](const std::string& arguments) { return runs_.run(NESTOR_CHECK, arguments); };
  const auto honest = map("mlperf-tiny-dscnn --arch miredo-table4");
  const auto result = runs_.write("r.json", honest.dump());
  EXPECT_EQ(status("/dev/zero --proof " + proof_), 3);
  EXPECT_EQ(status("/nowhere --proof " + proof_), 3);
  EXPECT_EQ(status(result + " --proof /dev/zero"), 3);
  EXPECT_EQ(status(result + " --proof /nowhere"), 3);
  for (const auto* const wrong :
       {"", "r.json", "r.json --proof", "--proof p", "r.json --proof p --layer", "r.json q --proof p",
        "r.json --proof p --proof p", "r.json --proof p --time-limit 5"})
    EXPECT_EQ(status(wrong), 2) << wrong;
  EXPECT_EQ(status("--help"), 0);
  EXPECT_EQ(status(result + " --layer nix --proof " + proof_), 3);
  EXPECT_EQ(status(result + " --proof " + proof_ + " --layer " +
                   honest["layers"][0]["name"].get<std::string>() + " >/dev/full 2>&1; exit $?"),
            6);
  // Layers with bounds that would take forever to check or exceed 64 bits are refused.
  for (const auto* const dim : {"K", "P", "R"}) {
    auto large = honest;
    large["layers"] = Json::array({honest["layers"][0]});
    large.erase("totals");
    large["layers"][0]["dims"][dim] = 1'099'511'627'776;
    EXPECT_NE(check(large), 0) << dim;
  }
  std::string said;
  auto foreign = honest;
  foreign["objective"]["name"] = "\u009b31m";
  EXPECT_EQ(check(foreign, &said), 3);
  EXPECT_EQ(said.find("\u009b"), std::string::npos);
}

}  // namespace
}  // namespace nestor::check_tool_test
