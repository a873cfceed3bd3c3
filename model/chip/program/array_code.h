// Generation of the code of one operator on crossbars, in each mode: writes of its weights, a single row, a
// row of a stream, or the whole operator in blocks. Short sequences of statements are written out; long
// sequences become loops. Private to program/.
#pragma once

#include <functional>
#include <optional>

#include "model/chip/program/program.h"

namespace nestor::chip_program {

struct ArrayShape {
  std::size_t op = 0;
  Mode mode = Mode::CM;
  Int rows = 1, width = 1;      ///< of the output tensor
  Int lanes = 1;                ///< q: number of rows at once
  Int sharing = 1;              ///< d: number of copies that share a row
  Int crossbars_of_a_core = 1;  ///< X
  Int cell_rows = 1;            ///< R
  Int parallel_rows = 1;        ///< rho
  Int used_rows = 1;            ///< h(v)
  Int held_rows = 1;            ///< number of matrix rows in all parts: K, or G * K if packed
  bool only_used_rows = false;  ///< level vvm: true if rows beyond h(v) are not read
};

class ArrayCode {
 public:
  ArrayCode(const Program& program, const ArrayShape& shape)
      : program_(program), shape_(shape), keys_(program.operators[shape.op].keys) {}

  /// Returns the statements that write the weights of all copies, inside `loops` loops. Run-time writes are
  /// parallel.
  std::vector<Statement> writes(std::size_t loops, bool at_run_time) const;
  /// Returns the code of one output row, inside `loops` loops.
  std::vector<Statement> row(const Expression& y, std::size_t loops) const;
  /// Returns the code of one output row of a stream, inside `loops` loops: its first step, and all other
  /// steps.
  std::pair<std::vector<Statement>, std::vector<Statement>> stream_row(const Expression& y,
                                                                       std::size_t loops) const;
  /// Returns the code of the whole operator without `row` statements, including the code of operator `next`,
  /// if any, which is a relu.
  std::vector<Statement> blocks(std::optional<std::size_t> next) const;
  /// True if blocks take as long as rows: neither the digital unit nor L0 limits the rate, and the lanes
  /// divide the rows evenly (mode CM) or there is a single lane (other modes).
  bool may_use_blocks(const chip::ChipMachine& machine) const;
  /// True if operator `next` is a relu that reads only this operator's tensor, and both tensors have the same
  /// shape and bits.
  bool may_fuse(std::size_t next) const;

 private:
  using Body = std::vector<Statement>;
  using Make = std::function<Body(const Expression& at, std::size_t loops)>;

  Expression crossbar(const Expression& copy, const Expression& index) const;
  Int per_copy() const { return keys_.parts * keys_.columns; }
  Body each(const char* variable, const Expression& count, bool written_out, std::size_t loops,
            const Make& make) const;
  Statement of(Kind kind, std::vector<Expression> arguments) const;
  Body windows(const Expression& y, const Expression& first_copy, std::size_t loops,
               std::optional<std::size_t> next) const;
  Body rounds(const Expression& y, const Expression& x, const Expression& first_copy,
              std::size_t loops) const;
  Body reads(const Expression& first_copy, const Expression& copies, std::size_t loops) const;
  Statement gather(const Expression& y, const Expression& x, const Expression& first_copy,
                   const Expression& copies, const Expression& from, const Expression& to,
                   std::size_t loops) const;
  Statement store(const Expression& y, const Expression& x, const Expression& first_copy,
                  const Expression& copies, std::size_t loops) const;
  Body read_phase(const Expression& first_copy, const Expression& copies, const Expression& phase,
                  std::size_t loops) const;
  Body steps(const Expression& y, const Expression& x, const Expression& first_copy, Int first_phase,
             std::size_t loops) const;
  bool few() const;
  Body read_parts(const Expression& copy, const Expression& from, const Expression& to,
                  const std::optional<Expression>& group, std::size_t loops) const;
  Statement read_core(const Expression& copy, const Expression& y0, const Expression& y1) const;
  Statement after(std::size_t next, const Expression& y, const Expression& x, const Expression& pixels) const;

  const Program& program_;
  ArrayShape shape_;
  const Keys& keys_;
};

}  // namespace nestor::chip_program
