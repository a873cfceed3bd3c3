#include "io/netlist/verilog_reader.h"

#include <fmt/format.h>

#include <array>

#include "base/parse_number.h"
#include "io/netlist/network_builder.h"
#include "io/netlist/verilog_expression.h"
#include "io/netlist/verilog_lexer.h"
#include "io/netlist/verilog_scope.h"

namespace nestor::io {
namespace {

using Operator = ExpressionStack::Operator;

class VerilogReader {
 public:
  VerilogReader(std::string_view text, const std::string& file)
      : lexer_(text, file),
        builder_(file),
        scope_(builder_, text.size()),
        bit_limit_((std::size_t{1} << 24U) + text.size()) {}

  Result<simd::LogicNetwork> read() {
    if (auto failed = read_module()) return *failed;
    return builder_.build();
  }

 private:
  struct Operand {
    VerilogBits bits;
    TextPosition where;
  };

  MaybeError read_module();
  MaybeError read_port_list();
  MaybeError read_port(std::optional<VerilogNet>& net, std::optional<VerilogRange>& range);
  MaybeError read_item();
  MaybeError read_declaration(VerilogNet net);
  MaybeError read_range(std::optional<VerilogRange>& range);
  MaybeError read_index(std::uint32_t& index);
  MaybeError read_assignment();
  MaybeError read_value(const VerilogBits& target, TextPosition where);
  MaybeError read_operand();
  MaybeError read_operator(bool& ended);
  MaybeError read_target(VerilogBits& bits);
  MaybeError read_concatenation(VerilogBits& bits, bool constants_allowed);
  MaybeError read_bits(VerilogBits& bits, bool constants_allowed);
  MaybeError read_reference(VerilogBits& bits, bool constants_allowed);
  MaybeError read_number(VerilogBits& bits);
  MaybeError define_bits(const VerilogBits& target, TextPosition where);

  MaybeError expect(std::string_view punctuation, std::string_view place);
  Error expected(std::string_view what) const;
  const VerilogToken& token() const { return lexer_.peek(); }
  MaybeError advance() { return lexer_.advance(); }

