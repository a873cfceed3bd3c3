#include "io/cnm/mlir_region.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/cnm/mlir_types.h"
#include "io/error.h"

namespace nestor::io {
namespace {

using cnm::Kernel;
using cnm::RegionStep;

constexpr std::size_t most_steps = 1000;

// Operands whose elements the region uses.
void note_reads(Kernel& kernel) {
  const auto note = [&](std::size_t argument) {
    if (argument < kernel.operands.size()) kernel.operands[argument].read = true;
  };
  for (const RegionStep& step : kernel.region)
    for (const std::size_t argument : step.arguments) note(argument);
  for (auto& operand : kernel.operands)
    if (!operand.output) operand.read = false;
}

class RegionReader {
 public:
  RegionReader(Lexer& lexer, const SourceLocation& operation, Kernel& kernel)
      : lexer_(lexer), operation_(operation), kernel_(kernel) {}

  void run() {
    const auto outputs = static_cast<std::size_t>(std::count_if(
        kernel_.operands.begin(), kernel_.operands.end(), [](const auto& o) { return o.output; }));
    lexer_.expect("{");
    const Token label = lexer_.next();
    if (!label.text.starts_with('^')) return lexer_.fail_at(label, "a block's label, as ^bb0");
    lexer_.expect("(");
    std::map<std::string, std::size_t> values;  // in order, as suggestions are looked for
    while (!lexer_.at_end() && !lexer_.is(")")) {
      const auto name = lexer_.word("a block argument, as %in");
      lexer_.expect(":");
      read_element_type(lexer_);
      values.emplace(name, values.size());
      if (!lexer_.accept(",")) break;
    }
    lexer_.expect(")");
    lexer_.expect(":");
    if (!lexer_.failed() && values.size() != kernel_.operands.size())
      return lexer_.fail_at(label,
                            fmt::format("{} block arguments, one for each operand", kernel_.operands.size()));
    while (!lexer_.at_end() && !lexer_.is("linalg.yield") && kernel_.region.size() < most_steps) step(values);
    lexer_.expect("linalg.yield");
    do kernel_.yields.push_back(value(values));
    while (lexer_.accept(",") && kernel_.yields.size() < 16);
    if (lexer_.accept(":")) {
      do read_element_type(lexer_);
      while (lexer_.accept(","));
    }
    lexer_.expect("}");
    if (!lexer_.failed() && kernel_.yields.size() != outputs)
      return lexer_.fail(operation_,
                         fmt::format("{} values yielded for {} outputs", kernel_.yields.size(), outputs));
    note_reads(kernel_);
  }

 private:
  std::size_t value(const std::map<std::string, std::size_t>& values) {
    const Token token = lexer_.next();
    const auto known = values.find(std::string(token.text));
    if (known != values.end()) return known->second;
    std::vector<std::string_view> names;
    for (const auto& [name, at] : values) names.push_back(name);
    lexer_.fail_at(token, "a value of the region" + suggestion(token.text, names));
    return 0;
  }

  void step(std::map<std::string, std::size_t>& values) {
    const auto defined = lexer_.word("'linalg.yield' or a value, as %1");
    lexer_.expect("=");
    const Token what = lexer_.next();
    RegionStep step;
    if (what.text == "arith.constant") {
      step.kind = RegionStep::Kind::constant;
      const bool negative = lexer_.accept("-");
      step.text = (negative ? "-" : "") + std::string(lexer_.next().text);
      lexer_.expect(":");
      step.type = read_element_type(lexer_);
    } else {
      const auto word = what.text.starts_with("arith.") ? arith_word(what.text.substr(6)) : std::nullopt;
      if (!word) {
        const auto bare = what.text.substr(what.text.starts_with("arith.") ? 6 : 0);
        return lexer_.fail_at(what, "an arith operation" + suggestion(bare, arith_words()));
      }
      step.kind = word->converts ? RegionStep::Kind::convert : RegionStep::Kind::operation;
      step.op = word->op;
      step.text = std::string(what.text.substr(6));
      if (word->compares) {
        step.text += " " + lexer_.word("a predicate, as slt");
        lexer_.expect(",");
      }
      for (std::size_t i = 0; i < word->arguments; ++i) {
        if (i > 0) lexer_.expect(",");
        step.arguments.push_back(value(values));
      }
      if (lexer_.accept(":")) step.type = read_element_type(lexer_);
      if (word->converts) {
        lexer_.expect("to");
        step.type = read_element_type(lexer_);
      }
    }
    values.insert_or_assign(defined, kernel_.operands.size() + kernel_.region.size());
    kernel_.region.push_back(std::move(step));
  }

