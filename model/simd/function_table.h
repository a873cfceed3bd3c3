// The smallest XOR3/MAJ3 circuit for each of the 256 functions of three variables, found by enumerating all
// circuits by increasing number of gates. The number of its gates is the cost of a cut in technology mapping.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/simd/xmg_builder.h"

namespace nestor::simd {

/// Truth table over three variables: bit v is the value for the inputs whose bits form v.
using Table3 = std::uint8_t;
inline constexpr std::array<Table3, 3> table_of_variable = {0xaa, 0xcc, 0xf0};

class FunctionTable {
 public:
  /// Returns the table, which is built once per program, on first use.
  static const FunctionTable& get();

  /// Number of gates needed; 0 for constants and (negated) variables.
  unsigned cost(Table3 table) const { return circuits_[normal(table)].gate_count; }
  Signal build(XmgBuilder& builder, Table3 table, const std::array<Signal, 3>& variables) const;

 private:
  // Operand numbers: 0 is the constant, 1 to 3 are the variables, the gates start at 4.
  static constexpr std::size_t most_gates = 4;
  struct Step {
    GateKind kind = GateKind::xor3;
    std::array<std::uint8_t, 3> operand{};
    std::uint8_t inverted = 3;  ///< index of the negated operand; 3 if there is none
  };
  struct Circuit {
    static constexpr std::uint8_t unknown = 0xff;
    std::uint8_t gate_count = unknown;
    std::uint8_t output = 0;  ///< operand number of the output
    bool negated = false;     ///< true if the circuit computes the negation of the stored table
    std::array<Step, most_gates> steps{};
  };

  FunctionTable();
  void search(std::size_t gates, std::size_t limit, std::array<Table3, 4 + most_gates>& values,
              Circuit& circuit);
  void note(Table3 table, std::size_t gates, const Circuit& circuit);
  // Negating the output is free, so tables are stored with bit 0 clear.
  static Table3 normal(Table3 table) { return (table & 1U) != 0 ? static_cast<Table3>(~table) : table; }

  std::array<Circuit, 256> circuits_;
  std::size_t known_ = 0;
};

}  // namespace nestor::simd
