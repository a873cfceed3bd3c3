// Tests of nestor map --proof on PIM machines with nestor-check, from end to end. The checker verifies honest
// results, rejects changed results, and refuses results for which it has no rules.
#include <gtest/gtest.h>

#include "tool_runs.h"

namespace nestor::pim_tool_test {
namespace {

using check_cases::Json;
using check_cases::ToolRuns;

constexpr const char* layers = R"(layers:
- {name: conv, dims: {K: 8, C: 4, P: 6, Q: 6, R: 3, S: 3}, bits: {I: 8, W: 8, O: 8, psum: 32}}
- {name: fc, dims: {K: 12, C: 16}}
)";

class PimTool : public ::testing::Test {
 protected:
  Json map(const std::string& more, const std::string& arch = "pim-default") {
    const auto net = runs_.write("net.yaml", layers);
    return runs_.nestor("map " + net + " --arch " + arch + " --proof " + runs_.path("p") + " " + more);
  }
  int check(const Json& result) { return runs_.check(result.dump(), runs_.path("p"), &said_); }

  ToolRuns runs_;
  std::string said_;
};

TEST_F(PimTool, VerifiesItsOwnProofs) {
  for (const std::string options :
       {"--objective latency", "--objective energy", "--objective edp",
        "--objective blended --alpha 3 --beta 0.5", "--objective pareto", "--objective energy --top 3",
        "--objective latency --layouts sequential", "--objective energy --threads 2"}) {
    const auto result = map(options);
    ASSERT_FALSE(result.is_discarded()) << options << '\n' << runs_.read("said");
    EXPECT_EQ(check(result), 0) << options << '\n' << said_;
    EXPECT_NE(said_.find("VERIFIED: 2 of 2 layers on \"pim-default\""), std::string::npos) << said_;
    EXPECT_EQ(runs_.run(NESTOR_TOOL, "proof dump " + runs_.path("p")), 0);
    EXPECT_NE(runs_.read("said").find("layer 'conv': optimal"), std::string::npos);
  }
}

// On these machines, bounds on all operands together close most choices, so the proof lists only a few. If a
// mapping of higher cost is claimed to be optimal, no bound closes the choices with better mappings, whether
// the proof lists them or not.
TEST_F(PimTool, VerifiesByBoundsOnAllOperandsTogether) {
  for (const std::string arch : {"pim-hbm", "pim-lpddr"})
    for (const std::string options : {"--layer conv --objective energy", "--layer conv --objective edp"}) {
      SCOPED_TRACE(arch + ' ' + options);
      const auto honest = map(options, arch);
      ASSERT_FALSE(honest.is_discarded()) << runs_.read("said");
      EXPECT_EQ(check(honest), 0) << said_;
      const auto other =
          runs_.nestor("map " + runs_.path("net.yaml") + " --arch " + arch + " --method sampled " + options);
      ASSERT_FALSE(other.is_discarded()) << runs_.read("said");
      auto forged = honest;
      Json& layer = forged["layers"][0];
      const Json& costlier = other["layers"][0];
      ASSERT_GT(costlier["objective"].get<double>(), 1.000001 * layer["objective"].get<double>());
      for (const auto* const key : {"objective", "latency_cycles", "energy_pj", "edp", "mapping"})
        layer[key] = costlier[key];
      layer["lower_bound"] = layer["objective"];
      layer.erase("tie_break");
      forged["totals"] = other["totals"];
      EXPECT_EQ(check(forged), 7) << said_;
      EXPECT_NE(said_.find("not proved   \"conv\""), std::string::npos) << said_;
    }
}

// Capacities and bandwidths may be up to 2^52 bits.
TEST_F(PimTool, VerifiesMachinesWithVastMemories) {
  for (const std::string bits : {"35184372088832", "4503599627370496"}) {  // 2^45 and 2^52
    std::string options;
    for (const auto* const key :
         {"global.capacity", "global.read_bandwidth", "global.write_bandwidth", "row_buffer.bandwidth"})
      options += std::string("--set memory.") + key + "=" + bits + " ";
    for (const auto* const objective : {"latency", "edp"}) {
      const auto result = map(options + "--objective " + objective);
      ASSERT_FALSE(result.is_discarded()) << runs_.read("said");
      EXPECT_EQ(check(result), 0) << bits << ' ' << objective << '\n' << said_;
      auto larger = result;
      larger["architecture"]["hierarchy"][2]["memory"]["read_bandwidth"] = 4503599627370497;
      EXPECT_EQ(check(larger), 3) << said_;
    }
  }
}

TEST_F(PimTool, RefutesChangedResults) {
  const auto honest = map("--objective energy");
  ASSERT_EQ(check(honest), 0) << said_;
  const auto rejects = [&](const char* what, const auto& change) {
    auto forged = honest;
    change(forged["layers"][0]);
    EXPECT_EQ(check(forged), 7) << what << '\n' << said_;
  };
  rejects("a higher bound",
          [](Json& layer) { layer["lower_bound"] = layer["lower_bound"].get<double>() * 1.001; });
  rejects("a lower cost", [](Json& layer) { layer["objective"] = layer["objective"].get<double>() * 0.999; });
  rejects("other cycles",
          [](Json& layer) { layer["latency_cycles"] = layer["latency_cycles"].get<int>() - 1; });
  rejects("another layout", [](Json& layer) {
    layer["mapping"]["layout"]["I"] = {{"kind", "row_aligned"}, {"block", {5, 1}}};
  });
  rejects("a loop less", [](Json& layer) { layer["mapping"]["temporal"].erase(0); });
  rejects("another layer", [](Json& layer) { layer["dims"]["K"] = 16; });
  rejects("no mapping", [](Json& layer) { layer["status"] = "infeasible"; });
  auto machine = honest;
  machine["architecture"]["hierarchy"][0]["memory"]["read_energy"] = 3.5;
  EXPECT_EQ(check(machine), 7) << said_;
  auto hybrid = honest;
  hybrid["architecture"]["row_model"] = "hybrid";
  EXPECT_EQ(check(hybrid), 3) << said_;
  auto table = honest;
  table["bypass_table"] = Json::object();
  EXPECT_EQ(check(table), 3) << said_;
  auto space = honest;
  space["space"] = "cnm";
  EXPECT_NE(check(space), 0) << said_;
}

TEST_F(PimTool, RefusesRunsWithoutRules) {
  const auto net = runs_.write("net.yaml", layers);
  const auto base = "map " + net + " --arch pim-default --proof " + runs_.path("p");
  for (const std::string option : {"--fix-bypass", "--method sampled"}) {
    EXPECT_EQ(runs_.run(NESTOR_TOOL, base + " " + option), 2);
    EXPECT_NE(runs_.read("said").find("cannot be used with --proof"), std::string::npos)
        << runs_.read("said");
  }
}

}  // namespace
}  // namespace nestor::pim_tool_test
