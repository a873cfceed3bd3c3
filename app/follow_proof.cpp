#include "app/follow_proof.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

namespace nestor::app {
namespace {

constexpr std::string_view checker = "nestor-check";

// Returns the path of the checker beside this program, or its bare name, which is then searched for in PATH.
std::string path_of_checker() {
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = own.parent_path() / checker;
  return !error && std::filesystem::exists(beside, error) ? beside.string() : std::string(checker);
}

// Prefixes names that would be taken for an option.
std::string as_file(const std::string& name) { return name.starts_with('-') ? "./" + name : name; }

struct Output {
  int status = 127;  ///< as in a shell, the status of a missing program
  std::string text;
};

Output run(std::vector<std::string> words) {
  Output output;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  for (const int end : ends) posix_spawn_file_actions_addclose(&actions, end);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::array<char, 4096> block{};
  for (ssize_t got = 1; failed == 0 && got != 0;) {
    got = read(ends[0], block.data(), block.size());
    if (got > 0) output.text.append(block.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  if (failed != 0) return output;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

}  // namespace

io::MaybeError follow_proof(const io::RunOptions& options, std::span<const std::string_view> unproved,
                            io::ResultCheck& check) {
  if (options.inputs.size() != 1 || options.inputs.front() == "-")
    return io::usage_error("--proof needs a result in a file: mappings alone claim no optimum");
  auto output = run({path_of_checker(), as_file(options.inputs.front()), "--proof", as_file(options.proof)});
  if (output.status == 127)
    return io::usage_error(fmt::format(
        "--proof needs the program {}, which was not found: add its folder to PATH (`make build` builds it)",
        checker));
  while (output.text.ends_with('\n')) output.text.pop_back();
  constexpr int not_confirmed = 7;
  if (output.status != 0 && output.status != not_confirmed)
    return io::input_error({options.proof}, output.text);
  if (output.status == 0) {
    check.optimality = io::Optimality::followed;
    for (const auto entry : unproved) std::erase(check.not_checked, entry);
    return std::nullopt;
  }
  // The checker prints one line for each layer or for the network, and a summary in the last line.
  check.optimality = io::Optimality::not_proved;
  for (std::size_t begin = 0; begin < output.text.size();) {
    const auto end = std::min(output.text.find('\n', begin), output.text.size());
    const auto line = output.text.substr(begin, end - begin);
    if (!line.starts_with("verified ") && end != output.text.size())
      check.findings.push_back(fmt::format("{}: {}", checker, line));
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace nestor::app
