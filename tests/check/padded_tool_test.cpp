// End-to-end tests of proofs over padded bounds (--pad), on cim and pim machines. The checker verifies optima
// over all bounds within the percentage, and rejects every forgery.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "support/setting.h"
#include "tool_runs.h"

namespace nestor::padded_tool_test {
namespace {

using check_cases::Json;
using check_cases::ToolRuns;

// Layers whose bounds are prime or almost prime, so that they do not fill the axes of the machines.
constexpr const char* layers = R"(layers:
- {name: conv, dims: {K: 7, C: 5, P: 11, R: 3}}
- {name: product, dims: {K: 13, C: 17, P: 7}}
- {name: square, dims: {K: 5, C: 3, P: 7, Q: 11, R: 2, S: 2}, stride: [1, 1]}
)";
constexpr const char* cim_machine = R"(name: small
kind: cim
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 32, read_energy: 4, write_energy: 5}
  - memory: {name: buffer, operands: [I, W, O], capacity: 4096, bandwidth: 64, double_buffer: true, read_energy: 1, write_energy: 1.25}
  - spatial: {name: core, size: 4, dims: [P, Q, K]}
  - memory: {name: lines, operands: [I], capacity: 512, bandwidth: 64, double_buffer: true, read_energy: 0.125, write_energy: 0.25}
  - memory: {name: sums, operands: [O], capacity: 1024, bandwidth: 64, read_energy: 0.125, write_energy: 0.25}
  - memory: {name: array, operands: [W], capacity: 512, bandwidth: 32, write_energy: 0.5}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 4, dims: [K]}
compute: {mvm_cycles: 4, mac_energy: 0.1}
)";
// Row activations cost cycles, but no energy.
constexpr const char* pim_machine = R"(name: banks
kind: pim
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 64, row: 256, banks: 2, activation_cycles: 9, read_energy: 4, write_energy: 4}
  - memory: {name: buffer, operands: [I, W, O], capacity: 2048, bandwidth: 128, read_energy: 1, write_energy: 1}
  - spatial: {name: lanes, size: 4, dims: all}
  - memory: {name: pe, operands: [I, W, O], capacity: 256, bandwidth: 64, read_energy: 0.25, write_energy: 0.25}
compute: {mvm_cycles: 1, mac_energy: 0.5}
)";
constexpr const char* small_layers = R"(layers:
- {name: conv, dims: {K: 5, P: 7, R: 3}}
- {name: product, dims: {K: 7, C: 5, P: 3}}
)";

struct PaddedRun {
  const char* machine;
  const char* layers;
  const char* options;
};
const std::vector<PaddedRun> runs = {
    {cim_machine, layers, "--pad 20 --objective latency"},
    {cim_machine, layers, "--pad 20 --objective latency --latency-model miredo"},
    {cim_machine, layers, "--pad 34 --objective energy"},
    {cim_machine, layers, "--pad 15 --objective edp"},
    {cim_machine, layers, "--pad 12.5 --objective eq14"},
    {cim_machine, layers, "--pad auto --objective latency"},
    {cim_machine, small_layers, "--pad auto --objective energy --top 3"},
    {cim_machine, layers, "--pad 15 --objective pareto"},
    {pim_machine, small_layers, "--pad 34 --objective latency"},
    {pim_machine, small_layers, "--pad 34 --objective energy"},
    {pim_machine, small_layers, "--pad auto --objective edp"},
};

class PaddedTool : public ::testing::Test {
 protected:
  Json map(const PaddedRun& run, const std::string& more = "") {
    const auto machine = runs_.write("machine.yaml", run.machine);
    const auto net = runs_.write("net.yaml", run.layers);
    return runs_.nestor("map " + net + " --arch " + machine + " --proof " + runs_.path("p") + " " +
                        run.options + more);
  }
  int check(const Json& result) { return runs_.check(result.dump(), runs_.path("p"), &said_); }

  ToolRuns runs_;
  std::string said_;
};

TEST_F(PaddedTool, VerifiesProofsOverAllBounds) {
  int padded = 0;
  for (const PaddedRun& run : runs) {
    const auto result = map(run);
    ASSERT_FALSE(result.is_discarded()) << run.options << '\n' << runs_.read("said");
    EXPECT_EQ(check(result), 0) << run.options << '\n' << said_;
    EXPECT_NE(said_.find("with bounds padded"), std::string::npos) << said_;
    for (const auto& layer : result["layers"]) padded += layer.contains("padded") ? 1 : 0;
    EXPECT_EQ(runs_.run(NESTOR_TOOL, "proof dump " + runs_.path("p")), 0) << runs_.read("said");
    EXPECT_NE(runs_.read("said").find("bounds "), std::string::npos);
  }
  EXPECT_GE(padded, 8);
}

