// One row of a digital operator, in integers (private to the room; docs/models/chip-program.md, "Digital").
#pragma once

#include "sim/chip/memory.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

class Digital {
 public:
  Digital(const Program& program, std::size_t op);

  MaybeFault row(L0& memory, Int y) const;

 private:
  using Row = std::vector<Int>;  ///< width x channels
  Int at(const L0& memory, const TensorOperand& operand, Int y, Int x, Int c) const;
  double work_of_row() const;
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
};

}  // namespace nestor::sim::chip
