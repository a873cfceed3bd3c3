#include <fmt/format.h>

#include <algorithm>

#include "base/tables/hash_table.h"
#include "io/chip/program/names.h"
#include "io/chip/program/program_file.h"
#include "io/chip/program/scanner.h"
#include "model/chip/program/keys.h"

namespace nestor::io {
namespace {

using namespace chip_program;

constexpr int deepest_expression = 64;
constexpr std::size_t most_bits = 64;

class ProgramParser {
 public:
  ProgramParser(std::string_view text, const std::string& file) : in_(text, file) {}
  Result<Program> run();

 private:
  using Names = HashMap<std::string, std::size_t>;

  void declarations();
  void tensor();
  void operator_line();
  void key(ProgramOperator& op, std::string_view word);
  void segment();
  Thread thread();
  std::vector<Statement> body(bool writes_only, std::size_t depth);
  Statement statement(bool writes_only, std::size_t depth);
  Statement loop(bool writes_only, std::size_t depth);
  Statement call(const Form& form);
  Statement digital(const std::string& word, std::optional<FunctionKind> function);
  bool is_called(std::string_view word) const;
  void address(std::vector<Expression>& arguments, bool plain_too);

  Expression expression() {
    std::vector<Term> terms;
    sum(terms, 0);
    if (terms.size() > most_terms) in_.fail("an expression has more than 256 terms");
    return in_.failed() ? Expression(0) : Expression(std::move(terms));
  }
  void sum(std::vector<Term>& terms, int depth);
  void product(std::vector<Term>& terms, int depth);
  void operand(std::vector<Term>& terms, int depth);

  std::size_t known(const Names& names, std::string_view what);

