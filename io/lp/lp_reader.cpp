// Reader of the commonly used part of CPLEX's LP format: objective, constraints with a number on one or both
// sides, bounds, general and binary columns. Quadratic, SOS and semicontinuous parts are rejected.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/tables/hash_table.h"
#include "io/lp/lp_lexer.h"
#include "io/lp/lp_model.h"
#include "io/lp/number.h"

namespace nestor::io {
namespace {

using simplex::Entry;
using simplex::Index;
using simplex::infinity;
using simplex::Interval;
using Kind = LpToken::Kind;

enum class LpSection { none, minimize, maximize, constraints, bounds, integers, binaries, end, refused };

struct Expression {
  std::vector<Entry> terms;
  double constant = 0;
  bool has_columns = false;  ///< true even if all coefficients are zero
};

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool is_infinity(const LpToken& token) {
  if (token.kind != Kind::name) return false;
  const std::string word = lower_case(token.text);
  return word == "inf" || word == "infinity";
}

bool is_relation(const LpToken& token) {
  return token.kind == Kind::less_equal || token.kind == Kind::greater_equal || token.kind == Kind::equal;
}

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& file) : lexer_(text), file_(file) {
    token_ = lexer_.next();
    next_ = lexer_.next();
  }
  Result<LpModel> read();

 private:
  void advance() { token_ = std::exchange(next_, lexer_.next()); }
  MaybeError fail(const LpToken& token, std::string message) const {
    return input_error({file_, token.line, token.column}, std::move(message));
  }
  MaybeError unexpected(std::string_view wanted) const {
    if (token_.kind == Kind::end) return fail(token_, fmt::format("the file ends, expected {}", wanted));
    if (is_too_large(token_.text))
      return fail(token_, fmt::format("'{}' is too large, expected a number below 1.8e308", token_.text));
    return fail(token_, fmt::format("found '{}', expected {}", token_.text, wanted));
  }
  LpSection section_here() const;
  MaybeError open_section(LpSection section);
  MaybeError read_objective();
  MaybeError read_constraint();
  MaybeError read_bound();
  MaybeError read_integer(bool binary);
  MaybeError read_label(std::string& label);
  MaybeError read_expression(Expression& expression);
  MaybeError read_term(double sign, Expression& expression);
  MaybeError read_number(double& value);
  MaybeError find_column(Index& column) const;
  Index column_named(std::string_view name);
  MaybeError add_constraint(const LpToken& start, std::string label, Expression& left, Interval range);

  LpLexer lexer_;
  const std::string& file_;
  LpToken token_, next_;
  LpModel model_;
  HashMap<std::string, Index> columns_, rows_;
};

// A word names a section only at the start of a line and without a colon after it.
LpSection LpReader::section_here() const {
  if (token_.kind != Kind::name || !token_.first_in_line || next_.kind == Kind::colon) return LpSection::none;
  static const HashMap<std::string_view, LpSection> words{
      {"minimize", LpSection::minimize}, {"minimise", LpSection::minimize},
      {"min", LpSection::minimize},      {"minimum", LpSection::minimize},
      {"maximize", LpSection::maximize}, {"maximise", LpSection::maximize},
      {"max", LpSection::maximize},      {"maximum", LpSection::maximize},
      {"st", LpSection::constraints},    {"s.t.", LpSection::constraints},
      {"st.", LpSection::constraints},   {"bounds", LpSection::bounds},
      {"bound", LpSection::bounds},      {"general", LpSection::integers},
      {"generals", LpSection::integers}, {"gen", LpSection::integers},
      {"integer", LpSection::integers},  {"integers", LpSection::integers},
      {"int", LpSection::integers},      {"binary", LpSection::binaries},
      {"binaries", LpSection::binaries}, {"bin", LpSection::binaries},
      {"end", LpSection::end},           {"semi-continuous", LpSection::refused},
      {"semi", LpSection::refused},      {"semis", LpSection::refused},
      {"sos", LpSection::refused},       {"sos1", LpSection::refused},
      {"sos2", LpSection::refused}};
  const std::string word = lower_case(token_.text);
  if (next_.kind == Kind::name) {
    const std::string second = lower_case(next_.text);
    if ((word == "subject" && second == "to") || (word == "such" && second == "that"))
      return LpSection::constraints;
  }
  const auto found = words.find(word);
  return found == words.end() ? LpSection::none : found->second;
}

MaybeError LpReader::open_section(LpSection section) {
  if (section == LpSection::refused)
    return fail(token_, fmt::format("section '{}' is not supported", token_.text));
  const std::string word = lower_case(token_.text);
  if (word == "subject" || word == "such") advance();
  advance();
  return std::nullopt;
}

