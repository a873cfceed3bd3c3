// Conversion of argv to a verb and its RunOptions. CLI11 parses the words. The option table (io/options.h)
// determines which options exist, which values they accept and what help prints about them.
#pragma once

#include "app/verb_table.h"

namespace nestor::app {

struct Command {
  const VerbEntry* verb = nullptr;  ///< null if only `text` is to be printed
  io::RunOptions options = {};
  std::string text = {};
};

/// Parses the command line. `commit` identifies the build, for --version.
io::Result<Command> parse_command_line(std::span<const char* const> arguments, Spaces spaces,
                                       std::string_view commit = {});

/// The whole tool: parses the command line, runs one verb, reports an error in one line, and returns the exit
/// status.
int run_tool(std::span<const char* const> arguments, Spaces spaces, std::string_view commit = {});

}  // namespace nestor::app
