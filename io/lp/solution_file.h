// Solution files of MIP solvers: Gurobi, HiGHS, SCIP, CBC and GLPK, told apart by their first lines. What a
// file claims is only read here; nothing of it is believed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "io/error.h"

namespace nestor::io {

enum class SolutionFormat : std::uint8_t { gurobi, highs, scip, cbc, glpk };
inline constexpr auto solution_formats = enum_words<SolutionFormat>({{SolutionFormat::gurobi, "Gurobi"},
                                                                     {SolutionFormat::highs, "HiGHS"},
                                                                     {SolutionFormat::scip, "SCIP"},
                                                                     {SolutionFormat::cbc, "CBC"},
                                                                     {SolutionFormat::glpk, "GLPK"}});

struct MipSolution {
  struct Value {
    std::string_view name;   ///< empty in GLPK's files, which number columns
    std::size_t column = 0;  ///< from 0, where there is no name
    double value = 0;
    int line = 0;
  };
  SolutionFormat format = SolutionFormat::gurobi;
  std::string status;               ///< as the solver words it; empty where the format has none
  bool has_values = false;          ///< a solution follows
  std::optional<double> objective;  ///< claimed
  std::vector<Value> values;        ///< names point into the text
};

/// `file` only names the text in messages.
Result<MipSolution> parse_solution(std::string_view text, const std::string& file);

/// A value for each column. Errors: a column that is unknown, named twice or (where the format lists all)
/// missing.
Result<std::vector<double>> column_values(const MipSolution& solution,
                                          const std::vector<std::string_view>& columns,
                                          const std::string& file);

}  // namespace nestor::io
