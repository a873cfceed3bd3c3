// Writer and reader of the binary form of programs: "NCP1", the strings in the order of their first use, the
// tree as signed LEB128 numbers (zigzag), and the weights, if any. The tree refers to strings and operators
// by number. The reader checks every count against the remaining bytes before it allocates.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/tables/hash_table.h"
#include "io/chip/program/names.h"
#include "io/chip/program/program_file.h"
#include "io/chip/program/weights_file.h"
#include "model/chip/program/keys.h"

namespace nestor::io {
namespace {

using namespace chip_program;

constexpr std::string_view program_magic = "NCP1";
constexpr std::size_t called = chip::function_kinds.values.size();

void put_number(std::string& out, Int value) {
  auto rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  for (; rest >= 0x80; rest >>= 7) out += static_cast<char>((rest & 0x7f) | 0x80);
  out += static_cast<char>(rest);
}

class Writer {
 public:
  std::string run(const Program& program);

 private:
  void number(Int value) { put_number(body_, value); }
  void count(std::size_t value) { number(static_cast<Int>(value)); }
  void text(const std::string& value);
  void expression(const Expression& e);
  void statements(const std::vector<Statement>& body);
  void statement(const Statement& s);
  void op(const ProgramOperator& op);

  std::string body_;
  std::vector<const std::string*> strings_;
  HashMap<std::string_view, std::size_t> known_;
};

void Writer::text(const std::string& value) {
  const auto [found, is_new] = known_.emplace(value, strings_.size());
  if (is_new) strings_.push_back(&value);
  count(found->second);
}

// Operation 0 is followed by the value of a constant, 1 by the number of a variable. Other operations are 2
// and above.
void Writer::expression(const Expression& e) {
  count(e.terms().size());
  for (const Term& term : e.terms()) {
    number(static_cast<Int>(term.operation));
    if (term.operation <= Operation::variable) number(term.value);
  }
}

void Writer::statement(const Statement& s) {
  number(static_cast<Int>(s.kind));
  if (!s.call.empty()) {
    count(called);
    text(s.call);
  } else if (s.kind == Kind::digital || s.kind == Kind::digital_row) {
    count(chip::function_kinds.place(s.function));
  }
  if (names_operator(s.kind)) count(s.op);
  if (s.kind == Kind::loop) {
    text(s.variable);
    number(s.step);
  }
  if (s.kind == Kind::digital) count(s.arguments.size());
  for (const Expression& argument : s.arguments) expression(argument);
  if (has_body(s.kind)) statements(s.body);
}

void Writer::statements(const std::vector<Statement>& body) {
  count(body.size());
  for (const Statement& inner : body) statement(inner);
}

void Writer::op(const ProgramOperator& op) {
  text(op.name);
  count(chip::function_kinds.place(op.type));
  text(op.table);
  std::vector<std::size_t> given;
  for (std::size_t i = 0; i < operator_keys().size(); ++i) {
    const Key& key = operator_keys()[i];
    if (values_of(key, op.keys) != values_of(key, Keys{})) given.push_back(i);
  }
  count(given.size() + (op.calls.empty() ? 0 : 1));
  for (const std::size_t i : given) {
    count(i);
    for (const Int value : values_of(operator_keys()[i], op.keys)) number(value);
  }
  if (!op.calls.empty()) {
    count(operator_keys().size());
    count(op.calls.size());
    for (const std::string& call : op.calls) text(call);
  }
  count(op.inputs.size());
  for (const std::size_t input : op.inputs) count(input);
  count(op.output);
}

std::string Writer::run(const Program& program) {
  text(program.machine);
  count(chip::modes.place(program.mode));
  number(program.l0_bytes);
  count(program.tensors.size());
  for (const Tensor& t : program.tensors) {
    text(t.name);
    for (const Int value : {t.address, t.rows, t.width, t.channels, t.bits}) number(value);
  }
  count(program.operators.size());
  for (const ProgramOperator& each : program.operators) op(each);
  count(program.segments.size());
  for (const Segment& segment : program.segments) {
    number(segment.stream ? 2 : segment.pipeline ? 1 : 0);
    statements(segment.writes);
    count(segment.threads.size());
    for (const Thread& thread : segment.threads) {
      count(thread.op);
      number(thread.lanes);
      statements(thread.body);
    }
  }
  if (program.numbers) text(program.weights);
  const std::string weights = program.numbers ? weights_bytes(program) : std::string();
  if (program.numbers) count(weights.size());
  std::string out(program_magic);
  put_number(out, static_cast<Int>(strings_.size()));
  for (const std::string* value : strings_) {
    put_number(out, static_cast<Int>(value->size()));
    out += *value;
  }
  return out + body_ + weights;
}

class BinaryReader {
 public:
  BinaryReader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}
  Result<Program> run();

