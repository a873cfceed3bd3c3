// nestor map --checkpoint and --resume, from outside: a resumed run writes what an uninterrupted one writes,
// from whatever was found before, on CIM and PIM machines; a kill at any moment leaves files that can be
// read; a checkpoint of another run, or one that is not as it was written, is refused. Proof files that a
// kill leaves can be read to their end. NESTOR_CHECKPOINT_KILLS sets how many kills.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>
#include <utility>

#include "base/random.h"
#include "places.h"
#include "report/proof/proof_file.h"
#include "report/results/checkpoint_file.h"
#include "support/setting.h"

namespace nestor {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Times are what a resumed run may have otherwise.
void forget_times(io::Json& json) {
  if (json.is_object()) json.erase("seconds");
  if (json.is_structured())
    for (auto& part : json) forget_times(part);
}

// Every layer, choice and nest can be read, up to the end of the file.
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

struct Ended {
  int status = -1;  // of the exit; -1: killed
  std::string message;
};

class Checkpoint : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(place_); }
  void TearDown() override { fs::remove_all(place_); }

  fs::path file(const std::string& name) const { return place_ / name; }

  // `kill_after` microseconds, if it is not negative; no file larger than `most_bytes`; as a user who owns
  // nothing, if there is a right to become one.
  Ended run(Words words, long kill_after = -1, rlim_t most_bytes = RLIM_INFINITY,
            bool as_nobody = false) const {
    words.insert(words.begin(), {NESTOR_TOOL, "map"});
    const int tool = open(NESTOR_TOOL, O_RDONLY | O_CLOEXEC);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      setenv("NESTOR_DATA", NESTOR_SOURCE_DIR "/data", 1);
      const int nowhere = open("/dev/null", O_WRONLY);
      const int messages = open(file("messages").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (nowhere < 0 || messages < 0) _exit(127);
      dup2(nowhere, 1);
      dup2(messages, 2);
      if (most_bytes != RLIM_INFINITY) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{most_bytes, most_bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
      }
      constexpr uid_t nobody = 65534;
      if (as_nobody && geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(127);
      fexecve(tool, argv.data(), environ);
      _exit(127);
    }
    close(tool);
    if (kill_after >= 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(kill_after));
      kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(file("messages"))};
  }

  // The result file without its times.
  std::string result() const {
    auto json = io::Json::parse(content_of(file("result.json")), nullptr, false);
    EXPECT_FALSE(json.is_discarded());
    forget_times(json);
    return json.dump();
  }

  Words with(Words words, const Words& more) const {
    words.insert(words.end(), {"--json", file("result.json")});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  fs::path place_ = fs::temp_directory_path() / ("nestor-checkpoint-" + std::to_string(::getpid()));
};

