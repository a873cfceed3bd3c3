// verify --recheck: honest results are proved again; forgeries that nothing but a search can find are
// refuted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace nestor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Recheck : public testing::Test {
 protected:
  Recheck() : folder_(fs::temp_directory_path() / ("nestor_recheck_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Recheck() override { fs::remove_all(folder_); }

  static int run(const std::string& arguments) {
    return WEXITSTATUS(std::system(("'" NESTOR_TOOL "' " + arguments + " >/dev/null 2>&1").c_str()));
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Json map(const std::string& options) const {
    EXPECT_EQ(run("map mlperf-tiny-dscnn --arch miredo-table4 " + options + " --json " + path("r.json")), 0);
    return read("r.json");
  }
  Json read(const std::string& name) const {
    std::ifstream in(path(name));
    return Json::parse(in);
  }
  struct Said {
    int status;
    std::string optimality;
  };
  Said recheck(const Json& result, const std::string& options = "--recheck") const {
    std::ofstream(path("r.json")) << result;
    const int status = run("verify " + path("r.json") + " " + options + " --json " + path("v.json"));
    return {status, read("v.json")["optimality"].get<std::string>()};
  }

 private:
  fs::path folder_;
};

// A baseline's mappings as if a search had proved them: `share` of the objective as the lower bound.
Json relabelled(Json result, const std::string& status, double share) {
  result["options"].erase("method");
  for (auto& layer : result["layers"]) {
    layer["status"] = status;
    layer["lower_bound"] = share * layer["objective"].get<double>();
    layer["gap"] = 1 - share;
    layer["search"] = {{"nodes", 1},
                       {"labels", 1},
                       {"pruned", Json::object()},
                       {"seconds", 0},
                       {"incumbents", Json::array()}};
  }
  result["totals"]["lower_bound"] = share * result["totals"]["objective"].get<double>();
  result["totals"]["gap"] = 1 - share;
  return result;
}

TEST_F(Recheck, ProvesHonestResultsAgain) {
  for (const auto* const options : {"", "--objective energy", "--objective edp --top 3", "--objective pareto",
                                    "--work-limit 1", "--pad 20 --latency-model miredo"}) {
    const auto status = run(std::string("map mlperf-tiny-dscnn --arch miredo-table4 ") + options +
                            " --json " + path("r.json"));
    ASSERT_LE(status, 1) << options;
    const auto said = recheck(read("r.json"));
    EXPECT_EQ(said.status, 0) << options;
    EXPECT_EQ(said.optimality, "proved again by the search") << options;
  }
}

TEST_F(Recheck, RefutesABaselineThatIsCalledOptimal) {
  const auto forged = relabelled(map("--method weight-stationary"), "optimal", 1);
  EXPECT_EQ(recheck(forged, "").status, 0) << "nothing but a search can tell";
  EXPECT_EQ(recheck(forged, "").optimality, "not checked");
  const auto said = recheck(forged);
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.optimality, "refuted by the search");
}

TEST_F(Recheck, RefutesABoundAboveTheOptimum) {
  const auto said = recheck(relabelled(map("--method weight-stationary"), "time_limit", 0.99));
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.optimality, "refuted by the search");
}

TEST_F(Recheck, RefutesWhatIsMissing) {
  auto front = map("--objective pareto");
  for (auto& layer : front["layers"])
    if (layer["front"].size() > 1) layer["front"].erase(1);
  EXPECT_EQ(recheck(front).optimality, "refuted by the search");
  auto top = map("--top 3");
  for (auto& layer : top["layers"])
    if (!layer["alternatives"].empty()) layer["alternatives"].erase(0);
  EXPECT_EQ(recheck(top).optimality, "refuted by the search");
}

TEST_F(Recheck, SaysWhatItHadNoTimeFor) {
  const auto said = recheck(map("--objective energy"), "--recheck --time-limit 0");
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.optimality, "left open where the search was stopped");
}

TEST_F(Recheck, IsRefusedWhereNothingWasProved) {
  map("--method weight-stationary");
  EXPECT_EQ(run("verify " + path("r.json") + " --recheck"), 2);
}

}  // namespace
}  // namespace nestor