 private:
  void fail(std::string message) {
    if (!error_) error_ = input_error({file_}, fmt::format("byte {}: {}", at_, std::move(message)));
  }
  Int number();
  Int number(Int least, Int most, std::string_view what);
  /// Reads the number of items that follow, each of at least `bytes` bytes.
  std::size_t count(std::string_view what, std::size_t bytes = 1);
  std::size_t index(std::size_t below, std::string_view what);
  const std::string& text();
  Expression expression(bool may_be_empty);
  std::vector<Statement> statements(bool writes_only, std::size_t depth);
  Statement statement(bool writes_only, std::size_t depth);
  void strings();
  void tensors();
  void check_names();
  ProgramOperator op();

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
  std::vector<std::string> strings_;
  Program program_;
  std::vector<std::string> loops_;
};

Int BinaryReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ >= bytes_.size()) return fail("truncated file"), 0;
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    // The tenth byte has only one valid bit. A last byte of 0 would be a longer form of the same number.
    if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0))
      return fail("a number is not encoded in its shortest form"), 0;
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return static_cast<Int>(value >> 1) ^ -static_cast<Int>(value & 1);
  }
  return fail("a number has more than 64 bits"), 0;
}

Int BinaryReader::number(Int least, Int most, std::string_view what) {
  const Int value = number();
  if (!error_ && value >= least && value <= most) return value;
  fail(fmt::format("{} is {}; expected {} to {}", what, value, least, most));
  return least;
}

std::size_t BinaryReader::count(std::string_view what, std::size_t bytes) {
  return static_cast<std::size_t>(number(0, static_cast<Int>((bytes_.size() - at_) / bytes), what));
}

std::size_t BinaryReader::index(std::size_t below, std::string_view what) {
  return static_cast<std::size_t>(number(0, static_cast<Int>(below) - 1, what));
}

const std::string& BinaryReader::text() {
  static const std::string none;
  const std::size_t at = index(strings_.size(), "a string");
  return error_ ? none : strings_[at];
}

void BinaryReader::strings() {
  const std::size_t many = count("the number of strings");
  for (std::size_t i = 0; i < many && !error_; ++i) {
    const std::size_t size = count("the length of a string");
    if (error_) return;
    strings_.emplace_back(bytes_.substr(at_, size));
    at_ += size;
  }
}

Expression BinaryReader::expression(bool may_be_empty) {
  const std::size_t size = count("the size of an expression");
  if (size > most_terms) fail("an expression has more than 256 terms");
  std::vector<Term> terms;
  for (std::size_t i = 0; i < size && !error_; ++i) {
    Term term;
    term.operation = static_cast<Operation>(number(0, operation_count - 1, "an operation"));
    if (term.operation <= Operation::variable) term.value = number();
    terms.push_back(term);
  }
  Expression made{std::move(terms)};
  if (error_ || (made.empty() && may_be_empty)) return made;
  if (!made.well_formed(loops_.size())) fail("an expression is not well-formed");
  return made;
}

Statement BinaryReader::statement(bool writes_only, std::size_t depth) {
  Statement s;
  s.kind = static_cast<Kind>(number(0, static_cast<Int>(kind_count) - 1, "a kind of statement"));
  const bool write = s.kind == Kind::loop || s.kind == Kind::write_crossbar || s.kind == Kind::write_rows;
  if (writes_only && !write) fail("a statement other than a write, in a block of writes");
  const bool is_digital = s.kind == Kind::digital || s.kind == Kind::digital_row;
  if (is_digital) {
    const std::size_t function = index(s.kind == Kind::digital_row ? called + 1 : called, "a function");
    if (function < called)
      s.function = chip::function_kinds.values[function];
    else
      s.call = text();
  }
  if (names_operator(s.kind)) s.op = index(program_.operators.size(), "an operator");
  if (!s.call.empty() && !error_) {
    const ProgramOperator& op = program_.operators[s.op];
    if (!calls(op, s.call)) fail("a call of a function that its operator does not list");
    s.function = op.type;
  }
  if (s.kind == Kind::loop) {
    s.variable = text();
    s.step = number(1, std::numeric_limits<Int>::max(), "a step");
  }
  const Form* form = form_of(s.kind);
  std::size_t arguments = form != nullptr ? expressions_of(*form) : 0;
  if (s.kind == Kind::loop) arguments = 2;
  if (s.kind == Kind::row || s.kind == Kind::digital_row) arguments = 1;
  if (s.kind == Kind::digital) {
    arguments = count("the number of arguments");
    if (arguments < 5 || arguments % 2 == 0)
      fail("a digital operation without source, destination and length");
  }
  // An address has two values. Only its first value, the core, may be omitted.
  for (std::size_t i = 0; i < arguments && !error_; ++i) {
    const bool address = s.kind == Kind::digital ? i + 1 < arguments : s.kind == Kind::move && i < 4;
    s.arguments.push_back(expression(address && i % 2 == 0));
  }
  if (!has_body(s.kind)) return s;
  if (s.kind == Kind::loop) {
    if (!is_loop_variable(s.variable)) fail("a loop variable is not a word");
    if (std::find(loops_.begin(), loops_.end(), s.variable) != loops_.end())
      fail("a loop variable is used again in a loop inside its own");
    loops_.push_back(s.variable);
  }
  s.body = statements(writes_only, depth + 1);
  if (s.kind == Kind::loop) loops_.pop_back();
  return s;
}

