#include "io/netlist/aiger_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <optional>

#include "base/parse_number.h"
#include "base/tables/hash_table.h"
#include "model/simd/unique_names.h"

namespace nestor::io {
namespace {

using simd::Signal;
using AigerLiteral = std::uint32_t;

// Inputs occupy no bytes in a binary file, so the file's size bounds only the other counts.
constexpr std::uint32_t input_limit = 1U << 22U;
constexpr std::uint32_t variable_limit = 1U << 30U;

struct Header {
  bool binary = false;
  std::uint32_t variables = 0;
  std::uint32_t inputs = 0;
  std::uint32_t latches = 0;
  std::uint32_t outputs = 0;
  std::uint32_t ands = 0;
};

struct AndDefinition {
  AigerLiteral left = 0;
  AigerLiteral right = 0;
  std::uint32_t line = 0;
};

Signal signal_of(AigerLiteral literal) { return Signal(literal / 2, literal % 2 != 0); }

class AigerReader {
 public:
  AigerReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<simd::LogicNetwork> read();

 private:
  MaybeError read_header();
  MaybeError check_header();
  MaybeError read_text_body();
  MaybeError read_binary_body();
  MaybeError read_inputs();
  MaybeError read_outputs();
  MaybeError read_text_ands();
  MaybeError read_binary_ands();
  MaybeError read_delta(std::uint32_t limit, std::uint32_t& delta);
  MaybeError order_ands();
  MaybeError read_symbols();
  void name_everything();

