// Lower bound for the exact search: copies that any schedule requires because arrays have few rows. Every
// remaining gate runs in some array. The values that it reads must be copied there, unless they were computed
// or already stored there and could stay. For one array with its current contents and a set of gates, trying
// every order and every choice of values to evict finds the fewest copies into the array. The bound is the
// least sum over all ways to divide the gates among the arrays. It ignores the times at which values of other
// arrays are available, and the rows for values that are evicted (docs/models/simd.md, section 5).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tables/hash_table.h"
#include "model/simd/search/machine_sets.h"
#include "model/simd/stop.h"

namespace nestor::simd {

class LoadBound {
 public:
  /// Maximum number of gates; more gates would have too many subsets.
  static constexpr std::uint32_t most_gates = 16;

  /// Examines at most `patience` cases of one array. Returns nothing if these do not suffice, if the machine
  /// has too many gates or no array that begins empty, or if the computation was stopped.
  static std::optional<LoadBound> make(const MachineSets& machine, std::size_t patience,
                                       const Stop& stop = {});

  /// Returns a lower bound by (5.2) on the copies of any completion of this state, or `enough` if the bound
  /// is at least `enough`.
  std::uint32_t at_least(ValueSet computed, const MachineSets::Contents& held, std::uint32_t enough);
  /// Returns the maximum memory for cached cases.
  std::size_t bytes() const { return patience_ * bytes_a_case; }
  static constexpr std::size_t bytes_a_case = 80;

 private:
  using Gates = std::uint32_t;              ///< one bit per gate
  using Costs = std::vector<std::uint8_t>;  ///< by set of gates
  static constexpr std::uint8_t unlimited = 100;

  /// State of one array: gates to run there, its contents, and the values that only it stores and only it
  /// will read.
  struct Case {
    Gates gates = 0;
    ValueSet held = 0, own = 0;
    bool operator==(const Case&) const = default;
    template <typename H>
    friend H AbslHashValue(H hash, const Case& c) {  // NOLINT(readability-identifier-naming): Abseil's name
      return H::combine(std::move(hash), c.gates, c.held, c.own);
    }
  };
  /// A class of interchangeable arrays: those that began empty, or a single one that holds inputs.
  struct Kind {
    ValueSet home = 0;
    std::uint32_t capacity = 0;
    HashMap<Case, std::uint8_t> loads;
  };

  explicit LoadBound(const MachineSets& machine);
  bool divide_among_empty(const Stop& stop);
  std::uint8_t loads(Kind& kind, Case now);  ///< (5.1), cached
  std::uint8_t least_of(Kind& kind, const Case& now);
  std::uint8_t loads_if_next(Kind& kind, const Case& now, std::uint32_t gate);
  ValueSet read_by(Gates gates) const;
  ValueSet bit_of(std::uint32_t gate) const { return MachineSets::bit(machine_.inputs + gate); }
  Gates gates_of(ValueSet values) const { return static_cast<Gates>(values >> machine_.inputs); }

  MachineSets machine_;
  std::size_t patience_ = 0, cases_ = 0;
  std::vector<Gates> before_;  ///< per gate: all gates on which it depends
  std::vector<Kind> kinds_;    ///< arrays that hold inputs, then those that begin empty
  Costs empty_;                ///< costs of sets divided among any number of empty arrays
  Costs sum_, next_;           ///< scratch space of at_least
};

}  // namespace nestor::simd
