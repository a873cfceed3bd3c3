// All crossbars of the chip while a program is executed functionally (internal to sim/chip): the contents of
// each crossbar, gathers of windows into its inputs, and the store that adds the sums of a copy's crossbars.
#pragma once

#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "model/chip/program/numbers.h"
#include "sim/chip/crossbar.h"
#include "sim/chip/memory.h"
#include "sim/chip/packing.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

class ArrayUnit {
 public:
  ArrayUnit(const Program& program, const nestor::chip::ChipMachine& machine, L0& memory)
      : program_(program), machine_(machine), memory_(memory), plans_(program.operators.size()) {}

  /// Discards all contents at the start of another segment.
  void forget() { held_.clear(); }
  MaybeFault write(std::size_t op, Int crossbar, Int part, Int column, Int row, Int rows);
  MaybeFault gather(std::size_t op, Int crossbar, Int y, Int x);
  MaybeFault read(Int crossbar, Int row, Int rows);
  MaybeFault read_all(Int crossbar);
  MaybeFault store(std::size_t op, Int copy, Int y, Int x);
  MaybeFault read_core(std::size_t op, const Op& read);

 private:
  struct Held {
    std::size_t op;
    Int part, column;
    Crossbar crossbar;
  };
  /// Derived data of an operator, computed once.
  struct Plan {
    Packing packing;
    std::vector<TensorOperand> operands;
    Int address = 0;  ///< address of the result
    const chip_program::OperatorNumbers* numbers = nullptr;
    /// The sum of each column's weights above their zero point, times the zero point of the input. Empty if
    /// unknown.
    std::vector<Int> of_zero;
  };

  std::variant<Plan*, Fault> plan_of(std::size_t op);
  Int weight(const Plan& plan, const chip_program::ProgramOperator& op, Int group, Int row, Int column) const;
  Int window_element(const Plan& plan, const chip_program::ProgramOperator& op, Int group, Int row, Int y,
                     Int x) const;
  void add_zeros(Plan& plan, const chip_program::ProgramOperator& op, std::vector<Int>& sums) const;
  Int crossbar_of(const chip_program::ProgramOperator& op, Int copy, Int index) const;
  void add_sums(const Plan& plan, const Held& held, Int slice_offset, std::vector<Int>& sums) const;

  const Program& program_;
  const nestor::chip::ChipMachine& machine_;
  L0& memory_;
  std::vector<std::optional<Plan>> plans_;
  std::unordered_map<Int, Held> held_;
};

}  // namespace nestor::sim::chip
