#include "io/cnm/mlir_region.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/checked_reader.h"
#include "io/cnm/mlir_dialects.h"
#include "io/cnm/mlir_types.h"

namespace nestor::io {
namespace {

using cnm::RegionStep;

constexpr std::size_t most_yield_steps = 1000;

}  // namespace

void note_reads(cnm::Kernel& kernel) {
  const auto note = [&](std::size_t argument) {
    if (argument < kernel.operands.size()) kernel.operands[argument].read = true;
  };
  for (const RegionStep& step : kernel.region)
    for (const std::size_t argument : step.arguments) note(argument);
  for (auto& operand : kernel.operands)
    if (!operand.output) operand.read = false;
}

std::size_t RegionReader::add_constant(std::string text, cnm::Type type) {
  kernel_.region.push_back({RegionStep::Kind::constant, cnm::Op::add, type, std::move(text), {}});
  return kernel_.operands.size() + kernel_.region.size() - 1;
}

void RegionReader::bind_arguments(const std::vector<BlockArgument>& arguments, const Token& place) {
  lexer_.expect("(");
  std::size_t count = 0;
  while (!lexer_.at_end() && !lexer_.is(")")) {
    const auto name = lexer_.word("a block argument such as %in");
    lexer_.expect(":");
    read_element_type(lexer_);
    if (count < arguments.size()) {
      const BlockArgument& argument = arguments[count];
      if (argument.number)
        values_[name] = add_constant(*argument.number, argument.type);
      else if (argument.operand)
        values_[name] = *argument.operand;
    }
    ++count;
    if (!lexer_.accept(",")) break;
  }
  lexer_.expect(")");
  if (!lexer_.failed() && count != arguments.size())
    lexer_.fail_at(place, fmt::format("{} block arguments, one for each operand", arguments.size()));
}

void RegionReader::run(const std::vector<BlockArgument>& arguments, bool inline_block) {
  if (inline_block) {
    bind_arguments(arguments, Token(lexer_.peek()));
    lexer_.expect("{");
  } else {
    lexer_.expect("{");
    const Token label = lexer_.next();
    if (!label.text.starts_with('^')) return lexer_.fail_at(label, "a block's label such as ^bb0");
    bind_arguments(arguments, label);
    lexer_.expect(":");
  }
  while (!lexer_.at_end() && !lexer_.is("linalg.yield") && kernel_.region.size() < most_yield_steps) {
    const auto defined = lexer_.word("'linalg.yield' or a value such as %1");
    lexer_.expect("=");
    step(defined, lexer_.next());
  }
  lexer_.expect("linalg.yield");
  do kernel_.yields.push_back(value());
  while (lexer_.accept(",") && kernel_.yields.size() < 16);
  if (lexer_.accept(":")) {
    do read_element_type(lexer_);
    while (lexer_.accept(","));
  }
  lexer_.expect("}");
  const auto outputs = static_cast<std::size_t>(std::count_if(
      kernel_.operands.begin(), kernel_.operands.end(), [](const auto& o) { return o.output; }));
  if (!lexer_.failed() && kernel_.yields.size() != outputs)
    return lexer_.fail(operation_,
                       fmt::format("{} values yielded for {} outputs", kernel_.yields.size(), outputs));
  note_reads(kernel_);
}

std::size_t RegionReader::value() {
  const Token token = lexer_.next();
  const std::string name(token.text);
  if (const auto known = values_.find(name); known != values_.end()) return known->second;
  if (const auto* const number = outer_.number_of(name)) {
    const auto constant = add_constant(*number, *outer_.element_of(name));
    values_[name] = constant;
    return constant;
  }
  std::vector<std::string_view> names;
  for (const auto& [known, at] : values_) names.push_back(known);
  lexer_.fail_at(token, "a value of the region" + suggestion(token.text, names));
  return 0;
}

// Skips flags such as "fastmath<contract>" and "overflow<nsw, nuw>".
void RegionReader::skip_flags() {
  if (!lexer_.accept("fastmath") && !lexer_.accept("overflow")) return;
  while (!lexer_.at_end() && !lexer_.is(">") && !lexer_.is(":")) lexer_.next();
  lexer_.expect(">");
}

void RegionReader::step(const std::string& defined, const Token& what) {
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
      if (const auto advice = lowering_advice(what.text); !advice.empty())
        return lexer_.fail(what.where, advice);
      const auto bare = what.text.substr(what.text.starts_with("arith.") ? 6 : 0);
      return lexer_.fail_at(what, "an arith operation" + suggestion(bare, arith_words()));
    }
    step.kind = word->converts ? RegionStep::Kind::convert : RegionStep::Kind::operation;
    step.op = word->op;
    step.text = std::string(what.text.substr(6));
    if (word->compares) {
      step.text += " " + lexer_.word("a predicate such as slt");
      lexer_.expect(",");
    }
    for (std::size_t i = 0; i < word->arguments; ++i) {
      if (i > 0) lexer_.expect(",");
      step.arguments.push_back(value());
    }
    skip_flags();
    if (lexer_.accept(":")) step.type = read_element_type(lexer_);
    if (word->converts) {
      lexer_.expect("to");
      step.type = read_element_type(lexer_);
    }
  }
  values_.insert_or_assign(defined, kernel_.operands.size() + kernel_.region.size());
  kernel_.region.push_back(std::move(step));
}

}  // namespace nestor::io
