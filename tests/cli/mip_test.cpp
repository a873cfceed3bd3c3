// Tests of export, import and compare from the command line, with solvers that are missing, crash, write
// invalid text or give wrong answers, and with damaged solutions and models.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random.h"
#include "cli/tool_folder.h"
#include "support/setting.h"

namespace nestor::mip_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto layers_text =
    "name: net\nlayers:\n"
    "  - {name: one, dims: {K: 4, C: 6, P: 2}}\n"
    "  - {name: two, dims: {K: 4, C: 2, P: 4}}\n";
constexpr auto cim_text = R"(name: small
kind: cim
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 16, read_energy: 2, write_energy: 2.5}
  - memory: {name: buffer, operands: [I, O], capacity: 256, bandwidth: 32, double_buffer: true}
  - memory: {name: array, operands: [W], capacity: 64, bandwidth: 32}
  - memory: {name: sums, operands: [O], capacity: 64, bandwidth: 32}
  - memory: {name: lines, operands: [I], capacity: 64, bandwidth: 32}
  - spatial: {name: row, size: 2, dims: [C, R, S]}
  - spatial: {name: column, size: 2, dims: [K]}
compute: {mvm_cycles: 4, mac_energy: 0.25}
)";
constexpr auto pim_text = R"(name: bank
kind: pim
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 64, row: 16 B, activation_cycles: 28, read_energy: 4, write_energy: 4}
  - memory: {name: buffer, operands: [I, W, O], capacity: 512, bandwidth: 128, read_energy: 1, write_energy: 1}
  - spatial: {name: H, size: 2, dims: all}
  - memory: {name: pe, operands: [I, W, O], capacity: 256, bandwidth: 64}
compute: {mvm_cycles: 1, mac_energy: 0.5}
)";

class MipVerbs : public ::testing::TestWithParam<const char*> {
 protected:
  MipVerbs() {
    folder_.write("net.yaml", layers_text);
    folder_.write("machine.yaml", std::string(GetParam()) == "cim" ? cim_text : pim_text);
    EXPECT_EQ(run("export net.yaml --arch machine.yaml --start -o models/"), 0) << folder_.text("err");
  }

  int run(const std::string& arguments) const { return folder_.run(arguments); }
  Json result(const std::string& name) const { return Json::parse(folder_.text(name)); }

  // Runs compare with `command` in place of a solver, and returns the row of this solver. compare must exit
  // with status 0.
  Json outcome(const std::string& name, const std::string& command) const {
    const auto said =
        run("compare net.yaml --layer one --arch machine.yaml --time-limit 1 --solvers " + name +
            " --solver-command '" + name + "=" + command + "' --json compared.json --csv compared.csv");
    EXPECT_EQ(said, 0) << folder_.text("err");
    const auto compared = result("compared.json");
    for (const auto& row : compared["rows"])
      if (row["solver"] == name) return row;
    ADD_FAILURE() << "no row for " << name;
    return {};
  }

  // Imports a damaged file. Expects no result, and a message of one line that names the damaged file.
  void expect_refused(const std::string& arguments, const std::string& what) const {
    fs::remove(folder_.path("r.json"));
    EXPECT_EQ(run("import " + arguments + " --json r.json"), 3) << what;
    const auto message = folder_.text("err");
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << what << '\n' << message;
    EXPECT_NE(message.find("damaged"), std::string::npos) << what << '\n' << message;
    EXPECT_FALSE(fs::exists(folder_.path("r.json"))) << what;
  }

  ToolFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Spaces, MipVerbs, ::testing::Values("cim", "pim"));

TEST_P(MipVerbs, ImportOwnStartsAsConfirmedResults) {
  for (const char* const ending : {".mst", ".sol", ".scip.sol", ".start"}) {
    ASSERT_EQ(run(std::string("import models/one") + ending + " --model models/one.json --json r.json"), 0)
        << ending << folder_.text("err");
    const auto layer = result("r.json")["layers"][0];
    EXPECT_EQ(layer["status"], "imported");
    EXPECT_EQ(layer["claimed_objective"], layer["objective"]);
    EXPECT_EQ(layer["objective"], result("models/one.json")["optimum"]);
    EXPECT_EQ(run("verify r.json"), 0) << folder_.text("out");
  }
}

TEST_P(MipVerbs, ReportSolversThatFail) {
  EXPECT_EQ(outcome("cbc", "no-such-solver-at-all")["state"], "failed");
  EXPECT_EQ(outcome("cbc", "no-such-solver-at-all")["remark"], "no such command");
  EXPECT_EQ(outcome("mine", "kill -SEGV $$")["state"], "failed");
  EXPECT_EQ(outcome("mine", "exit 0")["state"], "failed");
  EXPECT_EQ(outcome("mine", "echo nonsense > {solution}")["state"], "unreadable");
  EXPECT_EQ(outcome("mine", "head -c 4096 /dev/zero > {solution}")["state"], "unreadable");
  EXPECT_EQ(outcome("mine", "sed s/e-05/nan/ {model} > {solution}")["state"], "unreadable");
  EXPECT_EQ(outcome("cbc", "echo Result - Stopped on time limit")["state"], "no solution");
}