  MaybeError literal(std::string_view what, bool plain, AigerLiteral& value);
  MaybeError number(std::string_view what, std::uint32_t& value);
  MaybeError end_of_line();
  bool at_line_end() const { return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }
  Error error_here(std::string message) const {
    return error_at(line_, at_ - line_start_ + 1, std::move(message));
  }
  Error error_at(std::size_t line, std::size_t column, std::string message) const {
    return input_error({file_, static_cast<int>(line), static_cast<int>(column)}, std::move(message));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  Header header_;
  std::vector<AigerLiteral> outputs_;
  // Only for text files, which may number and order their variables freely:
  std::vector<std::uint32_t> node_of_;     ///< network node + 1 of each variable, 0 if it has none yet
  std::vector<AndDefinition> definition_;  ///< definition of each variable; line 0 if it is not an AND
  std::vector<std::uint32_t> and_variables_;
  simd::LogicNetwork network_;
};

MaybeError AigerReader::number(std::string_view what, std::uint32_t& value) {
  const auto digits = text_.substr(at_, text_.find_first_not_of("0123456789", at_) - at_);
  const auto parsed = parse_number<std::uint32_t>(digits);
  if (!parsed || *parsed > variable_limit) {
    return error_here(fmt::format("expected {} (0 to {})", what, variable_limit));
  }
  value = *parsed;
  at_ += digits.size();
  return {};
}

// Reads one literal. A `plain` literal defines a variable, so it cannot be negated or constant.
MaybeError AigerReader::literal(std::string_view what, bool plain, AigerLiteral& value) {
  const auto column = at_ - line_start_ + 1;
  if (auto failed = number(what, value)) return failed;
  if (value / 2 > header_.variables) {
    return error_at(line_, column,
                    fmt::format("literal {} is beyond the last variable {}", value, header_.variables));
  }
  if (plain && (value < 2 || value % 2 != 0)) {
    return error_at(line_, column,
                    fmt::format("{} must be an even literal of at least 2, found {}", what, value));
  }
  return {};
}

MaybeError AigerReader::end_of_line() {
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ == text_.size()) return error_here("the file ends here, expected more lines");
  if (text_[at_] != '\n') return error_here("expected the end of the line");
  line_start_ = ++at_;
  ++line_;
  return {};
}

MaybeError AigerReader::read_header() {
  const auto word = text_.substr(0, 4);
  if (word != "aag " && word != "aig ") return error_here("expected 'aag ' or 'aig ' at the start");
  header_.binary = word == "aig ";
  at_ = 4;
  const std::array<std::pair<std::string_view, std::uint32_t*>, 5> fields = {
      {{"the highest variable", &header_.variables},
       {"the number of inputs", &header_.inputs},
       {"the number of latches", &header_.latches},
       {"the number of outputs", &header_.outputs},
       {"the number of ANDs", &header_.ands}}};
  for (const auto& [what, value] : fields) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (auto failed = number(what, *value)) return failed;
  }
  while (at_ < text_.size() && text_[at_] == ' ') {
    ++at_;
    std::uint32_t properties = 0;
    if (auto failed = number("the number of properties", properties)) return failed;
    if (properties != 0)
      return error_here("properties, constraints and fairness (B C J F) are not supported");
  }
  return end_of_line();
}

// Checks, before any allocation, that the counts agree and that a file of this size can contain them.
MaybeError AigerReader::check_header() {
  const auto& h = header_;
  const auto rest = text_.size() - at_;
  const auto refuse = [&](std::string message) { return error_at(1, 1, std::move(message)); };
  if (h.latches > 0)
    return refuse(fmt::format("found {} latches, but only combinational networks are supported", h.latches));
  const auto defined = std::uint64_t{h.inputs} + h.ands;
  if (defined > h.variables || (h.binary && defined != h.variables)) {
    return refuse(fmt::format("{} inputs and {} ANDs do not match the highest variable {}", h.inputs, h.ands,
                              h.variables));
  }
  if (h.inputs > input_limit)
    return refuse(fmt::format("found {} inputs, expected at most {}", h.inputs, input_limit));
  const auto least =
      h.binary ? 2 * std::uint64_t{h.outputs} + 2 * std::uint64_t{h.ands}
               : 2 * std::uint64_t{h.inputs} + 2 * std::uint64_t{h.outputs} + 6 * std::uint64_t{h.ands};
  if (least > rest + 1) {
    return refuse(
        fmt::format("the header requires at least {} more bytes, but the file has {}", least, rest));
  }
  if (!h.binary && h.variables > text_.size()) {
    return refuse(fmt::format("the highest variable {} is too large for a file of {} bytes", h.variables,
                              text_.size()));
  }
  return {};
}

MaybeError AigerReader::read_outputs() {
  outputs_.reserve(header_.outputs);
  for (std::uint32_t i = 0; i < header_.outputs; ++i) {
    AigerLiteral value = 0;
    if (auto failed = literal("an output's literal", false, value)) return failed;
    outputs_.push_back(value);
    const bool last = i + 1 == header_.outputs && header_.ands == 0;
    if (last && at_ == text_.size()) return {};
    if (auto failed = end_of_line()) return failed;
  }
  return {};
}

// Reads a difference between literals, which the format encodes as LEB128.
MaybeError AigerReader::read_delta(std::uint32_t limit, std::uint32_t& delta) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (at_ == text_.size()) return error_at(line_, 0, "the file ends within the ANDs");
    const auto byte = static_cast<unsigned char>(text_[at_++]);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) break;
    if (shift >= 28)
      return error_at(line_, 0, fmt::format("a difference of more than 5 bytes at byte {}", at_ - 1));
  }
  if (value > limit) {
    return error_at(line_, 0,
                    fmt::format("a difference of {} from literal {} at byte {}", value, limit, at_ - 1));
  }
  delta = static_cast<std::uint32_t>(value);
  return {};
}

