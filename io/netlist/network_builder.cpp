#include "io/netlist/network_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/netlist/gate_match.h"
#include "model/simd/unique_names.h"

namespace nestor::io {

using simd::GateKind;
using simd::Signal;
using Kind = PostfixToken::Kind;

Error NetworkBuilder::error(TextPosition where, std::string message) const {
  return input_error({file_, static_cast<int>(where.line), static_cast<int>(where.column)},
                     std::move(message));
}

SymbolId NetworkBuilder::symbol(std::string_view name, TextPosition where) {
  if (const auto found = index_.find(name); found != index_.end()) return found->second;
  const auto id = static_cast<SymbolId>(symbols_.size());
  auto& symbol = symbols_.emplace_back();
  symbol.name = names_.keep(name);
  symbol.first_mention = where;
  index_.emplace(symbol.name, id);
  return id;
}

MaybeError NetworkBuilder::mark_driven(SymbolId id, TextPosition where) {
  auto& symbol = symbols_[id];
  if (symbol.driven_at.line != 0) {
    return error(where, fmt::format("'{}' is already {} (line {})", symbol.name,
                                    symbol.input ? "an input" : "defined", symbol.driven_at.line));
  }
  symbol.driven_at = where;
  return {};
}

MaybeError NetworkBuilder::add_input(SymbolId id, TextPosition where) {
  if (auto twice = mark_driven(id, where)) return twice;
  symbols_[id].input = true;
  inputs_.push_back(id);
  return {};
}

MaybeError NetworkBuilder::add_output(SymbolId id, TextPosition where) {
  if (symbols_[id].output)
    return error(where, fmt::format("output '{}' is declared twice", symbols_[id].name));
  symbols_[id].output = true;
  outputs_.push_back(id);
  return {};
}

MaybeError NetworkBuilder::define(SymbolId id, std::span<const PostfixToken> expression, TextPosition where) {
  if (auto twice = mark_driven(id, where)) return twice;
  symbols_[id].definition = static_cast<std::uint32_t>(definitions_.size());
  const auto begin = tokens_.size();
  tokens_.insert(tokens_.end(), expression.begin(), expression.end());
  definitions_.push_back({id, begin, tokens_.size()});
  return {};
}

std::span<const PostfixToken> NetworkBuilder::tokens_of(const Definition& definition) const {
  return std::span(tokens_).subspan(definition.begin, definition.end - definition.begin);
}

Result<simd::LogicNetwork> NetworkBuilder::build() {
  auto& netlist = network_.netlist;
  netlist.name = model_name_;
  netlist.gates.reserve(definitions_.size());
  netlist.gate_names.reserve(definitions_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    auto& input = symbols_[inputs_[i]];
    input.state = State::done;
    input.signal = Signal(static_cast<simd::NodeIndex>(i + 1), false);
    netlist.input_names.emplace_back(input.name);
  }
  for (const auto& definition : definitions_) {
    if (auto failed = resolve(definition.symbol)) return *failed;
  }
  for (const auto id : outputs_) {
    const auto& output = symbols_[id];
    if (output.state != State::done) {
      return error(output.first_mention, fmt::format("output '{}' is never defined", output.name));
    }
    netlist.outputs.push_back({std::string(output.name), output.signal});
  }
  name_gates();
  return std::move(network_);
}

// Depth-first search with an explicit stack. A definition is emitted after all definitions that it refers to.
// A file in topological order keeps its order.
MaybeError NetworkBuilder::resolve(SymbolId root) {
  pending_.assign(1, root);
  while (!pending_.empty()) {
    const SymbolId id = pending_.back();
    auto& symbol = symbols_[id];
    if (symbol.state == State::done) {
      pending_.pop_back();
      continue;
    }
    const auto& definition = definitions_[symbol.definition];
    const auto size_before = pending_.size();
    for (const auto token : tokens_of(definition)) {
      if (token.kind() != Kind::symbol) continue;
      const auto& fanin = symbols_[token.value()];
      if (fanin.state == State::done) continue;
      if (fanin.definition == none) {
        return error(fanin.first_mention, fmt::format("'{}' is used but never defined", fanin.name));
      }
      // Only definitions on the path from the root are active.
      if (fanin.state == State::active || token.value() == id) {
        return error(fanin.driven_at, fmt::format("'{}' depends on itself", fanin.name));
      }
      pending_.push_back(token.value());
    }
    symbol.state = State::active;
    if (pending_.size() > size_before) {
      std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(size_before), pending_.end());
      continue;
    }
    emit(definition);
    symbol.state = State::done;
    pending_.pop_back();
  }
  return {};
}

Signal NetworkBuilder::add_gate(GateKind kind, Signal a, Signal b, Signal c) {
  auto& netlist = network_.netlist;
  const Signal result(netlist.node_count(), false);
  netlist.gates.push_back({kind, {a, b, c}});
  netlist.gate_names.emplace_back();
  return result;
}

Signal NetworkBuilder::signal_of(PostfixToken token) const {
  if (token.kind() == Kind::constant) return Signal(0, token.value() != 0);
  return symbols_[token.value()].signal;
}

void NetworkBuilder::emit(const Definition& definition) {
  const auto tokens = tokens_of(definition);
  auto& netlist = network_.netlist;
  const auto gates_before = netlist.gates.size();
  Signal result;
  if (const auto match = match_gate(tokens)) {
    const auto operand = [&](std::size_t i) {
      const auto signal = signal_of(match->operand[i].token);
      return match->operand[i].inverted ? !signal : signal;
    };
    result = match->is_gate ? add_gate(match->kind, operand(0), operand(1), operand(2)) : operand(0);
  } else {
    network_.already_mapped = false;
    result = emit_operators(tokens);
  }
  auto& symbol = symbols_[definition.symbol];
  symbol.signal = result;
  if (netlist.gates.size() > gates_before && !result.complemented()) netlist.gate_names.back() = symbol.name;
}

// Adds one XOR3 for every two further operands of a parity, and one MAJ3 for every further operand of a
// conjunction or disjunction. Technology mapping optimises the result.
Signal NetworkBuilder::emit_operators(std::span<const PostfixToken> tokens) {
  std::vector<Signal> stack;
  for (const auto token : tokens) {
    if (token.is_operand()) {
      stack.push_back(signal_of(token));
      continue;
    }
    if (token.kind() == Kind::invert) {
      stack.back() = !stack.back();
      continue;
    }
    const auto first = stack.size() - token.value();
    Signal result = stack[first];
    if (token.kind() == Kind::parity) {
      for (auto i = first + 1; i < stack.size(); i += 2) {
        const bool pair = i + 1 < stack.size();
        result = add_gate(GateKind::xor3, result, stack[i], pair ? stack[i + 1] : Signal());
      }
    } else {
      const Signal third(0, token.kind() == Kind::disjunction);
      for (auto i = first + 1; i < stack.size(); ++i)
        result = add_gate(GateKind::maj3, result, stack[i], third);
    }
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
    stack.push_back(result);
  }
  return stack.back();
}

void NetworkBuilder::name_gates() {
  auto& netlist = network_.netlist;
  if (std::none_of(netlist.gate_names.begin(), netlist.gate_names.end(),
                   [](const std::string& name) { return name.empty(); }))
    return;
  simd::UniqueNames names;
  for (const auto& symbol : symbols_) names.reserve(symbol.name);
  for (std::size_t i = 0; i < netlist.gates.size(); ++i) {
    auto& name = netlist.gate_names[i];
    if (name.empty()) name = names.fresh(netlist.first_gate() + i);
  }
}

}  // namespace nestor::io