TEST_F(Checkpoint, AResumedRunWritesWhatTheWholeRunWrites) {
  const std::vector<Words> runs = {
      {"mlperf-tiny-resnet8", "--arch", "miredo-table4"},
      {"mlperf-tiny-resnet8", "--arch", "miredo-default", "--objective", "energy", "--threads", "3"},
      {"mlperf-tiny-dscnn", "--arch", "tiny-embedded", "--objective", "pareto"},
      {"mlperf-tiny-resnet8", "--arch", "tiny-embedded", "--objective", "edp", "--top", "3"},
      {"mlperf-tiny-autoencoder", "--arch", "miredo-table4", "--pad", "4", "--latency-model", "miredo"},
      {"mlperf-tiny-resnet8", "--arch", "miredo-table4", "--objective", "blended", "--work-limit", "60"},
      {"mlperf-tiny-autoencoder", "--arch", "tiny-embedded", "--objective", "eq14", "--gap", "0.05"},
      {"mlperf-tiny-dscnn", "--arch", "tiny-embedded", "--profile", "embedded"},
      {"mlperf-tiny-autoencoder", "--arch", "tiny-embedded", "--explain"},
      {"mlperf-tiny-resnet8", "--arch", "pim-hbm", "--objective", "latency"},
      {"mlperf-tiny-autoencoder", "--arch", "pim-default", "--objective", "pareto"},
  };
  Random random(1);
  std::size_t resumed = 0;
  std::size_t layers = 0;
  for (const Words& words : runs) {
    SCOPED_TRACE(words[0] + " " + (words.size() > 4 ? words[4] : ""));
    const auto checkpoint = file("whole.checkpoint");
    const int status = run(with(words, {"--checkpoint", checkpoint})).status;
    ASSERT_LE(status, 1);
    const std::string whole = result();
    run(with(words, {}));
    ASSERT_EQ(result(), whole);  // a checkpoint leaves no trace in the result
    const auto saved = io::read_checkpoint(checkpoint);
    ASSERT_TRUE(saved) << saved.error().to_string();
    // Nothing finished, each layer more in turn, all; then layers at random.
    const std::size_t count = saved->shapes.size();
    for (std::size_t turn = 0; turn <= count + 4; ++turn) {
      SCOPED_TRACE(turn);
      io::CheckpointFile part = *saved;
      for (std::size_t i = 0; i < count; ++i) {
        const bool keep = turn <= count ? i < turn : random.chance(0.5);
        if (!keep) part.shapes[i].clear();
        layers += static_cast<std::size_t>(!part.shapes[i].empty());
      }
      ASSERT_FALSE(io::write_checkpoint(file("part.checkpoint"), part));
      fs::remove(file("result.json"));
      const auto ended = run(with(words, {"--resume", file("part.checkpoint"), "--checkpoint", checkpoint}));
      ASSERT_EQ(ended.status, status) << ended.message;
      ASSERT_EQ(result(), whole);
      ++resumed;
    }
    const auto again = io::read_checkpoint(checkpoint);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->shapes.size(), count);
  }
  std::printf("%zu runs resumed, %zu layers taken over\n", resumed, layers);
  EXPECT_GT(layers, 200U);
}

class KilledRun : public Checkpoint, public ::testing::WithParamInterface<Words> {};

INSTANTIATE_TEST_SUITE_P(Checkpoint, KilledRun,
                         ::testing::Values(Words{"resnet18", "--arch", "miredo-table4", "--objective",
                                                 "energy", "--threads", "1"},
                                           Words{"mobilenetv2", "--arch", "pim-default", "--threads", "2"}));

TEST_P(KilledRun, LeavesFilesThatCanBeRead) {
  const std::uint64_t kills = testing::setting("NESTOR_CHECKPOINT_KILLS", 20);
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
  std::printf("%d kills, %d checkpoints with states, %d runs completed\n", static_cast<int>(killed),
              static_cast<int>(with_states), static_cast<int>(completed));
  EXPECT_GT(killed, kills / 4);
  EXPECT_GT(with_states, kills / 10);
  EXPECT_GT(completed, 0U);
}

// A proof is set aside while the run goes on and gets its name at the end: kills fall before that, into it
// and behind it. The proof of the run before is there until the new one is.
TEST_F(Checkpoint, AKillAtAnyMomentLeavesTheOldProofOrTheNew) {
  const std::uint64_t kills = testing::setting("NESTOR_CHECKPOINT_KILLS", 10);
  const auto proof = file("run.proof");
  const Words words = {"mobilenetv2", "--arch", "miredo-default", "--objective", "edp",
                       "--threads",   "1",      "--proof",        proof};
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run(words).status, 0);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
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
    const double share = 0.5 + 2 * static_cast<double>(random.below(1000)) / 1000;
    const auto ended = run(words, static_cast<long>(share * took.count()));
    ASSERT_TRUE(ended.status == -1 || ended.status == 0) << ended.message;
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