// In binary files, variables equal node indices of the network, and literals equal its signals.
MaybeError AigerReader::read_binary_ands() {
  auto& gates = network_.netlist.gates;
  gates.reserve(header_.ands);
  for (std::uint32_t i = 0; i < header_.ands; ++i) {
    const AigerLiteral self = 2 * (header_.inputs + 1 + i);
    std::uint32_t delta = 0;
    if (auto failed = read_delta(self, delta)) return failed;
    if (delta == 0) return error_at(line_, 0, fmt::format("AND {} reads itself", self));
    const AigerLiteral left = self - delta;
    if (auto failed = read_delta(left, delta)) return failed;
    gates.push_back({simd::GateKind::maj3, {signal_of(left), signal_of(left - delta), Signal()}});
  }
  line_start_ = at_;
  return {};
}

MaybeError AigerReader::read_binary_body() {
  if (auto failed = read_outputs()) return failed;
  if (auto failed = read_binary_ands()) return failed;
  for (const auto output : outputs_) network_.netlist.outputs.push_back({{}, signal_of(output)});
  return {};
}

MaybeError AigerReader::read_inputs() {
  for (std::uint32_t i = 0; i < header_.inputs; ++i) {
    AigerLiteral value = 0;
    if (auto failed = literal("an input's literal", true, value)) return failed;
    if (node_of_[value / 2] != 0) {
      return error_at(line_, 1, fmt::format("variable {} is defined twice", value / 2));
    }
    node_of_[value / 2] = i + 2;
    const bool last = i + 1 == header_.inputs && header_.outputs == 0 && header_.ands == 0;
    if (last && at_ == text_.size()) return {};
    if (auto failed = end_of_line()) return failed;
  }
  return {};
}

MaybeError AigerReader::read_text_ands() {
  and_variables_.reserve(header_.ands);
  for (std::uint32_t i = 0; i < header_.ands; ++i) {
    std::array<AigerLiteral, 3> value{};
    for (std::size_t k = 0; k < 3; ++k) {
      if (k > 0) {
        if (at_line_end() || text_[at_] != ' ') return error_here("expected three literals of an AND");
        ++at_;
      }
      if (auto failed = literal(k == 0 ? "an AND's literal" : "a fanin's literal", k == 0, value[k]))
        return failed;
    }
    const auto variable = value[0] / 2;
    if (node_of_[variable] != 0 || definition_[variable].line != 0) {
      return error_at(line_, 1, fmt::format("variable {} is defined twice", variable));
    }
    definition_[variable] = {value[1], value[2], static_cast<std::uint32_t>(line_)};
    and_variables_.push_back(variable);
    if (i + 1 == header_.ands && at_ == text_.size()) return {};
    if (auto failed = end_of_line()) return failed;
  }
  return {};
}

// Adds the ANDs in depth-first order, with an explicit stack as in the network builder. Keeps the file's
// order if it is topological.
MaybeError AigerReader::order_ands() {
  auto& gates = network_.netlist.gates;
  gates.reserve(header_.ands);
  const auto node = [&](AigerLiteral value) { return Signal(node_of_[value / 2] - 1, value % 2 != 0); };
  boost::dynamic_bitset<> active(node_of_.size());
  std::vector<std::uint32_t> stack;
  for (const auto root : and_variables_) {
    stack.assign(1, root);
    while (!stack.empty()) {
      const auto variable = stack.back();
      if (node_of_[variable] != 0) {
        stack.pop_back();
        continue;
      }
      const auto& definition = definition_[variable];
      const auto size_before = stack.size();
      active[variable] = true;
      for (const auto fanin : {definition.right / 2, definition.left / 2}) {
        if (node_of_[fanin] != 0) continue;
        if (definition_[fanin].line == 0) {
          return error_at(definition.line, 1, fmt::format("variable {} is used but never defined", fanin));
        }
        if (active[fanin])
          return error_at(definition.line, 1, fmt::format("variable {} depends on itself", fanin));
        stack.push_back(fanin);
      }
      if (stack.size() > size_before) continue;
      node_of_[variable] = header_.inputs + 2 + static_cast<std::uint32_t>(gates.size());
      gates.push_back({simd::GateKind::maj3, {node(definition.left), node(definition.right), Signal()}});
      stack.pop_back();
    }
  }
  return {};
}