  VerilogLexer lexer_;
  NetworkBuilder builder_;
  VerilogScope scope_;
  ExpressionStack expression_;
  /// Operands of the current expression; `symbol` tokens of the stack are indices into this list.
  std::vector<Operand> operands_;
  std::size_t operand_count_ = 0;
  /// Limit on the total bits of all operands, without which long expressions over wide vectors could need too
  /// much memory.
  std::size_t bit_limit_;
  std::size_t bits_read_ = 0;
  std::vector<PostfixToken> bit_expression_;
};

Error VerilogReader::expected(std::string_view what) const {
  return builder_.error(token().where, fmt::format("found {}, expected {}", token().quoted(), what));
}

MaybeError VerilogReader::expect(std::string_view punctuation, std::string_view place) {
  if (!token().is(punctuation)) return expected(fmt::format("'{}' {}", punctuation, place));
  return advance();
}

MaybeError VerilogReader::read_module() {
  if (auto failed = advance()) return failed;
  if (!token().is_keyword("module")) return expected("'module'");
  if (auto failed = advance()) return failed;
  if (!token().is_name()) return expected("the module's name");
  builder_.set_model_name(token().text);
  if (auto failed = advance()) return failed;
  if (token().is("(")) {
    if (auto failed = read_port_list()) return failed;
  }
  if (auto failed = expect(";", "after the module's ports")) return failed;
  while (!token().is_keyword("endmodule")) {
    if (auto failed = read_item()) return failed;
  }
  if (auto failed = advance()) return failed;
  if (token().is_keyword("module")) {
    return builder_.error(token().where, "a second module: only one flat module is supported");
  }
  if (token().kind != VerilogToken::Kind::end) return expected("nothing after 'endmodule'");
  return scope_.check_ports();
}

// Reads bare names, which are declared later, or declarations in place, whose direction and range apply until
// the next declaration.
MaybeError VerilogReader::read_port_list() {
  if (auto failed = advance()) return failed;
  std::optional<VerilogNet> net;
  std::optional<VerilogRange> range;
  if (token().is(")")) return advance();
  while (true) {
    if (auto failed = read_port(net, range)) return failed;
    if (token().is(")")) return advance();
    if (auto failed = expect(",", "or ')' after a port")) return failed;
  }
}

MaybeError VerilogReader::read_port(std::optional<VerilogNet>& net, std::optional<VerilogRange>& range) {
  if (token().is_keyword("input") || token().is_keyword("output")) {
    net = token().is_keyword("input") ? VerilogNet::input : VerilogNet::output;
    if (auto failed = advance()) return failed;
    if (token().is_keyword("wire")) {
      if (auto failed = advance()) return failed;
    }
    if (auto failed = read_range(range)) return failed;
  }
  if (!token().is_name()) return expected("a port's name");
  if (auto failed = scope_.list_port(token().text, token().where)) return failed;
  if (net) {
    if (auto failed = scope_.declare(token().text, *net, range, token().where)) return failed;
  }
  return advance();
}

MaybeError VerilogReader::read_item() {
  if (token().is_keyword("input")) return read_declaration(VerilogNet::input);
  if (token().is_keyword("output")) return read_declaration(VerilogNet::output);
  if (token().is_keyword("wire")) return read_declaration(VerilogNet::wire);
  if (token().is_keyword("assign")) return read_assignment();
  if (!token().is_name()) return expected("a declaration, 'assign' or 'endmodule'");
  static constexpr std::array<std::string_view, 8> unsupported = {"reg",  "always", "initial",   "function",
                                                                  "task", "inout",  "parameter", "generate"};
  for (const auto word : unsupported) {
    if (!token().is_keyword(word)) continue;
    return builder_.error(token().where,
                          fmt::format("'{}' is not supported (only wires and 'assign' are)", word));
  }
  static const std::vector<std::string_view> words = {"input", "output", "wire", "assign", "endmodule"};
  const auto hint = suggestion(token().text, words);
  if (!hint.empty()) return expected("a declaration, 'assign' or 'endmodule'" + hint);
  return builder_.error(
      token().where, fmt::format("instance of {}: cells and hierarchy are not supported", token().quoted()));
}

MaybeError VerilogReader::read_index(std::uint32_t& index) {
  const auto number = parse_number<std::uint32_t>(token().text);
  constexpr std::uint32_t largest = 1U << 30U;
  if (token().kind != VerilogToken::Kind::number || !number || *number > largest)
    return expected("a bit number");
  index = *number;
  return advance();
}

// Reads `[7:0]`, or `[3]` for one bit. The range is empty if no bracket follows.
MaybeError VerilogReader::read_range(std::optional<VerilogRange>& range) {
  range.reset();
  if (!token().is("[")) return {};
  if (auto failed = advance()) return failed;
  VerilogRange read;
  if (auto failed = read_index(read.left)) return failed;
  read.right = read.left;
  if (token().is(":")) {
    if (auto failed = advance()) return failed;
    if (auto failed = read_index(read.right)) return failed;
  }
  range = read;
  return expect("]", "after a bit number");
}

MaybeError VerilogReader::read_declaration(VerilogNet net) {
  if (auto failed = advance()) return failed;
  if (net != VerilogNet::wire && token().is_keyword("wire")) {
    if (auto failed = advance()) return failed;
  }
  if (token().is_keyword("reg") || token().is_keyword("signed")) {
    return builder_.error(token().where, fmt::format("{} is not supported", token().quoted()));
  }
  std::optional<VerilogRange> range;
  if (auto failed = read_range(range)) return failed;
  while (true) {
    if (!token().is_name()) return expected("a name to declare");
    const auto name = token();
    if (auto failed = scope_.declare(name.text, net, range, name.where)) return failed;
    if (auto failed = advance()) return failed;
    if (net == VerilogNet::wire && token().is("=")) {
      VerilogBits target;
      if (auto failed = scope_.append_bits(name.text, {}, name.where, target)) return failed;
      if (auto failed = advance()) return failed;
      if (auto failed = read_value(target, name.where)) return failed;
    }
    if (token().is(";")) return advance();
    if (auto failed = expect(",", "or ';' in a declaration")) return failed;
  }
}

MaybeError VerilogReader::read_assignment() {
  if (auto failed = advance()) return failed;
  while (true) {
    VerilogBits target;
    const auto where = token().where;
    if (auto failed = read_target(target)) return failed;
    if (auto failed = expect("=", "after the name assigned to")) return failed;
    if (auto failed = read_value(target, where)) return failed;
    if (token().is(";")) return advance();
    if (auto failed = expect(",", "or ';' after an expression")) return failed;
  }
}

MaybeError VerilogReader::read_target(VerilogBits& bits) {
  if (token().is("{")) return read_concatenation(bits, false);
  if (!token().is_name()) return expected("the name to assign to");
  return read_bits(bits, false);
}

// Reads names, selections and, in values, sized constants. The leftmost part is the most significant.
MaybeError VerilogReader::read_concatenation(VerilogBits& bits, bool constants_allowed) {
  if (auto failed = advance()) return failed;
  std::vector<VerilogBits> parts;
  while (true) {
    parts.emplace_back();
    if (auto failed = read_bits(parts.back(), constants_allowed)) return failed;
    if (token().is("}")) break;
    if (auto failed = expect(",", "or '}' in a concatenation")) return failed;
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    bits.insert(bits.end(), part->begin(), part->end());
  return advance();
}

MaybeError VerilogReader::read_bits(VerilogBits& bits, bool constants_allowed) {
  const auto size_before = bits.size();
  const auto where = token().where;
  if (constants_allowed && token().kind == VerilogToken::Kind::number) {
    if (auto failed = read_number(bits)) return failed;
  } else if (auto failed = read_reference(bits, constants_allowed)) {
    return failed;
  }
  bits_read_ += bits.size() - size_before;
  if (bits_read_ <= bit_limit_) return {};
  return builder_.error(where,
                        fmt::format("more than {} bits of operands in a file of this size", bit_limit_));
}

MaybeError VerilogReader::read_reference(VerilogBits& bits, bool constants_allowed) {
  if (!token().is_name()) return expected(constants_allowed ? "a name or a constant" : "a name");
  const auto name = token();
  if (auto failed = advance()) return failed;
  std::optional<VerilogRange> select;
  if (auto failed = read_range(select)) return failed;
  return scope_.append_bits(name.text, select, name.where, bits);
}

MaybeError VerilogReader::read_number(VerilogBits& bits) {
  const auto number = parse_verilog_number(token().text);
  if (!number) return expected("a constant such as 1'b0 or 4'hf");
  for (const bool bit : *number) bits.emplace_back(PostfixToken::Kind::constant, bit ? 1 : 0);
  return advance();
}

MaybeError VerilogReader::read_value(const VerilogBits& target, TextPosition where) {
  expression_.clear();
  operand_count_ = 0;
  bool ended = false;
  while (!ended) {
    if (auto failed = read_operand()) return failed;
    if (auto failed = read_operator(ended)) return failed;
  }
  if (expression_.has_open_parenthesis()) return expected("')'");
  return define_bits(target, where);
}

// Reads prefixes, opening parentheses and the operand after them.
MaybeError VerilogReader::read_operand() {
  while (token().is("~") || token().is("(")) {
    if (token().is("~")) {
      expression_.add_prefix(Operator::invert);
    } else {
      expression_.open();
    }
    if (auto failed = advance()) return failed;
  }
  if (token().is("!") || token().is("&") || token().is("|") || token().is("^") || token().is("~^")) {
    return builder_.error(token().where,
                          fmt::format("{} as a prefix is not supported (only ~ is)", token().quoted()));
  }
  if (operand_count_ == operands_.size()) operands_.emplace_back();
  auto& operand = operands_[operand_count_];
  operand.bits.clear();
  operand.where = token().where;
  auto failed = token().is("{") ? read_concatenation(operand.bits, true) : read_bits(operand.bits, true);
  if (failed) return failed;
  expression_.add_operand(static_cast<std::uint32_t>(operand_count_++));
  return {};
}

// Reads closing parentheses and the operator after them; `ended` is true if there is none.
MaybeError VerilogReader::read_operator(bool& ended) {
  while (token().is(")")) {
    if (!expression_.close()) return expected("';' (no '(' is open)");
    if (auto failed = advance()) return failed;
  }
  if (token().is("&")) {
    expression_.add_binary(Operator::conjunction);
  } else if (token().is("|")) {
    expression_.add_binary(Operator::disjunction);
  } else if (token().is("^")) {
    expression_.add_binary(Operator::parity);
  } else if (token().is("~^") || token().is("^~")) {
    expression_.add_binary(Operator::equality);
  } else if (token().is(";") || token().is(",") ||
             (token().is_name() && expression_.has_open_parenthesis())) {
    ended = true;
    return {};
  } else if (token().kind == VerilogToken::Kind::punctuation && !token().is("]") && !token().is("}")) {
    return builder_.error(
        token().where, fmt::format("operator {} is not supported (only ~ & | ^ ~^ are)", token().quoted()));
  } else {
    return expected("an operator or ';'");
  }
  return advance();
}

// Adds one definition per bit; all operands must be as wide as the target.
MaybeError VerilogReader::define_bits(const VerilogBits& target, TextPosition where) {
  const auto& expression = expression_.finish();
  for (std::size_t i = 0; i < operand_count_; ++i) {
    const auto width = operands_[i].bits.size();
    if (width == target.size()) continue;
    return builder_.error(operands_[i].where,
                          fmt::format("the operand has {} bits, but {} are assigned (widths must agree)",
                                      width, target.size()));
  }
  for (std::size_t bit = 0; bit < target.size(); ++bit) {
    bit_expression_.assign(expression.begin(), expression.end());
    for (auto& step : bit_expression_) {
      if (step.kind() == PostfixToken::Kind::symbol) step = operands_[step.value()].bits[bit];
    }
    if (auto failed = builder_.define(target[bit].value(), bit_expression_, where)) return failed;
  }
  return {};
}

}  // namespace

Result<simd::LogicNetwork> parse_verilog(std::string_view text, const std::string& file) {
  return VerilogReader(text, file).read();
}

}  // namespace nestor::io
