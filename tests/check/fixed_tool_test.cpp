// End-to-end tests of proofs under --fix. The checker verifies optima among the mappings that satisfy the
// constraints. It rejects a result whose constraints were changed or removed, unless its claim is still true.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tool_runs.h"

namespace nestor::fixed_tool_test {
namespace {

using check_cases::Json;
using check_cases::ToolRuns;

constexpr const char* layers = R"(layers:
- {name: conv, dims: {K: 8, C: 8, P: 6, Q: 6}}
- {name: dense, dims: {K: 12, C: 40}}
)";
constexpr const char* cim_machine = R"(name: small
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 16, read_energy: 2, write_energy: 2.5}
  - memory: {name: buffer, operands: [I, O], capacity: 8192, bandwidth: 32, double_buffer: true, read_energy: 0.5, write_energy: 0.5}
  - memory: {name: array, operands: [W], capacity: 2048, bandwidth: 32}
  - memory: {name: lines, operands: [I], capacity: 256, bandwidth: 32}
  - memory: {name: sums, operands: [O], capacity: 256, bandwidth: 32}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 4, dims: [K]}
compute: {mvm_cycles: 4, mac_energy: 0.25}
)";
constexpr const char* pim_machine = R"(name: banks
kind: pim
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 64, row: 256, banks: 2, activation_cycles: 9, read_energy: 4, write_energy: 4}
  - memory: {name: buffer, operands: [I, W, O], capacity: 2048, bandwidth: 128, read_energy: 1, write_energy: 1}
  - spatial: {name: row, size: 8, dims: all}
  - memory: {name: pe, operands: [I, W, O], capacity: 256, bandwidth: 64, read_energy: 0.25, write_energy: 0.25}
compute: {mvm_cycles: 1, mac_energy: 0.5}
)";
constexpr const char* constraints = R"(axes:
  row: {dims: [C], factors: {C: 4}, min_utilisation: 0.25}
memories:
  buffer: {must_not_use: [I], must_use: [O]}
)";

struct Forgery {
  const char* name;
  std::function<void(Json&)> apply;
};
const std::vector<Forgery> forgeries = {
    {"no constraints", [](Json& r) { r.erase("constraints"); }},
    {"constraints without --fix", [](Json& r) { r["options"].erase("fix"); }},
    {"neither",
     [](Json& r) {
       r["options"].erase("fix");
       r.erase("constraints");
     }},
    {"another factor", [](Json& r) { r["constraints"]["axes"]["row"]["factors"]["C"] = 2; }},
    {"a factor less", [](Json& r) { r["constraints"]["axes"]["row"].erase("factors"); }},
    {"another dimension",
     [](Json& r) {
       r["constraints"]["axes"]["row"]["dims"] = {"C", "R"};
     }},
    {"more lanes", [](Json& r) { r["constraints"]["axes"]["row"]["min_utilisation"] = 1; }},
    {"a memory that may be used",
     [](Json& r) { r["constraints"]["memories"]["buffer"].erase("must_not_use"); }},
    {"a memory that is needed", [](Json& r) { r["constraints"]["memories"]["buffer"]["must_use"] = {"I"}; }},
    {"outer loops",
     [](Json& r) {
       r["constraints"]["outer_loops"] = {{{"dim", "K"}, {"factor", 2}}};
     }},
    {"stationary", [](Json& r) { r["constraints"]["stationary"] = {"W"}; }},
    {"an unknown key", [](Json& r) { r["constraints"]["loops"] = 1; }},
    {"an unknown axis", [](Json& r) { r["constraints"]["axes"]["rows"] = Json::object(); }},
    {"a home",
     [](Json& r) {
       r["constraints"]["memories"]["dram"] = {{"must_not_use", {"W"}}};
     }},
    {"text", [](Json& r) { r["constraints"] = "none"; }},
};

class FixedTool : public ::testing::Test {
 protected:
  Json map(const std::string& constraints_file, const std::string& options) const {
    return tool_.nestor("map " + tool_.path("layers.yaml") + " --arch " + tool_.path("machine.yaml") +
                        " --fix " + constraints_file + " " + options);
  }

  // Returns the claims about the layers, without the mappings.
  static Json claims_of(const Json& result) {
    Json claims = Json::array();
    for (const Json& layer : result["layers"]) {
      Json claim = {layer.value("status", Json()), layer.value("objective", Json())};
      for (const char* list : {"front", "alternatives"})
        for (const Json& point : layer.value(list, Json::array()))
          claim.push_back({point["latency_cycles"], point["energy_pj"]});
      claims.push_back(claim);
    }
    return claims;
  }

  // True if a search under the forged constraints makes the same claims. Other constraints may permit an
  // equally good mapping.
  bool is_true(const Json& forged, const std::string& options) const {
    if (!forged.contains("constraints")) return false;
    const auto result = map(tool_.write("other.yaml", forged["constraints"].dump()), options);
    return result.is_object() && claims_of(result) == claims_of(forged);
  }

  ToolRuns tool_;
};

TEST_F(FixedTool, VerifiesProofsAndRefusesOtherConstraints) {
  tool_.write("layers.yaml", layers);
  const auto fixed = tool_.write("fix.yaml", constraints);
  int refused = 0;
  for (const char* machine : {cim_machine, pim_machine}) {
    tool_.write("machine.yaml", machine);
    for (const std::string options : {"--objective latency", "--objective energy --top 2",
                                      "--objective pareto", "--objective edp --pad 20"}) {
      SCOPED_TRACE(options + "\n" + machine);
      const Json result = map(fixed, options + " --proof " + tool_.path("proof"));
      ASSERT_TRUE(result.is_object()) << tool_.read("said");
      std::string said;
      ASSERT_EQ(tool_.check(result.dump(), tool_.path("proof"), &said), 0) << said;
      EXPECT_NE(said.find("that meets its constraints"), std::string::npos) << said;
      EXPECT_EQ(tool_.run(NESTOR_TOOL, "verify " + tool_.path("r.json")), 0) << tool_.read("said");
      for (const Forgery& forgery : forgeries) {
        Json forged = result;
        forgery.apply(forged);
        const int status = tool_.check(forged.dump(), tool_.path("proof"), &said);
        if (status == 0) {
          EXPECT_TRUE(is_true(forged, options)) << forgery.name << ": " << said;
        } else {
          EXPECT_TRUE(status == 3 || status == 7) << forgery.name << ": " << status << " " << said;
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 80);
}

TEST_F(FixedTool, RefusesFixedLoops) {
  tool_.write("layers.yaml", layers);
  tool_.write("machine.yaml", cim_machine);
  for (const char* fixed : {"outer_loops: [{dim: K, factor: 2}]\n", "stationary: [W]\n"}) {
    tool_.write("fix.yaml", fixed);
    EXPECT_EQ(
        tool_.run(NESTOR_TOOL, "map " + tool_.path("layers.yaml") + " --arch " + tool_.path("machine.yaml") +
                                   " --fix " + tool_.path("fix.yaml") + " --proof " + tool_.path("proof")),
        2);
    EXPECT_NE(tool_.read("said").find("nestor-check has no rules"), std::string::npos) << tool_.read("said");
  }
}

}  // namespace
}  // namespace nestor::fixed_tool_test
