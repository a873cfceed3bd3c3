#include "io/lp/solution_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "base/parse_number.h"
#include "base/tables/hash_table.h"
#include "io/document.h"
#include "io/lp/mps_words.h"

namespace nestor::io {
namespace {

constexpr std::string_view formats_text = "expected a solution file of Gurobi, HiGHS, SCIP, CBC or GLPK";

class SolutionReader {
 public:
  SolutionReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  Result<MipSolution> read() {
    const auto error = read_all();
    if (error) return *error;
    return std::move(solution_);
  }

 private:
  Error fail(const std::string& message) const { return input_error({file_, line_number_}, message); }

  bool next() {
    if (rest_.empty()) return false;
    const auto end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++line_number_;
    return true;
  }
  /// Advances to the next line that is not blank.
  bool next_filled() {
    while (next())
      if (!std::all_of(line_.begin(), line_.end(), mps::is_blank)) return true;
    return false;
  }

  MaybeError read_all() {
    if (!next_filled()) return fail(fmt::format("the file is empty: {}", formats_text));
    if (line_.starts_with("#")) return read_gurobi();
    if (line_ == "Model status") return read_highs();
    if (line_.starts_with("solution status:")) return read_scip();
    if (line_.starts_with("no solution available")) return std::nullopt;
    if (line_.starts_with("c ") || line_ == "c" || line_.starts_with("s ")) return read_glpk();
    if (line_.find(" - objective value ") != std::string_view::npos) return read_cbc();
    return fail(fmt::format("unknown format: {}", formats_text));
  }

  Result<double> number(std::string_view text) const {
    const auto value = parse_number<double>(text);
    if (!value || !std::isfinite(*value)) return fail(fmt::format("{} is not a finite number", quote(text)));
    return *value;
  }

  MaybeError add(std::string_view name, std::size_t column, std::string_view text) {
    const auto value = number(text);
    if (!value) return value.error();
    solution_.has_values = true;
    solution_.values.push_back({name, column, *value, line_number_});
    return std::nullopt;
  }
  MaybeError set_objective(std::string_view text) {
    const auto value = number(text);
    if (!value) return value.error();
    solution_.objective = *value;
    return std::nullopt;
  }

  MaybeError read_gurobi() {
    solution_.format = SolutionFormat::gurobi;
    do {
      const auto words = mps::free_words(line_);
      if (line_.starts_with('#')) {
        const auto equals = line_.find("Objective value =");
        if (equals == std::string_view::npos) continue;
        if (words.size() != 5) return fail("expected '# Objective value = NUMBER'");
        if (auto error = set_objective(words[4].text)) return error;
        continue;
      }
      if (words.size() != 2) return fail("expected a column's name and its value");
      if (auto error = add(words[0].text, 0, words[1].text)) return error;
    } while (next_filled());
    return std::nullopt;
  }

  MaybeError read_highs() {
    solution_.format = SolutionFormat::highs;
    if (!next_filled()) return fail("the file ends after 'Model status'");
    solution_.status = line_;
    while (next_filled() && line_ != "# Primal solution values") {
    }
    if (line_ != "# Primal solution values" || !next_filled())
      return fail("the file ends before '# Primal solution values'");
    if (line_ == "None") return std::nullopt;
    if (line_ != "Feasible" && line_ != "Infeasible") return fail("expected Feasible, Infeasible or None");
    const bool feasible = line_ == "Feasible";
    if (!next_filled() || !line_.starts_with("Objective ")) return fail("expected 'Objective NUMBER'");
    if (auto error = set_objective(line_.substr(10))) return error;
    if (!next_filled() || !line_.starts_with("# Columns ")) return fail("expected '# Columns NUMBER'");
    const auto count = parse_number<Int>(line_.substr(10));
    if (!count || *count < 0) return fail("expected '# Columns NUMBER'");
    for (Int i = 0; i < *count; ++i) {
      if (!next_filled() || line_.starts_with('#'))
        return fail(fmt::format("{} columns are declared, but {} follow", *count, i));
      const auto words = mps::free_words(line_);
      if (words.size() != 2) return fail("expected a column's name and its value");
      if (auto error = add(words[0].text, 0, words[1].text)) return error;
    }
    solution_.has_values = feasible;
    return std::nullopt;
  }