MaybeError LpReader::read_label(std::string& label) {
  if (token_.kind != Kind::name || next_.kind != Kind::colon) return std::nullopt;
  label = token_.text;
  advance();
  advance();
  return std::nullopt;
}

Index LpReader::column_named(std::string_view name) {
  const auto [place, is_new] = columns_.emplace(name, model_.program.columns());
  if (is_new) {
    model_.program.add_column(0, {0, infinity});
    model_.column_names.emplace_back(name);
    model_.integer.push_back(false);
  }
  return place->second;
}

MaybeError LpReader::find_column(Index& column) const {
  if (token_.kind != Kind::name) return unexpected("the name of a column");
  const auto found = columns_.find(token_.text);
  if (found != columns_.end()) {
    column = found->second;
    return std::nullopt;
  }
  return fail(token_, fmt::format("no column '{}' in objective or constraints{}", token_.text,
                                  nearest_column(model_, token_.text)));
}

MaybeError LpReader::read_term(double sign, Expression& expression) {
  double factor = sign;
  if (token_.kind == Kind::number) {
    factor *= token_.value;
    advance();
    if (token_.kind != Kind::name || section_here() != LpSection::none || next_.kind == Kind::colon) {
      expression.constant += factor;
      return std::nullopt;
    }
  }
  if (token_.kind != Kind::name) return unexpected("a coefficient or the name of a column");
  expression.has_columns = true;
  expression.terms.push_back({column_named(token_.text), factor});
  advance();
  return std::nullopt;
}

MaybeError LpReader::read_expression(Expression& expression) {
  bool first = true;
  while (section_here() == LpSection::none) {
    double sign = 1;
    bool signed_term = false;
    while (token_.kind == Kind::plus || token_.kind == Kind::minus) {
      if (token_.kind == Kind::minus) sign = -sign;
      signed_term = true;
      advance();
    }
    const bool starts_term = token_.kind == Kind::number || token_.kind == Kind::name;
    if (!signed_term && (!first || !starts_term)) break;
    if (token_.kind == Kind::other && token_.text == "[") break;
    if (section_here() != LpSection::none) return unexpected("a coefficient or the name of a column");
    if (auto error = read_term(sign, expression)) return error;
    first = false;
  }
  if (token_.kind == Kind::other && token_.text == "[")
    return fail(token_, "quadratic terms are not supported");
  simplex::sum_duplicates(expression.terms);
  const bool finite = std::all_of(expression.terms.begin(), expression.terms.end(),
                                  [](const Entry& entry) { return std::isfinite(entry.value); });
  if (!finite || !std::isfinite(expression.constant))
    return fail(token_, "the numbers before this add up to infinity");
  return std::nullopt;
}

MaybeError LpReader::read_number(double& value) {
  double sign = 1;
  while (token_.kind == Kind::plus || token_.kind == Kind::minus) {
    if (token_.kind == Kind::minus) sign = -sign;
    advance();
  }
  if (is_infinity(token_))
    value = sign * infinity;
  else if (token_.kind == Kind::number)
    value = unbounded_beyond(sign * token_.value);
  else
    return unexpected("a number");
  advance();
  return std::nullopt;
}

MaybeError LpReader::read_objective() {
  std::string label;
  if (auto error = read_label(label)) return error;
  if (!label.empty()) model_.objective_name = label;
  Expression expression;
  if (auto error = read_expression(expression)) return error;
  if (section_here() == LpSection::none) return unexpected("a sign, or 'Subject To'");
  for (const Entry& entry : expression.terms) model_.program.set_cost(entry.index, entry.value);
  model_.program.set_offset(expression.constant);
  return std::nullopt;
}

MaybeError LpReader::add_constraint(const LpToken& start, std::string label, Expression& left,
                                    Interval range) {
  if (label.empty()) label = fmt::format("R{}", model_.program.rows() + 1);
  if (!rows_.emplace(label, model_.program.rows()).second)
    return fail(start, fmt::format("row '{}' is declared twice", label));
  if (left.constant != 0) {
    range.lower -= left.constant;
    range.upper -= left.constant;
  }
  model_.program.add_row(range, left.terms);
  model_.row_names.push_back(std::move(label));
  return std::nullopt;
}

Interval range_of(Kind relation, double right) {
  if (relation == Kind::less_equal) return {-infinity, right};
  if (relation == Kind::greater_equal) return {right, infinity};
  return {right, right};
}

