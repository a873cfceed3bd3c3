// Tests of nestor-check from the command line, on kernels near memory. Kernels of any size are proved, no
// forgery passes, and damage can only make a proof file useless.
#include <gtest/gtest.h>

#include "base/random.h"
#include "support/setting.h"
#include "tool_runs.h"

namespace nestor::cnm_tool_test {
namespace {

using check_cases::Json;

std::string gemv(int rows, int columns, const std::string& type = "i32") {
  const auto matrix = std::to_string(rows) + "x" + std::to_string(columns) + "x" + type;
  const auto vector = std::to_string(columns) + "x" + type, sums = std::to_string(rows) + "x" + type;
  return "func.func @gemv(%a: memref<" + matrix + ">, %x: memref<" + vector + ">, %y: memref<" + sums +
         ">) {\n  linalg.matvec ins(%a, %x : memref<" + matrix + ">, memref<" + vector +
         ">) outs(%y : memref<" + sums + ">)\n  return\n}\n";
}

std::string matmul(int rows, int inner, int columns) {
  const auto memref = [](int a, int b) {
    return "memref<" + std::to_string(a) + "x" + std::to_string(b) + "xf16>";
  };
  const auto left = memref(rows, inner), right = memref(inner, columns), sums = memref(rows, columns);
  return "func.func @matmul(%a: " + left + ", %b: " + right + ", %c: " + sums +
         ") {\n  linalg.matmul ins(%a, %b : " + left + ", " + right + ") outs(%c : " + sums +
         ")\n  return\n}\n";
}

class CnmTool : public ::testing::Test {
 protected:
  Json map(const std::string& kernel, const std::string& options, const std::string& proof,
           const std::string& system = "upmem") const {
    return runs_.nestor("map " + runs_.write("kernel.mlir", kernel) + " --arch " + system + " " + options +
                        " --proof " + proof);
  }
  int check(const Json& result, const std::string& proof) {
    return runs_.check(result.dump(), proof, &said_);
  }
  // Expects that the result is not verified, and that the checker does not crash.
  void expect_refused(const Json& result, const std::string& proof) {
    const int status = check(result, proof);
    EXPECT_TRUE(status == 7 || status == 3) << said_;
    EXPECT_EQ(said_.find("VERIFIED"), std::string::npos) << said_;
  }

