// Reader of MPS files. A file is read in the free format and, if that fails, again in the fixed format. Extra
// N rows are dropped, as usual; SOS, quadratic and semicontinuous parts are rejected.
#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "base/tables/hash_table.h"
#include "io/lp/lp_model.h"
#include "io/lp/mps_words.h"
#include "io/lp/number.h"

namespace nestor::io {
namespace {

using simplex::Entry;
using simplex::Index;
using simplex::infinity;
using simplex::Interval;
using simplex::no_index;

enum class MpsSection { none, rows, columns, rhs, ranges, bounds, sense, end };

using mps::fixed_words;
using mps::free_words;
using mps::is_blank;
using mps::Word;

class MpsReader {
 public:
  MpsReader(std::string_view text, const std::string& file, bool fixed)
      : rest_(text), file_(file), fixed_(fixed) {}
  Result<LpModel> read();

 private:
  MaybeError fail(int column, std::string message) const {
    return input_error({file_, line_number_, column}, std::move(message));
  }
  MaybeError fail(const Word& word, std::string message) const {
    return fail(word.column, std::move(message));
  }
  MaybeError read_line(std::string_view line);
  MaybeError open_section();
  MaybeError read_sense(const Word& word);
  MaybeError read_row();
  MaybeError read_column();
  MaybeError read_pairs(std::string_view what, MaybeError (MpsReader::*use)(Index, const Word&, double));
  MaybeError use_right_side(Index row, const Word& word, double value);
  MaybeError use_range(Index row, const Word& word, double value);
  MaybeError read_bound();
  MaybeError apply_bound(std::string_view kind, const Word& column_word, Index column, double value);
  MaybeError add_entry(const Word& row_word, const Word& value_word);
  MaybeError number(const Word& word, double& value) const;
  MaybeError find_row(const Word& word, Index& row) const;
  LpModel build();

  static constexpr Index objective_row = no_index - 1;
  static constexpr Index dropped_row = no_index - 2;

  std::string_view rest_;
  const std::string& file_;
  bool fixed_;
  int line_number_ = 0;
  std::vector<Word> words_;
  MpsSection section_ = MpsSection::none;
  bool seen_[8] = {};
  bool integers_ = false;