std::vector<Statement> BinaryReader::statements(bool writes_only, std::size_t depth) {
  std::vector<Statement> body;
  if (depth > deepest_body) fail("statements are nested deeper than 32 levels");
  const std::size_t many = count("the number of statements");
  for (std::size_t i = 0; i < many && !error_; ++i) body.push_back(statement(writes_only, depth));
  return body;
}

void BinaryReader::tensors() {
  const std::size_t many = count("the number of tensors");
  for (std::size_t i = 0; i < many && !error_; ++i) {
    Tensor t;
    t.name = text();
    constexpr Int most = std::numeric_limits<Int>::max();
    t.address = number(0, most, "an address");
    t.rows = number(1, most, "rows");
    t.width = number(1, most, "width");
    t.channels = number(1, most, "channels");
    t.bits = number(1, 64, "bits");
    program_.tensors.push_back(std::move(t));
  }
}

ProgramOperator BinaryReader::op() {
  ProgramOperator made;
  made.name = text();
  made.type = chip::function_kinds.values[index(chip::function_kinds.values.size(), "a type")];
  made.table = text();
  const std::size_t given = count("the number of keys");
  for (std::size_t i = 0; i < given && !error_; ++i) {
    const std::size_t place = index(operator_keys().size() + 1, "a key");
    if (place == operator_keys().size()) {
      const std::size_t calls = count("the number of calls");
      for (std::size_t c = 0; c < calls && !error_; ++c) made.calls.push_back(text());
      if (!may_be_calls(made.calls)) fail("a call is not the name of a function");
      continue;
    }
    const Key& key = operator_keys()[place];
    for (std::size_t v = 0; v < key.values; ++v) {
      key.of(made.keys)[v] = number(key.least, std::numeric_limits<Int>::max(), key.name);
    }
  }
  const std::size_t inputs = count("the number of inputs");
  for (std::size_t i = 0; i < inputs && !error_; ++i) {
    made.inputs.push_back(index(program_.tensors.size(), "a tensor"));
  }
  made.output = index(program_.tensors.size(), "a tensor");
  return made;
}

void BinaryReader::check_names() {
  HashSet<std::string_view> tensors;
  HashSet<std::string_view> operators;
  for (const Tensor& t : program_.tensors) {
    if (t.name.empty() || !tensors.insert(t.name).second) fail("a tensor has no unique name");
  }
  for (const ProgramOperator& o : program_.operators) {
    if (o.name.empty() || !operators.insert(o.name).second) fail("an operator has no unique name");
  }
  if (program_.machine.empty()) fail("the machine has no name");
}

Result<Program> BinaryReader::run() {
  at_ = program_magic.size();
  strings();
  program_.machine = text();
  program_.mode = chip::modes.values[index(chip::modes.values.size(), "the mode")];
  program_.l0_bytes = number(0, std::numeric_limits<Int>::max(), "bytes of L0");
  tensors();
  const std::size_t operators = count("the number of operators");
  for (std::size_t i = 0; i < operators && !error_; ++i) program_.operators.push_back(op());
  const std::size_t segments = count("the number of segments");
  for (std::size_t i = 0; i < segments && !error_; ++i) {
    Segment segment;
    const Int pipeline = number(0, 2, "pipeline");
    segment.pipeline = pipeline > 0;
    segment.stream = pipeline == 2;
    segment.writes = statements(true, 1);
    const std::size_t threads = count("the number of threads");
    for (std::size_t k = 0; k < threads && !error_; ++k) {
      Thread thread;
      thread.op = index(program_.operators.size(), "an operator");
      thread.lanes = number(1, std::numeric_limits<Int>::max(), "lanes");
      thread.body = statements(false, 1);
      segment.threads.push_back(std::move(thread));
    }
    program_.segments.push_back(std::move(segment));
  }
  if (!error_ && at_ != bytes_.size()) {  // name of the weights file, then its content
    program_.weights = text();
    const std::size_t size = count("the length of the weights");
    if (!is_weights_name(program_.weights)) fail("the weights have no valid file name");
    if (!error_) error_ = parse_weights(bytes_.substr(at_, size), file_, program_);
    at_ += size;
  }
  if (!error_ && at_ != bytes_.size()) fail("data follow the program");
  if (!error_) check_names();
  // A program has exactly one binary form; any other form would not be reproduced byte for byte.
  if (!error_ && to_binary(program_) != bytes_) fail("the encoding differs from the one that nestor writes");
  if (error_) return *error_;
  return std::move(program_);
}

}  // namespace

bool is_binary_program(std::string_view bytes) { return bytes.starts_with(program_magic); }

std::string to_binary(const chip_program::Program& program) { return Writer().run(program); }

Result<chip_program::Program> parse_program_binary(std::string_view bytes, const std::string& file) {
  return BinaryReader(bytes, file).run();
}

}  // namespace nestor::io
