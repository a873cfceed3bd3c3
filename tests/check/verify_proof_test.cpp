// Tests of nestor verify RESULT --proof FILE on cim and PIM machines, kernels near memory and compiled
// networks. The optimum of an honest result is proved. Each forged result is rejected, or its changed part is
// listed as not checked. NESTOR_FORGED_RESULTS sets the number of forgeries of each result.
#include <gtest/gtest.h>

#include <map>

#include "support/claim_forgeries.h"
#include "support/forgeries.h"
#include "support/setting.h"
#include "tool_runs.h"

namespace nestor::verify_proof_test {
namespace {

using check_cases::Json;

constexpr const char* layers = R"(layers:
- {name: conv, dims: {K: 8, C: 4, P: 6, Q: 6, R: 3, S: 3}, bits: {I: 8, W: 8, O: 8, psum: 32}}
- {name: again, dims: {K: 8, C: 4, P: 6, Q: 6, R: 3, S: 3}, repeat: 2, bits: {I: 8, W: 8, O: 8, psum: 32}}
- {name: fc, dims: {K: 12, C: 16}}
)";

constexpr const char* gemv =
    R"(func.func @gemv(%a: memref<30x210xi32>, %x: memref<210xi32>, %y: memref<30xi32>) {
  linalg.matvec ins(%a, %x : memref<30x210xi32>, memref<210xi32>) outs(%y : memref<30xi32>)
  return
}
)";

// True if `value` is the default of the key at `path` in a machine or a layer.
bool is_default(const std::string& path, const Json& value) {
  if (path == "architecture.kind") return value == "cim";
  const auto is_of = [&](std::string_view part) { return path.starts_with("layers[]." + std::string(part)); };
  if (is_of("dims.") || is_of("groups") || is_of("repeat")) return value == 1;
  if (is_of("stride") || is_of("dilation")) return value == Json({1, 1});
  if (is_of("mapping.") || is_of("front[].mapping.") || is_of("alternatives[].mapping."))
    return value.empty();
  if (path == "layers[].bits") return value == Json({{"I", 8}, {"W", 8}, {"O", 8}, {"psum", 32}});
  return is_of("bits.") && value == (is_of("bits.psum") ? 32 : 8);
}

class VerifyProof : public ::testing::TestWithParam<const char*> {
 protected:
  /// Returns verify's result as JSON, or a discarded value if verify writes none. verify finds nestor-check
  /// in PATH.
  Json verify(const Json& result, const std::string& proof) {
    std::filesystem::remove(runs_.path("v.json"));
    const auto folder = std::filesystem::path(NESTOR_CHECK).parent_path().string();
    const auto command = "PATH='" + folder + "':\"$PATH\" '" NESTOR_TOOL "' verify " +
                         runs_.write("r.json", result.dump()) + " --proof " + proof + " --json " +
                         runs_.path("v.json") + " >" + runs_.path("said") + " 2>&1";
    status_ = WEXITSTATUS(std::system(command.c_str()));
    return Json::parse(runs_.read("v.json"), nullptr, false);
  }
  std::string asked() const {
    std::string text = GetParam();
    for (const auto& [word, file, written] :
         {std::tuple{"NET", "net.yaml", layers}, {"KERNEL", "gemv.mlir", gemv}})
      if (const auto at = text.find(word); at != std::string::npos)
        text.replace(at, std::string_view(word).size(), runs_.write(file, written));
    return text;
  }

  check_cases::ToolRuns runs_;
  int status_ = 0;
};