TEST_P(MipVerbs, ReportSolversWithFalseClaims) {
  const std::string optimal = "; echo Result - Optimal solution found";
  const auto honest = outcome("cbc", "cp {start} {solution}" + optimal);
  EXPECT_EQ(honest["state"], "optimal");
  EXPECT_EQ(honest["ratio"], 1.0);
  EXPECT_NE(folder_.text("compared.csv").find("\none,cbc,optimal,"), std::string::npos);
  EXPECT_EQ(outcome("cbc", "sed \"1s/value .*/value 1/\" {start} > {solution}" + optimal)["state"],
            "false claim");
  EXPECT_EQ(outcome("cbc", "cp {start} {solution}; echo \"Lower bound: 1e9\"")["state"], "false claim");
  EXPECT_EQ(outcome("cbc", "echo Result - Problem proven infeasible")["state"], "false claim");
  const auto broken = outcome("cbc", "grep -v \" XL_\" {start} > {solution}" + optimal);
  EXPECT_EQ(broken["state"], "refused");
  EXPECT_FALSE(broken.contains("evaluated"));
}

TEST_P(MipVerbs, ReportSolversThatOverrunTheirTime) {
  if (tests::setting("NESTOR_MIP_OVERRUN", 0) == 0) GTEST_SKIP() << "nightly: compare waits for 11 s";
  const auto late = outcome("mine", "sleep 60");
  EXPECT_EQ(late["state"], "time-out");
}

// Returns the text of a solution file after one random change.
std::string damaged(std::vector<std::string> lines, Random& random, std::string& action) {
  const auto values = [&] {  // lines of nonzero columns
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::istringstream words(lines[i]);
      std::string word;
      bool column = false;
      while (words >> word) column |= word.find('_') != std::string::npos;
      const bool numbered =
          std::isdigit(static_cast<unsigned char>(lines[i].front())) != 0;  // CBC's format, which omits zeros
      if (column && (numbered || !lines[i].ends_with(" 0"))) at.push_back(i);
    }
    return at;
  }();
  const std::size_t at = values[random.below(values.size())];
  const auto put = [&](const std::string& value) {
    const bool numbered = std::isdigit(static_cast<unsigned char>(lines[at].front())) != 0;  // CBC's format
    const auto name = lines[at].find('_');
    const auto begin = lines[at].find(' ', name) + 1;
    const auto end = lines[at].find(' ', begin);
    lines[at].replace(begin, numbered && end != std::string::npos ? end - begin : std::string::npos, value);
  };
  const std::vector<std::string> words = {"0.5", "nan", "inf", "-1", "1e300", "x", "", "7777777"};
  const auto kind = random.below(6);
  if (kind == 0) {
    action = "cut at line " + std::to_string(at);
    lines.resize(at);
  } else if (kind == 1) {
    action = "without " + lines[at];
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  } else if (kind == 2) {
    action = "twice " + lines[at];
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
  } else if (kind == 3) {
    action = "another name in " + lines[at];
    lines[at].insert(lines[at].find('_'), "y");
  } else {
    const auto& word = words[random.below(words.size())];
    action = "value " + word + " in " + lines[at];
    put(word);
  }
  std::string text;
  for (const auto& line : lines) text += line + '\n';
  return text;
}

TEST_P(MipVerbs, RefuseDamagedSolutions) {
  std::vector<std::vector<std::string>> files;
  for (const char* const ending : {".mst", ".sol", ".scip.sol", ".start"}) {
    std::istringstream in(folder_.text(std::string("models/one") + ending));
    auto& lines = files.emplace_back();
    for (std::string line; std::getline(in, line);) lines.push_back(line);
  }
  const auto count = tests::setting("NESTOR_MIP_DAMAGES", 24);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    Random random(seed);
    std::string action;
    const auto text = damaged(files[seed % files.size()], random, action);
    std::ofstream(folder_.path("damaged.sol")) << text;
    expect_refused("damaged.sol --model models/one.json", std::to_string(seed) + ": " + action);
  }
  fs::copy_file(folder_.path("models/two.start"), folder_.path("damaged.start"));
  expect_refused("damaged.start --model models/one.json", "another model's");
  std::ofstream(folder_.path("damaged.sol")) << "# Objective value = 1\n"
                                             << [] {
                                                  std::string many;
                                                  for (int i = 0; i < 1'000'000; ++i) many += "XL_s0_K1 1\n";
                                                  return many;
                                                }();
  expect_refused("damaged.sol --model models/one.json", "a million lines");
}

TEST_P(MipVerbs, RefuseDamagedModels) {
  const auto text = folder_.text("models/one.json");
  const auto count = tests::setting("NESTOR_MIP_DAMAGES", 24);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    Random random(seed);
    auto changed = text;
    const auto at = random.below(text.size() - 1);
    if (random.chance(0.3)) {
      changed.resize(at);
    } else {
      const auto digit = std::find_if(changed.begin() + static_cast<std::ptrdiff_t>(at), changed.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0; });
      if (digit == changed.end()) continue;
      *digit = *digit == '3' ? '4' : '3';
    }
    std::ofstream(folder_.path("damaged.json")) << changed;
    expect_refused("models/one.start --model damaged.json", std::to_string(seed));
  }
}

}  // namespace
}  // namespace nestor::mip_test