  check_cases::ToolRuns runs_;
  const std::string proof_ = runs_.path("proof");
  std::string said_;
};

TEST_F(CnmTool, KernelsOfAnySizeAreProved) {
  for (const auto& [kernel, options] :
       {std::pair{gemv(8192, 8192), ""},
        {gemv(30, 210), "--top 20"},
        {gemv(197, 64, "f32"), ""},
        {gemv(64, 64), "--set levels.rank=1 --set host.to_gbs=0.3 --top 5"},
        {gemv(512, 1024, "i8"), "--values mul=3 --set dma.refresh.every=0"}}) {
    const auto result = map(kernel, options, proof_);
    ASSERT_FALSE(result.is_discarded());
    EXPECT_EQ(result["status"], "optimal");
    EXPECT_EQ(check(result, proof_), 0) << said_;
    EXPECT_NE(said_.find("VERIFIED"), std::string::npos);
    EXPECT_EQ(runs_.run(NESTOR_TOOL, "proof dump " + proof_), 0);
    EXPECT_NE(runs_.read("said").find("proof of the least time of 'gemv' on 'upmem': optimal"),
              std::string::npos);
  }
}

TEST_F(CnmTool, TheFileIsTheSameForAnyThreads) {
  map(gemv(1024, 1536), "--threads 1", proof_);
  const auto one = runs_.read("proof");
  map(gemv(1024, 1536), "--threads 3", proof_);
  EXPECT_EQ(runs_.read("proof"), one);
}

TEST_F(CnmTool, TruncatedProofsAreRefused) {
  const auto result = map(gemv(30, 210), "", proof_);
  const auto proof = runs_.read("proof");
  for (std::size_t cut = 1; cut <= 24; ++cut)
    expect_refused(result, runs_.write("cut", proof.substr(0, proof.size() - cut)));
}

TEST_F(CnmTool, PaddedExtentsAreProvedOverAllPaddings) {
  const auto result = map(gemv(1031, 128), "--pad 1", proof_);
  ASSERT_EQ(result["status"], "optimal");
  ASSERT_NE(result["asked_extents"], Json());
  EXPECT_EQ(check(result, proof_), 0) << said_;
  // Without padding, the best mapping takes longer. With another percentage, a claim refers to another space,
  // for which the proof is not valid.
  const auto other = runs_.path("other");
  const auto alone = map(gemv(1031, 128), "--maps 1", other);
  ASSERT_GT(alone["time_ms"], result["time_ms"]);
  auto wider = result;
  wider["pad_percent"] = 40;
  expect_refused(wider, proof_);
  auto narrower = result;
  narrower["pad_percent"] = 0.01;
  expect_refused(narrower, proof_);
}

TEST_F(CnmTool, AStoppedRunHasAProofOfItsBound) {
  const auto result = map(gemv(8192, 8192), "--work-limit 5", proof_);
  ASSERT_EQ(result["status"], "work_limit");
  EXPECT_EQ(check(result, proof_), 0) << said_;
  auto raised = result;
  raised["lower_bound_ms"] = 2.13;
  raised["maps"] = Json::array();
  raised.erase("time_ms");
  expect_refused(raised, proof_);
}

TEST_F(CnmTool, RunsWithoutRulesAreRefused) {
  const auto status = [&](const std::string& arguments) {
    return runs_.run(NESTOR_TOOL, "map " + arguments + " --proof " + proof_);
  };
  const auto kernel = runs_.write("kernel.mlir", gemv(64, 64));
  EXPECT_EQ(status(kernel + " --arch hbm-pim --space channels"), 2);
  EXPECT_EQ(status(kernel + " --arch upmem --maps 2"), 2);
  EXPECT_EQ(status("bert-base-128 --arch upmem"), 2);
}

TEST_F(CnmTool, NoForgeryPasses) {
  const auto result = map(gemv(256, 512), "--top 6", proof_);
  ASSERT_EQ(check(result, proof_), 0) << said_;
  const auto other = runs_.path("other");
  const auto smaller = map(gemv(256, 256), "", other);
  ASSERT_EQ(check(smaller, other), 0) << said_;
  expect_refused(result, other);  // programs for a different size
  expect_refused(smaller, proof_);

  int number = 0;
  const auto forge = [&](const auto& change) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, "forgery " + std::to_string(++number));
    auto forged = result;
    change(forged);
    expect_refused(forged, proof_);
  };
  const double time = result["time_ms"];
  forge([&](Json& r) { r["lower_bound_ms"] = time * 1.01; });
  forge([&](Json& r) { r["time_ms"] = time * 0.99; });
  forge([&](Json& r) { r["time_ms"] = r["lower_bound_ms"] = r["maps"][0]["time_ms"] = time * 1.01; });
  forge([&](Json& r) { r["maps"][0]["cycles"] = 1; });
  forge([&](Json& r) { r["maps"][0]["block"][1] = 8; });
  forge([&](Json& r) { r["maps"][0]["tuples"][0] = {1, 1}; });
  forge([&](Json& r) { r["maps"][0]["order"] = {0, 0}; });
  forge([&](Json& r) { r["maps"][0]["collect"] = 2; });
  forge([&](Json& r) { r["maps"] = Json::array(); });
  forge([&](Json& r) { r["top"].erase(1); });
  forge([&](Json& r) { r["top"][1] = r["top"][0]; });
  forge([&](Json& r) { std::swap(r["top"][0], r["top"][5]); });
  forge([&](Json& r) { r["top"][5]["time_ms"] = time * 2; });
  forge([&](Json& r) { r["objective"]["name"] = "energy"; });
  forge([&](Json& r) { r["kernel"] = nullptr; });
  forge([&](Json& r) { r["architecture"]["name"] = "another"; });
  forge([&](Json& r) { r["architecture"]["target"] = "hbm-pim"; });
  forge([&](Json& r) { r["architecture"]["clock_mhz"] = 300; });
  forge([&](Json& r) { r["architecture"]["levels"][0]["size"] = 16; });
  forge([&](Json& r) { r["source"]["multiply_k"] = 3; });
  forge([&](Json& r) { r["source"]["language"] = "cnm"; });
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"256x512xi32", "256x1024xi32"},
                                 {"@gemv", "@other"},
                                 {"muli", "addi"},
                                 {"reduction", "parallel"},
                                 {"d0, d1) -> (d0)", "d0, d1) -> (d1)"},
                                 {"linalg.yield", "linalg.yields"}})
    forge([&](Json& r) {
      auto text = r["source"]["text"].get<std::string>();
      ASSERT_NE(text.find(from), std::string::npos);
      r["source"]["text"] = text.replace(text.find(from), from.size(), to);
    });
  EXPECT_EQ(runs_.run(NESTOR_CHECK, runs_.write("r.json", result.dump()) + " --layer gemv --proof " + proof_),
            3);
}

TEST_F(CnmTool, KernelsOfHbmPimAreProved) {
  for (const auto& [kernel, options] :
       {std::pair{gemv(8192, 8192, "f16"), ""},
        {gemv(500, 1000, "f16"), "--top 5 --set dram.tRP=20"},
        {gemv(64, 300, "i32"), "--set levels.channel=4 --set host.reduce_ns=0.01"},
        {matmul(256, 512, 256), "--set levels.channel=16"}}) {
    const auto result = map(kernel, options, proof_, "hbm-pim");
    ASSERT_FALSE(result.is_discarded());
    EXPECT_EQ(result["status"], "optimal");
    EXPECT_EQ(check(result, proof_), 0) << said_;
    EXPECT_NE(said_.find("VERIFIED"), std::string::npos);
    EXPECT_EQ(runs_.run(NESTOR_TOOL, "proof dump " + proof_), 0);
    EXPECT_NE(runs_.read("said").find("' on 'hbm-pim': optimal"), std::string::npos);
  }
}