// Changes a layer's claim so that it is false or differs from the proved claim. Returns false if the change
// does not apply.
bool forge(int action, Json& result, Json& layer) {
  const auto scale = [&](const char* key, double factor) {
    if (!layer.contains(key)) return false;
    const double old = layer[key].get<double>();
    if (layer[key].is_number_integer())
      layer[key] = static_cast<std::int64_t>(old * factor) + (factor > 1 ? 1 : -1);
    else
      layer[key] = old + std::abs(old) * (factor - 1);
    return true;
  };
  // Each point of a front has separate padded bounds.
  Json& point = layer.contains("front") ? layer["front"].back() : layer;
  switch (action) {
    case 0:
      return scale("lower_bound", 1.001);
    case 1:
      return scale("objective", 1.01) && scale("lower_bound", 1.01);
    case 2:
      return scale("objective", 0.99) && scale("lower_bound", 0.99);
    case 3:
      return scale("latency_cycles", 0.99);
    case 4:
      return scale("energy_pj", 1.01);
    case 5:  // no padding, although the mapping is padded
      return point.erase("padded") > 0;
    case 6:
      if (!point.contains("padded")) return false;
      point["padded"]["K"] = point["padded"].value("K", 1) + 1;
      return true;
    case 7:  // above the percentage
      point["padded"] = layer["dims"];
      point["padded"]["K"] = 4 * layer["dims"].value("K", 1);
      return true;
    case 8:  // below the layer's own bounds
      point["padded"] = layer["dims"];
      point["padded"]["P"] = 1;
      return true;
    case 9:  // padding that was not requested
      if (!point.contains("padded")) return false;
      result["options"].erase("pad");
      return true;
    case 10:
      layer["status"] = "infeasible";
      return true;
    case 11:
      if (layer.contains("front")) {
        if (layer["front"].size() < 2) return false;
        layer["front"].erase(0);
        return true;
      }
      if (layer["mapping"]["temporal"].empty()) return false;
      layer["mapping"]["temporal"].erase(0);
      return true;
    default:
      layer["dims"]["C"] = layer["dims"].value("C", 1) + 1;
      return true;
  }
}

// Tries some of the forgeries; the nightly run tries all of them.
TEST_F(PaddedTool, RefusesForgedClaims) {
  const auto wanted = tests::setting("NESTOR_FORGERIES", 40);
  std::vector<std::function<void()>> forgeries;
  for (const PaddedRun& run : runs)
    for (const auto* const name : {"conv", "product", "square"}) {
      if (std::string_view(run.layers).find(std::string("name: ") + name) == std::string_view::npos) continue;
      const auto honest = map(run, std::string(" --layer ") + name);
      ASSERT_FALSE(honest.is_discarded()) << run.options << '\n' << runs_.read("said");
      const auto proof = runs_.path(("p" + std::to_string(forgeries.size())).c_str());
      std::filesystem::rename(runs_.path("p"), proof);
      for (int action = 0; action < 13; ++action) {
        auto forged = honest;
        if (!forge(action, forged, forged["layers"][0])) continue;
        forgeries.emplace_back([=, this] {
          EXPECT_NE(runs_.check(forged.dump(), proof, &said_), 0)
              << run.options << ", layer " << name << ", action " << action << '\n'
              << said_;
        });
      }
    }
  const std::size_t step = std::max<std::size_t>(1, forgeries.size() / std::max<std::size_t>(1, wanted));
  std::size_t done = 0;
  for (std::size_t i = 0; i < forgeries.size(); i += step, ++done) forgeries[i]();
  std::printf("%zu of %zu forgeries\n", done, forgeries.size());
  EXPECT_GE(forgeries.size(), 300U);
}

// A proof for a small percentage does not prove a claim for a larger one.
TEST_F(PaddedTool, RefusesAProofOfLessPadding) {
  const PaddedRun narrow{cim_machine, layers, "--objective latency --pad 1"};
  auto result = map(narrow);
  ASSERT_EQ(check(result), 0) << said_;
  result["options"]["pad"] = "34";
  EXPECT_EQ(check(result), 7) << said_;
  EXPECT_NE(said_.find("not proved"), std::string::npos) << said_;
  result["options"]["pad"] = "-5";
  EXPECT_EQ(check(result), 3) << said_;
}

}  // namespace
}  // namespace nestor::padded_tool_test
