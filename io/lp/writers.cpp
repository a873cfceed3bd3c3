#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include "base/tables/hash_table.h"
#include "io/lp/lp_model.h"

namespace nestor::io {
namespace {

using simplex::Entry;
using simplex::Index;
using simplex::infinity;
using simplex::Interval;

bool fits_mps(std::string_view name) {
  return !name.empty() && name.front() != '*' && name.find('\'') == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isgraph(c) != 0; });
}

// True for names that every reader of LP files accepts. Readers disagree about punctuation, about names that
// look like exponents, and about reserved words.
bool fits_lp(std::string_view name) {
  static const HashSet<std::string> reserved{
      "free",     "inf",      "infinity", "st",       "end",  "max",   "min",    "maximize", "minimize",
      "bounds",   "bound",    "general",  "generals", "gen",  "bin",   "binary", "binaries", "int",
      "integer",  "integers", "such",     "subject",  "semi", "semis", "sos",    "sos1",     "sos2",
      "maximise", "minimise", "maximum",  "minimum",  "s.t.", "st."};
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 || name[0] == '.') return false;
  if ((name[0] == 'e' || name[0] == 'E') && name.size() > 1 &&
      std::isdigit(static_cast<unsigned char>(name[1])) != 0)
    return false;
  std::string lower;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '(' && c != ')' &&
        c != ',')
      return false;
    lower.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return reserved.count(lower) == 0;
}

// Returns the names if they are distinct, differ from `taken`, and can all be expressed in the format;
// otherwise numbers with a prefix.
std::vector<std::string> usable_names(const std::vector<std::string>& names, std::size_t count, char letter,
                                      std::string_view taken, bool (*fits)(std::string_view)) {
  HashSet<std::string_view> seen{taken};
  bool all = names.size() == count;
  for (const auto& name : names) all = all && fits(name) && seen.insert(name).second;
  if (all) return names;
  std::vector<std::string> numbered;
  for (std::size_t i = 1; i <= count; ++i) numbered.push_back(fmt::format("{}{}", letter, i));
  return numbered;
}

struct Names {
  std::string objective;
  std::vector<std::string> rows, columns;
};

Names usable_names(const LpModel& model, bool (*fits)(std::string_view)) {
  Names names;
  names.objective = fits(model.objective_name) ? model.objective_name : "obj";
  names.rows = usable_names(model.row_names, model.program.rows(), 'R', names.objective, fits);
  if (!names.rows.empty() && names.rows != model.row_names) names.objective = "obj";
  names.columns = usable_names(model.column_names, model.program.columns(), 'C', {}, fits);
  return names;
}

std::string file_number(double value) {
  if (std::isinf(value)) return value > 0 ? "1e30" : "-1e30";
  return fmt::format("{}", value);
}

// A row in MPS: type, right-hand side, and a range if it has two different finite ends.
struct MpsRow {
  char kind = 'E';
  double right = 0;
  double range = 0;  // 0 if there is none
};

MpsRow mps_row(const Interval& bounds) {
  if (bounds.lower == bounds.upper) return {'E', bounds.lower, 0};
  if (bounds.upper == infinity) return {'G', bounds.lower, 0};
  if (bounds.lower == -infinity) return {'L', bounds.upper, 0};
  // The range is the difference between the ends. The right-hand side is the end from which the other end can
  // be recovered exactly, if there is one.
  const double range = bounds.upper - bounds.lower;
  if (bounds.upper - range == bounds.lower) return {'L', bounds.upper, range};
  return {'G', bounds.lower, range};
}

class MpsWriter {
 public:
  explicit MpsWriter(const LpModel& model)
      : model_(model), program_(model.program), names_(usable_names(model, fits_mps)) {}
  std::string write();

 private:
  template <typename... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  void write_columns();
  void write_bounds();

  const LpModel& model_;
  const simplex::LinearProgram& program_;
  Names names_;
  std::string text_;
};

void MpsWriter::write_columns() {
  line("COLUMNS");
  bool in_integers = false;
  int markers = 0;
  const auto marker = [&](bool begins) {
    line(" M{} 'MARKER' {}", ++markers, begins ? "'INTORG'" : "'INTEND'");
    in_integers = begins;
  };
  for (Index j = 0; j < program_.columns(); ++j) {
    if (model_.integer[j] != in_integers) marker(model_.integer[j]);
    const auto entries = program_.column(j);
    if (program_.cost(j) != 0 || entries.empty())
      line(" {} {} {}", names_.columns[j], names_.objective, program_.cost(j));
    for (const Entry& entry : entries)
      line(" {} {} {}", names_.columns[j], names_.rows[entry.index], entry.value);
  }
  if (in_integers) marker(false);
}