  LpModel model_;
  bool has_objective_ = false;
  HashMap<std::string, Index> rows_, columns_;
  std::vector<char> row_kind_;
  std::vector<double> right_side_, range_;
  boost::dynamic_bitset<> has_range_, has_right_side_, has_lower_;
  std::vector<std::vector<Entry>> entries_;
  std::vector<double> cost_;
  std::vector<Index> last_column_;  ///< last column that named each row
  bool cost_given_ = false;
  std::vector<Interval> bounds_;
  double offset_ = 0;
};

MaybeError MpsReader::number(const Word& word, double& value) const {
  const auto parsed = parse_model_number(word.text);
  if (!parsed && is_too_large(word.text))
    return fail(word, fmt::format("'{}' is too large, expected a number below 1.8e308", word.text));
  if (!parsed) return fail(word, fmt::format("'{}' is not a number", word.text));
  value = *parsed;
  return std::nullopt;
}

MaybeError MpsReader::find_row(const Word& word, Index& row) const {
  const auto found = rows_.find(word.text);
  if (found != rows_.end()) {
    row = found->second;
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(model_.row_names.size(), 1000); ++i)
    names.push_back(model_.row_names[i]);
  return fail(word, fmt::format("no row '{}'{}", word.text, suggestion(word.text, names)));
}

MaybeError MpsReader::open_section() {
  const Word& word = words_.front();
  static const HashMap<std::string_view, MpsSection> names{
      {"ROWS", MpsSection::rows},     {"COLUMNS", MpsSection::columns}, {"RHS", MpsSection::rhs},
      {"RANGES", MpsSection::ranges}, {"BOUNDS", MpsSection::bounds},   {"OBJSENSE", MpsSection::sense},
      {"ENDATA", MpsSection::end}};
  if (word.text == "NAME") {
    if (words_.size() > 1) model_.name = words_[1].text;
    return std::nullopt;
  }
  const auto found = names.find(word.text);
  if (found == names.end())
    return fail(word, fmt::format("unknown section '{}'{}", word.text,
                                  suggestion(word.text, {"NAME", "OBJSENSE", "ROWS", "COLUMNS", "RHS",
                                                         "RANGES", "BOUNDS", "ENDATA"})));
  section_ = found->second;
  bool& seen = seen_[static_cast<std::size_t>(section_)];
  if (seen) return fail(word, fmt::format("section {} appears twice", word.text));
  seen = true;
  const auto came = [this](MpsSection section) { return seen_[static_cast<std::size_t>(section)]; };
  if (section_ == MpsSection::columns && !came(MpsSection::rows)) return fail(word, "COLUMNS before ROWS");
  if ((section_ == MpsSection::rhs || section_ == MpsSection::ranges || section_ == MpsSection::bounds) &&
      !came(MpsSection::columns))
    return fail(word, fmt::format("{} before COLUMNS", word.text));
  if (section_ == MpsSection::sense && words_.size() > 1) return read_sense(words_[1]);
  return std::nullopt;
}

MaybeError MpsReader::read_sense(const Word& word) {
  if (word.text == "MAX" || word.text == "MAXIMIZE" || word.text == "MAXIMISE")
    model_.maximize = true;
  else if (word.text == "MIN" || word.text == "MINIMIZE" || word.text == "MINIMISE")
    model_.maximize = false;
  else
    return fail(word, fmt::format("objective sense '{}', expected MIN or MAX", word.text));
  return std::nullopt;
}

MaybeError MpsReader::read_row() {
  if (words_.size() != 2) return fail(words_.front(), "expected a row type and a name");
  const Word& kind = words_[0];
  const Word& name = words_[1];
  constexpr std::string_view kinds = "NLGEnlge";
  if (kind.text.size() != 1 || kinds.find(kind.text[0]) == std::string_view::npos)
    return fail(kind, fmt::format("row type '{}', expected N, L, G or E", kind.text));
  const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(kind.text[0])));
  Index row = static_cast<Index>(row_kind_.size());
  if (letter == 'N') row = has_objective_ ? dropped_row : objective_row;
  if (!rows_.emplace(name.text, row).second)
    return fail(name, fmt::format("row '{}' is declared twice", name.text));
  if (row == objective_row) {
    has_objective_ = true;
    model_.objective_name = name.text;
  }
  if (letter == 'N') return std::nullopt;
  row_kind_.push_back(letter);
  right_side_.push_back(0);
  range_.push_back(0);
  has_range_.push_back(false);
  has_right_side_.push_back(false);
  last_column_.push_back(no_index);
  model_.row_names.emplace_back(name.text);
  return std::nullopt;
}

MaybeError MpsReader::add_entry(const Word& row_word, const Word& value_word) {
  Index row = 0;
  if (auto error = find_row(row_word, row)) return error;
  double value = 0;
  if (auto error = number(value_word, value)) return error;
  if (std::isinf(value)) return fail(value_word, "an infinite coefficient");
  const Index column = static_cast<Index>(entries_.size()) - 1;
  const auto twice = [&] {
    return fail(row_word,
                fmt::format("column '{}' names row '{}' twice", model_.column_names.back(), row_word.text));
  };
  if (row == dropped_row) return std::nullopt;
  if (row == objective_row) {
    if (cost_given_) return twice();
    cost_given_ = true;
    cost_.back() = value;
    return std::nullopt;
  }
  if (last_column_[row] == column) return twice();
  last_column_[row] = column;
  entries_.back().push_back({row, value});
  return std::nullopt;
}