  MaybeError read_scip() {
    solution_.format = SolutionFormat::scip;
    solution_.status = mps_trimmed(line_.substr(16));
    while (next_filled()) {
      if (line_.starts_with("no solution available")) return std::nullopt;
      if (line_.starts_with("objective value:")) {
        if (auto error = set_objective(mps_trimmed(line_.substr(16)))) return error;
        solution_.has_values = true;
        continue;
      }
      const auto words = mps::free_words(line_);
      if (words.size() < 2 || words.size() > 3 || (words.size() == 3 && !words[2].text.starts_with("(obj:")))
        return fail("expected a column's name, its value and (obj:COST)");
      if (auto error = add(words[0].text, 0, words[1].text)) return error;
    }
    return std::nullopt;
  }

  MaybeError read_cbc() {
    solution_.format = SolutionFormat::cbc;
    const auto dash = line_.find(" - objective value ");
    solution_.status = line_.substr(0, dash);
    if (auto error = set_objective(mps_trimmed(line_.substr(dash + 19)))) return error;
    // Without an integer solution, CBC lists the solution of the relaxation.
    const bool is_solution =
        solution_.status.starts_with("Optimal") || solution_.status.starts_with("Feasible") ||
        (solution_.status.starts_with("Stopped") && solution_.status.find("no integer") == std::string::npos);
    while (next_filled()) {
      auto words = mps::free_words(line_);
      if (!words.empty() && words[0].text == "**") words.erase(words.begin());
      if (words.size() != 4 || !parse_number<Int>(words[0].text))
        return fail("expected a column's number, name, value and reduced cost");
      if (auto error = add(words[1].text, 0, words[2].text)) return error;
    }
    solution_.has_values = is_solution && !solution_.values.empty();
    return std::nullopt;
  }

  MaybeError read_glpk() {
    solution_.format = SolutionFormat::glpk;
    bool begun = false;
    bool ended = false;
    do {
      const auto words = mps::free_words(line_);
      const auto kind = words.front().text;
      if (kind == "c") {
        if (line_.starts_with("c Status:")) solution_.status = mps_trimmed(line_.substr(9));
      } else if (kind == "s") {
        if (begun || words.size() != 6 || words[1].text != "mip")
          return fail("expected 's mip ROWS COLUMNS STATUS OBJECTIVE', once");
        begun = true;
        is_feasible_ = words[4].text == "o" || words[4].text == "f";
        if (auto error = set_objective(words[5].text)) return error;
      } else if (kind == "j") {
        const auto column = words.size() == 3 ? parse_number<Int>(words[1].text) : std::nullopt;
        if (!begun || !column || *column < 1)
          return fail("expected 'j COLUMN VALUE' after the line 's mip ...'");
        if (auto error = add({}, static_cast<std::size_t>(*column - 1), words[2].text)) return error;
      } else if (kind == "e") {
        ended = true;
      } else if (kind != "i") {
        return fail("expected a line that begins with c, s, i, j or e");
      }
    } while (!ended && next_filled());
    if (!ended) return fail("the file ends without its last line, 'e o f'");
    solution_.has_values = is_feasible_;
    return std::nullopt;
  }

  static std::string_view mps_trimmed(std::string_view text) {
    while (!text.empty() && mps::is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && mps::is_blank(text.back())) text.remove_suffix(1);
    return text;
  }

  std::string_view rest_;
  const std::string& file_;
  std::string_view line_;
  int line_number_ = 0;
  bool is_feasible_ = false;
  MipSolution solution_;
};

}  // namespace

Result<MipSolution> parse_solution(std::string_view text, const std::string& file) {
  return SolutionReader(text, file).read();
}

Result<std::vector<double>> column_values(const MipSolution& solution,
                                          const std::vector<std::string_view>& columns,
                                          const std::string& file) {
  HashMap<std::string_view, std::size_t> places;
  for (std::size_t j = 0; j < columns.size(); ++j) places.emplace(columns[j], j);
  std::vector<double> values(columns.size(), 0);
  std::vector<bool> given(columns.size(), false);
  for (const MipSolution::Value& value : solution.values) {
    std::size_t column = value.column;
    if (!value.name.empty()) {
      const auto found = places.find(value.name);
      column = found == places.end() ? columns.size() : found->second;
    }
    if (column >= columns.size()) {
      const auto what = value.name.empty() ? fmt::format("number {}", value.column + 1) : quote(value.name);
      return input_error({file, value.line}, fmt::format("the model has no column {}", what));
    }
    if (given[column])
      return input_error({file, value.line}, fmt::format("column {} has two values", columns[column]));
    given[column] = true;
    values[column] = value.value;
  }
  const bool lists_all = solution.format != SolutionFormat::scip && solution.format != SolutionFormat::cbc;
  for (std::size_t j = 0; j < columns.size() && lists_all; ++j)
    if (!given[j]) return input_error({file}, fmt::format("column {} has no value", columns[j]));
  return values;
}

}  // namespace nestor::io