MaybeError AigerReader::read_text_body() {
  node_of_.assign(std::size_t{header_.variables} + 1, 0);
  definition_.resize(node_of_.size());
  node_of_[0] = 1;
  if (auto failed = read_inputs()) return failed;
  const auto outputs_line = line_;
  if (auto failed = read_outputs()) return failed;
  if (auto failed = read_text_ands()) return failed;
  if (auto failed = order_ands()) return failed;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto node = node_of_[outputs_[i] / 2];
    if (node == 0) {
      return error_at(outputs_line + i, 1,
                      fmt::format("variable {} is used but never defined", outputs_[i] / 2));
    }
    network_.netlist.outputs.push_back({{}, Signal(node - 1, outputs_[i] % 2 != 0)});
  }
  return {};
}

// Reads the lines "i0 name" and "o0 name", then an optional "c" with a comment to the end of the file.
MaybeError AigerReader::read_symbols() {
  auto& netlist = network_.netlist;
  while (at_ < text_.size()) {
    const char kind = text_[at_];
    const auto end = std::min(text_.find('\n', at_), text_.size());
    if (kind == 'c' && (end == at_ + 1 || text_[at_ + 1] == '\r')) return {};
    if (kind != 'i' && kind != 'o')
      return error_here("expected a symbol (i or o), or the comment section (c)");
    ++at_;
    std::uint32_t index = 0;
    if (auto failed = number("a symbol's number", index)) return failed;
    const auto count = kind == 'i' ? netlist.input_names.size() : netlist.outputs.size();
    if (index >= count)
      return error_here(fmt::format("symbol of {} {}, but there are only {}",
                                    kind == 'i' ? "input" : "output", index, count));
    if (at_ >= end || text_[at_] != ' ') return error_here("expected a name");
    auto name = text_.substr(at_ + 1, end - at_ - 1);
    if (!name.empty() && name.back() == '\r') name.remove_suffix(1);
    if (name.empty()) return error_here("expected a name");
    (kind == 'i' ? netlist.input_names[index] : netlist.outputs[index].name) = name;
    at_ = std::min(end + 1, text_.size());
    line_start_ = at_;
    ++line_;
  }
  return {};
}

// Makes all names unique and free of blanks, as other formats require.
void AigerReader::name_everything() {
  auto& netlist = network_.netlist;
  simd::UniqueNames names;
  const auto tidy = [](std::string& name, char letter, std::size_t index, HashSet<std::string>& taken) {
    if (name.empty()) name = fmt::format("{}{}", letter, index);
    for (auto& c : name) {
      if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f) c = '_';
    }
    while (!taken.insert(name).second) name += '_';
  };
  HashSet<std::string> taken;
  for (std::size_t i = 0; i < netlist.input_names.size(); ++i) tidy(netlist.input_names[i], 'i', i, taken);
  for (std::size_t i = 0; i < netlist.outputs.size(); ++i) tidy(netlist.outputs[i].name, 'o', i, taken);
  for (const auto& name : taken) names.reserve(name);
  netlist.gate_names.reserve(netlist.gates.size());
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    netlist.gate_names.push_back(names.fresh(node));
  }
}

Result<simd::LogicNetwork> AigerReader::read() {
  if (auto failed = read_header()) return *failed;
  if (auto failed = check_header()) return *failed;
  network_.netlist.input_names.resize(header_.inputs);
  if (auto failed = header_.binary ? read_binary_body() : read_text_body()) return *failed;
  if (auto failed = read_symbols()) return *failed;
  name_everything();
  network_.already_mapped = network_.netlist.gates.empty();
  return std::move(network_);
}

}  // namespace

Result<simd::LogicNetwork> parse_aiger(std::string_view text, const std::string& file) {
  return AigerReader(text, file).read();
}

}  // namespace nestor::io