TEST_F(Checkpoint, AProofThatDoesNotFitTheDiskLeavesTheOldOne) {
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

TEST_F(Checkpoint, WhatLiesInAFolderThatCannotBeWrittenStays) {
  const auto folder = file("closed");
  fs::create_directories(folder);
  std::ofstream(file("net.yaml")) << "name: net\nlayers:\n  - {name: a, dims: {K: 16, C: 16, P: 8, Q: 8}}\n";
  fs::copy_file(NESTOR_SOURCE_DIR "/data/architectures/tiny-embedded.yaml", file("machine.yaml"));
  const Words words = {file("net.yaml"), "--arch", file("machine.yaml")};
  Words outputs = words;
  for (const char* const option : {"json", "checkpoint", "proof"})
    outputs.insert(outputs.end(), {std::string("--") + option, folder / option});
  ASSERT_EQ(run(outputs).status, 0);
  std::map<std::string, std::string> before;
  for (const auto& entry : fs::directory_iterator(folder)) before[entry.path()] = content_of(entry.path());
  ASSERT_EQ(before.size(), 3U);
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                              fs::perms::others_exec | fs::perms::group_read | fs::perms::group_exec);
  for (const char* const option : {"json", "checkpoint", "proof"}) {
    Words one = words;
    one.insert(one.end(), {std::string("--") + option, folder / option});
    const auto ended = run(one, -1, RLIM_INFINITY, true);
    EXPECT_EQ(ended.status, 6) << ended.message;
    EXPECT_NE(ended.message.find(option), std::string::npos) << ended.message;
  }
  fs::permissions(folder, fs::perms::owner_all);
  for (const auto& [path, content] : before) EXPECT_EQ(content_of(path), content);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 3);
}

TEST_F(Checkpoint, OfAnotherRunIsRefused) {
  std::ofstream(file("net.yaml")) << "name: net\nlayers:\n  - {name: a, dims: {K: 16, C: 16, P: 8, Q: 8}}\n";
  const Words words = {file("net.yaml"), "--arch", "tiny-embedded"};
  const auto checkpoint = file("run.checkpoint");
  ASSERT_EQ(run(with(words, {"--checkpoint", checkpoint})).status, 0);
  ASSERT_EQ(run(with(words, {"--resume", checkpoint, "--threads", "2", "--time-limit", "9", "--objective",
                             "latency"}))
                .status,
            0);
  const auto refused = [&](Words other, const std::string& why) {
    other.insert(other.end(), {"--resume", checkpoint});
    const auto ended = run(other);
    EXPECT_EQ(ended.status, 3) << why;
    EXPECT_NE(ended.message.find(why), std::string::npos) << ended.message;
  };
  refused({file("net.yaml"), "--arch", "miredo-table4"}, "architecture");
  refused({file("net.yaml"), "--arch", "tiny-embedded", "--objective", "energy"},
          "objective is 'latency', here 'energy'");
  refused({file("net.yaml"), "--arch", "tiny-embedded", "--latency-model", "miredo"}, "latency model");
  refused({file("net.yaml"), "--arch", "tiny-embedded", "--work-limit", "7"},
          "--work-limit is '0', here '7'");
  refused({file("net.yaml"), "--arch", "tiny-embedded", "--batch", "2"}, "--batch");
  refused({"mlperf-tiny-dscnn", "--arch", "tiny-embedded"}, "network is 'net'");
  auto saved = io::read_checkpoint(checkpoint);
  ASSERT_TRUE(saved);
  saved->run["version"] = "0.0.9";
  ASSERT_FALSE(io::write_checkpoint(checkpoint, *saved));
  refused(words, "version is '0.0.9'");
  ASSERT_EQ(run(with(words, {"--checkpoint", checkpoint})).status, 0);
  std::ofstream(file("net.yaml")) << "name: net\nlayers:\n  - {name: a, dims: {K: 16, C: 16, P: 8, Q: 9}}\n";
  refused(words, "content of layers");
}

