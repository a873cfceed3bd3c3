// Tests of nestor-check from the command line, on compilations of shipped networks. Every level is proved, no
// forgery passes, and damage can only make a proof file useless.
#include <gtest/gtest.h>

#include "base/random.h"
#include "proof_bytes.h"
#include "support/setting.h"
#include "tool_runs.h"

namespace nestor::chip_tool_test {
namespace {

using check_cases::Json;

class ChipTool : public ::testing::Test {
 protected:
  Json compile(const std::string& network, const std::string& levels, const std::string& proof) const {
    auto result =
        runs_.nestor("compile " + network + " --arch isaac-table3 --levels " + levels + " --proof " + proof);
    EXPECT_FALSE(result.is_discarded()) << network;
    return result;
  }
  int check(const Json& result, const std::string& proof) {
    return runs_.check(result.dump(), proof, &said_);
  }

  check_cases::ToolRuns runs_;
  const std::string proof_ = runs_.path("proof");
  std::string said_;
};

TEST_F(ChipTool, ShippedNetworksAreProvedAtEveryLevel) {
  for (const auto* const network : {"vgg7", "resnet18-chain", "resnet18", "vgg16"})
    for (const auto* const levels : {"cg", "cg,mvm", "cg,mvm,vvm"}) {
      const auto result = compile(network, levels, proof_);
      EXPECT_EQ(result["status"], "optimal");
      EXPECT_EQ(check(result, proof_), 0) << said_;
      EXPECT_NE(said_.find("VERIFIED"), std::string::npos);
    }
}

TEST_F(ChipTool, AStoppedRunHasAProofOfItsBound) {
  const auto result =
      runs_.nestor("compile resnet101 --arch isaac-table3 --levels cg --work-limit 3 --proof " + proof_);
  ASSERT_EQ(result["status"], "work_limit");
  EXPECT_EQ(check(result, proof_), 0) << said_;
  auto raised = result;
  raised["lower_bound"] = result["lower_bound"].get<double>() + 1;
  EXPECT_EQ(check(raised, proof_), 7) << said_;
}

TEST_F(ChipTool, NoForgeryPasses) {
  const auto result = compile("vgg7", "cg,mvm,vvm", proof_);
  const auto other = runs_.path("other");
  const auto coarse = compile("vgg7", "cg", other);
  ASSERT_EQ(check(result, proof_), 0) << said_;
  EXPECT_EQ(check(result, other), 7) << said_;  // steps of another problem

  auto forged = result;
  forged["objective"]["value"] = forged["lower_bound"] = result["lower_bound"].get<double>() + 1;
  EXPECT_EQ(check(forged, proof_), 7) << said_;
  forged["evaluation"]["latency_cycles"] = forged["lower_bound"].get<std::int64_t>();
  EXPECT_EQ(check(forged, proof_), 7) << said_;

  // Claims that the coarse schedule is the best of all levels. Its figures are true.
  forged = coarse;
  forged["options"]["levels"] = "cg,mvm,vvm";
  EXPECT_EQ(check(forged, other), 7) << said_;
  forged["decisions"]["levels"] = {"cg", "mvm", "vvm"};
  EXPECT_EQ(check(forged, other), 7) << said_;

  forged = result;
  forged["architecture"]["chip"]["cores"] = 1000;
  EXPECT_EQ(check(forged, proof_), 7) << said_;
  forged = result;
  forged["network"]["name"] = "another";
  EXPECT_EQ(check(forged, proof_), 3) << said_;
  forged = result;
  forged["objective"]["name"] = "energy";
  EXPECT_EQ(check(forged, proof_), 7) << said_;
  EXPECT_NE(said_.find("not checked"), std::string::npos);
  forged = result;
  forged["options"]["limit"] = "energy=1";
  EXPECT_EQ(check(forged, proof_), 7) << said_;
  EXPECT_EQ(
      runs_.run(NESTOR_CHECK, runs_.write("r.json", result.dump()) + " --layer conv1_1 --proof " + proof_),
      3);
}

// Unused steps make the text of a proof as long as that of a proof with a large tree. The checker reads a
// long text within 4 GB of address space, and refuses a longer one.
TEST_F(ChipTool, LongTextsAreReadInBoundedMemory) {
  const auto result = compile("vgg7", "cg", proof_);
  const auto text = check_cases::decompressed(runs_.read("proof"));
  const auto leb128 = [](std::size_t number) {
    std::string bytes;
    for (; number >= 128; number /= 128) bytes.push_back(static_cast<char>(number % 128 + 128));
    bytes.push_back(static_cast<char>(number));
    return bytes;
  };
  // The text of the last run is followed by four bytes: "E" with two zeros, and "Z".
  const auto begin = text.rfind("{\n  \"from\"");
  const auto end = text.size() - 4;
  const auto run = text.substr(begin, end - begin);
  ASSERT_FALSE(Json::parse(run, nullptr, false).is_discarded());
  const auto front = begin - leb128(run.size()).size();
  const auto longer = [&](std::size_t steps) {
    std::string many = run.substr(0, run.rfind(']'));
    for (std::size_t s = 0; s < steps; ++s) many += ",{}";
    many += run.substr(run.rfind(']'));
    return runs_.write("long", check_cases::compressed(text.substr(0, front) + leb128(many.size()) + many +
                                                       text.substr(end)));
  };
  const auto limited = [&](const std::string& proof) {
    return std::system(("ulimit -v 4000000; '" NESTOR_CHECK "' " + runs_.write("r.json", result.dump()) +
                        " --proof " + proof + " >" + runs_.path("said") + " 2>&1")
                           .c_str());
  };
  EXPECT_EQ(WEXITSTATUS(limited(longer(6'000'000))), 0) << runs_.read("said");
  EXPECT_EQ(WEXITSTATUS(limited(longer(25'000'000))), 3);
  EXPECT_NE(runs_.read("said").find("too long"), std::string::npos) << runs_.read("said");
}

TEST_F(ChipTool, DamagedProofsVerifyNoFalseClaim) {
  const auto result = compile("vgg7", "cg,mvm,vvm", proof_);
  const auto whole = runs_.read("proof");
  auto raised = result;  // a false claim
  raised["status"] = "time_limit";
  raised["lower_bound"] = 3771;
  raised["objective"]["value"] = raised["evaluation"]["latency_cycles"];
  Random random(1);
  const auto mutants = tests::setting("NESTOR_MUTANTS", 40);
  for (std::uint64_t m = 0; m < mutants; ++m) {
    auto damaged = whole;
    if (m % 4 == 0)
      damaged.resize(random.below(whole.size()));
    else
      damaged[random.below(whole.size())] = static_cast<char>(random.below(256));
    const auto path = runs_.write("damaged", damaged);
    const int status = check(result, path);
    EXPECT_TRUE(damaged == whole ? status == 0 : status == 0 || status == 7 || status == 3) << said_;
    EXPECT_NE(check(raised, path), 0) << said_;
    EXPECT_LE(runs_.run(NESTOR_TOOL, "proof dump " + path), 3);
  }
}

}  // namespace
}  // namespace nestor::chip_tool_test
