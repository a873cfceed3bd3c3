#include "io/netlist/verilog_scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/netlist/verilog_lexer.h"

namespace nestor::io {

VerilogScope::VerilogScope(NetworkBuilder& builder, std::size_t text_size)
    : builder_(builder), bit_limit_(std::max<std::size_t>(std::size_t{1} << 20U, text_size)) {}

MaybeError VerilogScope::list_port(std::string_view name, TextPosition where) {
  if (!listed_names_.insert(name).second) {
    return builder_.error(where, fmt::format("port '{}' is listed twice", name));
  }
  listed_.push_back({name, where});
  return {};
}

MaybeError VerilogScope::declare(std::string_view name, VerilogNet net, std::optional<VerilogRange> range,
                                 TextPosition where) {
  auto failed = range ? declare_vector(name, net, *range, where) : declare_scalar(name, net, where);
  if (failed || net == VerilogNet::wire) return failed;
  directed_.push_back({name, where});
  directed_names_.insert(name);
  return {};
}

MaybeError VerilogScope::declare_scalar(std::string_view name, VerilogNet net, TextPosition where) {
  if (vectors_.count(name) != 0) {
    return builder_.error(where, fmt::format("'{}' is already declared as a vector", name));
  }
  const auto symbol = builder_.symbol(name, where);
  if (scalars_.size() <= symbol) scalars_.resize(std::size_t{symbol} + 1);
  auto& declared = scalars_[symbol];
  if (declared[net]) return builder_.error(where, fmt::format("'{}' is declared twice", name));
  (net == VerilogNet::wire ? declared.wire : declared.port) = true;
  return add_port_bits(net, symbol, 1, where);
}

MaybeError VerilogScope::declare_vector(std::string_view name, VerilogNet net, VerilogRange range,
                                        TextPosition where) {
  auto [entry, is_new] = vectors_.try_emplace(name);
  auto& vector = entry->second;
  if (is_new) {
    if (builder_.is_known(name)) {
      return builder_.error(where, fmt::format("'{}' is already used as a single bit", name));
    }
    bits_declared_ += range.width();
    if (range.width() > verilog_width_limit || bits_declared_ > bit_limit_) {
      return builder_.error(where,
                            fmt::format("too many bits declared (at most {} in a vector, {} in this file)",
                                        verilog_width_limit, bit_limit_));
    }
    vector.range = range;
    for (std::uint32_t i = 0; i < range.width(); ++i) {
      const auto index = range.left > range.right ? range.right + i : range.right - i;
      const auto bit_name = fmt::format("{}[{}]", name, index);
      if (builder_.is_known(bit_name)) {
        return builder_.error(where, fmt::format("'{}' is already used as another name", bit_name));
      }
      const auto symbol = builder_.symbol(bit_name, where);
      if (i == 0) vector.first = symbol;
    }
  } else if (vector.range.left != range.left || vector.range.right != range.right) {
    return builder_.error(where, fmt::format("'{}' is declared [{}:{}] here but [{}:{}] before", name,
                                             range.left, range.right, vector.range.left, vector.range.right));
  }
  if (vector.declared[net]) return builder_.error(where, fmt::format("'{}' is declared twice", name));
  (net == VerilogNet::wire ? vector.declared.wire : vector.declared.port) = true;
  return add_port_bits(net, vector.first, range.width(), where);
}

MaybeError VerilogScope::add_port_bits(VerilogNet net, SymbolId first, std::uint32_t width,
                                       TextPosition where) {
  if (net == VerilogNet::wire) return {};
  for (SymbolId symbol = first; symbol < first + width; ++symbol) {
    auto failed =
        net == VerilogNet::input ? builder_.add_input(symbol, where) : builder_.add_output(symbol, where);
    if (failed) return failed;
  }
  return {};
}

MaybeError VerilogScope::check_ports() const {
  for (const auto& port : listed_) {
    if (directed_names_.count(port.name) == 0) {
      return builder_.error(port.where,
                            fmt::format("port '{}' is declared neither input nor output", port.name));
    }
  }
  for (const auto& port : directed_) {
    if (listed_names_.count(port.name) == 0) {
      return builder_.error(port.where, fmt::format("'{}' is not in the module's list of ports", port.name));
    }
  }
  return {};
}

MaybeError VerilogScope::append_bits(std::string_view name, std::optional<VerilogRange> select,
                                     TextPosition where, VerilogBits& bits) {
  const auto found = vectors_.empty() ? vectors_.end() : vectors_.find(name);
  if (found == vectors_.end()) {
    if (select) return builder_.error(where, fmt::format("'{}' is not a vector", name));
    bits.emplace_back(PostfixToken::Kind::symbol, builder_.symbol(name, where));
    return {};
  }
  const auto& vector = found->second;
  const auto range = select.value_or(vector.range);
  const auto [low, high] = std::minmax(vector.range.left, vector.range.right);
  const bool descending = vector.range.left >= vector.range.right;
  if (std::min(range.left, range.right) < low || std::max(range.left, range.right) > high ||
      (range.width() > 1 && (range.left > range.right) != descending)) {
    const auto selected = range.left == range.right ? fmt::format("[{}]", range.left)
                                                    : fmt::format("[{}:{}]", range.left, range.right);
    return builder_.error(where, fmt::format("{} is not within '{}[{}:{}]'", selected, name,
                                             vector.range.left, vector.range.right));
  }
  const auto offset = descending ? range.right - low : high - range.right;
  for (std::uint32_t i = 0; i < range.width(); ++i) {
    bits.emplace_back(PostfixToken::Kind::symbol, vector.first + offset + i);
  }
  return {};
}

}  // namespace nestor::io