TEST_F(Checkpoint, ThatIsNotAsItWasWrittenIsRefused) {
  const Words words = {"mlperf-tiny-autoencoder", "--arch", "tiny-embedded"};
  const auto checkpoint = file("run.checkpoint");
  ASSERT_EQ(run(with(words, {"--checkpoint", checkpoint})).status, 0);
  const std::string good = content_of(checkpoint);
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    std::string bad = good;
    const auto at = static_cast<std::size_t>(random.below(bad.size()));
    switch (i % 4) {
      case 0:
        bad[at] = static_cast<char>(bad[at] ^ static_cast<char>(1 + random.below(255)));
        break;
      case 1:
        bad.resize(at);
        break;
      case 2:
        bad.insert(at, 1, '0');
        break;
      default:
        bad.erase(at, 1 + static_cast<std::size_t>(random.below(40)));
    }
    std::ofstream(file("bad.checkpoint"), std::ios::binary) << bad;
    ASSERT_FALSE(io::read_checkpoint(file("bad.checkpoint"))) << i;
    if (i < 12) {
      const auto ended = run(with(words, {"--resume", file("bad.checkpoint")}));
      EXPECT_EQ(ended.status, 3);
      EXPECT_NE(ended.message.find("bad.checkpoint"), std::string::npos) << ended.message;
    }
  }
  for (const char* path : {"/dev/zero", "/nowhere", "/"})
    EXPECT_EQ(run(with(words, {"--resume", path})).status, 3);

  // With a digest that is right: states that are none are searched again, a head that is none is refused.
  ASSERT_EQ(run(with(words, {})).status, 0);
  const std::string whole = result();
  const auto resumed = [&](auto change) {
    auto saved = io::read_checkpoint(checkpoint);
    EXPECT_TRUE(saved);
    change(*saved);
    EXPECT_FALSE(io::write_checkpoint(file("bad.checkpoint"), *saved));
    return run(with(words, {"--resume", file("bad.checkpoint")}));
  };
  EXPECT_EQ(resumed([](io::CheckpointFile& saved) { saved.shapes.at(0).at(0) = "no state"; }).status, 0);
  EXPECT_EQ(result(), whole);
  EXPECT_EQ(resumed([](io::CheckpointFile& saved) { saved.shapes.at(1).at(0).resize(30); }).status, 0);
  EXPECT_EQ(result(), whole);
  EXPECT_EQ(resumed([](io::CheckpointFile& saved) { saved.shapes.pop_back(); }).status, 3);
  for (const char* key : {"version", "options", "inputs", "architecture", "layers"}) {
    EXPECT_EQ(resumed([&](io::CheckpointFile& saved) { saved.run.erase(key); }).status, 3) << key;
    EXPECT_EQ(resumed([&](io::CheckpointFile& saved) { saved.run[key] = 5; }).status, 3) << key;
  }
  EXPECT_EQ(resumed([](io::CheckpointFile& saved) { saved.run = nullptr; }).status, 3);
}

TEST_F(Checkpoint, WhereItCannotBeWrittenWhatWasThereStays) {
  const Words words = {"mlperf-tiny-resnet8", "--arch", "tiny-embedded"};
  const auto checkpoint = file("run.checkpoint");
  ASSERT_EQ(run(with(words, {"--checkpoint", checkpoint})).status, 0);
  const std::string good = content_of(checkpoint);
  // As on a full disk.
  Words small = words;
  small.insert(small.end(), {"--checkpoint", checkpoint});
  const auto full = run(small, -1, 1000);
  EXPECT_EQ(full.status, 6) << full.message;
  EXPECT_NE(full.message.find("run.checkpoint"), std::string::npos) << full.message;
  EXPECT_EQ(content_of(checkpoint), good);
  EXPECT_EQ(run(with(words, {"--checkpoint", "/proc/run.checkpoint"})).status, 6);
  EXPECT_EQ(run(with(words, {"--checkpoint", "/dev/null"})).status, 2);
  EXPECT_EQ(run(with(words, {"--every", "5"})).status, 2);
  EXPECT_EQ(run(with(words, {"--bound-only", "--checkpoint", checkpoint})).status, 2);
  EXPECT_EQ(content_of(checkpoint), good);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(place_)) ++files;
  EXPECT_EQ(files, 3U);  // checkpoint, result and messages: no temporary is left
}

}  // namespace
}  // namespace nestor
