#include "app/run_command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "base/split.h"

namespace nestor::app {

CommandOutcome run_command(const std::string& command, const std::filesystem::path& log, double seconds) {
  using Clock = std::chrono::steady_clock;
  CommandOutcome outcome;
  const auto begin = Clock::now();
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (out < 0) return outcome;
  const pid_t child = fork();
  if (child == 0) {  // only calls that are safe between fork and exec
    setpgid(0, 0);
    const int none = open("/dev/null", O_RDONLY);
    if (none < 0) _exit(127);
    dup2(none, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(out);
  if (child < 0) return outcome;
  outcome.started = true;
  setpgid(child, child);
  int status = 0;
  for (auto wait = std::chrono::milliseconds(1);; wait = std::min(wait * 2, std::chrono::milliseconds(50))) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || ended < 0) break;
    if (!outcome.timed_out && std::chrono::duration<double>(Clock::now() - begin).count() > seconds) {
      outcome.timed_out = true;
      kill(-child, SIGKILL);
    }
    std::this_thread::sleep_for(wait);
  }
  kill(-child, SIGKILL);  // kills processes that the command left behind
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

std::string shell_string(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return false;
  for (const std::string_view folder : split(path, ':'))
    if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace nestor::app