TEST_P(VerifyProof, ForgeriesAreRejectedOrListedAsUnchecked) {
  const auto proof = runs_.path("p");
  const auto original = runs_.nestor(asked() + " --proof " + proof);
  ASSERT_FALSE(original.is_discarded()) << runs_.read("said");
  const auto honest = verify(original, proof);
  ASSERT_EQ(status_, 0) << runs_.read("said");
  EXPECT_EQ(honest["optimality"], "proved: nestor-check followed every step");
  for (const auto& entry : honest["not_checked"]) {
    EXPECT_EQ(entry.get<std::string>().find("optimality"), std::string::npos) << entry;
  }

  std::vector<tests::Place> places;
  tests::collect(original, tests::Place{Json::json_pointer(), ""}, places);
  const auto wanted = tests::setting("NESTOR_FORGED_RESULTS", 20);
  Random random(14);
  std::uint64_t rejected = 0;
  for (std::uint64_t count = 0; count < wanted;) {
    const auto forgery = tests::forge(original, places, random);
    if (!forgery || forgery->document == original) continue;
    if (forgery->action == "dropped" && is_default(forgery->path, original[forgery->at])) continue;
    ++count;
    const auto said = verify(forgery->document, proof);
    if (status_ != 0) {
      ++rejected;
      continue;
    }
    EXPECT_TRUE(tests::is_named(said["not_checked"].get<std::vector<std::string>>(), forgery->path))
        << forgery->action << " " << forgery->path << " passes, was " << original.value(forgery->at, Json());
  }
  EXPECT_GE(rejected, wanted / 2);
}

// Creates false claims of every kind. nestor-check alone verifies none of them, including those that other
// checks of verify would detect.
TEST_P(VerifyProof, NoFalseClaimIsVerified) {
  const auto proof = runs_.path("p");
  const auto original = runs_.nestor(asked() + " --proof " + proof);
  ASSERT_FALSE(original.is_discarded()) << runs_.read("said");
  std::string said;
  ASSERT_EQ(runs_.check(original.dump(), proof, &said), 0) << said;
  const tests::ClaimForger forger(original);
  const auto& falsifications = tests::ClaimForger::falsifications();
  const auto wanted = tests::setting("NESTOR_FORGED_CLAIMS", 40);
  Random random(31);
  std::map<std::string, int> made;
  for (std::uint64_t count = 0; count < wanted;) {
    const auto& falsification = falsifications[random.below(falsifications.size())];
    const auto forged = forger.forge(falsification, random);
    if (!forged) continue;
    ++count;
    ++made[falsification.name];
    const int status = runs_.check(forged->dump(), proof, &said);
    EXPECT_TRUE(status == 7 || status == 3) << falsification.name << ": " << said << '\n'
                                            << Json::diff(original, *forged).dump().substr(0, 600);
  }
  EXPECT_GE(made.size(), 5U);
}

// Changes the bound, the status, the name of the machine or network, or the proof. verify fails in each case.
TEST_P(VerifyProof, UnprovedOptimalityIsRejected) {
  const auto proof = runs_.path("p");
  const auto original = runs_.nestor(asked() + " --proof " + proof);
  ASSERT_FALSE(original.is_discarded()) << runs_.read("said");
  const bool has_layers = original.contains("layers");
  const auto of = [&](Json& result) -> Json& { return has_layers ? result["layers"][0] : result; };
  for (const double factor : {0.5, 1.001, 2.0}) {
    auto forged = original;
    const char* bound = of(forged).contains("lower_bound") ? "lower_bound" : "lower_bound_ms";
    if (!of(forged).contains(bound)) continue;  // a front has no bound
    of(forged)[bound] = of(forged)[bound].get<double>() * factor;
    verify(forged, proof);
    EXPECT_NE(status_, 0) << factor;
  }
  auto infeasible = original;
  of(infeasible)["status"] = "infeasible";
  verify(infeasible, proof);
  EXPECT_NE(status_, 0);
  // The proof of a result for a machine or a network with another name.
  auto other = original;
  (original.contains("architecture") ? other["architecture"]["name"] : other["network"]["name"]) = "another";
  verify(other, proof);
  EXPECT_NE(status_, 0);
  verify(original, runs_.write("empty", ""));
  EXPECT_EQ(status_, 3);
}

INSTANTIATE_TEST_SUITE_P(Runs, VerifyProof,
                         ::testing::Values("map NET --arch miredo-table4 --objective latency",
                                           "map NET --arch miredo-default --objective edp",
                                           "map NET --arch miredo-table4 --objective energy --top 3",
                                           "map NET --arch miredo-table4 --objective pareto",
                                           "map NET --arch pim-default --objective energy --top 3",
                                           "map NET --arch pim-default --objective latency",
                                           "map KERNEL --arch upmem --top 3",
                                           "compile vgg7 --arch isaac-table3"));

}  // namespace
}  // namespace nestor::verify_proof_test
