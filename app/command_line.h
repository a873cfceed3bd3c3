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

/// What --version prints about the build. Texts may be empty.
struct BuildFacts {
  std::string_view commit = {};
  std::string_view compiler = {};  ///< with its version and the type of the build
  std::string_view packages = {};  ///< packages that were built in
};

/// Parses the command line. `build` is printed by --version.
io::Result<Command> parse_command_line(std::span<const char* const> arguments, Spaces spaces,
                                       const BuildFacts& build = {});

/// The whole tool: parses the command line, runs one verb, reports an error in one line, and returns the exit
/// status.
int run_tool(std::span<const char* const> arguments, Spaces spaces, const BuildFacts& build = {});

}  // namespace nestor::app
