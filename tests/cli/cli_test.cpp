// Tests that run the commands of the scenes tests/cli/scenes/*.txt and compare the output
// (tests/cli/README.md defines the format). With NESTOR_UPDATE_EXPECTED set, they rewrite the scenes instead.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <cstdio>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "places.h"

namespace nestor::cli_test {
namespace {

namespace fs = std::filesystem;

struct Command {
  std::string text;
  std::vector<std::string> out = {};
  std::vector<std::string> err = {};
  int status = 0;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// True if a line matches a pattern, in which `<*>` stands for any text.
bool matches(const std::string& pattern, const std::string& line) {
  const auto wild = pattern.find("<*>");
  if (wild == std::string::npos) return pattern == line;
  if (line.compare(0, wild, pattern, 0, wild) != 0) return false;
  const auto rest = pattern.substr(wild + 3);
  for (auto from = wild; from <= line.size(); ++from)
    if (matches(rest, line.substr(from))) return true;
  return false;
}

bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& found) {
  if (expected.size() != found.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!matches(expected[i], found[i])) return false;
  return true;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += "  " + line + "\n";
  return text;
}

Command run(const std::string& text, const fs::path& scratch) {
  const auto bin = fs::path(NESTOR_TOOL).parent_path().string();
  // NESTOR_DATA is set here, so that a developer's own data directory does not affect the test.
  const auto shell = "cd '" + scratch.string() + "' && PATH='" + bin +
                     "':$PATH NESTOR_DATA='" NESTOR_SOURCE_DIR "/data' && export PATH NESTOR_DATA && { " +
                     text + "\n} >.out 2>.err </dev/null";
  const int code = std::system(shell.c_str());
  Command result{.text = text, .status = WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code)};
  result.out = lines_of(read(scratch / ".out"));
  result.err = lines_of(read(scratch / ".err"));
  return result;
}

// One scene: its file, and the folder in which its commands run.
class Scene {
 public:
  explicit Scene(const fs::path& file)
      : file_(file),
        scratch_(fs::temp_directory_path() /
                 ("nestor-cli-" + file.stem().string() + "-" + std::to_string(::getpid()))) {
    fs::create_directories(scratch_);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  ~Scene() { fs::remove_all(scratch_); }

  void play(bool update) {
    const auto lines = lines_of(read(file_));
    std::string rewritten;
    std::ofstream open_file;
    for (std::size_t i = 0; i < lines.size();) {
      const auto& line = lines[i];
      if (!line.starts_with("$ ")) {
        rewritten += line + "\n";
        setting(line, open_file, i + 1);
        ++i;
        continue;
      }
      open_file.close();
      const auto place = file_.filename().string() + ":" + std::to_string(i + 1);
      Command expected{.text = line.substr(2)};
      for (++i; i < lines.size() && expectation(lines[i], expected); ++i) {
      }
      const auto found = run(expected.text, scratch_);
      if (!update) check(place, expected, found);
      rewritten += written(expected, found);
    }
    if (update) std::ofstream(file_, std::ios::binary) << rewritten;
  }

 private:
  // Handles a line that is neither a command nor an expected result.
  void setting(const std::string& line, std::ofstream& open_file, std::size_t number) {
    if (line.starts_with("@ ")) {
      open_file.close();
      open_file.open(scratch_ / line.substr(2), std::ios::binary);
    } else if (line.starts_with("|")) {
      open_file << (line.size() > 2 ? line.substr(2) : "") << "\n";
    } else if (!line.empty() && !line.starts_with("#")) {
      ADD_FAILURE() << file_.filename() << ":" << number << ": unknown kind of line: " << line;
    }
  }

  static bool expectation(const std::string& line, Command& expected) {
    const auto text = line.size() > 2 ? line.substr(2) : "";
    if (line.starts_with(">"))
      expected.out.push_back(text);
    else if (line.starts_with("!"))
      expected.err.push_back(text);
    else if (line.starts_with("? "))
      expected.status = std::stoi(text);
    else
      return false;
    return true;
  }

  static void check(const std::string& place, const Command& expected, const Command& found) {
    EXPECT_TRUE(matches(expected.out, found.out))
        << place << ": standard output of `" << found.text << "` is\n"
        << joined(found.out) << "expected\n"
        << joined(expected.out);
    EXPECT_TRUE(matches(expected.err, found.err))
        << place << ": standard error of `" << found.text << "` is\n"
        << joined(found.err) << "expected\n"
        << joined(expected.err);
    EXPECT_EQ(expected.status, found.status) << place << ": exit status of `" << found.text << "`";
    if (::testing::Test::HasFailure())
      std::puts("If the new output is right, `make expected` writes it to the scenes.");
  }

  static std::string written(const Command& expected, const Command& found) {
    std::string text = "$ " + expected.text + "\n";
    const auto add = [&](const char* mark, const std::vector<std::string>& now,
                         const std::vector<std::string>& before) {
      for (std::size_t i = 0; i < now.size(); ++i) {
        const bool keep = i < before.size() && matches(before[i], now[i]);
        const auto& line = keep ? before[i] : now[i];
        text += line.empty() ? std::string(mark) + "\n" : std::string(mark) + " " + line + "\n";
      }
    };
    add(">", found.out, expected.out);
    add("!", found.err, expected.err);
    if (found.status != 0) text += "? " + std::to_string(found.status) + "\n";
    return text;
  }

  fs::path file_;
  fs::path scratch_;
};

class CommandLine : public ::testing::TestWithParam<std::string> {};

TEST_P(CommandLine, PrintsTheOutputOfTheScene) {
  Scene(fs::path(NESTOR_SOURCE_DIR) / "tests/cli/scenes" / GetParam())
      .play(std::getenv("NESTOR_UPDATE_EXPECTED") != nullptr);
}

std::vector<std::string> scenes() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(NESTOR_SOURCE_DIR) / "tests/cli/scenes"))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Scenes, CommandLine, ::testing::ValuesIn(scenes()),
                         [](const auto& scene) { return fs::path(scene.param).stem().string(); });

}  // namespace
}  // namespace nestor::cli_test