  Lexer& lexer_;
  const SourceLocation& operation_;
  Kernel& kernel_;
};

}  // namespace

void read_region(Lexer& lexer, const SourceLocation& operation, Kernel& kernel) {
  RegionReader(lexer, operation, kernel).run();
}

namespace {

// What an elementwise operation of two inputs does, as arith has it; null for other operations.
const char* elementwise(std::string_view word, bool real) {
  if (word == "add") return real ? "addf" : "addi";
  if (word == "sub") return real ? "subf" : "subi";
  if (word == "mul") return real ? "mulf" : "muli";
  if (word == "div") return real ? "divf" : "divsi";
  if (word == "max") return real ? "maximumf" : "maxsi";
  if (word == "min") return real ? "minimumf" : "minsi";
  return nullptr;
}

}  // namespace

NamedShape shape_of_named(std::string_view word, std::size_t rank, const std::vector<Int>& summed) {
  NamedShape shape;
  if (word == "matmul") shape = {3, {{0, 2}, {2, 1}, {0, 1}}, {}};
  if (word == "matvec") shape = {2, {{0, 1}, {1}, {0}}, {}};
  if (word == "matmul_transpose_a") shape = {3, {{2, 0}, {2, 1}, {0, 1}}, {}};
  if (word == "matmul_transpose_b") shape = {3, {{0, 2}, {1, 2}, {0, 1}}, {}};
  if (word == "batch_matmul") shape = {4, {{0, 1, 3}, {0, 3, 2}, {0, 1, 2}}, {}};
  if (word == "batch_matvec") shape = {3, {{0, 1, 2}, {0, 2}, {0, 1}}, {}};
  if (word == "vecmat") shape = {2, {{1}, {1, 0}, {0}}, {}};
  if (word == "dot") shape = {1, {{0}, {0}, {}}, {}};
  const bool is_product = shape.dims > 0;
  if (elementwise(word, false) != nullptr) {
    std::vector<std::size_t> all(rank);
    for (std::size_t i = 0; i < rank; ++i) all[i] = i;
    shape = {rank, {all, all, all}, {}};
  }
  shape.reduction.assign(shape.dims, false);
  if (is_product) shape.reduction.back() = true;
  if (word == "reduce") {
    shape = {rank, {{}, {}}, {}};
    shape.reduction.assign(rank, summed.empty());
    for (const Int d : summed)
      if (static_cast<std::size_t>(d) < rank) shape.reduction[static_cast<std::size_t>(d)] = true;
    for (std::size_t i = 0; i < rank; ++i) {
      shape.operands[0].push_back(i);
      if (!shape.reduction[i]) shape.operands[1].push_back(i);
    }
  }
  return shape;
}

void add_region_of_named(std::string_view word, const std::string& reducer, cnm::Type type, Kernel& kernel) {
  const bool real = type >= cnm::Type::f16 && type <= cnm::Type::f64;
  const auto operation = [&](cnm::Op op, std::string_view text, std::vector<std::size_t> arguments) {
    kernel.region.push_back({RegionStep::Kind::operation, op, type, std::string(text), std::move(arguments)});
  };
  const std::size_t operands = kernel.operands.size();
  if (const char* const text = elementwise(word, real)) operation(arith_word(text)->op, text, {0, 1});
  if (word == "reduce") operation(arith_word(reducer)->op, reducer, {0, 1});
  if (kernel.region.empty()) {
    operation(cnm::Op::mul, real ? "mulf" : "muli", {0, 1});
    operation(cnm::Op::add, real ? "addf" : "addi", {2, operands});
  }
  kernel.yields = {operands + kernel.region.size() - 1};
  note_reads(kernel);
}

}  // namespace nestor::io
