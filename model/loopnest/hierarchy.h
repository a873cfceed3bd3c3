// A hierarchy of memories and spatial axes, as plain data of fixed capacity. Memories and axes share one
// order, from the outside in: an axis is below every memory that is listed before it. Each space defines its
// own compute unit below the innermost memories (architecture.h for cim). Names are in
// workload/named_machine.h.
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
  bool double_buffer = false;         ///< true if each operand may be double-buffered here
  Cost read_energy = 0;               ///< pJ per bit
  Cost write_energy = 0;              ///< pJ per bit
  std::uint8_t axes_above = 0;        ///< axes [0, axes_above) are listed before this memory

  // Fields that only some spaces use:
  Int read_bandwidth = 0;    ///< bits per cycle read inward; 0: `bandwidth`
  Int write_bandwidth = 0;   ///< bits per cycle written outward; 0: `bandwidth`
  Int access_latency = 0;    ///< cycles before the first bit
  bool shared_port = false;  ///< operands take turns; otherwise each operand has its own port
  Int row = 0;               ///< bits of a row; each bank has one open row; 0: no rows
  Int banks = 1;
  Int activation_cycles = 0;     ///< cycles to open a row
  double activation_energy = 0;  ///< pJ to open a row

  friend constexpr bool operator==(const Memory&, const Memory&) = default;
};

struct Axis {
  Int size = 1;
  DimSet dims{};
  friend constexpr bool operator==(const Axis&, const Axis&) = default;
};

/// A value per memory and operand; zero if the operand does not use the memory.
template <typename T>
using PerMemoryOperand = std::array<std::array<T, operand_count>, max_memories>;

/// Factor of each dimension on each axis.
using SpatialFactors = std::array<Extents, max_axes>;

struct Hierarchy {
  FixedVector<Memory, max_memories> memories;  ///< outermost first
  FixedVector<Axis, max_axes> axes;            ///< outermost first

  /// Returns the home of an operand: its outermost memory, which has no capacity check.
  constexpr std::size_t home(Operand operand) const {
    std::size_t m = 0;
    while (!memories[m].operands.contains(operand)) ++m;
    return m;
  }
  /// Returns the memory that feeds the compute unit.
  constexpr std::size_t innermost(Operand operand) const {
    std::size_t m = memories.size() - 1;
    while (!memories[m].operands.contains(operand)) --m;
    return m;
  }
  friend constexpr bool operator==(const Hierarchy&, const Hierarchy&) = default;
};

}  // namespace nestor
