// States that can be completed with few copies, computed backward from the end for the exact search. A *need*
// specifies which values a completion requires in which arrays, after a set of gates is computed. The table
// contains, level by level, the least needs of all completions with 0, 1, 2, ... copies. A state that meets
// no need of the complete levels requires more copies than these levels have. A state that meets a need
// requires at least as many copies as the first level with such a need (docs/models/simd.md, section 5).
//
// Needs are derived backward from the end. A compute of g in A replaces the need of g in A by needs of its
// fanins there (5.3). A copy of v from B to A replaces the need of v in A by one in B, or by nothing if v is
// also needed elsewhere or is an input (5.4). Arrays that begin empty are interchangeable. The condition that
// outputs are stored at the end is ignored. An output may be anywhere, and a need for each possible place
// would cost more than it saves.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tables/hash_table.h"
#include "model/simd/search/machine_sets.h"
#include "model/simd/stop.h"

namespace nestor::simd {

class CompletionTable {
 public:
  /// Considers completions of schedules with fewer than `below` copies in total.
  CompletionTable(const MachineSets& machine, std::uint32_t below) : machine_(machine), below_(below) {
    machine_.must_stay = 0;
    add({machine_.all_gates, {}}, 0);
  }

  /// Adds levels until none is left, the initial state meets a need, `patience` states were found, or the
  /// computation is stopped. The needs of an incomplete last level remain in the table, since they claim no
  /// more copies than that level has.
  void grow(std::size_t patience, const Stop& stop = {});

  /// Returns a lower bound on the copies of any completion of this state, or `below` if no schedule with
  /// fewer copies contains the state.
  std::uint32_t at_least(ValueSet computed, const MachineSets::Contents& held) const;
  /// Number of complete levels.
  std::uint32_t levels() const { return levels_; }
  std::size_t needs() const { return needs_; }
  std::size_t bytes() const;

 private:
  /// Needs after the gates of `computed` have run.
  struct State {
    ValueSet computed = 0;
    MachineSets::Contents need{};
    bool operator==(const State&) const = default;
    template <typename H>
    friend H AbslHashValue(H hash, const State& s) {  // NOLINT(readability-identifier-naming): Abseil's name
      hash = H::combine(std::move(hash), s.computed);
      for (const ValueSet needed : s.need) hash = H::combine(std::move(hash), needed);
      return hash;
    }
  };
  struct Need {
    MachineSets::Contents in;
    ValueSet anywhere = 0;  ///< union over all arrays
    std::uint32_t copies = 0;
  };

  bool close(std::vector<State>& states, const Stop& stop);
  void before_copies(const State& state);
  void before_computes(const State& state);
  void before_compute(State state, std::uint32_t gate, std::size_t array);
  void add(State state, std::uint32_t copies);
  std::uint32_t copies_before(const State& state) const;
  bool is_known(const State& state) const;
  bool repeats_empty(const State& state, std::size_t array) const;
  bool has_room(const State& state, std::size_t array) const;
  bool meets(const Need& need, const MachineSets::Contents& held) const;
  bool meets_alike(const Need& need, const MachineSets::Contents& held, std::size_t array,
                   std::uint32_t taken) const;

  MachineSets machine_;
  std::uint32_t below_;
  std::uint32_t levels_ = 0;
  bool exhausted_ = false;  ///< true if no further level has states
  std::size_t patience_ = 0, needs_ = 0;
  std::vector<std::vector<std::vector<State>>> open_;  ///< per level and number of computed gates
  HashSet<State> seen_;
  HashMap<ValueSet, std::vector<Need>> needs_of_;  ///< per set of computed gates, by level
};

}  // namespace nestor::simd