  Scanner in_;
  Program program_;
  Names tensors_, operators_;
  std::vector<std::string> loops_;
};

std::size_t ProgramParser::known(const Names& names, std::string_view what) {
  const std::string name = in_.name(fmt::format("the name of a{} {}", what[0] == 'o' ? "n" : "", what));
  if (in_.failed()) return 0;
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  std::vector<std::string_view> words;
  for (const auto& [word, index] : names) words.push_back(word);
  std::sort(words.begin(), words.end());
  in_.fail_at_last(fmt::format("no {} is called '{}'{}", what, name, suggestion(name, words)));
  return 0;
}

void ProgramParser::sum(std::vector<Term>& terms, int depth) {
  product(terms, depth);
  while (!in_.failed() && terms.size() <= most_terms) {
    if (in_.take("+")) {
      product(terms, depth);
      terms.push_back({Operation::add, 0});
    } else if (in_.take("-")) {
      product(terms, depth);
      terms.push_back({Operation::subtract, 0});
    } else {
      return;
    }
  }
}

void ProgramParser::product(std::vector<Term>& terms, int depth) {
  operand(terms, depth);
  while (!in_.failed() && terms.size() <= most_terms) {
    Operation operation = Operation::multiply;
    if (in_.take("*")) {
    } else if (in_.take_word("div")) {
      operation = Operation::divide;
    } else if (in_.take_word("mod")) {
      operation = Operation::modulo;
    } else {
      return;
    }
    operand(terms, depth);
    terms.push_back({operation, 0});
  }
}

void ProgramParser::operand(std::vector<Term>& terms, int depth) {
  if (depth > deepest_expression) return in_.fail("an expression is nested deeper than 64 levels");
  if (const auto number = in_.take_number()) return terms.push_back({Operation::constant, *number});
  if (in_.take("(")) {
    sum(terms, depth + 1);
    return in_.require(")");
  }
  const std::string word(in_.peek_word());
  if (word == "min" || word == "max") {
    in_.take_word();
    in_.require("(");
    sum(terms, depth + 1);
    in_.require(",");
    sum(terms, depth + 1);
    in_.require(")");
    return terms.push_back({word == "min" ? Operation::minimum : Operation::maximum, 0});
  }
  for (std::size_t i = loops_.size(); i-- > 0;) {
    if (loops_[i] != word) continue;
    in_.take_word();
    return terms.push_back({Operation::variable, static_cast<Int>(i)});
  }
  if (word.empty()) return in_.expected("an expression");
  in_.fail(fmt::format("'{}' is not a loop variable here{}", word,
                       suggestion(word, std::vector<std::string_view>(loops_.begin(), loops_.end()))));
}

void ProgramParser::tensor() {
  Tensor made;
  made.name = in_.name("the name of a tensor");
  if (!tensors_.emplace(made.name, program_.tensors.size()).second) {
    in_.fail_at_last(fmt::format("tensor '{}' is declared twice", made.name));
  }
  const auto value = [&](std::string_view word, Int least) {
    in_.require_word(word);
    return in_.integer(word, least);
  };
  made.address = value("address", 0);
  made.rows = value("rows", 1);
  made.width = value("width", 1);
  made.channels = value("channels", 1);
  made.bits = value("bits", 1);
  if (made.bits > static_cast<Int>(most_bits)) in_.fail_at_last("bits exceed 64");
  program_.tensors.push_back(std::move(made));
}

void ProgramParser::key(ProgramOperator& op, std::string_view word) {
  for (const Key& known : operator_keys()) {
    if (known.name != word) continue;
    in_.take_word();
    for (std::size_t i = 0; i < known.values; ++i) known.of(op.keys)[i] = in_.integer(word, known.least);
    return;
  }
  std::vector<std::string_view> words = {"table", "calls", "in", "out"};
  for (const Key& known : operator_keys()) words.push_back(known.name);
  in_.fail(fmt::format("'{}' is not a key of an operator{}", word, suggestion(word, words)));
}

void ProgramParser::operator_line() {
  ProgramOperator op;
  op.name = in_.name("the name of an operator");
  if (!operators_.emplace(op.name, program_.operators.size()).second) {
    in_.fail_at_last(fmt::format("operator '{}' is declared twice", op.name));
  }
  const std::string type(in_.take_word());
  const auto kind = chip::function_kinds.find(type);
  if (!kind) {
    in_.fail_at_last(fmt::format(
        "'{}' is not a type of an operator{}", type,
        suggestion(type, {chip::function_kinds.words.begin(), chip::function_kinds.words.end()})));
  }
  op.type = kind.value_or(FunctionKind::unknown);
  while (!in_.failed() && !in_.take_word("out")) {
    if (in_.take_word("in")) {
      do op.inputs.push_back(known(tensors_, "tensor"));
      while (in_.take(","));
    } else if (in_.take_word("table")) {
      op.table = in_.name("the name of a function");
    } else if (in_.take_word("calls")) {
      do op.calls.emplace_back(in_.take_word());
      while (in_.take(",") && op.calls.size() < most_calls);
      if (!in_.failed() && !may_be_calls(op.calls)) in_.fail_at_last("expected names of functions");
    } else if (const std::string word(in_.peek_word()); !word.empty()) {
      key(op, word);
    } else {
      in_.expected("'out'");
    }
  }
  op.output = known(tensors_, "tensor");
  program_.operators.push_back(std::move(op));
}

void ProgramParser::declarations() {
  in_.require("nestor-chip");
  if (in_.integer("the version", 1) != 1) in_.fail_at_last("expected version 1");
  in_.require_word("machine");
  program_.machine = in_.name("the name of a machine");
  in_.require_word("mode");
  const auto known_mode = chip::modes.find(std::string(in_.take_word()));
  if (!known_mode) in_.fail_at_last("expected CM, XBM or WLM");
  program_.mode = known_mode.value_or(Mode::CM);
  in_.require_word("l0");
  program_.l0_bytes = in_.integer("bytes of L0", 0);
  if (in_.take_word("weights")) program_.weights = in_.name("the name of a file");
  while (!in_.failed()) {
    if (in_.take_word("tensor")) {
      tensor();
    } else if (in_.take_word("operator")) {
      operator_line();
    } else {
      return;
    }
  }
}

void ProgramParser::address(std::vector<Expression>& arguments, bool plain_too) {
  Expression core;
  if (in_.take("L0[")) {
    arguments.push_back(core);
    arguments.push_back(expression());
  } else if (in_.take("L1[")) {
    arguments.push_back(expression());
    in_.require(",");
    arguments.push_back(expression());
  } else if (plain_too) {
    arguments.push_back(core);
    arguments.push_back(expression());
    return;
  } else {
    return in_.expected("an address such as L0[0] or L1[0, 0]");
  }
  in_.require("]");
}

Statement ProgramParser::call(const Form& form) {
  Statement made;
  made.kind = form.kind;
  in_.require("(");
  for (const Argument& argument : form.arguments) {
    if (&argument != form.arguments.data()) in_.require(",");
    if (!argument.label.empty()) in_.require(argument.label);
    if (argument.slot == Slot::name) made.op = known(operators_, "operator");
    if (argument.slot == Slot::address) address(made.arguments, false);
    if (argument.slot == Slot::expression || argument.slot == Slot::range)
      made.arguments.push_back(expression());
    if (argument.slot != Slot::range) continue;
    in_.require("..");
    made.arguments.push_back(expression());
  }
  if (form.kind == Kind::wait && in_.take(",")) {
    made.kind = Kind::wait_run;
    made.arguments.push_back(expression());
  }
  in_.require(")");
  return made;
}

// True if an operator calls a function of the chip with this name.
bool ProgramParser::is_called(std::string_view word) const {
  return std::any_of(program_.operators.begin(), program_.operators.end(),
                     [&](const ProgramOperator& op) { return calls(op, word); });
}

Statement ProgramParser::digital(const std::string& word, std::optional<FunctionKind> function) {
  Statement made;
  made.function = function.value_or(FunctionKind::unknown);
  in_.require("(");
  if (!function || !in_.take("src=")) {
    made.kind = Kind::digital_row;
    made.op = known(operators_, "operator");
    if (in_.failed()) return made;
    const ProgramOperator& op = program_.operators[made.op];
    if (calls(op, word)) {
      made.function = op.type;
      made.call = word;
    } else if (!function) {
      in_.fail_at_last(fmt::format("operator '{}' does not call {}", op.name, word));
    }
    in_.require(",");
    made.arguments.push_back(expression());
  } else {
    made.kind = Kind::digital;
    do {
      address(made.arguments, true);
      in_.require(",");
    } while (in_.take("src="));
    in_.require("dst=");
    address(made.arguments, true);
    in_.require(",");
    in_.require("len=");
    made.arguments.push_back(expression());
  }
  in_.require(")");
  return made;
}

Statement ProgramParser::loop(bool writes_only, std::size_t depth) {
  Statement made;
  made.kind = Kind::loop;
  made.variable = std::string(in_.take_word());
  if (!is_loop_variable(made.variable)) in_.expected("a loop variable");
  if (std::find(loops_.begin(), loops_.end(), made.variable) != loops_.end()) {
    in_.fail_at_last(fmt::format("'{}' is already the variable of an enclosing loop", made.variable));
  }
  made.arguments = {expression(), expression()};
  if (in_.take_word("step")) made.step = in_.integer("the step", 1);
  loops_.push_back(made.variable);
  made.body = body(writes_only, depth + 1);
  loops_.pop_back();
  return made;
}

Statement ProgramParser::statement(bool writes_only, std::size_t depth) {
  const std::string word(in_.take_word());
  if (word == "loop") return loop(writes_only, depth);
  Statement made;
  if (!writes_only && (word == "parallel" || word == "row" || word == "run")) {
    made.kind = word == "row" ? Kind::row : word == "run" ? Kind::run : Kind::parallel;
    if (word == "row") made.arguments = {expression()};
    made.body = body(false, depth + 1);
    return made;
  }
  for (const Form& form : forms()) {
    if (form.word != word) continue;
    if (writes_only && form.kind != Kind::write_crossbar && form.kind != Kind::write_rows) break;
    return call(form);
  }
  const auto function = chip::function_kinds.find(word);
  if (!writes_only && (function || is_called(word))) return digital(word, function);
  std::vector<std::string_view> words = {"loop", "parallel", "row", "run"};
  for (const Form& form : forms()) words.push_back(form.word);
  words.insert(words.end(), chip::function_kinds.words.begin(), chip::function_kinds.words.end());
  if (word.empty()) return in_.expected("a statement or '}'"), made;
  in_.fail_at_last(writes_only
                       ? fmt::format("found '{}' in a block of writes; expected a write or 'thread'", word)
                       : fmt::format("'{}' is not a statement{}", word, suggestion(word, words)));
  return made;
}

std::vector<Statement> ProgramParser::body(bool writes_only, std::size_t depth) {
  std::vector<Statement> statements;
  if (depth > deepest_body) in_.fail("statements are nested deeper than 32 levels");
  in_.require("{");
  while (!in_.failed() && !in_.take("}")) statements.push_back(statement(writes_only, depth));
  return statements;
}

Thread ProgramParser::thread() {
  Thread made;
  made.op = known(operators_, "operator");
  in_.require_word("lanes");
  made.lanes = in_.integer("lanes", 1);
  made.body = body(false, 1);
  return made;
}

void ProgramParser::segment() {
  Segment made;
  const Int number = in_.integer("the number of the segment", 0);
  if (number != static_cast<Int>(program_.segments.size())) {
    in_.fail_at_last(fmt::format("found segment {}; expected segment {}", number, program_.segments.size()));
  }
  if (in_.take_word("sequential")) {
    made.pipeline = false;
  } else if (in_.take_word("stream")) {
    made.stream = true;
  } else if (!in_.take_word("pipeline")) {
    in_.expected("'pipeline', 'stream' or 'sequential'");
  }
  in_.require("{");
  while (!in_.failed() && !in_.take("}")) {
    if (in_.take_word("thread")) {
      made.threads.push_back(thread());
    } else if (made.threads.empty()) {
      made.writes.push_back(statement(true, 1));
    } else {
      in_.expected("'thread' or '}'");
    }
  }
  program_.segments.push_back(std::move(made));
}

Result<Program> ProgramParser::run() {
  declarations();
  while (!in_.failed() && in_.take_word("segment")) segment();
  if (!in_.failed() && !in_.at_end()) in_.expected("'tensor', 'operator' or 'segment'");
  if (in_.failed()) return in_.error();
  return std::move(program_);
}

}  // namespace

Result<chip_program::Program> parse_program_text(std::string_view text, const std::string& file) {
  return ProgramParser(text, file).run();
}

}  // namespace nestor::io
