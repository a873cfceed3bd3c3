// A machine as a hierarchy of memories and spatial axes above a compute array (model-cim, section 2), in
// plain fixed-capacity data. Memories and axes refer to each other by position: an axis lies below every
// memory listed before it. Names live in workload/named_architecture.h.
#pragma once

#include <limits>

#include "base/fixed_vector.h"
#include "model/loopnest/dims.h"

namespace nestor {

inline constexpr std::size_t max_memories = 16;
inline constexpr std::size_t max_axes = 8;
inline constexpr Int unlimited_capacity = std::numeric_limits<Int>::max();

struct Memory {
  OperandSet operands{};
  Int capacity = unlimited_capacity;  ///< bits
  Int bandwidth = 1;                  ///< bits per cycle
  bool double_buffer = false;         ///< may be double-buffered, chosen per operand
  double read_energy = 0;             ///< pJ per bit
  double write_energy = 0;            ///< pJ per bit
  std::uint8_t axes_above = 0;        ///< axes [0, axes_above) are listed before this memory
  friend constexpr bool operator==(const Memory&, const Memory&) = default;
};

struct Axis {
  Int size = 1;
  DimSet dims{};
  friend constexpr bool operator==(const Axis&, const Axis&) = default;
};

struct Architecture {
  FixedVector<Memory, max_memories> memories;  ///< outermost first
  FixedVector<Axis, max_axes> axes;            ///< outermost first
  Int mvm_cycles = 1;
  double mac_energy = 0;  ///< pJ per multiply-accumulate
  double leakage = 0;     ///< pJ per cycle
  double clock = 0;       ///< Hz; 0 when not given

  /// The outermost memory of an operand: its home, without capacity check.
  constexpr std::size_t home(Operand operand) const {
    std::size_t m = 0;
    while (!memories[m].operands.contains(operand)) ++m;
    return m;
  }
  /// The memory that feeds the compute array.
  constexpr std::size_t innermost(Operand operand) const {
    std::size_t m = memories.size() - 1;
    while (!memories[m].operands.contains(operand)) --m;
    return m;
  }
  friend constexpr bool operator==(const Architecture&, const Architecture&) = default;
};

}  // namespace nestor