Kind mirrored(Kind relation) {
  if (relation == Kind::less_equal) return Kind::greater_equal;
  return relation == Kind::greater_equal ? Kind::less_equal : Kind::equal;
}

// Reads: expression relation number | number relation expression [relation number].
MaybeError LpReader::read_constraint() {
  const LpToken start = token_;
  std::string label;
  if (auto error = read_label(label)) return error;
  Expression left;
  std::optional<double> infinite;
  const bool negative = token_.kind == Kind::minus && is_infinity(next_);
  if (negative || is_infinity(token_)) {
    infinite = 0;
    if (auto error = read_number(*infinite)) return error;
  } else if (auto error = read_expression(left)) {
    return error;
  }
  if (!is_relation(token_)) return unexpected("<=, >= or =");
  const LpToken relation = token_;
  advance();
  if (left.has_columns) {
    double right = 0;
    if (auto error = read_number(right)) return error;
    return add_constraint(start, std::move(label), left, range_of(relation.kind, right));
  }
  Expression middle;
  if (auto error = read_expression(middle)) return error;
  Interval range = range_of(mirrored(relation.kind), infinite.value_or(left.constant));
  if (is_relation(token_)) {
    if (token_.kind != relation.kind || token_.kind == Kind::equal)
      return fail(token_,
                  fmt::format("a range needs the same {} twice, found '{}'", "<= or >=", token_.text));
    advance();
    double right = 0;
    if (auto error = read_number(right)) return error;
    (relation.kind == Kind::less_equal ? range.upper : range.lower) = right;
  }
  return add_constraint(start, std::move(label), middle, range);
}

// Reads: [number relation] column [relation number] | column free.
MaybeError LpReader::read_bound() {
  std::optional<double> first;
  Kind relation = Kind::equal;
  if (token_.kind != Kind::name || is_infinity(token_)) {
    first.emplace();
    if (auto error = read_number(*first)) return error;
    if (!is_relation(token_)) return unexpected("<=, >= or =");
    relation = token_.kind;
    advance();
  }
  Index column = 0;
  if (auto error = find_column(column)) return error;
  const LpToken name = token_;
  advance();
  Interval bounds = model_.program.column_bounds(column);
  const auto apply = [&bounds](Kind how, double value) {
    if (how != Kind::less_equal) bounds.lower = value;
    if (how != Kind::greater_equal) bounds.upper = value;
  };
  if (first) apply(mirrored(relation), *first);
  if (is_relation(token_)) {
    const Kind how = token_.kind;
    advance();
    double value = 0;
    if (auto error = read_number(value)) return error;
    apply(how, value);
  } else if (!first) {
    if (token_.kind != Kind::name || lower_case(token_.text) != "free")
      return unexpected("<=, >=, = or 'free'");
    advance();
    bounds = {-infinity, infinity};
  }
  if (bounds.lower == infinity || bounds.upper == -infinity)
    return fail(name, fmt::format("column '{}' has a bound with the wrong sign of infinity", name.text));
  model_.program.set_column_bounds(column, bounds);
  return std::nullopt;
}

MaybeError LpReader::read_integer(bool binary) {
  Index column = 0;
  if (auto error = find_column(column)) return error;
  model_.integer[column] = true;
  if (binary) model_.program.set_column_bounds(column, {0, 1});
  advance();
  return std::nullopt;
}

Result<LpModel> LpReader::read() {
  LpSection section = section_here();
  if (section != LpSection::minimize && section != LpSection::maximize)
    return *unexpected("'Minimize' or 'Maximize'");
  model_.maximize = section == LpSection::maximize;
  advance();
  if (auto error = read_objective()) return *error;
  while (token_.kind != Kind::end) {
    const LpSection here = section_here();
    if (here == LpSection::minimize || here == LpSection::maximize)
      return *fail(token_, "a second objective");
    if (here != LpSection::none) {
      if (auto error = open_section(here)) return *error;
      section = here;
      continue;
    }
    MaybeError error;
    if (section == LpSection::constraints)
      error = read_constraint();
    else if (section == LpSection::bounds)
      error = read_bound();
    else if (section == LpSection::integers || section == LpSection::binaries)
      error = read_integer(section == LpSection::binaries);
    else
      error = unexpected("nothing after 'End'");
    if (error) return *error;
  }
  if (section != LpSection::end) return *unexpected("'End'");
  return std::move(model_);
}

}  // namespace

Result<LpModel> parse_lp(std::string_view text, const std::string& file) {
  return LpReader(text, file).read();
}

}  // namespace nestor::io
