// Tests that every search verb obeys --time-limit, SIGINT and SIGTERM on its hardest inputs and then writes
// valid output. Processor time is measured, since a busy machine does not change it. The fast suite runs one
// case of each space; NESTOR_ALL_STOPS=1 runs all cases.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "hard_cases.h"
#include "places.h"

namespace nestor::stops_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool measures = false;  // sanitizers multiply time
#else
constexpr bool measures = true;
#endif

enum class Stop { limit, interrupt, terminate };
constexpr double limit_seconds = 0.5;
constexpr double allowed_beyond = 0.15;  // required: 0.1 s; clock ticks take 0.01 s

// Returns the seconds of processor time that a process has used.
double processor_seconds(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string word;
  for (int i = 0; i < 13; ++i) in >> word;
  double user = 0, system = 0;
  in >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Waits until a child has used `limit_seconds` of processor time or has ended. A signal sent earlier would be
// lost or would kill the child.
void wait_for_work(pid_t child) {
  siginfo_t ended{};
  do std::this_thread::sleep_for(std::chrono::duration<double>(limit_seconds / 4));
  while (processor_seconds(child) < limit_seconds &&
         waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0);
}

struct Ended {
  int status = -1;  ///< exit status; -1: killed by a signal
  double seconds = 0;
  double after_stop = 0;
};

class Stops : public ::testing::TestWithParam<HardCase> {
 protected:
  static void SetUpTestSuite() {
    place() = fs::temp_directory_path() / ("nestor-stops-" + std::to_string(::getpid()));
    fs::create_directories(place());
    write_hard_inputs(place());
  }
  static void TearDownTestSuite() { fs::remove_all(place()); }
  static fs::path& place() {
    static fs::path folder;
    return folder;
  }
  static fs::path result() { return place() / "result.json"; }

  static Ended run(std::vector<std::string> words, Stop stop) {
    words.insert(words.begin(), NESTOR_TOOL);
    for (std::string& word : words)
      if (word.starts_with('@')) word = (place() / word.substr(1)).string();
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGINT, SIG_DFL);
      signal(SIGTERM, SIG_DFL);
      setenv("NESTOR_DATA", NESTOR_SOURCE_DIR "/data", 1);
      const int nowhere = open("/dev/null", O_WRONLY);
      if (nowhere < 0) _exit(127);
      dup2(nowhere, 1);
      dup2(nowhere, 2);
      execv(argv[0], argv.data());
      _exit(127);
    }
    double at_stop = limit_seconds;
    if (stop != Stop::limit) {
      wait_for_work(child);
      at_stop = processor_seconds(child);
      kill(child, stop == Stop::interrupt ? SIGINT : SIGTERM);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    Ended ended;
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    ended.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    ended.after_stop = ended.seconds - at_stop;
    if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
    return ended;
  }

  // Expects no result file, or a valid one. A run may be stopped before it has a result.
  static void expect_valid(const HardCase& of, const Ended& ended) {
    EXPECT_TRUE(ended.status == 0 || ended.status == 1) << ended.status;
    if (!fs::exists(result())) return;
    std::ifstream in(result());
    const Json json = Json::parse(in, nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    if (of.words[0] == "lp" || of.name == "cim_bounds") return;
    const auto check = std::string("NESTOR_DATA='" NESTOR_SOURCE_DIR "/data' '") + NESTOR_TOOL +
                       "' verify '" + result().string() + "' >'" + (place() / "said").string() + "' 2>&1";
    const int status = std::system(check.c_str());
    std::ifstream said(place() / "said");
    EXPECT_EQ(WEXITSTATUS(status), 0) << std::string(std::istreambuf_iterator<char>(said), {});
  }
};

TEST_P(Stops, PromptlyWithAValidResult) {
  const HardCase& of = GetParam();
  if (!of.representative && std::getenv("NESTOR_ALL_STOPS") == nullptr) GTEST_SKIP() << "at night";
  for (const Stop stop : {Stop::limit, Stop::interrupt, Stop::terminate}) {
    SCOPED_TRACE(of.name + (stop == Stop::limit       ? " limit"
                            : stop == Stop::interrupt ? " SIGINT"
                                                      : " SIGTERM"));
    auto words = of.words;
    words.insert(words.end(), {"--json", result().string()});
    words.insert(words.end(), {"--time-limit", stop == Stop::limit ? std::to_string(limit_seconds) : "1000"});
    // Delays on a shared machine vary, so a run that stops too late is repeated up to twice.
    Ended ended;
    for (int attempt = 0; attempt < 3; ++attempt) {
      fs::remove(result());
      ended = run(words, stop);
      if (ended.after_stop < allowed_beyond) break;
    }
    std::printf("%-20s %-8s status %d, %.2f s of the processor after it\n", of.name.c_str(),
                stop == Stop::limit       ? "limit"
                : stop == Stop::interrupt ? "SIGINT"
                                          : "SIGTERM",
                ended.status, ended.after_stop);
    if (measures) {
      EXPECT_LT(ended.after_stop, allowed_beyond);
    }
    expect_valid(of, ended);
  }
}

// On a busy machine, a run can reach its limit before it has done its first steps.
TEST_P(Stops, WithAValidResultAtTheShortestLimits) {
  const HardCase& of = GetParam();
  if (!of.representative && std::getenv("NESTOR_ALL_STOPS") == nullptr) GTEST_SKIP() << "at night";
  for (const char* limit : {"0.001", "0.005", "0.02", "0.1"}) {
    SCOPED_TRACE(of.name + " " + limit);
    auto words = of.words;
    words.insert(words.end(), {"--json", result().string(), "--time-limit", limit});
    fs::remove(result());
    expect_valid(of, run(words, Stop::limit));
  }
}

INSTANTIATE_TEST_SUITE_P(Verbs, Stops, ::testing::ValuesIn(hard_cases()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace nestor::stops_test
