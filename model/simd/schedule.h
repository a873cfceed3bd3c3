// A schedule: the instruction sequence that runs a netlist on bit-serial arrays (docs/models/simd.md, section
// 2). Schedulers produce it, report/results/simd/schedule_file writes and reads it, and verify replays it. A
// schedule refers to the netlist by node index and contains no names, so that millions of instructions stay
// small.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/simd/netlist.h"

namespace nestor::simd {

/// One row of one array.
struct Place {
  std::uint32_t array = 0;
  std::uint32_t row = 0;
  friend constexpr bool operator==(Place, Place) = default;
};

/// Returns the place of primary input `index` (from 0) before the first instruction. The place is never
/// overwritten (docs/models/simd.md (2.1)).
constexpr Place input_place(std::uint32_t index, std::uint32_t rows) { return {index / rows, index % rows}; }

/// Operand of a compute: a row of its own array, or a constant; either may be negated for free.
class SimdOperand {
 public:
  constexpr SimdOperand() = default;
  static constexpr SimdOperand constant(bool value) { return SimdOperand(static_cast<std::uint32_t>(value)); }
  static constexpr SimdOperand stored(std::uint32_t row, bool inverted) {
    return SimdOperand(((row + 1) << 1U) | static_cast<std::uint32_t>(inverted));
  }
  constexpr bool is_constant() const { return code_ < 2; }
  constexpr std::uint32_t row() const { return (code_ >> 1U) - 1; }  ///< requires a stored operand
  /// For a row: true if it is read negated. For a constant: its value.
  constexpr bool inverted() const { return (code_ & 1U) != 0; }
  friend constexpr bool operator==(SimdOperand, SimdOperand) = default;

 private:
  explicit constexpr SimdOperand(std::uint32_t code) : code_(code) {}
  std::uint32_t code_ = 0;
};

/// Limit on the numbers of rows and arrays, so that an operand or a coordinate of a place fits 32 bits.
inline constexpr std::uint32_t row_limit = 1U << 30U;

enum class InstructionKind : std::uint8_t { copy, xor3, maj3 };

/// Reason for a copy in the scheduler's report: a fanin is brought in, an evicted value is saved, or another
/// reason. It is not part of the schedule's text, and verify ignores it.
enum class CopyCause : std::uint8_t { none, fanin, eviction };

struct Instruction {
  InstructionKind kind = InstructionKind::copy;
  CopyCause cause = CopyCause::none;
  NodeIndex node = 0;  ///< computed gate; for a copy, the copied value (only for reports; verify ignores it)
  Place to;
  Place from;                          ///< source of a copy
  std::array<SimdOperand, 3> operand;  ///< for a compute: rows of to.array, in the order of the gate's fanins

  static constexpr Instruction copy(Place from, Place to, NodeIndex value, CopyCause why) {
    return {InstructionKind::copy, why, value, to, from, {}};
  }
  static constexpr Instruction compute(GateKind gate, Place to, std::array<SimdOperand, 3> operand,
                                       NodeIndex node) {
    const auto kind = gate == GateKind::xor3 ? InstructionKind::xor3 : InstructionKind::maj3;
    return {kind, CopyCause::none, node, to, {}, operand};
  }
  constexpr bool is_copy() const { return kind == InstructionKind::copy; }
  bool operator==(const Instruction&) const = default;
};

/// Place of a primary output at the end.
struct OutputPlace {
  enum class Kind : std::uint8_t { stored, constant, input };
  Kind kind = Kind::stored;
  bool inverted = false;    ///< true if negated; for a constant: its value
  Place place;              ///< for a stored output
  std::uint32_t input = 0;  ///< for an output that is a primary input: index of the input, from 0
};

struct Schedule {
  std::uint32_t rows = 0;         ///< rows of every array
  std::uint32_t array_limit = 0;  ///< 0: as many as useful
  bool recompute = false;         ///< true if a node may be computed more than once
  std::vector<Instruction> instructions;
  std::vector<OutputPlace> outputs;  ///< in the netlist's order
};

}  // namespace nestor::simd
