// From argv to a verb and its RunOptions. Parsing is CLI11's; which options there are, what they accept and
// what help says about them is the option table's (io/options.h).
#pragma once

#include "app/verb_table.h"

namespace nestor::app {

struct Command {
  const VerbEntry* verb = nullptr;  ///< null: print `text` and be done
  io::RunOptions options = {};
  std::string text = {};
};

/// `commit`: what was built, for --version.
io::Result<Command> parse_command_line(std::span<const char* const> arguments, Spaces spaces,
                                       std::string_view commit = {});

/// The whole tool: parses, runs one verb, says what went wrong in one line; returns the exit status.
int run_tool(std::span<const char* const> arguments, Spaces spaces, std::string_view commit = {});

}  // namespace nestor::app
