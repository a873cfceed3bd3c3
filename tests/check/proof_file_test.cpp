// Tests of nestor map --proof and nestor-check --proof from the command line. The checker reads a proof to
// its end. A proof is the same for any number of threads. No damaged file and no proof of another run is
// accepted.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "proof_bytes.h"
#include "support/setting.h"
#include "tool_runs.h"

namespace nestor::proof_file_test {
namespace {

using check_cases::compressed;
using check_cases::decompressed;
using check_cases::Json;
using tests::setting;

struct Mapped {
  Json result;
  std::string proof;
};

class ProofFile : public ::testing::TestWithParam<const char*> {
 protected:
  Mapped map(const std::string& options) const {
    std::filesystem::remove(runs_.path("proof"));
    Mapped run{runs_.nestor("map " + options + " --proof " + runs_.path("proof")), runs_.read("proof")};
    EXPECT_FALSE(run.result.is_discarded()) << options << runs_.read("said");
    return run;
  }
  int check(const Json& result, const std::string& proof, const std::string& options = "") const {
    runs_.write("r.json", result.dump());
    return runs_.run(NESTOR_CHECK, runs_.path("r.json") + " --proof " + runs_.write("p", proof) + options);
  }
  std::string said() const { return runs_.read("said"); }

  check_cases::ToolRuns runs_;
};

// Returns the claims of a result, without times.
Json claims_of(Json result) {
  Json claims;
  for (Json& layer : result["layers"])
    for (const auto* const key : {"status", "objective", "lower_bound"})
      claims.push_back(layer.value(key, Json()));
  return claims;
}

TEST_P(ProofFile, IsFollowedToItsEnd) {
  const auto run = map(GetParam());
  EXPECT_EQ(check(run.result, run.proof), 0) << said();
  EXPECT_NE(said().find("\nVERIFIED: "), std::string::npos) << said();
  EXPECT_NE(said().find("in the proof"), std::string::npos) << said();
  const auto plain = runs_.nestor(std::string("map ") + GetParam());
  // If the weight of sizes is almost zero and no proof is requested, another search maps with eq14. Its
  // results are accurate to one part in 10^9.
  const Json claims = claims_of(run.result);
  const Json plain_claims = claims_of(plain);
  ASSERT_EQ(claims.size(), plain_claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims[i].is_number_float()) {
      const auto claim = claims[i].get<double>();
      EXPECT_NEAR(claim, plain_claims[i].get<double>(), 1e-9 * std::abs(claim));
    } else {
      EXPECT_EQ(claims[i], plain_claims[i]);
    }
  }
  EXPECT_EQ(run.proof, map(std::string(GetParam()) + " --threads 1").proof);
  ASSERT_EQ(runs_.run(NESTOR_TOOL, "proof dump " + runs_.path("proof")), 0) << said();
  EXPECT_NE(said().find("\nlayer '"), std::string::npos);
}

// With --layer, the checker finds the part of the proof for this layer.
TEST_F(ProofFile, CoversEveryLayerSeparately) {
  const auto run = map("mlperf-tiny-dscnn --arch miredo-table4");
  for (const auto* const layer : {&run.result["layers"].front(), &run.result["layers"].back()})
    EXPECT_EQ(check(run.result, run.proof, " --layer " + (*layer)["name"].get<std::string>()), 0) << said();
}

// Turns a layer's record into that of a run that stopped before it found a mapping.
void claim_bound(Json& layer, const Json& bound) {
  for (const char* const key : {"mapping", "objective", "gap", "latency_cycles", "energy_pj", "edp",
                                "usage_bits", "traffic_bits", "spent_cycles", "tie_break"})
    layer.erase(key);
  layer["status"] = "time_limit";
  layer["lower_bound"] = bound;
}

TEST_F(ProofFile, IsRefusedForAnotherRun) {
  const std::string network = "mlperf-tiny-dscnn --arch miredo-table4";
  const auto run = map(network);
  const std::vector<std::pair<std::string, std::string>> others = {
      {network + " --objective energy", "a different objective"},
      {network + " --objective eq14", "a different objective"},
      {network + " --latency-model miredo", "a different latency_model"},
      {"mlperf-tiny-dscnn --arch miredo-default", "a different architecture"},
      {"mlperf-tiny-resnet8 --arch miredo-table4", "no part for it"}};
  for (const auto& [other, reason] : others) {
    EXPECT_NE(check(run.result, map(other).proof), 0);
    EXPECT_NE(said().find(reason), std::string::npos) << said();
  }
  // Raises the claimed bounds, first in the result alone, then also in the proof. The steps of the proof do
  // not prove the raised bounds.
  auto raised = run.result;
  raised.erase("totals");
  auto text = decompressed(run.proof);
  for (Json& layer : raised["layers"]) {
    const auto bound = layer["lower_bound"].get<std::int64_t>();
    claim_bound(layer, bound + 1);
    const auto before = "\"lower_bound\": " + std::to_string(bound);
    const auto at = text.find(before);
    if (at != std::string::npos)
      text.replace(at, before.size(), "\"lower_bound\": " + std::to_string(bound + 1));
  }
  for (const auto& proof : {run.proof, compressed(text)}) {
    EXPECT_EQ(check(raised, proof), 7);
    EXPECT_NE(said().find("better than what is claimed"), std::string::npos) << said();
  }
  EXPECT_EQ(check(run.result, compressed(decompressed(run.proof))), 0) << said();
}

// eq14 with other weights is another objective. A proof for one weight does not verify a false claim for
// another.
TEST_F(ProofFile, ProvesNoFalseClaimForOtherWeights) {
  const std::string network = "mlperf-tiny-dscnn --arch miredo-table4 --objective eq14";
  const auto light = map(network);
  const auto latency = map("mlperf-tiny-dscnn --arch miredo-table4");
  EXPECT_EQ(check(light.result, latency.proof), 3);
  EXPECT_NE(said().find("a different objective"), std::string::npos) << said();
  auto heavy = light.result;
  heavy.erase("totals");
  heavy["options"]["mu2"] = "0.05";
  EXPECT_EQ(check(heavy, light.proof), 7);
  EXPECT_NE(said().find("REFUTED"), std::string::npos) << said();
  // Claims only the bound, as a stopped run does.
  const auto other = map(network + " --mu2 0.05");
  for (std::size_t i = 0; i < heavy["layers"].size(); ++i)
    claim_bound(heavy["layers"][i], other.result["layers"][i]["lower_bound"]);
  EXPECT_EQ(check(heavy, other.proof), 0) << said();
  for (Json& layer : heavy["layers"])
    layer["lower_bound"] =
        layer["lower_bound"].get<double>() + std::abs(layer["lower_bound"].get<double>()) / 1e6 + 1e-6;
  EXPECT_EQ(check(heavy, other.proof), 7);
  EXPECT_EQ(said().find("verified"), std::string::npos) << said();
}

// One mutant in eleven belongs to a long proof, which takes twenty times as long to check as the other two.
TEST_F(ProofFile, IsRefusedIfDamaged) {
  const std::uint64_t mutants = setting("NESTOR_MUTANTS", 20);
  const std::array runs = {map("mlperf-tiny-autoencoder --arch miredo-table4 --objective edp"),
                           map("mlperf-tiny-dscnn --arch miredo-table4 --objective energy"),
                           map("mlperf-tiny-resnet8 --arch miredo-table4 --objective edp")};
  const std::array texts = {decompressed(runs[0].proof), decompressed(runs[1].proof),
                            decompressed(runs[2].proof)};
  const auto chosen = [](std::uint64_t i) { return i % 11 == 10 ? 2U : i / 2 % 2; };
  Random random(7);
  for (std::uint64_t i = 0; i < mutants; ++i) {
    const Mapped& run = runs[chosen(i)];
    auto bytes = run.proof;
    if (i % 2 == 0)
      bytes.resize(random.below(bytes.size()));
    else
      bytes[random.below(bytes.size())] ^= static_cast<char>(1U << random.below(8));
    const int status = check(run.result, bytes);
    // A changed bit in the header of a zstd frame may have no effect on the content.
    const bool is_the_same = status == 0 && decompressed(bytes) == texts[chosen(i)];
    EXPECT_TRUE(status == 7 || status == 3 || is_the_same) << i << ": " << status << said();
  }
  // Changes to the content before compression, so that the checksum is correct. The claim stays true, so a
  // change may have no effect, but most are rejected.
  std::uint64_t rejected = 0;
  for (std::uint64_t i = 0; i < mutants; ++i) {
    auto changed = texts[chosen(i)];
    if (i % 3 == 0)
      changed.erase(random.below(changed.size()), 1 + random.below(40));
    else
      changed[random.below(changed.size())] = static_cast<char>(random.below(256));
    const int status = check(runs[chosen(i)].result, compressed(changed));
    EXPECT_TRUE(status == 0 || status == 7 || status == 3) << i << ": " << status << said();
    if (status != 0) ++rejected;
    const int shown = runs_.run(NESTOR_TOOL, "proof dump " + runs_.path("p"));
    EXPECT_TRUE(shown == 0 || shown == 3) << i << ": " << shown;
  }
  std::printf("%llu of %llu changed proofs rejected\n", static_cast<unsigned long long>(rejected),
              static_cast<unsigned long long>(mutants));
  EXPECT_GT(rejected * 2, mutants);
}

// The proofs of all layers end before the file ends. The end mark and the checksum that follow are also read.
TEST_F(ProofFile, IsReadToItsEnd) {
  for (const std::string options :
       {"map mlperf-tiny-dscnn --arch miredo-table4", "map mlperf-tiny-dscnn --arch pim-default --layer fc",
        "compile vgg7 --arch isaac-table3"}) {
    const Json result = runs_.nestor(options + " --proof " + runs_.path("proof"));
    const auto proof = runs_.read("proof");
    EXPECT_EQ(check(result, proof), 0) << said();
    for (std::size_t cut = 1; cut <= 24; ++cut)
      EXPECT_EQ(check(result, proof.substr(0, proof.size() - cut)), 3) << options << cut << said();
    auto changed = proof;
    changed.back() ^= 1;
    EXPECT_EQ(check(result, changed), 3) << options << said();
  }
}

TEST_F(ProofFile, IsRefusedWithoutAKnownSpace) {
  for (const std::string head :
       {R"({"space": 5})", R"({"space":"x"})", R"({"s":"simd"})", R"({"space":[]})"}) {
    runs_.write("p", compressed("nestor.proof/1\n" + std::string(1, static_cast<char>(head.size())) + head));
    EXPECT_EQ(runs_.run(NESTOR_TOOL, "proof dump " + runs_.path("p")), 3) << head << said();
  }
}

// The checker opens only regular files: a pipe without a writer would block it, and a device has no end.
TEST_F(ProofFile, AndResultMustBeRegularFiles) {
  const auto run = map("mlperf-tiny-autoencoder --arch miredo-table4");
  const auto result = runs_.write("r.json", run.result.dump());
  const auto proof = runs_.write("p", run.proof);
  const auto pipe = runs_.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_EQ(runs_.run(NESTOR_CHECK, result + " --proof " + proof), 0) << said();
  for (const std::string& other : {pipe, std::string("/dev/zero"), runs_.path("nothing")}) {
    EXPECT_EQ(runs_.run(NESTOR_CHECK, other + " --proof " + proof), 3) << said();
    EXPECT_NE(said().find("it cannot be opened as a file"), std::string::npos) << said();
    EXPECT_EQ(runs_.run(NESTOR_CHECK, result + " --proof " + other), 3) << said();
    EXPECT_NE(said().find("the proof cannot be opened as a file"), std::string::npos) << said();
  }
}

TEST_F(ProofFile, IsRefusedOrWrittenAtomically) {
  const std::string network = "map mlperf-tiny-dscnn --arch miredo-table4";
  for (const auto* const option : {"--method sampled", "--factors flexible"})
    EXPECT_EQ(runs_.run(NESTOR_TOOL, network + " --proof " + runs_.path("x") + " " + option), 2) << said();
  EXPECT_EQ(runs_.run(NESTOR_TOOL, network + " --proof /nowhere/x"), 6) << said();
  EXPECT_FALSE(std::filesystem::exists(runs_.path("x")));
  EXPECT_EQ(runs_.run(NESTOR_TOOL, network + " --proof /dev/null"), 0) << said();
  EXPECT_EQ(runs_.run(NESTOR_TOOL, "proof"), 2);
  EXPECT_EQ(runs_.run(NESTOR_TOOL, "proof dump /dev/null"), 3);
}

// A memory limit does not change a proof if the memory suffices. Otherwise the proof covers only the lower
// bounds. It proves nothing about an incomplete front.
TEST_F(ProofFile, IsCompleteOrCoversTheBoundsUnderAMemoryLimit) {
  const std::string small = "mlperf-tiny-resnet8 --arch miredo-table4 --objective edp";
  const auto whole = map(small + " --memory-limit 64MiB");
  EXPECT_TRUE(whole.proof == map(small).proof);
  EXPECT_EQ(check(whole.result, whole.proof), 0) << said();

  const std::string large = "bert-base-128 --arch miredo-default --memory-limit 16MiB --objective ";
  auto stopped = map(large + "energy");
  EXPECT_EQ(check(stopped.result, stopped.proof), 0) << said();
  std::uint64_t limited = 0;
  for (Json& layer : stopped.result["layers"]) {
    if (layer["status"] != "memory_limit") continue;
    ++limited;
    layer["lower_bound"] = layer["objective"];
    layer["gap"] = 0;
  }
  stopped.result.erase("totals");
  EXPECT_GT(limited, 0U);
  EXPECT_EQ(check(stopped.result, stopped.proof), 7) << said();
  EXPECT_NE(said().find("not proved"), std::string::npos) << said();

  const auto front = map(large + "pareto");
  EXPECT_EQ(check(front.result, front.proof), 7) << said();
  EXPECT_NE(said().find("its front is not claimed to be complete"), std::string::npos) << said();
}

INSTANTIATE_TEST_SUITE_P(
    Runs, ProofFile,
    ::testing::Values(
        "mlperf-tiny-resnet8 --arch miredo-default",
        "mlperf-tiny-resnet8 --arch miredo-table4 --objective energy",
        "mlperf-tiny-dscnn --arch miredo-table4 --objective edp",
        "mlperf-tiny-dscnn --arch miredo-default --objective pareto --latency-model miredo",
        "mlperf-tiny-autoencoder --arch zigzag-dimc --latency-model miredo",
        "mlperf-tiny-dscnn --arch diana-aimc --objective blended --alpha 2 --beta 0.25",
        "mlperf-tiny-resnet8 --arch miredo-default --objective edp --top 4",
        "mobilenetv2 --arch miredo-default", "mlperf-tiny-resnet8 --arch miredo-default --objective eq14",
        "mlperf-tiny-dscnn --arch miredo-table4 --objective eq14 --latency-model miredo --top 3",
        "mlperf-tiny-autoencoder --arch zigzag-dimc --objective eq14 --mu1 0.25 --mu2 1e-4",
        "mlperf-tiny-dscnn --arch miredo-default --objective eq14 --mu2 2",
        "mlperf-tiny-dscnn --arch six-memory --work-limit 200"));

}  // namespace
}  // namespace nestor::proof_file_test
