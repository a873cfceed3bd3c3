// nestor-check as a stranger runs it: results of nestor map are verified, and no forgery of what a result
// claims to be optimal passes.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/random.h"
#include "tool_runs.h"

namespace nestor {
namespace {

using check_cases::Json;

class CheckTool : public ::testing::TestWithParam<const char*> {
 protected:
  Json map(const std::string& options) const {
    auto result = runs_.nestor("map " + options);
    EXPECT_FALSE(result.is_discarded()) << options;
    return result;
  }
  int check(const Json& result, std::string* said = nullptr) const {
    return runs_.check(result.dump(), said);
  }

  check_cases::ToolRuns runs_;
};

TEST_P(CheckTool, VerifiesWhatWasProved) {
  std::string said;
  EXPECT_EQ(check(map(GetParam()), &said), 0) << said;
  EXPECT_NE(said.find("\nVERIFIED: "), std::string::npos) << said;
}

// Claims that a layer may make, changed so that they are no longer true.
const std::vector<const char*> deeds = {"raised bound",    "worse mapping",  "other layer's mapping",
                                        "infeasible",      "lower latency",  "lower energy",
                                        "lower objective", "larger machine", "smaller layer",
                                        "dropped loop",    "moved block",    "no mapping"};

// False if the deed does nothing to this layer.
bool forge(const std::string& deed, Json& result, Json& layer, const Json& other) {
  const auto scale = [&](const char* key, double factor) {
    if (layer[key].is_number_integer())
      layer[key] = static_cast<std::int64_t>(layer[key].get<double>() * factor) + (factor > 1 ? 1 : -1);
    else
      layer[key] = layer[key].get<double>() * factor;
  };
  if (deed == "raised bound") {
    layer["status"] = "time_limit";  // the bound alone is claimed
    scale("lower_bound", 1.0001);
  } else if (deed == "worse mapping") {
    // As if the layer had been proved with an objective that is a little worse.
    scale("objective", 1.001);
    scale("lower_bound", 1.001);
  } else if (deed == "other layer's mapping") {
    if (layer["mapping"] == other["mapping"]) return false;
    layer["mapping"] = other["mapping"];
  } else if (deed == "infeasible") {
    layer["status"] = "infeasible";
  } else if (deed == "lower latency") {
    scale("latency_cycles", 0.999);
  } else if (deed == "lower energy") {
    scale("energy_pj", 0.999);
  } else if (deed == "lower objective") {
    scale("objective", 0.999);
    scale("lower_bound", 0.999);
  } else if (deed == "larger machine") {
    for (auto& entry : result["architecture"]["hierarchy"])
      if (entry.contains("spatial")) entry["spatial"]["size"] = entry["spatial"]["size"].get<int>() * 4;
  } else if (deed == "smaller layer") {
    if (layer["dims"]["P"] == 1) return false;
    layer["dims"]["P"] = 1;
  } else if (deed == "dropped loop") {
    if (layer["mapping"]["temporal"].empty()) return false;
    layer["mapping"]["temporal"].erase(0);
  } else if (deed == "moved block") {
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
        "mlperf-tiny-resnet8 --arch miredo-default --objective edp --latency-model miredo"}) {
    const auto honest = map(options);
    for (const auto* const deed : deeds)
      for (int i = 0; i < 3; ++i) {
        auto forged = honest;
        auto& layers = forged["layers"];
        auto& layer = layers[random.below(layers.size())];
        const Json other = layers[random.below(layers.size())];
        if (!forge(deed, forged, layer, other)) continue;
        forged["layers"] = Json::array({layer});
        std::string said;
        const int status = check(forged, &said);
        // On a larger machine the same mapping may still be the best.
        if (deed == std::string("larger machine") && status == 0) continue;
        EXPECT_NE(status, 0) << deed << ": " << options << '\n' << said;
        ++refuted[deed];
      }
  }
  for (const auto* const deed : deeds) EXPECT_GT(refuted[deed], 0) << deed;
}

TEST_F(CheckTool, RefutesABaselineThatIsCalledOptimal) {
  auto result = map("mlperf-tiny-dscnn --arch miredo-table4 --method weight-stationary");
  result["options"].erase("method");
  for (auto& layer : result["layers"]) {
    layer["status"] = "optimal";
    layer["lower_bound"] = layer["objective"];
  }
  std::string said;
  EXPECT_EQ(check(result, &said), 1);
  EXPECT_NE(said.find("REFUTED"), std::string::npos) << said;
}

TEST_F(CheckTool, RefutesAFrontThatLacksAPoint) {
  auto result = map("mlperf-tiny-dscnn --arch miredo-table4 --objective pareto");
  int refuted = 0;
  for (const auto& layer : result["layers"]) {
    if (layer["front"].size() < 2) continue;
    auto forged = result;
    forged["layers"] = Json::array({layer});
    forged["layers"][0]["front"].erase(1);
    std::string said;
    EXPECT_EQ(check(forged, &said), 1) << said;
    ++refuted;
  }
  EXPECT_GT(refuted, 2);
}

TEST_F(CheckTool, SaysWhatItDoesNotProve) {
  std::string said;
  EXPECT_EQ(check(map("mlperf-tiny-dscnn --arch miredo-table4 --objective eq14"), &said), 3);
  EXPECT_NE(said.find("eq14"), std::string::npos);
  EXPECT_EQ(check(map("mlperf-tiny-dscnn --arch miredo-table4 --method sampled"), &said), 3);
  EXPECT_EQ(check(Json::array(), &said), 3);
  EXPECT_EQ(check({{"space", "cim"}, {"verb", "map"}}, &said), 3);
}

TEST_F(CheckTool, EndsSoonOnHostileInput) {
  const auto status = [this](const std::string& arguments) { return runs_.run(NESTOR_CHECK, arguments); };
  EXPECT_EQ(status("/dev/zero"), 3);
  EXPECT_EQ(status("/nowhere"), 3);
  EXPECT_EQ(status(""), 2);
  EXPECT_EQ(status("r.json --threads 0"), 2);
  EXPECT_EQ(status("r.json --time-limit soon"), 2);
  const auto honest = map("mlperf-tiny-dscnn --arch miredo-table4");
  // What would take for ever, or does not fit 64 bits, is refused or given up.
  for (const auto* const dim : {"K", "P", "R"}) {
    auto large = honest;
    large["layers"] = Json::array({honest["layers"][0]});
    large["layers"][0]["dims"][dim] = 1'099'511'627'776;
    EXPECT_NE(check(large), 0) << dim;
  }
  std::string said;
  auto foreign = honest;
  foreign["objective"] = "\u009b31m";
  EXPECT_EQ(check(foreign, &said), 3);
  EXPECT_EQ(said.find("\u009b"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Runs, CheckTool,
    ::testing::Values("mlperf-tiny-resnet8 --arch miredo-default",
                      "mlperf-tiny-resnet8 --arch miredo-table4 --objective energy",
                      "mlperf-tiny-dscnn --arch miredo-table4 --objective edp",
                      "mlperf-tiny-dscnn --arch miredo-default --objective pareto --latency-model miredo",
                      "mlperf-tiny-autoencoder --arch zigzag-dimc --latency-model miredo",
                      "mlperf-tiny-dscnn --arch diana-aimc --objective blended --alpha 2 --beta 0.25",
                      "mlperf-tiny-resnet8 --arch six-memory --work-limit 20"));

}  // namespace
}  // namespace nestor
