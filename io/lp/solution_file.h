// Reader of solution files of the MIP solvers Gurobi, HiGHS, SCIP, CBC and GLPK, which it recognises by their
// first lines. The reader does not check the claims of a file.
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
    std::string_view name;   ///< empty in files of GLPK, which number columns
    std::size_t column = 0;  ///< from 0, used if there is no name
    double value = 0;
    int line = 0;
  };
  SolutionFormat format = SolutionFormat::gurobi;
  std::string status;               ///< in the solver's words; empty if the format has none
  bool has_values = false;          ///< true if the values form a solution
  std::optional<double> objective;  ///< as the file states it, unchecked
  std::vector<Value> values;        ///< names are views of the text
};

/// Parses the text; `file` is only a name for messages.
Result<MipSolution> parse_solution(std::string_view text, const std::string& file);

/// Returns a value for each column. Fails if a column is unknown, named twice or, in formats that list all
/// columns, missing.
Result<std::vector<double>> column_values(const MipSolution& solution,
                                          const std::vector<std::string_view>& columns,
                                          const std::string& file);

}  // namespace nestor::io
