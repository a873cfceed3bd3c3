// A small problem represented by sets of values, one bit per value: the properties of a netlist and its
// machine that the exact search (exact_branch.h) and its table of completions (completion_table.h) use.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "model/simd/problem.h"

namespace nestor::simd {

using ValueSet = std::uint64_t;

inline std::uint32_t count(ValueSet set) { return static_cast<std::uint32_t>(std::popcount(set)); }

struct MachineSets {
  static constexpr std::size_t most_arrays = 12;
  static constexpr std::uint32_t most_values = 64;
  /// Values in each array, except inputs in their home arrays.
  using Contents = std::array<ValueSet, most_arrays>;

  explicit MachineSets(const ScheduleProblem& problem);
  /// Sets the number of arrays and all values that depend on it. Must be called before they are used.
  void set_arrays(const ScheduleProblem& problem, std::uint8_t count);

  static constexpr ValueSet bit(std::uint32_t value) { return ValueSet{1} << value; }
  ValueSet all_inputs() const { return bit(inputs) - 1; }  // fewer than 64 inputs, since there is a gate
  ValueSet fanins_of(std::uint32_t value) const { return fanins[value - inputs]; }
  /// Returns the values that later gates read, and the outputs computed so far.
  ValueSet needed(ValueSet computed) const;
  /// Index of the first array that began empty.
  std::size_t first_alike() const { return std::min<std::size_t>(home_arrays, arrays); }
  /// Sorts arrays that began empty, largest set first, since all their orders are equivalent. Calls `swapped`
  /// for each pair of neighbours that is swapped.
  template <typename Swapped>
  void sort_alike(Contents& contents, Swapped&& swapped) const {
    const std::size_t first = first_alike();
    for (std::size_t i = first + 1; i < arrays; ++i)
      for (std::size_t at = i; at > first && contents[at] > contents[at - 1]; --at) {
        std::swap(contents[at], contents[at - 1]);
        swapped(at - 1);
      }
  }

  std::uint8_t arrays = 0;
  std::uint32_t home_arrays = 0, gates = 0, inputs = 0;
  ValueSet all_gates = 0, must_stay = 0;
  ValueSet stuck_inputs = 0;  ///< inputs in arrays without a free row for computing
  std::array<ValueSet, most_arrays> home{};
  std::array<std::uint32_t, most_arrays> capacity{};
  std::vector<ValueSet> fanins;   ///< per gate: its fanins
  std::vector<ValueSet> readers;  ///< per value: values of the gates that read it
};

}  // namespace nestor::simd
