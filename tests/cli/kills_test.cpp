// Tests that kill runs at random moments. The files left behind (results and checkpoints of CIM and PIM runs,
// and proofs) are complete and readable. NESTOR_CHECKPOINT_KILLS sets the number of kills.
#include <algorithm>
#include <utility>

#include "base/random.h"
#include "checkpoint_fixture.h"
#include "report/proof/proof_file.h"
#include "report/results/checkpoint_file.h"
#include "support/setting.h"

namespace nestor::kills_test {
namespace {

// True if every layer, choice and nest can be read up to the end of the file.
bool is_whole_proof(const fs::path& path) {
  io::ProofReader reader(content_of(path));
  const auto head = reader.head();
  if (!head) return false;
  for (auto layer = reader.layer(); layer; layer = reader.layer()) {
    if (!*layer) return true;
    auto choice = reader.choice(head->at("axes").size());
    for (; choice && *choice; choice = reader.choice(head->at("axes").size()))
      for (std::uint64_t i = 0; i < (*choice)->nests; ++i)
        if (!reader.nest()) return false;
    if (!choice) return false;
  }
  return false;
}

class KilledRun : public Checkpoint, public ::testing::WithParamInterface<Words> {};

INSTANTIATE_TEST_SUITE_P(Checkpoint, KilledRun,
                         ::testing::Values(Words{"resnet18", "--arch", "miredo-table4", "--objective",
                                                 "energy", "--threads", "1"},
                                           Words{"mobilenetv2", "--arch", "pim-default", "--threads", "2"}));

TEST_P(KilledRun, LeavesReadableFiles) {
  const std::uint64_t kills = tests::setting("NESTOR_CHECKPOINT_KILLS", 8);
  const Words& words = GetParam();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run(with(words, {})).status, 0);
  const auto took =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  const std::string whole = result();
  const auto checkpoint = file("run.checkpoint");
  Random random(kills);
  std::uint64_t killed = 0;
  std::uint64_t with_states = 0;
  std::uint64_t completed = 0;
  for (std::uint64_t i = 0; i < kills; ++i) {
    SCOPED_TRACE(i);
    Words more = {"--checkpoint", checkpoint};
    if (fs::exists(checkpoint)) more.insert(more.end(), {"--resume", checkpoint});
    const auto ended =
        run(with(words, more), static_cast<long>(random.below(static_cast<std::uint64_t>(took.count()))));
    ASSERT_TRUE(ended.status == -1 || ended.status == 0) << ended.message;
    killed += static_cast<std::uint64_t>(ended.status == -1);
    if (fs::exists(file("result.json"))) {
      const auto read = io::Json::parse(content_of(file("result.json")), nullptr, false);
      ASSERT_TRUE(read.is_object() && read.contains("complete"));
    }
    if (!fs::exists(checkpoint)) continue;
    const auto saved = io::read_checkpoint(checkpoint);
    ASSERT_TRUE(saved) << saved.error().to_string();
    with_states += static_cast<std::uint64_t>(std::any_of(
        saved->shapes.begin(), saved->shapes.end(), [](const auto& states) { return !states.empty(); }));
    if (ended.status != 0) continue;
    ASSERT_EQ(result(), whole);
    ++completed;
    fs::remove(checkpoint);
    fs::remove(file("result.json"));
  }
  if (fs::exists(checkpoint)) {  // completes the last run without a kill
    const auto ended = run(with(words, {"--checkpoint", checkpoint, "--resume", checkpoint}));
    ASSERT_EQ(ended.status, 0) << ended.message;
    ASSERT_EQ(result(), whole);
    ++completed;
  }
  std::printf("%d kills, %d checkpoints with states, %d runs completed\n", static_cast<int>(killed),
              static_cast<int>(with_states), static_cast<int>(completed));
  EXPECT_GT(killed, kills / 4);
  EXPECT_GT(with_states, kills / 10);
  EXPECT_GT(completed, 0U);
}

// A proof is written to a temporary file during the run, and the file is renamed at the end. Kills occur
// before, during and after the renaming. The proof of the previous run remains until the new one replaces it.
TEST_F(Checkpoint, KillAtAnyMomentLeavesTheOldOrTheNewProof) {
  const std::uint64_t kills = tests::setting("NESTOR_CHECKPOINT_KILLS", 10);
  const auto proof = file("run.proof");
  const Words words = {"mobilenetv2", "--arch", "miredo-default", "--objective", "edp",
                       "--threads",   "1",      "--proof",        proof};
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run(words).status, 0);
  std::chrono::duration<double, std::micro> wait = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(is_whole_proof(proof));
  const auto whole = content_of(proof);
  ASSERT_EQ(run({"mlperf-tiny-dscnn", "--arch", "miredo-table4", "--proof", file("old.proof")}).status, 0);
  const auto old = content_of(file("old.proof"));
  Random random(kills);
  std::uint64_t killed = 0;
  std::uint64_t written = 0;
  for (std::uint64_t i = 0; i < kills; ++i) {
    SCOPED_TRACE(i);
    fs::copy_file(file("old.proof"), proof, fs::copy_options::overwrite_existing);
    const double share = 0.7 + 0.6 * static_cast<double>(random.below(1000)) / 1000;
    const auto ended = run(words, static_cast<long>(share * wait.count()));
    ASSERT_TRUE(ended.status == -1 || ended.status == 0) << ended.message;
    wait *= ended.status == -1 ? 1.5 : 0.7;  // follows the end of the run on a busy machine
    killed += static_cast<std::uint64_t>(ended.status == -1);
    const auto now = content_of(proof);
    ASSERT_TRUE(now == whole || (ended.status == -1 && now == old));
    written += static_cast<std::uint64_t>(now == whole);
  }
  for (const auto& entry : fs::directory_iterator(place_))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".nestor-")) << entry.path();
  std::printf("%d kills, %d proofs\n", static_cast<int>(killed), static_cast<int>(written));
  EXPECT_GT(killed, 0U);
  EXPECT_LT(killed, kills);
}

TEST_F(Checkpoint, FullDiskPreservesTheOldProof) {
  const auto proof = file("run.proof");
  const Words words = {
      "mlperf-tiny-resnet8", "--arch", "miredo-default", "--objective", "edp", "--proof", proof};
  ASSERT_EQ(run(words).status, 0);
  const auto old = content_of(proof);
  ASSERT_GT(old.size(), 2000U);
  for (const rlim_t most_bytes : {200U, 2000U}) {
    const auto ended = run(words, -1, most_bytes);
    EXPECT_EQ(ended.status, 6) << ended.message;
    EXPECT_NE(ended.message.find("File too large"), std::string::npos) << ended.message;
    EXPECT_EQ(content_of(proof), old);
  }
}

}  // namespace
}  // namespace nestor::kills_test
