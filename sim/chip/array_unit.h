// All crossbars of the chip during a functional simulation (internal to sim/chip): the contents of each
// crossbar, gather operations that load windows into its inputs, and the store operation, which adds the sums
// of a copy's crossbars.
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

  /// Discards all contents at the start of a new segment.
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
  /// Derived data of an operator, computed on first use.
  struct Plan {
    Packing packing;
    std::vector<TensorOperand> operands;
    Int address = 0;  ///< address of the result
    const chip_program::OperatorNumbers* numbers = nullptr;
    /// For each column, the sum of its weights relative to their zero point, times the zero point of the
    /// input. Empty until it is computed.
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
