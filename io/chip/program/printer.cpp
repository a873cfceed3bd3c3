#include <fmt/format.h>

#include <vector>

#include "io/chip/program/names.h"
#include "io/chip/program/program_file.h"
#include "model/chip/program/keys.h"

namespace nestor::io {
namespace {

using namespace chip_program;

constexpr std::size_t line_width = 110;

struct Printed {
  std::string text;
  int binding = 3;  ///< precedence: 1 for a sum, 2 for a product, 3 for an atom
  Operation operation = Operation::constant;
};

std::string_view infix(Operation operation) {
  switch (operation) {
    case Operation::add:
      return " + ";
    case Operation::subtract:
      return " - ";
    case Operation::multiply:
      return "*";
    case Operation::divide:
      return " div ";
    default:
      return " mod ";
  }
}

std::string in_parentheses(const Printed& operand, int least) {
  return operand.binding >= least ? operand.text : "(" + operand.text + ")";
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}
  std::string run();

 private:
  std::string name_of(std::size_t op) const { return written_name(program_.operators[op].name); }
  std::string expression(const Expression& e) const;
  std::string address(const Expression& core, const Expression& byte) const;
  std::string call(const Form& form, const Statement& statement) const;
  std::string digital(const Statement& statement) const;
  std::string head(const Statement& statement);
  std::string one_line(const Statement& statement);
  void body(const std::vector<Statement>& statements, std::size_t indent);
  void statement(const Statement& statement, std::size_t indent);
  void declarations();

