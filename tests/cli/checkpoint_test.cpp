// Tests of nestor map --checkpoint and --resume from the command line, on CIM and PIM machines. A resumed run
// writes the same result as an uninterrupted one, no matter how much was finished before. A checkpoint is
// refused if it is from another run or was modified. If an output cannot be written, existing files are left
// unchanged. kills_test.cpp covers the state after kills.
#include <map>
#include <utility>

#include "base/random.h"
#include "checkpoint_fixture.h"
#include "report/results/checkpoint_file.h"

namespace nestor::checkpoint_test {
namespace {

TEST_F(Checkpoint, ResumedRunEqualsTheWholeRun) {
  const std::vector<Words> runs = {
      {"mlperf-tiny-resnet8", "--arch", "miredo-table4", "--objective", "energy"},
      {"mlperf-tiny-resnet8", "--arch", "miredo-default", "--objective", "energy", "--threads", "3"},
      {"mlperf-tiny-dscnn", "--arch", "tiny-embedded", "--objective", "pareto"},
      {"mlperf-tiny-resnet8", "--arch", "tiny-embedded", "--objective", "edp", "--top", "3"},
      {"mlperf-tiny-autoencoder", "--arch", "miredo-table4", "--pad", "4", "--latency-model", "miredo"},
      {"mlperf-tiny-resnet8", "--arch", "miredo-table4", "--objective", "blended", "--work-limit", "60"},
      {"mlperf-tiny-autoencoder", "--arch", "tiny-embedded", "--objective", "eq14", "--gap", "5"},
      {"mlperf-tiny-dscnn", "--arch", "tiny-embedded", "--profile", "embedded"},
      {"mlperf-tiny-autoencoder", "--arch", "tiny-embedded", "--explain"},
      {"mlperf-tiny-resnet8", "--arch", "pim-lpddr", "--objective", "latency"},
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
    ASSERT_EQ(result(), whole);  // the result is the same as without a checkpoint
    const auto saved = io::read_checkpoint(checkpoint);
    ASSERT_TRUE(saved) << saved.error().to_string();
    // Keeps no finished layers at first, two more in each turn up to all of them, and then random ones.
    const std::size_t count = saved->shapes.size();
    for (std::size_t turn = 0; turn <= count + 4; turn += 2) {
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

TEST_F(Checkpoint, FilesInAnUnwritableFolderStayUnchanged) {
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

TEST_F(Checkpoint, IsRefusedForAnotherRun) {
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
          "objective was 'latency', now 'energy'");
  refused({file("net.yaml"), "--arch", "tiny-embedded", "--latency-model", "miredo"}, "latency model");
  refused({file("net.yaml"), "--arch", "tiny-embedded", "--top", "2"}, "--top was '1', now '2'");
  refused({file("net.yaml"), "--arch", "tiny-embedded", "--batch", "2"}, "--batch");
  refused({"mlperf-tiny-dscnn", "--arch", "tiny-embedded"}, "network was 'net'");
  auto saved = io::read_checkpoint(checkpoint);
  ASSERT_TRUE(saved);
  saved->run["version"] = "0.0.9";
  ASSERT_FALSE(io::write_checkpoint(checkpoint, *saved));
  refused(words, "version was '0.0.9'");
  ASSERT_EQ(run(with(words, {"--checkpoint", checkpoint})).status, 0);
  std::ofstream(file("net.yaml")) << "name: net\nlayers:\n  - {name: a, dims: {K: 16, C: 16, P: 8, Q: 9}}\n";
  refused(words, "content of layers");
}

// A run that stopped at its work limit resumes with a higher limit and reaches the optimum of an unlimited
// run.
TEST_F(Checkpoint, ResumesWithAHigherWorkLimit) {
  for (const char* const objective : {"latency", "energy", "edp"}) {
    const Words words = {"mlperf-tiny-resnet8", "--arch", "miredo-table4", "--objective", objective};
    const auto checkpoint = file("work.checkpoint");
    ASSERT_EQ(run(with(words, {"--work-limit", "50", "--checkpoint", checkpoint})).status, 1);
    ASSERT_EQ(run(with(words, {"--resume", checkpoint})).status, 0) << objective;
    const auto resumed = io::Json::parse(result());
    ASSERT_EQ(run(words).status, 0);
    const auto whole = io::Json::parse(result());
    for (std::size_t i = 0; i < whole["layers"].size(); ++i)
      for (const char* const key : {"status", "objective", "lower_bound"})
        EXPECT_EQ(resumed["layers"][i][key], whole["layers"][i][key]) << objective << ' ' << i;
  }
}

TEST_F(Checkpoint, IsRefusedIfDamaged) {
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

  // With a valid digest, layers with invalid states are searched again and an invalid head is refused.
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

TEST_F(Checkpoint, FailedWritesKeepTheOldCheckpoint) {
  const Words words = {"mlperf-tiny-resnet8", "--arch", "tiny-embedded"};
  const auto checkpoint = file("run.checkpoint");
  ASSERT_EQ(run(with(words, {"--checkpoint", checkpoint})).status, 0);
  const std::string good = content_of(checkpoint);
  // Simulates a full disk.
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
  EXPECT_EQ(files, 3U);  // checkpoint, result and messages; no temporary file is left
}

}  // namespace
}  // namespace nestor::checkpoint_test
