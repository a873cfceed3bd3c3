// The MIP solvers that `compare` supports: their commands and the parsing of their logs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nestor::app {

struct MipSolver {
  std::string_view name;
  std::string_view program;  ///< name in PATH
  std::string_view command;  ///< command with {model}, {solution}, {options}, {seconds} and {threads}
  std::string_view options;  ///< content of the file {options}
};

std::span<const MipSolver> mip_solvers();

/// Values for the placeholders of a command.
struct CommandPlaces {
  std::string model, solution, start, options;
  int seconds = 60;
  int threads = 1;
};
std::string filled(std::string_view command, const CommandPlaces& places);

/// Outcome of a run according to its log.
struct LogFindings {
  std::optional<double> bound;  ///< dual bound
  bool optimal = false;
  bool infeasible = false;
  bool time_limit = false;
};
LogFindings read_log(std::string_view solver, std::string_view log);

}  // namespace nestor::app
