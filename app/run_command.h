// Execution of an external program in a shell, with a time limit and with its output written to a file. When
// the limit expires, the whole process group is killed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace nestor::app {

struct CommandOutcome {
  bool started = false;
  bool timed_out = false;  ///< the command was killed at the limit
  int signal = 0;          ///< signal that ended the command, or 0
  int status = 0;          ///< exit status, if the command exited
  double seconds = 0;
};

CommandOutcome run_command(const std::string& command, const std::filesystem::path& log, double seconds);

/// Returns the text as one shell word in single quotes.
std::string shell_string(std::string_view text);

/// True if a folder of PATH contains an executable file of this name.
bool is_installed(const std::string& program);

}  // namespace nestor::app
