// A hierarchy of memories and spatial axes, in plain fixed-capacity data. Memories and axes refer to each
// other by position: an axis is below every memory listed before it. The compute unit below the innermost
// memories belongs to each space (architecture.h has that of cim); names live in workload/named_machine.h.
#pragma once

#include <array>
#include <limits>

#include "base/cost.h"
#include "base/fixed_vector.h"
#include "model/loopnest/capacity.h"
#include "model/loopnest/dims.h"

namespace nestor {

inline constexpr Int unlimited_capacity = std::numeric_limits<Int>::max();

struct Memory {
  OperandSet operands{};
  Int capacity = unlimited_capacity;  ///< bits
  Int bandwidth = 1;                  ///< bits per cycle
  bool double_buffer = false;         ///< may be double-buffered, chosen per operand
  Cost read_energy = 0;               ///< pJ per bit
  Cost write_energy = 0;              ///< pJ per bit
  std::uint8_t axes_above = 0;        ///< axes [0, axes_above) are listed before this memory

  // What only some spaces read:
  Int read_bandwidth = 0;    ///< bits per cycle that leave it inward; 0: `bandwidth` serves both ways
  Int write_bandwidth = 0;   ///< bits per cycle that enter it from inside
  Int access_latency = 0;    ///< cycles before the first bit
  bool shared_port = false;  ///< operands take turns; otherwise each has a port of its own
  Int row = 0;               ///< bits of a row, of which one is open in each bank; 0: no rows
  Int banks = 1;
  Int activation_cycles = 0;     ///< to open a row
  double activation_energy = 0;  ///< pJ for it

  friend constexpr bool operator==(const Memory&, const Memory&) = default;
};

struct Axis {
  Int size = 1;
  DimSet dims{};
  friend constexpr bool operator==(const Axis&, const Axis&) = default;
};

/// A figure per memory and operand; zero where the operand does not use the memory.
template <typename T>
using PerMemoryOperand = std::array<std::array<T, operand_count>, max_memories>;

/// Per axis and dimension, the factor of it that lies there.
using SpatialFactors = std::array<Extents, max_axes>;

struct Hierarchy {
  FixedVector<Memory, max_memories> memories;  ///< outermost first
  FixedVector<Axis, max_axes> axes;            ///< outermost first

  /// The outermost memory of an operand: its home, without capacity check.
  constexpr std::size_t home(Operand operand) const {
    std::size_t m = 0;
    while (!memories[m].operands.contains(operand)) ++m;
    return m;
  }
  /// The memory that feeds the compute unit.
  constexpr std::size_t innermost(Operand operand) const {
    std::size_t m = memories.size() - 1;
    while (!memories[m].operands.contains(operand)) --m;
    return m;
  }
  friend constexpr bool operator==(const Hierarchy&, const Hierarchy&) = default;
};

}  // namespace nestor
