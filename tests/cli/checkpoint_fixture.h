// Runs of nestor map as a separate process in a separate folder. A test can limit the size of a run's files,
// run it as an unprivileged user, or kill it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "io/files.h"
#include "places.h"

namespace nestor {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

inline std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Removes times, which may differ in a resumed run.
inline void forget_times(io::Json& json) {
  if (json.is_object()) json.erase("seconds");
  if (json.is_structured())
    for (auto& part : json) forget_times(part);
}

struct Ended {
  int status = -1;  // exit status; -1: killed
  std::string message;
};

class Checkpoint : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(place_); }
  void TearDown() override { fs::remove_all(place_); }

  fs::path file(const std::string& name) const { return place_ / name; }

  // Runs the tool and kills it after `kill_after` microseconds, unless this number is negative. The tool
  // cannot write files larger than `most_bytes`. With `as_nobody`, it runs as an unprivileged user if the
  // test itself runs as root.
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

  // Returns the result file without its times.
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

}  // namespace nestor