MaybeError MpsReader::read_column() {
  if (words_.size() >= 3 && words_[1].text == "'MARKER'") {
    const Word& kind = words_.back();
    if (kind.text != "'INTORG'" && kind.text != "'INTEND'")
      return fail(kind, fmt::format("marker {}, expected 'INTORG' or 'INTEND'", kind.text));
    integers_ = kind.text == "'INTORG'";
    return std::nullopt;
  }
  if (words_.size() != 3 && words_.size() != 5)
    return fail(words_.front(), "expected a column name and one or two pairs of row and coefficient");
  const Word& name = words_[0];
  if (model_.column_names.empty() || model_.column_names.back() != name.text) {
    const Index column = static_cast<Index>(entries_.size());
    if (!columns_.emplace(name.text, column).second)
      return fail(name, fmt::format("column '{}' continues after other columns", name.text));
    model_.column_names.emplace_back(name.text);
    model_.integer.push_back(integers_);
    entries_.emplace_back();
    cost_.push_back(0);
    cost_given_ = false;
    bounds_.push_back({0, infinity});
    has_lower_.push_back(false);
  }
  for (std::size_t k = 1; k + 1 < words_.size(); k += 2)
    if (auto error = add_entry(words_[k], words_[k + 1])) return error;
  return std::nullopt;
}

// Reads a line of RHS or RANGES: an optional set name, then pairs of row and number.
MaybeError MpsReader::read_pairs(std::string_view what,
                                 MaybeError (MpsReader::*use)(Index, const Word&, double)) {
  const std::size_t first = words_.size() % 2;
  if (words_.size() < 2 || words_.size() > 5)
    return fail(words_.front(), fmt::format("expected {} as one or two pairs of row and number", what));
  for (std::size_t k = first; k + 1 < words_.size(); k += 2) {
    Index row = 0;
    double value = 0;
    if (auto error = find_row(words_[k], row)) return error;
    if (auto error = number(words_[k + 1], value)) return error;
    if (row == dropped_row) continue;
    if (auto error = (this->*use)(row, words_[k], value)) return error;
  }
  return std::nullopt;
}

MaybeError MpsReader::use_right_side(Index row, const Word& word, double value) {
  if (row == objective_row) {
    if (std::isinf(value)) return fail(word, "an infinite objective constant");
    offset_ = -value;
    return std::nullopt;
  }
  if (has_right_side_[row]) return fail(word, fmt::format("row '{}' has two right-hand sides", word.text));
  has_right_side_[row] = true;
  right_side_[row] = unbounded_beyond(value);
  return std::nullopt;
}

MaybeError MpsReader::use_range(Index row, const Word& word, double value) {
  if (row == objective_row) return fail(word, "a range for the objective");
  if (has_range_[row]) return fail(word, fmt::format("row '{}' has two ranges", word.text));
  has_range_[row] = true;
  range_[row] = unbounded_beyond(value);
  return std::nullopt;
}

MaybeError MpsReader::read_bound() {
  const Word& kind = words_[0];
  constexpr std::array<std::string_view, 9> kinds{"UP", "LO", "FX", "FR", "MI", "PL", "BV", "LI", "UI"};
  if (kind.text == "SC") return fail(kind, "semicontinuous variables (SC) are not supported");
  if (std::find(kinds.begin(), kinds.end(), kind.text) == kinds.end())
    return fail(kind,
                fmt::format("bound type '{}', expected UP, LO, FX, FR, MI, PL, BV, LI or UI", kind.text));
  const bool has_value = kind.text != "FR" && kind.text != "MI" && kind.text != "PL" && kind.text != "BV";
  // The name of the bound set is optional.
  std::size_t at = 2;
  if (words_.size() == (has_value ? 3U : 2U)) at = 1;
  if (words_.size() < at + (has_value ? 2U : 1U) || words_.size() > at + 2)
    return fail(kind, fmt::format("expected {} [set] column{}", kind.text, has_value ? " number" : ""));
  const auto found = columns_.find(words_[at].text);
  if (found == columns_.end())
    return fail(words_[at],
                fmt::format("no column '{}'{}", words_[at].text, nearest_column(model_, words_[at].text)));
  double value = 0;
  if (has_value)
    if (auto error = number(words_[at + 1], value)) return error;
  return apply_bound(kind.text, words_[at], found->second, unbounded_beyond(value));
}

