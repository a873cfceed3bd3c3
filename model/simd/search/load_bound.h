// Copies that the arrays' room costs whatever the schedule does: a lower bound for the exact search. Every
// gate that is still to come will run in some array, and what an array's gates read must be brought there
// unless it was made or lay there and could stay. For one array, a set of gates and what the array holds
// now, the fewest copies into it are found by trying every order and everything that could be given up; the
// least sum over all ways to divide the gates among the arrays is the bound. What it leaves out is when
// values of other arrays are there, and where there is room for what is given up (docs/models/simd.md,
// section 5).
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
  /// Of more gates there are too many sets.
  static constexpr std::uint32_t most_gates = 16;

  /// Looks at `patience` cases of one array at most; nothing if these are too few, or it was stopped.
  static std::optional<LoadBound> make(const MachineSets& machine, std::size_t patience,
                                       const Stop& stop = {});

  /// Copies that a completion of this state takes at least, by (5.2); `enough` if that is as much.
  std::uint32_t at_least(ValueSet computed, const MachineSets::Contents& held, std::uint32_t enough);
  /// Of all that it may come to remember.
  std::size_t bytes() const { return patience_ * bytes_a_case; }
  static constexpr std::size_t bytes_a_case = 80;

 private:
  using Gates = std::uint32_t;              ///< a bit for each
  using Costs = std::vector<std::uint8_t>;  ///< of sets of gates
  static constexpr std::uint8_t endless = 100;

  /// Of one array: gates to run there, what it holds, and which of that only it does, and only it will read.
  struct Case {
    Gates gates = 0;
    ValueSet held = 0, own = 0;
    bool operator==(const Case&) const = default;
    template <typename H>
    friend H AbslHashValue(H hash, const Case& c) {  // NOLINT(readability-identifier-naming): Abseil's name
      return H::combine(std::move(hash), c.gates, c.held, c.own);
    }
  };
  /// Arrays alike: those that began empty, or one that holds inputs.
  struct Kind {
    ValueSet home = 0;
    std::uint32_t capacity = 0;
    HashMap<Case, std::uint8_t> loads;
  };

  explicit LoadBound(const MachineSets& machine);
  bool divide_among_empty(const Stop& stop);
  std::uint8_t loads(Kind& kind, Case now);  ///< (5.1), remembered
  std::uint8_t least_of(Kind& kind, const Case& now);
  std::uint8_t loads_if_next(Kind& kind, const Case& now, std::uint32_t gate);
  ValueSet read_by(Gates gates) const;
  ValueSet bit_of(std::uint32_t gate) const { return MachineSets::bit(machine_.inputs + gate); }
  Gates gates_of(ValueSet values) const { return static_cast<Gates>(values >> machine_.inputs); }

  MachineSets machine_;
  std::size_t patience_ = 0, cases_ = 0;
  std::vector<Gates> before_;  ///< per gate: all it depends on
  std::vector<Kind> kinds_;    ///< arrays that hold inputs, then those that begin empty
  Costs empty_;                ///< of any number of arrays that hold nothing
  Costs sum_, next_;           ///< room for at_least
};

}  // namespace nestor::simd
