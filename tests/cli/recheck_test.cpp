// Tests of verify --recheck. Honest results are proved again, and forgeries that only a search can detect are
// refuted.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/tool_folder.h"

namespace nestor::recheck_test {
namespace {

using Json = nlohmann::ordered_json;

// A network or kernel on a machine.
struct Case {
  const char* network;
  const char* machine;
  const char* baseline;  ///< options of a baseline that is not optimal
  std::vector<const char*> options;
};
std::ostream& operator<<(std::ostream& out, const Case& each) { return out << each.machine; }

constexpr const char* layers_beside_dram =
    "name: net\nlayers:\n  - {name: one, dims: {K: 16, C: 16}}\n"
    "  - {name: two, dims: {K: 8, C: 8, P: 4, Q: 4, R: 3}, repeat: 3}\n";

class Recheck : public ::testing::TestWithParam<Case> {
 protected:
  Recheck() { folder_.write("net.yaml", layers_beside_dram); }

  int run(const std::string& arguments) const { return folder_.run(arguments); }

  Json map(const std::string& options) const {
    EXPECT_LE(run(std::string("map ") + GetParam().network + " --arch " + GetParam().machine + " " + options +
                  " --json r.json"),
              1)
        << options;
    return read("r.json");
  }
  Json read(const std::string& name) const { return Json::parse(folder_.text(name)); }
  struct Output {
    int status;
    std::string optimality;
  };
  Output recheck(const Json& result, const std::string& options = "--recheck") const {
    folder_.write("r.json", result.dump());
    const int status = run("verify r.json " + options + " --json v.json");
    return {status, read("v.json")["optimality"].get<std::string>()};
  }

 private:
  ToolFolder folder_;
};

// Presents a baseline's mappings as results of a search, with a lower bound of `share` times the objective.
Json relabelled(Json result, const std::string& status, double share) {
  result["options"].erase("method");
  result["members"] = "exact divisors";
  double sum = 0;  // a baseline on a PIM machine omits the sum
  for (auto& layer : result["layers"]) {
    sum += layer.value("repeat", 1.0) * layer["objective"].get<double>();
    layer["status"] = status;
    layer["lower_bound"] = share * layer["objective"].get<double>();
    layer["gap"] = 1 - share;
    if (!layer.contains("search"))
      layer["search"] = {{"nodes", 1},
                         {"labels", 1},
                         {"pruned", Json::object()},
                         {"seconds", 0},
                         {"incumbents", Json::array()}};
  }
  auto& objective = result["totals"]["objective"];
  if (objective.is_null()) objective = sum;
  result["totals"]["lower_bound"] = share * objective.get<double>();
  result["totals"]["gap"] = 1 - share;
  return result;
}

TEST_P(Recheck, ConfirmsHonestResults) {
  for (const auto* const options : GetParam().options) {
    const auto said = recheck(map(options));
    EXPECT_EQ(said.status, 0) << options;
    EXPECT_EQ(said.optimality, "proved again by the search") << options;
  }
}

TEST_P(Recheck, RefutesABaselineClaimedOptimal) {
  const auto forged = relabelled(map(GetParam().baseline), "optimal", 1);
  EXPECT_EQ(recheck(forged, "").status, 0) << "nothing but a search can tell";
  EXPECT_EQ(recheck(forged, "").optimality, "not checked");
  const auto said = recheck(forged);
  EXPECT_EQ(said.status, 7);
  EXPECT_EQ(said.optimality, "refuted by the search");
}

TEST_P(Recheck, RefutesABoundAboveTheOptimum) {
  const auto said = recheck(relabelled(map(GetParam().baseline), "time_limit", 0.99));
  EXPECT_EQ(said.status, 7);
  EXPECT_EQ(said.optimality, "refuted by the search");
}

TEST_P(Recheck, RefutesIncompleteLists) {
  auto front = map("--objective pareto");
  for (auto& layer : front["layers"])
    if (layer["front"].size() > 1) layer["front"].erase(1);
  EXPECT_EQ(recheck(front).optimality, "refuted by the search");
  auto top = map("--top 3");
  for (auto& layer : top["layers"])
    if (!layer["alternatives"].empty()) layer["alternatives"].erase(0);
  EXPECT_EQ(recheck(top).optimality, "refuted by the search");
}

TEST_P(Recheck, ReportsThatTimeRanOut) {
  const auto said = recheck(map("--objective energy"), "--recheck --time-limit 0");
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.optimality, "left open where the search was stopped");
}

TEST_P(Recheck, RefusesUnprovedResults) {
  map(GetParam().baseline);
  EXPECT_EQ(run("verify r.json --recheck"), 2);
}

// With --fix-bypass, all layers share one bypass table, which is claimed to minimise their total cost.
class RecheckOfPim : public Recheck {};
TEST_P(RecheckOfPim, RefutesABypassTableThatIsNotTheBest) {
  auto result = relabelled(map(GetParam().baseline), "optimal", 1);
  result["options"]["fix-bypass"] = "true";
  const auto said = recheck(result);
  EXPECT_EQ(said.status, 7);
  EXPECT_EQ(said.optimality, "refuted by the search");
}

// Kernels on near-memory machines. Their results contain times and rankings of the fastest mappings.
class RecheckOfKernels : public Recheck {};
TEST_P(RecheckOfKernels, ProvesTimesAndRankings) {
  for (const auto* const options : GetParam().options) {
    const auto said = recheck(map(options));
    EXPECT_EQ(said.status, 0) << options;
    EXPECT_EQ(said.optimality, "proved again by the search") << options;
  }
  const auto ranked = map(std::string(GetParam().baseline) + " --layer one --top 40");
  auto forged = ranked;
  auto& top = forged["layers"][0]["top"];
  ASSERT_LT(top[0]["time_ms"].get<double>() * 1.001, top[39]["time_ms"].get<double>());
  for (int better = 0; better < 38; ++better) top.erase(1);
  EXPECT_EQ(recheck(forged).optimality, "refuted by the search") << "better ones are missing";
  forged = ranked;
  forged["layers"][0]["status"] = "time_limit";
  forged["layers"][0]["lower_bound_ms"] = 1.01 * ranked["layers"][0]["time_ms"].get<double>();
  EXPECT_EQ(recheck(forged).optimality, "refuted by the search") << "no such bound";
  EXPECT_EQ(recheck(ranked, "--recheck --time-limit 0").optimality, "left open where the search was stopped");
}

const Case cim{"mlperf-tiny-dscnn",
               "miredo-table4",
               "--method weight-stationary-greedy",
               {"", "--objective energy", "--objective edp --top 3", "--objective pareto", "--work-limit 1",
                "--pad 20 --latency-model miredo", "--method weight-stationary"}};
const Case pim{"net.yaml",
               "pim-default",
               "--method sampled --seed 2 --objective energy",
               {"", "--objective energy", "--objective edp --top 3", "--objective pareto", "--work-limit 1",
                "--fix-bypass", "--layouts sequential", "--method output-stationary"}};
const Case upmem{"net.yaml", "upmem", "", {"", "--layer one --top 3"}};
const Case hbm{"net.yaml", "hbm-pim", "--dtype f16", {"--dtype f16", "--dtype f16 --layer one --top 3"}};
INSTANTIATE_TEST_SUITE_P(Spaces, Recheck, ::testing::Values(cim, pim));
INSTANTIATE_TEST_SUITE_P(Cnm, RecheckOfKernels, ::testing::Values(upmem, hbm));
INSTANTIATE_TEST_SUITE_P(Pim, RecheckOfPim, ::testing::Values(pim));

}  // namespace
}  // namespace nestor::recheck_test
