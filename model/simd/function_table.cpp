#include "model/simd/function_table.h"

namespace nestor::simd {
namespace {

constexpr std::size_t first_gate_operand = 4;
constexpr std::size_t normal_functions = 128;

Table3 majority(Table3 a, Table3 b, Table3 c) { return static_cast<Table3>((a & b) | (a & c) | (b & c)); }

}  // namespace

const FunctionTable& FunctionTable::get() {
  static const FunctionTable table;
  return table;
}

FunctionTable::FunctionTable() {
  std::array<Table3, first_gate_operand + most_gates> values{0, table_of_variable[0], table_of_variable[1],
                                                             table_of_variable[2]};
  for (std::uint8_t operand = 0; operand < first_gate_operand; ++operand) {
    Circuit circuit;
    circuit.output = operand;
    note(values[operand], 0, circuit);
  }
  for (std::size_t limit = 1; limit <= most_gates && known_ < normal_functions; ++limit) {
    Circuit circuit;
    search(0, limit, values, circuit);
  }
}

void FunctionTable::note(Table3 table, std::size_t gates, const Circuit& circuit) {
  auto& best = circuits_[normal(table)];
  if (best.gate_count != Circuit::unknown) return;  // circuits are enumerated by increasing size
  best = circuit;
  best.gate_count = static_cast<std::uint8_t>(gates);
  best.negated = table != normal(table);
  ++known_;
}

// Tries every gate over three different operands. Of the eight ways to negate a majority's operands, four are
// negations of the other four. All negations of a parity's operands move to its output.
void FunctionTable::search(std::size_t gates, std::size_t limit, std::array<Table3, 4 + most_gates>& values,
                           Circuit& circuit) {
  const auto operands = first_gate_operand + gates;
  const auto descend = [&](Table3 value) {
    values[operands] = value;
    circuit.output = static_cast<std::uint8_t>(operands);
    if (gates + 1 == limit) {
      note(value, limit, circuit);
    } else {
      search(gates + 1, limit, values, circuit);
    }
  };
  for (std::size_t i = 0; i < operands; ++i) {
    for (std::size_t j = i + 1; j < operands; ++j) {
      for (std::size_t k = j + 1; k < operands; ++k) {
        const std::array<std::uint8_t, 3> chosen = {
            static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j), static_cast<std::uint8_t>(k)};
        circuit.steps[gates] = {GateKind::xor3, chosen, 3};
        descend(values[i] ^ values[j] ^ values[k]);
        for (std::uint8_t inverted = 0; inverted <= 3; ++inverted) {
          std::array<Table3, 3> fanin = {values[i], values[j], values[k]};
          if (inverted < 3) fanin[inverted] = static_cast<Table3>(~fanin[inverted]);
          circuit.steps[gates] = {GateKind::maj3, chosen, inverted};
          descend(majority(fanin[0], fanin[1], fanin[2]));
        }
      }
    }
  }
}

Signal FunctionTable::build(XmgBuilder& builder, Table3 table, const std::array<Signal, 3>& variables) const {
  const auto& circuit = circuits_[normal(table)];
  std::array<Signal, first_gate_operand + most_gates> signals{XmgBuilder::constant(false), variables[0],
                                                              variables[1], variables[2]};
  for (std::size_t i = 0; i < circuit.gate_count; ++i) {
    const auto& step = circuit.steps[i];
    std::array<Signal, 3> fanin;
    for (std::size_t k = 0; k < 3; ++k) {
      fanin[k] = step.inverted == k ? !signals[step.operand[k]] : signals[step.operand[k]];
    }
    signals[first_gate_operand + i] = step.kind == GateKind::xor3
                                          ? builder.xor3(fanin[0], fanin[1], fanin[2])
                                          : builder.maj3(fanin[0], fanin[1], fanin[2]);
  }
  const bool negate = circuit.negated != (table != normal(table));
  return negate ? !signals[circuit.output] : signals[circuit.output];
}

}  // namespace nestor::simd
