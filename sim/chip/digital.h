// Integer arithmetic of a digital operator, one row at a time (internal to sim/chip;
// docs/models/chip-program.md, "Digital").
#pragma once

#include "model/chip/program/numbers.h"
#include "sim/chip/memory.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

class Digital {
 public:
  Digital(const Program& program, std::size_t op);

  /// Returns the result of a relu operation for one element.
  Int relu(Int x) const;

  MaybeFault row(L0& memory, Int y) const;

 private:
  using Row = std::vector<Int>;  ///< width x channels
  Int at(const L0& memory, const TensorOperand& operand, Int y, Int x, Int c) const;
  double work_of_row() const;
  // Functions for operators with the integers of a quantised model (digital_numbers.cpp).
  void numbered(const L0& memory, Int y, Row& out) const;
  void numbered_run(const L0& memory, Int y, Row& out) const;
  Int numbered_pool(const L0& memory, Int y, Int x, Int c) const;
  Int numbered_product(const L0& memory, Int y, Int c) const;
  Int numbered_join(const L0& memory, Int y, Int x, Int c) const;
  Int combined(const L0& memory, Int y, Int x, Int c) const;
  void pool(const L0& memory, Int y, Row& out) const;
  void combine(const L0& memory, Int y, Row& out) const;
  void unary(const L0& memory, Int y, Row& out) const;
  void softmax(const L0& memory, Int y, Row& out) const;
  void normalise(const L0& memory, Int y, Row& out) const;
  void product(const L0& memory, Int y, Row& out) const;
  void concat_rows(const L0& memory, Int y, Row& out) const;

  const chip_program::ProgramOperator& op_;
  const chip_program::Tensor& out_;
  std::vector<TensorOperand> operands_;
  std::vector<Int> table_;
  const chip_program::OperatorNumbers* numbers_ = nullptr;
};

}  // namespace nestor::sim::chip