void MpsWriter::write_bounds() {
  line("BOUNDS");
  for (Index j = 0; j < program_.columns(); ++j) {
    const auto [lower, upper] = program_.column_bounds(j);
    const std::string& name = names_.columns[j];
    if (lower == upper) {
      line(" FX BND {} {}", name, lower);
    } else if (lower == -infinity && upper == infinity) {
      line(" FR BND {}", name);
    } else {
      if (lower == -infinity)
        line(" MI BND {}", name);
      else if (lower != 0 || upper < 0)
        line(" LO BND {} {}", name, lower);
      if (upper < infinity)
        line(" UP BND {} {}", name, upper);
      else if (model_.integer[j])
        line(" PL BND {}", name);  // some readers give integers a default upper bound of 1
    }
  }
}

std::string MpsWriter::write() {
  line("NAME {} FREE", fits_mps(model_.name) ? model_.name : "nestor");
  if (model_.maximize) line("OBJSENSE\n MAX");
  line("ROWS\n N {}", names_.objective);
  std::string right_sides;
  std::string ranges;
  for (Index i = 0; i < program_.rows(); ++i) {
    const MpsRow row = mps_row(program_.row_bounds(i));
    line(" {} {}", row.kind, names_.rows[i]);
    if (row.right != 0) right_sides += fmt::format(" RHS {} {}\n", names_.rows[i], file_number(row.right));
    if (row.range != 0) ranges += fmt::format(" RNG {} {}\n", names_.rows[i], row.range);
  }
  write_columns();
  line("RHS");
  if (program_.offset() != 0) line(" RHS {} {}", names_.objective, -program_.offset());
  text_ += right_sides;
  if (!ranges.empty()) text_ += "RANGES\n" + ranges;
  write_bounds();
  line("ENDATA");
  return std::move(text_);
}

class LpWriter {
 public:
  explicit LpWriter(const LpModel& model)
      : model_(model), program_(model.program), names_(usable_names(model, fits_lp)), rows_(program_.rows()) {
    for (Index j = 0; j < program_.columns(); ++j)
      for (const Entry& entry : program_.column(j)) rows_[entry.index].push_back({j, entry.value});
  }
  std::string write();

 private:
  void term(double value, Index column) {
    if (++in_line_ % 8 == 0) text_ += "\n  ";
    text_ += fmt::format(" {} {} {}", value < 0 ? '-' : '+', std::abs(value), names_.columns[column]);
  }
  void write_row(Index row);
  void write_bound(Index column);

  const LpModel& model_;
  const simplex::LinearProgram& program_;
  Names names_;
  std::vector<std::vector<Entry>> rows_;
  std::string text_;
  int in_line_ = 0;
};

void LpWriter::write_row(Index row) {
  const auto [lower, upper] = program_.row_bounds(row);
  const bool range = lower != upper && lower > -infinity && upper < infinity;
  text_ += fmt::format(" {}:", names_.rows[row]);
  if (range) text_ += fmt::format(" {} <=", lower);
  in_line_ = 0;
  for (const Entry& entry : rows_[row]) term(entry.value, entry.index);
  if (rows_[row].empty()) text_ += fmt::format(" 0 {}", names_.columns.empty() ? "C1" : names_.columns[0]);
  if (lower == upper)
    text_ += fmt::format(" = {}\n", upper);
  else if (range || lower == -infinity)
    text_ += fmt::format(" <= {}\n", file_number(upper));
  else
    text_ += fmt::format(" >= {}\n", lower);
}

void LpWriter::write_bound(Index column) {
  const auto [lower, upper] = program_.column_bounds(column);
  const std::string& name = names_.columns[column];
  if (lower == upper)
    text_ += fmt::format(" {} = {}\n", name, lower);
  else if (lower == -infinity && upper == infinity)
    text_ += fmt::format(" {} free\n", name);
  else if (lower == -infinity)
    text_ += fmt::format(" -inf <= {} <= {}\n", name, upper);
  else if (upper < infinity)
    text_ += fmt::format(" {} <= {} <= {}\n", lower, name, upper);
  else if (lower != 0)
    text_ += fmt::format(" {} >= {}\n", name, lower);
}

std::string LpWriter::write() {
  text_ = fmt::format("{}\n {}:", model_.maximize ? "Maximize" : "Minimize", names_.objective);
  // The objective lists every column in order, so that the reader restores the order.
  for (Index j = 0; j < program_.columns(); ++j) term(program_.cost(j), j);
  if (program_.offset() != 0)
    text_ += fmt::format(" {} {}", program_.offset() < 0 ? '-' : '+', std::abs(program_.offset()));
  text_ += "\nSubject To\n";
  for (Index i = 0; i < program_.rows(); ++i) write_row(i);
  text_ += "Bounds\n";
  for (Index j = 0; j < program_.columns(); ++j) write_bound(j);
  if (model_.has_integers()) {
    text_ += "Generals\n";
    for (Index j = 0; j < program_.columns(); ++j)
      if (model_.integer[j]) text_ += fmt::format(" {}\n", names_.columns[j]);
  }
  text_ += "End\n";
  return std::move(text_);
}

}  // namespace

std::string mps_text(const LpModel& model) { return MpsWriter(model).write(); }
std::string lp_text(const LpModel& model) { return LpWriter(model).write(); }

}  // namespace nestor::io
