// Recomputed values of one operator under its decision: the layout of its matrix on crossbars, its cycles and
// its bits (docs/models/chip.md, sections 3 and 5). Also declares functions that compute the rows of streams
// and the layout of L0. Internal to second_reading/.
#pragma once

#include "model/chip/second_reading/reading.h"

namespace nestor::chip_reading {

constexpr Wide round_up_division(Wide a, Wide b) { return (a + b - 1) / b; }
constexpr Wide smaller(Wide a, Wide b) { return a < b ? a : b; }
constexpr Wide larger(Wide a, Wide b) { return a < b ? b : a; }
/// Returns the cycles for an amount at a rate; a missing rate (0) is ideal.
constexpr Wide passing_time(Wide amount, Wide rate) {
  return rate == 0 ? 0 : round_up_division(amount, rate);
}

/// Layout of a matrix on crossbars, without its copies.
struct MatrixReading {
  Wide usable = 0;       ///< X'
  Wide columns = 0;      ///< xc
  Wide least_parts = 0;  ///< v0
  Wide most_parts = 0;
  Wide group_rows = 0;  ///< number of matrix rows of a group if packed, otherwise 0
  Wide shared = 0;      ///< number of units distributed over the parts: matrix rows, or groups if packed

  Wide crossbars(Wide parts) const { return parts * columns; }
  Wide rows_used(Wide parts) const {
    const Wide share = round_up_division(shared, parts);
    return group_rows > 0 ? share * group_rows : share;
  }
};
MatrixReading read_matrix(const chip::ChipMachine& machine, const chip::Operator& op);

struct OperatorReading {
  bool on_array = false;
  Wide copies = 1, parts = 0, phases = 1;
  Wide cores = 0, crossbars = 0;  ///< totals of all copies
  Wide copy_crossbars = 0;        ///< m
  Wide active_cycles = 0;         ///< a
  Wide mvm = 0, row = 0, lanes = 1, in = 0, out = 0, gate = 0;
  Wide active = 0;      ///< number of active crossbars of a running row
  Wide row_bits = 0;    ///< bits through L0 per row
  Wide local_bits = 0;  ///< bits through L1 per row
  Wide sharing = 1;     ///< d; 1 on the digital unit
  Wide rounds = 1;      ///< n
  Wide stream_in = 0;   ///< `in` of a stream
};

/// Start of the first step of a row, start of the other steps, and end of the row.
struct Span {
  Wide from, run, to;
};
/// Returns the values of an operator. Copies, parts and phases of the decisions must be in range.
OperatorReading read_operator(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                              const chip::Decisions& decisions, std::size_t index);

/// Returns the rows of operator `index` of a stream that starts at operator `first`, computed step by step.
/// `rows` contains the rows of earlier operators, `ways` the transfer costs from those operators to operator
/// `index`, and `readings` the values of all operators, whose `in` must be the value for streams
/// (`stream_in`).
std::vector<Span> read_stream(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                              const std::vector<OperatorReading>& readings, std::size_t first,
                              std::size_t index, const std::vector<std::vector<Span>>& rows,
                              const std::vector<Wide>& ways);

/// Layout of L0 in bytes: the address of each tensor, and the highest end address of the tensors that are
/// alive in each segment.
struct MemoryReading {
  std::vector<Wide> addresses;
  std::vector<Wide> segment_bytes;
};
MemoryReading read_memory(const chip::ChipNetwork& network, const chip::Decisions& decisions);

}  // namespace nestor::chip_reading