TEST_F(CnmTool, NoForgeryOfHbmPimPasses) {
  const auto result = map(matmul(64, 128, 96), "--top 3 --set levels.channel=4", proof_, "hbm-pim");
  ASSERT_EQ(check(result, proof_), 0) << said_;
  const auto other = runs_.path("other");
  const auto vector = map(gemv(64, 128, "f16"), "", other, "hbm-pim");
  ASSERT_EQ(check(vector, other), 0) << said_;
  expect_refused(result, other);  // proof of another kernel
  expect_refused(vector, proof_);
  const auto library = map(gemv(500, 1000, "f16"), "--set levels.channel=4", other, "hbm-pim");
  ASSERT_EQ(check(library, other), 0) << said_;
  auto restricted = runs_.nestor("map " + runs_.path("kernel.mlir") +
                                 " --arch hbm-pim --space channels --set levels.channel=4");
  ASSERT_GT(restricted["time_ms"], library["time_ms"]);
  expect_refused(restricted, other);
  restricted["searched"] = library["searched"];  // the best of a smaller space
  expect_refused(restricted, other);

  int number = 0;
  const auto forge = [&](const auto& change) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, "forgery " + std::to_string(++number));
    auto forged = result;
    change(forged);
    expect_refused(forged, proof_);
  };
  const double time = result["time_ms"];
  forge([&](Json& r) { r["lower_bound_ms"] = time * 1.01; });
  forge([&](Json& r) { r["time_ms"] = time * 0.99; });
  forge([&](Json& r) { r["time_ms"] = r["lower_bound_ms"] = r["maps"][0]["time_ms"] = time * 0.99; });
  forge([&](Json& r) { r["time_ms"] = r["lower_bound_ms"] = r["maps"][0]["time_ms"] = time * 1.01; });
  forge([&](Json& r) {  // a legal mapping that is not the best
    r["maps"][0] = r["top"][2];
    r["time_ms"] = r["lower_bound_ms"] = r["top"][2]["time_ms"];
    r.erase("top");
  });
  forge([&](Json& r) { r["maps"][0]["cycles"] = 1; });
  forge([&](Json& r) { r["maps"][0]["half"] = "none"; });
  forge([&](Json& r) { r["maps"][0].erase("half"); });
  forge([&](Json& r) { r["maps"][0]["grf"] = 8; });
  forge([&](Json& r) { r["maps"][0]["half_dim"] = 0; });
  forge([&](Json& r) { r["maps"][0]["bank"] = 1; });
  forge([&](Json& r) { r["maps"][0]["block"][2] = 3; });
  forge([&](Json& r) { r["maps"][0]["tuples"][0] = {1, 1, 1}; });
  forge([&](Json& r) { r["maps"][0]["order"] = {0, 0, 0}; });
  forge([&](Json& r) { r["top"].erase(0); });
  forge([&](Json& r) { r["top"][1] = r["top"][0]; });
  forge([&](Json& r) { r["top"][2]["time_ms"] = time * 2; });
  forge([&](Json& r) { r["searched"] = "whole tiles, one map"; });
  forge([&](Json& r) { r["asked_extents"] = {60, 96, 128}; });
  forge([&](Json& r) { r["kernel"] = "other"; });
  forge([&](Json& r) { r["architecture"]["name"] = "another"; });
  forge([&](Json& r) { r["architecture"]["target"] = "upmem"; });
  forge([&](Json& r) { r["architecture"]["levels"][0]["size"] = 64; });
  forge([&](Json& r) { r["architecture"]["clock_mhz"] = 999; });
  forge([&](Json& r) { r["architecture"]["dram"]["tCCDL"] = 3; });
  forge([&](Json& r) { r["architecture"]["dram"]["groups"] = 3; });
  forge([&](Json& r) { r["architecture"]["dram"].erase("tRP"); });
  forge([&](Json& r) { r["architecture"]["pim"]["reserved_row"] = 5000; });
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"128x96xf16", "128x192xf16"},
                                 {"@matmul", "@other"},
                                 {"mulf", "subf"},
                                 {"reduction", "parallel"}})
    forge([&](Json& r) {
      auto text = r["source"]["text"].get<std::string>();
      ASSERT_NE(text.find(from), std::string::npos);
      r["source"]["text"] = text.replace(text.find(from), from.size(), to);
    });
}

TEST_F(CnmTool, DamagedProofsVerifyNoFalseClaim) {
  const auto result = map(gemv(256, 512), "", proof_);
  const auto whole = runs_.read("proof");
  auto raised = result;  // a false claim
  raised["status"] = "time_limit";
  raised["lower_bound_ms"] = 0.08;
  raised["maps"] = Json::array();
  raised.erase("time_ms");
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
}  // namespace nestor::cnm_tool_test