  const Program& program_;
  std::vector<std::string> loops_;
  std::string text_;
};

std::string Printer::expression(const Expression& e) const {
  std::vector<Printed> stack;
  for (const Term& term : e.terms()) {
    if (term.operation == Operation::constant) {
      stack.push_back({.text = std::to_string(term.value)});
      continue;
    }
    if (term.operation == Operation::variable) {
      stack.push_back({.text = loops_[static_cast<std::size_t>(term.value)]});
      continue;
    }
    const Printed b = std::move(stack.back());
    stack.pop_back();
    Printed& a = stack.back();
    if (term.operation == Operation::minimum || term.operation == Operation::maximum) {
      a = {.text = fmt::format("{}({}, {})", term.operation == Operation::minimum ? "min" : "max", a.text,
                               b.text)};
      continue;
    }
    const int binding = term.operation == Operation::add || term.operation == Operation::subtract ? 1 : 2;
    // (y mod 2)*4 would be correct without parentheses, but hard to read.
    const bool mixed = binding == 2 && a.binding == 2 && a.operation != term.operation;
    a = {in_parentheses(a, mixed ? 3 : binding) + std::string(infix(term.operation)) +
             in_parentheses(b, binding + 1),
         binding, term.operation};
  }
  return stack.empty() ? "0" : stack.back().text;
}

std::string Printer::address(const Expression& core, const Expression& byte) const {
  if (core.empty()) return fmt::format("L0[{}]", expression(byte));
  return fmt::format("L1[{}, {}]", expression(core), expression(byte));
}

std::string Printer::call(const Form& form, const Statement& statement) const {
  std::string text = std::string(form.word) + "(";
  std::size_t at = 0;
  const auto next = [&]() -> const Expression& { return statement.arguments[at++]; };
  for (const Argument& argument : form.arguments) {
    if (&argument != form.arguments.data()) text += ", ";
    text += argument.label;
    if (argument.slot == Slot::name) text += name_of(statement.op);
    if (argument.slot == Slot::expression) text += expression(next());
    if (argument.slot == Slot::range) {
      text += expression(next()) + "..";
      text += expression(next());
    }
    if (argument.slot == Slot::address) {
      const Expression& core = next();
      text += address(core, next());
    }
  }
  return text + ")";
}

// Returns the text of a statement such as relu(src=3072, dst=35840, len=32768). A plain number is an address
// of L0.
std::string Printer::digital(const Statement& statement) const {
  const auto plain = [&](std::size_t at) {
    const auto& arguments = statement.arguments;
    return arguments[at].empty() ? expression(arguments[at + 1]) : address(arguments[at], arguments[at + 1]);
  };
  const std::size_t addresses = statement.arguments.size() / 2;
  std::string text = std::string(to_string(statement.function)) + "(";
  for (std::size_t i = 0; i + 1 < addresses; ++i) text += "src=" + plain(2 * i) + ", ";
  return text +
         fmt::format("dst={}, len={})", plain(2 * (addresses - 1)), expression(statement.arguments.back()));
}

// Returns the text of a statement before the brace of its body, or the whole statement if it has no body.
std::string Printer::head(const Statement& statement) {
  switch (statement.kind) {
    case Kind::loop: {
      std::string text = fmt::format("loop {} {} {}", statement.variable, expression(statement.arguments[0]),
                                     expression(statement.arguments[1]));
      if (statement.step != 1) text += fmt::format(" step {}", statement.step);
      return text;
    }
    case Kind::parallel:
      return "parallel";
    case Kind::row:
      return "row " + expression(statement.arguments[0]);
    case Kind::run:
      return "run";
    case Kind::digital:
      return digital(statement);
    case Kind::digital_row:
      return fmt::format("{}({}, {})",
                         statement.call.empty() ? to_string(statement.function) : statement.call,
                         name_of(statement.op), expression(statement.arguments[0]));
    default:
      return call(*form_of(statement.kind), statement);
  }
}

std::string Printer::one_line(const Statement& statement) {
  std::string text = head(statement);
  if (!has_body(statement.kind)) return text;
  text += " {";
  if (statement.kind == Kind::loop) loops_.push_back(statement.variable);
  for (const Statement& inner : statement.body) {
    text += " " + one_line(inner);
    if (text.size() > line_width) break;  // already too long
  }
  if (statement.kind == Kind::loop) loops_.pop_back();
  return text + " }";
}

void Printer::statement(const Statement& statement, std::size_t indent) {
  const std::string margin(indent, ' ');
  const std::string line = margin + one_line(statement);
  if (line.size() <= line_width || !has_body(statement.kind)) {
    text_ += line + "\n";
    return;
  }
  text_ += margin + head(statement) + " {\n";
  if (statement.kind == Kind::loop) loops_.push_back(statement.variable);
  body(statement.body, indent + 2);
  if (statement.kind == Kind::loop) loops_.pop_back();
  text_ += margin + "}\n";
}

void Printer::body(const std::vector<Statement>& statements, std::size_t indent) {
  for (const Statement& inner : statements) statement(inner, indent);
}

void Printer::declarations() {
  text_ += fmt::format("nestor-chip 1\nmachine {}\nmode {}\nl0 {}\n", written_name(program_.machine),
                       chip::to_string(program_.mode), program_.l0_bytes);
  if (!program_.weights.empty()) text_ += fmt::format("weights {}\n", written_name(program_.weights));
  for (const Tensor& t : program_.tensors) {
    text_ += fmt::format("tensor {} address {} rows {} width {} channels {} bits {}\n", written_name(t.name),
                         t.address, t.rows, t.width, t.channels, t.bits);
  }
  for (const ProgramOperator& op : program_.operators) {
    text_ += fmt::format("operator {} {}", written_name(op.name), to_string(op.type));
    for (const Key& key : operator_keys()) {
      const auto values = values_of(key, op.keys);
      if (values == values_of(key, Keys{})) continue;
      text_ += " " + std::string(key.name);
      for (const Int value : values) text_ += fmt::format(" {}", value);
    }
    if (!op.table.empty()) text_ += " table " + written_name(op.table);
    for (std::size_t i = 0; i < op.calls.size(); ++i) text_ += (i == 0 ? " calls " : ", ") + op.calls[i];
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      text_ += (i == 0 ? " in " : ", ") + written_name(program_.tensors[op.inputs[i]].name);
    }
    text_ += fmt::format(" out {}\n", written_name(program_.tensors[op.output].name));
  }
}

std::string Printer::run() {
  declarations();
  for (std::size_t i = 0; i < program_.segments.size(); ++i) {
    const Segment& segment = program_.segments[i];
    text_ += fmt::format("segment {} {} {{\n", i,
                         segment.stream     ? "stream"
                         : segment.pipeline ? "pipeline"
                                            : "sequential");
    body(segment.writes, 2);
    for (const Thread& thread : segment.threads) {
      text_ += fmt::format("  thread {} lanes {} {{\n", name_of(thread.op), thread.lanes);
      body(thread.body, 4);
      text_ += "  }\n";
    }
    text_ += "}\n";
  }
  return std::move(text_);
}

}  // namespace

std::string to_text(const chip_program::Program& program) { return Printer(program).run(); }

}  // namespace nestor::io