MaybeError MpsReader::apply_bound(std::string_view kind, const Word& column_word, Index column,
                                  double value) {
  Interval& bounds = bounds_[column];
  if (kind.starts_with('L') && value == infinity) return fail(column_word, "a lower bound of infinity");
  if (kind.starts_with('U') && value == -infinity) return fail(column_word, "an upper bound of -infinity");
  if (kind == "LI" || kind == "UI" || kind == "BV") model_.integer[column] = true;
  if (kind == "UP" || kind == "UI") {
    // By an old convention, the lower bound is -infinity if the upper bound is negative and no lower bound is
    // given.
    if (value < 0 && !has_lower_[column]) bounds.lower = -infinity;
    bounds.upper = value;
  } else if (kind == "LO" || kind == "LI") {
    bounds.lower = value;
    has_lower_[column] = true;
  } else if (kind == "FX") {
    if (std::isinf(value)) return fail(column_word, "fixed at an infinite value");
    bounds = {value, value};
    has_lower_[column] = true;
  } else if (kind == "FR") {
    bounds = {-infinity, infinity};
  } else if (kind == "MI") {
    bounds.lower = -infinity;
    has_lower_[column] = true;
  } else if (kind == "PL") {
    bounds.upper = infinity;
  } else {
    bounds = {0, 1};
  }
  return std::nullopt;
}

MaybeError MpsReader::read_line(std::string_view line) {
  const bool heading = !is_blank(line.front());
  words_ = fixed_ && !heading && section_ != MpsSection::sense ? fixed_words(line) : free_words(line);
  if (words_.empty()) return std::nullopt;
  if (heading) return open_section();
  switch (section_) {
    case MpsSection::none:
    case MpsSection::end:
      return fail(words_.front(), "data outside any section");
    case MpsSection::rows:
      return read_row();
    case MpsSection::columns:
      return read_column();
    case MpsSection::rhs:
      return read_pairs("right-hand sides", &MpsReader::use_right_side);
    case MpsSection::ranges:
      return read_pairs("ranges", &MpsReader::use_range);
    case MpsSection::bounds:
      return read_bound();
    case MpsSection::sense:
      return read_sense(words_.front());
  }
  return std::nullopt;
}

LpModel MpsReader::build() {
  for (std::size_t i = 0; i < row_kind_.size(); ++i) {
    const double right = right_side_[i];
    Interval bounds{right, right};
    if (row_kind_[i] == 'L') bounds.lower = -infinity;
    if (row_kind_[i] == 'G') bounds.upper = infinity;
    if (has_range_[i] && std::isfinite(right)) {
      const double size = std::abs(range_[i]);
      if (row_kind_[i] == 'L' || (row_kind_[i] == 'E' && range_[i] < 0)) bounds.lower = right - size;
      if (row_kind_[i] == 'G' || (row_kind_[i] == 'E' && range_[i] >= 0)) bounds.upper = right + size;
    }
    model_.program.add_row(bounds);
  }
  for (std::size_t j = 0; j < entries_.size(); ++j)
    model_.program.add_column(cost_[j], bounds_[j], entries_[j]);
  model_.program.set_offset(offset_);
  return std::move(model_);
}

Result<LpModel> MpsReader::read() {
  while (!rest_.empty() && section_ != MpsSection::end) {
    const auto end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++line_number_;
    if (line.empty() || line.front() == '*') continue;
    if (auto error = read_line(line)) return *error;
  }
  if (section_ != MpsSection::end) return *fail(0, "the file ends without ENDATA");
  if (!seen_[static_cast<std::size_t>(MpsSection::rows)]) return *fail(0, "no ROWS section");
  if (!has_objective_) return *fail(0, "no objective: expected a row of type N");
  return build();
}

}  // namespace

Result<LpModel> parse_mps(std::string_view text, const std::string& file) {
  auto free = MpsReader(text, file, false).read();
  if (free) return free;
  auto fixed = MpsReader(text, file, true).read();
  return fixed ? std::move(fixed) : std::move(free);
}

}  // namespace nestor::io
