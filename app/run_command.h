// A foreign program run in a shell, its output in a file, within a time: beyond it the whole group is killed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace nestor::app {

struct CommandOutcome {
  bool started = false;
  bool timed_out = false;  ///< killed
  int signal = 0;          ///< that ended it, if one did
  int status = 0;          ///< of its exit, if it did
  double seconds = 0;
};

CommandOutcome run_command(const std::string& command, const std::filesystem::path& log, double seconds);

/// The text as one word of a shell, in single quotes.
std::string shell_string(std::string_view text);

/// Whether PATH has such a program.
bool is_installed(const std::string& program);

}  // namespace nestor::app
