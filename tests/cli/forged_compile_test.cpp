// Tests of verify with results of compile in which one value is changed, dropped or duplicated, or one key is
// added, at every possible place. verify rejects each forged result, or lists the changed part as not
// checked.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "model/chip/program/infer_functions.h"
#include "model/chip/split.h"
#include "report/chip/verify/result_check.h"
#include "support/forgeries.h"

namespace nestor::forged_compile_test {
namespace {

namespace fs = std::filesystem;
using tests::collect;
using tests::is_named;
using tests::Json;
using tests::Place;

constexpr auto machine_text = R"(name: small
kind: chip
mode: WLM
chip: {cores: 4, alu: 16, l0: {size: 1 KiB, bandwidth: 64}, off_chip: {bandwidth: 32}, noc: {kind: mesh, hop_cycles: 2}}
core: {crossbars: 2, alu: 64, l1: {size: 2 KiB, bandwidth: 256}}
crossbar: {size: [32, 32], parallel_rows: 8, dac: 2, adc: 8, type: SRAM, cell_bits: 2, write_cycles: 3}
energy: {crossbar: 0.5, adc: 0.25, dac: 0.125, alu: 0.5, l0: 0.25, l1: 0.125, off_chip: 2, noc: 0.5, write: 4, leakage: 0.25}
clock: 1000000
)";
constexpr auto network_text = R"(name: toy
kind: chip-network
inputs: [{name: image, rows: 6, width: 6, channels: 4}]
operators:
  - {name: conv, kind: array, rows: 6, width: 6, channels: 8, in_channels: 4, row_in: 24, matrix: {rows: 36, columns: 8}, inputs: [{from: image, need: [1, 1, 1]}]}
  - {name: relu, kind: alu, rows: 6, width: 6, channels: 8, in_channels: 8, row_in: 48, alu_ops: 48, inputs: [{from: conv, need: [1, 0, 1]}]}
  - {name: dense, kind: array, rows: 1, width: 1, channels: 6, in_channels: 288, row_in: 288, matrix: {rows: 288, columns: 6}, inputs: [{from: relu, need: [0, 5, 1]}]}
)";

// Returns the forged values that replace a value.
std::vector<Json> changes(const Json& value) {
  if (value.is_boolean()) return {!value.get<bool>(), "yes"};
  if (value.is_number_integer()) {
    const auto count = value.get<std::int64_t>();
    return {count + 1, count - 1, -7,
            static_cast<double>(count) * (1 + 1e-11) + 1e-11};  // the last value is not an integer
  }
  if (value.is_number()) return {value.get<double>() * 2 + 1, value.get<double>() / 2 - 1};
  if (value.is_string()) return {"zzz", "optimal", "latency", "alu", "conv", ""};
  if (value.is_null()) return {0};
  return {Json()};
}

class CompilationCheck : public ::testing::Test {
 protected:
  CompilationCheck()
      : folder_(fs::temp_directory_path() / ("nestor-forged-chip-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    fs::current_path(folder_);
    std::ofstream("machine.yaml") << machine_text;
    std::ofstream("network.yaml") << network_text;
  }
  ~CompilationCheck() override {
    fs::current_path(fs::temp_directory_path());
    fs::remove_all(folder_);
  }

  static io::Result<io::CompileCheck> check(const Json& document) {
    const io::CompileInputs inputs = {
        [](const std::string& name, const io::RunOptions& options) {
          auto machine = io::read_chip_machine(name);
          if (machine && options.chip_mode == chip::Mode::XBM) machine->mode = chip::Mode::XBM;
          return machine;
        },
        [](const std::string& name, const chip::ChipMachine& machine, const io::RunOptions&) {
          const auto text = io::read_file(name);
          if (!text) return io::Result<chip::ChipNetwork>(text.error());
          auto network = io::parse_chip_network(*text, name);
          if (!network) return network;
          chip_program::infer_functions(*network);
          chip::split(machine, *network);
          return network;
        }};
    return io::check_compile_result(document.dump(), "result.json", inputs);
  }

 private:
  fs::path folder_;
};

class ForgedCompilation : public CompilationCheck, public ::testing::WithParamInterface<const char*> {};
class StoppedCompilation : public CompilationCheck {};

Json compile(const std::string& options) {
  const std::string command = "'" NESTOR_TOOL "' compile network.yaml --arch machine.yaml " + options +
                              " --json result.json >/dev/null";
  EXPECT_LE(WEXITSTATUS(std::system(command.c_str())), 1) << command;
  std::ifstream in("result.json");
  return Json::parse(in);
}

TEST_P(ForgedCompilation, IsRejectedOrListedAsUnchecked) {
  const auto original = compile(GetParam());
  const auto honest = check(original);
  ASSERT_TRUE(honest) << honest.error().to_string();
  for (const auto& finding : honest->findings) ADD_FAILURE() << finding;
  EXPECT_GT(honest->figures, 100);

  std::vector<Place> places;
  collect(original, Place{Json::json_pointer(), ""}, places);
  int forged = 0;
  int named = 0;
  const auto judge = [&](const Json& document, const char* action, const std::string& path) {
    ++forged;
    const auto verdict = check(document);
    if (!verdict || !verdict->findings.empty()) return;
    ++named;
    // If `parts` is missing, its default is the fewest parts that store the matrix, which may be the original
    // value.
    if (path == "decisions.segments[].operators[].parts") return;
    EXPECT_TRUE(is_named(verdict->not_checked, path)) << action << " " << path << " passes";
  };
  for (const auto& place : places) {
    for (const auto& value : changes(original[place.at])) {
      if (value == original[place.at]) continue;
      Json document = original;
      document[place.at] = value;
      judge(document, ("changed to " + value.dump()).c_str(), place.path);
    }
    Json document = original;
    auto& holder = document[place.at.parent_pointer()];
    if (holder.is_array()) {
      holder.push_back(Json(original[place.at]));
      judge(document, "duplicated", place.path);
    } else {
      holder.erase(place.at.back());
      judge(document, "dropped", place.path);
      Json other = original;
      other[place.at.parent_pointer()]["unheard_of"] = 1;
      judge(other, "added beside", place.path);
    }
  }
  EXPECT_GT(forged, 1000);
  EXPECT_LT(named, 40) << "verify lists too many forged values as not checked";
}

INSTANTIATE_TEST_SUITE_P(Runs, ForgedCompilation,
                         ::testing::Values("", "--objective energy --limit latency=100000 --mode XBM",
                                           "--objective peak-power --levels cg --work-limit 3",
                                           "--method cim-mlc"));

// A run that is stopped at once has a schedule, but not yet all baselines.
TEST_F(StoppedCompilation, MayLackBaselines) {
  auto document = compile("");
  document["baseline_cycles"].erase("cim-mlc");
  const auto complete = check(document);
  ASSERT_TRUE(complete) << complete.error().to_string();
  EXPECT_FALSE(complete->findings.empty());
  document["status"] = "interrupted";
  document.erase("tie_break");
  const auto stopped = check(document);
  ASSERT_TRUE(stopped) << stopped.error().to_string();
  for (const auto& finding : stopped->findings) ADD_FAILURE() << finding;
  EXPECT_TRUE(is_named(stopped->not_checked, "baseline_cycles.cim-mlc"));
}

}  // namespace
}  // namespace nestor::forged_compile_test
