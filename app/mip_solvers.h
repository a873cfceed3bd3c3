// The MIP solvers that `compare` knows: how each is called, and what its log says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nestor::app {

struct MipSolver {
  std::string_view name;
  std::string_view program;  ///< of PATH
  std::string_view command;  ///< with {model}, {solution}, {options}, {seconds} and {threads}
  std::string_view options;  ///< what the file {options} holds
};

std::span<const MipSolver> mip_solvers();

/// A command with its places filled in.
struct CommandPlaces {
  std::string model, solution, start, options;
  int seconds = 60;
  int threads = 1;
};
std::string filled(std::string_view command, const CommandPlaces& places);

/// What a log says at its end.
struct LogFindings {
  std::optional<double> bound;  ///< dual bound
  bool optimal = false;
  bool infeasible = false;
  bool time_limit = false;
};
LogFindings read_log(std::string_view solver, std::string_view log);

}  // namespace nestor::app
