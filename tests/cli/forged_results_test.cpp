// Tests of verify with results in which one value is changed, dropped, doubled or exchanged between layers.
// verify rejects each forged result, or lists the changed part as not checked. The cases are drawn at random;
// NESTOR_FORGED_RESULTS sets their number for each result.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/random.h"
#include "io/layer_file.h"
#include "report/cim/verify/result_check.h"
#include "report/results/cim/result_file.h"
#include "support/forgeries.h"
#include "support/parse_run.h"

namespace nestor::forged_results_test {
namespace {

namespace fs = std::filesystem;
using tests::collect;
using tests::forge;
using tests::is_named;
using tests::Json;
using tests::Place;

constexpr auto machine_text = R"(name: small
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 16, read_energy: 2, write_energy: 2.5}
  - memory: {name: buffer, operands: [I, O], capacity: 1 KiB, bandwidth: 32, double_buffer: true, read_energy: 0.5, write_energy: 0.5}
  - memory: {name: array, operands: [W], capacity: 2048, bandwidth: 32}
  - memory: {name: lines, operands: [I], capacity: 256, bandwidth: 32}
  - memory: {name: sums, operands: [O], capacity: 256, bandwidth: 32}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 4, dims: [K]}
compute: {mvm_cycles: 4, mac_energy: 0.25}
)";
constexpr auto layers_text = R"(name: toy
layers:
  - {name: conv, dims: {K: 8, C: 8, P: 6, Q: 6}, stride: [2, 1], bits: {I: 8, W: 8, O: 8, psum: 24}}
  - {name: again, dims: {K: 8, C: 8, P: 6, Q: 6}, stride: [2, 1], repeat: 2, bits: {I: 8, W: 8, O: 8, psum: 24}}
  - {name: dense, dims: {K: 12, C: 40}, bits: {I: 8, W: 8, O: 8, psum: 24}}
unmapped: [{type: Relu, count: 3}]
)";

class ForgedResults : public ::testing::TestWithParam<const char*> {
 protected:
  ForgedResults() : folder_(fs::temp_directory_path() / ("nestor-forged-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    fs::current_path(folder_);
    std::ofstream("machine.yaml") << machine_text;
    std::ofstream("layers.yaml") << layers_text;
  }
  ~ForgedResults() override {
    fs::current_path(fs::temp_directory_path());
    fs::remove_all(folder_);
  }

  static io::Result<io::ResultCheck> check(const Json& document) {
    const auto run = tests::parse_run(document.dump(), "result.json");
    if (!run) return run.error();
    return io::check_cim_result(*run, document, [](const std::string& name, const io::OptionTexts&) {
      return io::read_layers(name);
    });
  }

 private:
  fs::path folder_;
};

TEST_P(ForgedResults, AreRejectedOrListedAsUnchecked) {
  const std::string command =
      std::string("'" NESTOR_TOOL "' ") + GetParam() + " --json result.json >/dev/null";
  ASSERT_LE(WEXITSTATUS(std::system(command.c_str())), 1) << command;
  std::ifstream in("result.json");
  const auto original = Json::parse(in);
  const auto honest = check(original);
  ASSERT_TRUE(honest) << honest.error().to_string();
  for (const auto& finding : honest->findings) ADD_FAILURE() << finding;

  std::vector<Place> places;
  collect(original, Place{Json::json_pointer(), ""}, places);
  const char* const asked = std::getenv("NESTOR_FORGED_RESULTS");
  const std::size_t wanted = asked != nullptr ? std::stoul(asked) : 100;
  constexpr std::uint64_t seed = 14;
  Random random(seed);
  std::map<std::string, int> actions;
  std::size_t rejected = 0;
  const auto meaning = [](const Json& document) {
    const auto run = tests::parse_run(document.dump(), "result.json");
    return run ? io::run_to_json(*run).dump() : run.error().to_string();
  };
  const auto original_meaning = meaning(original);
  for (std::size_t count = 0; count < wanted;) {
    auto forgery = forge(original, places, random);
    if (!forgery || forgery->document == original) continue;
    const auto verdict = check(forgery->document);
    const bool is_rejected = !verdict || !verdict->findings.empty();
    // A forgery makes no new claim if it states a default explicitly or uses the data of an equal layer.
    if (!is_rejected && meaning(forgery->document) == original_meaning) continue;
    ++count;
    ++actions[forgery->action];
    rejected += is_rejected ? 1U : 0U;
    EXPECT_TRUE(is_rejected || is_named(verdict->not_checked, forgery->path))
        << forgery->action << " " << forgery->path << " passes (seed " << seed << ")";
  }
  EXPECT_GE(actions.size(), 4U);
  EXPECT_GE(rejected, wanted / 2) << "verify knows hardly anything";
}

INSTANTIATE_TEST_SUITE_P(
    Runs, ForgedResults,
    ::testing::Values("map layers.yaml --arch machine.yaml --explain --top 3",
                      "map layers.yaml --arch machine.yaml --objective pareto",
                      "map layers.yaml --arch machine.yaml --objective edp --work-limit 2",
                      "map layers.yaml --arch machine.yaml --method sampled"));

}  // namespace
}  // namespace nestor::forged_results_test
