// Tests of the limits of nestor map, on a layer whose search would far exceed them. The whole process obeys
// the limits, as measured from outside. The best mapping found so far is written with a valid bound.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "places.h"

namespace nestor::limits_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

// With sanitizers, run time and memory are not checked, since sanitizers multiply both.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool measures = false;
#else
constexpr bool measures = true;
#endif

struct Ended {
  Json result;
  long peak_kib = 0;        // peak resident memory
  double seconds = 0;       // wall time of the whole process
  double after_signal = 0;  // time from the signal to the end
};

class Limits : public ::testing::Test {
 protected:
  // A proof for this layer takes seconds to minutes, and gigabytes of memory.
  void SetUp() override {
    fs::create_directories(place_);
    std::ofstream(place_ / "large.yaml")
        << "name: large\nlayers:\n  - {name: large, dims: {K: 720, C: 720, P: 60, Q: 60, R: 3, S: 3}}\n";
  }
  void TearDown() override { fs::remove_all(place_); }

  Ended run(const std::string& objective, std::vector<std::string> limits, double interrupt_after = 0) {
    const auto file = place_ / "result.json";
    fs::remove(file);
    std::vector<std::string> words = {NESTOR_TOOL, "map",           place_ / "large.yaml",
                                      "--arch",    "miredo-table4", "--objective",
                                      objective,   "--json",        file};
    words.insert(words.end(), limits.begin(), limits.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const auto begin = Clock::now();
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGINT, SIG_DFL);
      setenv("NESTOR_DATA", NESTOR_SOURCE_DIR "/data", 1);
      const int nowhere = open("/dev/null", O_WRONLY);
      if (nowhere < 0) _exit(127);
      dup2(nowhere, 1);
      dup2(nowhere, 2);
      execv(argv[0], argv.data());
      _exit(127);
    }
    auto signalled = begin;
    if (interrupt_after > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(interrupt_after));
      signalled = Clock::now();
      kill(child, SIGINT);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    Ended ended;
    ended.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    ended.after_signal = std::chrono::duration<double>(Clock::now() - signalled).count();
    ended.peak_kib = usage.ru_maxrss;
    EXPECT_TRUE(WIFEXITED(status));
    std::ifstream in(file);
    ended.result = Json::parse(in, nullptr, false);
    EXPECT_FALSE(ended.result.is_discarded());
    return ended;
  }

  // Expects a mapping with its cost, and a lower bound below the cost.
  static void expect_useful(const Ended& ended, const std::string& status) {
    const Json& layer = ended.result.at("layers").at(0);
    EXPECT_EQ(layer.at("status"), status);
    EXPECT_FALSE(layer.at("mapping").at("temporal").empty());
    EXPECT_GT(layer.at("lower_bound").get<double>(), 0);
    EXPECT_LT(layer.at("lower_bound").get<double>(), layer.at("objective").get<double>());
  }

  fs::path place_ = fs::temp_directory_path() / ("nestor-limits-" + std::to_string(::getpid()));
};

TEST_F(Limits, MemoryLimitCoversTheWholeProcess) {
  for (const auto& [objective, threads] : {std::pair{"energy", "1"}, {"edp", "4"}}) {
    SCOPED_TRACE(std::string(objective) + " on " + threads);
    const auto ended =
        run(objective, {"--memory-limit", "64MiB", "--time-limit", "60", "--threads", threads});
    expect_useful(ended, "memory_limit");
    if (measures) {
      EXPECT_LE(ended.peak_kib, 64 * 1024);
    }
  }
}

// The tool must end within 0.1 s after the limit. The test tolerates more, because other tests may run on the
// machine at the same time.
TEST_F(Limits, TimeLimitIsRespected) {
  for (const char* objective : {"energy", "edp"}) {
    const auto ended = run(objective, {"--time-limit", "1"});
    expect_useful(ended, "time_limit");
    std::printf("%s: %.3f s after a limit of 1 s\n", objective, ended.seconds);
    if (measures) {
      EXPECT_LT(ended.seconds, 1.5);
    }
  }
}

TEST_F(Limits, LayerTimeLimitIsRespected) {
  const auto ended = run("energy", {"--layer-time-limit", "0.5"});
  expect_useful(ended, "time_limit");
  if (measures) {
    EXPECT_LT(ended.seconds, 1.5);
  }
}

TEST_F(Limits, InterruptStopsTheRunPromptly) {
  const auto ended = run("energy", {"--time-limit", "60"}, 0.7);
  expect_useful(ended, "interrupted");
  std::printf("%.3f s after the signal\n", ended.after_signal);
  if (measures) {
    EXPECT_LT(ended.after_signal, 0.5);
  }
}

}  // namespace
}  // namespace nestor::limits_test
