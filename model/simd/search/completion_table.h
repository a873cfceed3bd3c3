// States that can be completed with few copies, computed backward from the end for the exact search. A *need*
// is what a completion asks of the contents of the arrays once a set of gates is computed: which values in
// which arrays. The table holds, level by level, the least needs of all completions of 0, 1, 2, ... copies. A
// state that holds none of the needs of the complete levels takes more copies than those, and one that holds
// a need takes at least as many as the first level that has one (docs/models/simd.md, section 5).
//
// Needs grow from the end backwards. A compute of g in A replaces the need of g in A by needs of its fanins
// there (5.3); a copy of v from B to A replaces the need of v in A by one in B, or by nothing where v is
// needed elsewhere, too, or is an input (5.4). Arrays that begin empty are alike. That outputs must be stored
// at the end is left out: they could lie anywhere, and with every place for them there are far more needs
// than help.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tables/hash_table.h"
#include "model/simd/search/machine_sets.h"
#include "model/simd/stop.h"

namespace nestor::simd {

class CompletionTable {
 public:
  /// Of completions of schedules of fewer than `below` copies in all.
  CompletionTable(const MachineSets& machine, std::uint32_t below) : machine_(machine), below_(below) {
    machine_.must_stay = 0;
    add({machine_.all_gates, {}}, 0);
  }

  /// Adds levels as long as there are fewer than `patience` needs and it is not stopped. What a last level
  /// that is not complete has found is kept: it claims no more than that level's number.
  void grow(std::size_t patience, const Stop& stop = {});

  /// Copies that a completion of this state takes at least; as many as `below` if no schedule of fewer copies
  /// leads through it.
  std::uint32_t at_least(ValueSet computed, const MachineSets::Contents& held) const;
  /// Levels that are complete.
  std::uint32_t levels() const { return levels_; }
  std::size_t needs() const { return needs_; }
  std::size_t bytes() const;

 private:
  /// What is needed once `computed` is.
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
    ValueSet anywhere = 0;  ///< the union
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
  bool exhausted_ = false;  ///< no completion has more copies than the levels there are
  std::size_t patience_ = 0, needs_ = 0;
  std::vector<std::vector<std::vector<State>>> open_;  ///< per level and number of computed gates
  HashSet<State> seen_;
  HashMap<ValueSet, std::vector<Need>> needs_of_;  ///< per set of computed gates, by level
};

}  // namespace nestor::simd
