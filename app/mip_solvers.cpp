#include "app/mip_solvers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/parse_number.h"
#include "base/split.h"

namespace nestor::app {
namespace {

constexpr std::array solvers = {
    MipSolver{"gurobi", "gurobi_cl",
              "gurobi_cl TimeLimit={seconds} MIPGap=0 Threads={threads} ResultFile={solution} {model}", ""},
    MipSolver{"highs", "highs",
              "highs --time_limit {seconds} --threads {threads} --options_file {options} --solution_file "
              "{solution} {model}",
              "mip_rel_gap = 0\nmip_abs_gap = 0\n"},
    MipSolver{"scip", "scip",
              "scip -c 'read {model}' -c 'set limits time {seconds}' -c 'set limits gap 0' -c optimize -c "
              "'write solution {solution}' -c quit",
              ""},
    MipSolver{
        "cbc", "cbc",
        "cbc {model} -sec {seconds} -timeMode elapsed -ratio 0 -allow 0 -solve -solution {solution} -quit",
        ""},
    MipSolver{"glpk", "glpsol", "glpsol --freemps {model} --tmlim {seconds} --mipgap 0 --cuts -w {solution}",
              ""},
};

// Returns the number after `words` in the last line that begins with them, ignoring leading blanks.
std::optional<double> number_behind(std::string_view log, std::string_view words) {
  std::optional<double> found;
  for (std::string_view line : split(log, '\n')) {
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (!line.starts_with(words)) continue;
    line.remove_prefix(words.size());
    while (line.starts_with(' ') || line.starts_with(':') || line.starts_with('+')) line.remove_prefix(1);
    const auto number = parse_number<double>(line.substr(0, line.find_first_of(" ,\t\r(%")));
    if (number && std::isfinite(*number)) found = number;
  }
  return found;
}

bool has(std::string_view log, std::string_view words) { return log.find(words) != std::string_view::npos; }

// Returns the bound in the last line of the form "+ 1234: mip = 1.0e+01 >= 9.0e+00 10.0% (5; 3)".
std::optional<double> glpk_bound(std::string_view log) {
  std::optional<double> found;
  for (const std::string_view line : split(log, '\n')) {
    const auto at = line.find(">=");
    if (!line.starts_with('+') || at == std::string_view::npos) continue;
    auto rest = line.substr(at + 2);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const auto number = parse_number<double>(rest.substr(0, rest.find(' ')));
    if (number && std::isfinite(*number)) found = number;
  }
  return found;
}

}  // namespace

std::span<const MipSolver> mip_solvers() { return solvers; }

std::string filled(std::string_view command, const CommandPlaces& places) {
  std::string text(command);
  const std::array<std::pair<std::string_view, std::string>, 6> words = {
      {{"{model}", places.model},
       {"{solution}", places.solution},
       {"{start}", places.start},
       {"{options}", places.options},
       {"{seconds}", fmt::format("{}", places.seconds)},
       {"{threads}", fmt::format("{}", places.threads)}}};
  for (const auto& [word, value] : words)
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  return text;
}

LogFindings read_log(std::string_view solver, std::string_view log) {
  LogFindings found;
  if (solver == "gurobi") {
    for (const std::string_view line : split(log, '\n'))
      if (const auto at = line.find("best bound "); line.starts_with("Best objective ") && at != line.npos)
        found.bound = number_behind(line.substr(at), "best bound ");
    found.optimal = has(log, "Optimal solution found");
    found.infeasible = has(log, "Model is infeasible");
    found.time_limit = has(log, "Time limit reached");
  } else if (solver == "highs") {
    found.bound = number_behind(log, "Dual bound");
    found.optimal = has(log, "Status            Optimal") || has(log, "HiGHS Status: Optimal");
    found.infeasible = has(log, "Infeasible\n") && !has(log, "Primal bound");
    found.time_limit = has(log, "Time limit reached");
  } else if (solver == "scip") {
    found.bound = number_behind(log, "Dual Bound");
    found.optimal = has(log, "[optimal solution found]");
    found.infeasible = has(log, "[infeasible]");
    found.time_limit = has(log, "[time limit reached]");
  } else if (solver == "cbc") {
    found.bound = number_behind(log, "Lower bound");
    found.optimal = has(log, "Result - Optimal solution found");
    found.infeasible = has(log, "Result - Problem proven infeasible") || has(log, "Problem is infeasible");
    found.time_limit = has(log, "Result - Stopped on time limit");
  } else if (solver == "glpk") {
    found.optimal = has(log, "INTEGER OPTIMAL SOLUTION FOUND");
    if (!found.optimal) found.bound = glpk_bound(log);  // after an optimum, this line is outdated
    found.infeasible = has(log, "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION") ||
                       has(log, "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION");
    found.time_limit = has(log, "TIME LIMIT EXCEEDED");
  }
  return found;
}

}  // namespace nestor::app
