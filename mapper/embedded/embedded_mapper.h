// SPDX-License-Identifier: Apache-2.0
// Mapper of one layer in memory that the caller provides: the exact search of the embedded profile. It runs
// in slices and may be suspended after any slice. It finds the same mapping for slices of any length and on
// any target.
//
// Order. Spatial choices are visited level by level. A level is a range of their trivial bounds (one MVM for
// each temporal step of the choice). The most promising choices thus come first, although nothing is sorted
// or stored. For each choice, loops are placed by a depth-first search (solver/search/depth_first.h) under
// the bounds of the operands' tables. The arena contains the tables of one choice at a time.
//
// A choice that does not fit in the arena is skipped, and a bound on it that needs no tables is recorded. The
// run then ends with `memory_limit`, the best mapping found, and a valid bound. The bound of a skipped choice
// is the greatest of several bounds: for all mappings, from the steps, from single operands, and, if the
// tables fit but the search does not, from the branch. More memory only adds bounds on a choice, and a
// completely searched choice needs no bound. More memory therefore never leads to a smaller bound (except by
// the factor 1e-9 within which doubles are treated as equal). To find a good mapping anyway, hill climbing
// (heuristics/cim/nest_climber.h) runs when memory runs out before a mapping is found, and again at the end.
//
// Slices. Each stage works in small pieces and may be suspended between any two of them
// (solver/search/slice.h).
#pragma once

#include <variant>

#include "base/arena.h"
#include "base/status.h"
#include "heuristics/cim/nest_climber.h"
#include "model/cim/search/admission.h"
#include "model/cim/search/branch.h"
#include "model/loopnest/search/choice_cursor.h"
#include "solver/search/depth_first.h"

namespace nestor::cim {

template <typename AnyBranch>
struct BranchSearch {
  AnyBranch branch;
  DepthFirst<AnyBranch> search;
};

// Searches that share the same storage. The climber runs when no other search is active.
using EmbeddedSearches =
    std::conditional_t<latency_only,
                       std::variant<BranchSearch<StallBranch>, BranchSearch<MiredoBranch>, NestClimber>,
                       std::variant<BranchSearch<StallBranch>, BranchSearch<MiredoBranch>,
                                    BranchSearch<EnergyBranch>, NestClimber>>;

class EmbeddedMapper {
 public:
  /// Prepares a search in `memory`. The mapper must not outlive `memory` and `problem`. The problem must have
  /// passed admit().
  EmbeddedMapper(const CimProblem& problem, std::span<std::byte> memory)
      : EmbeddedMapper(problem, Arena(memory)) {}
  EmbeddedMapper(const CimProblem& problem, const Arena& arena);
  EmbeddedMapper(const EmbeddedMapper&) = delete;
  EmbeddedMapper& operator=(const EmbeddedMapper&) = delete;

  using ChainLengths = std::array<std::size_t, operand_count>;  // number of memories of each operand
  /// Returns a workspace size that suffices for every spatial choice of a problem with this layer, memory
  /// chains of these lengths and all prime factors of the bounds.
  static std::size_t most_bytes(const LayerShape& layer, const ChainLengths& chains);

  /// Continues for `work` units (Slice), until `stop` is requested, until `most_nodes` labels have been
  /// expanded in total, or to the end of the search. Returns true if the search has ended.
  bool step(std::uint64_t work, const StopSignal* stop = nullptr,
            std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max());

  bool ended() const { return stage_ == Stage::ended; }
  /// Status of a search that has ended.
  Status status() const;
  bool found() const { return cost_ < no_cost; }
  Cost cost() const { return cost_; }
  /// Lower bound on the cost of any mapping; valid at any time.
  Cost bound() const;
  const Mapping& mapping() const { return mapping_; }
  std::uint64_t nodes() const { return nodes_; }
  /// Peak memory use in bytes.
  std::size_t peak_bytes() const { return arena_.peak(); }

 private:
  // `choosing` selects among the spatial choices of a level. For an opened choice, `filling` builds the
  // tables and `searching` places the loops; `bounding` computes a bound for a choice that does not fit.
  // `climbing` improves a mapping, or finds one, without tables.
  enum class Stage : std::uint8_t { choosing, filling, searching, bounding, climbing, ended };

  void prepare_search();
  void choose(Slice& slice);
  bool may_climb() const;
  void begin_climb();
  void climb(std::uint64_t most_nodes, Slice& slice);
  bool reaches_choice(Slice& slice);
  bool is_choice(bool& opens);
  void begin_level();
  void begin_operands(Stage stage);
  void fill_tables(Slice& slice);
  void find_bound(Slice& slice);
  Cost bound_without_tables();
  void open_branch();
  template <typename AnySearch>
  Stage open_branch(AnySearch& search, const Placement::Tables& tables);
  void search(std::uint64_t most_nodes, Slice& slice);
  Cost cut() const;

  // Small members come first, where short instructions can address them.
  const CimProblem& problem_;
  Arena arena_;
  std::size_t mark_ = 0;  // mark at which the memory for one choice begins
  Cost least_additive_ = 0;
  Cost floor_ = 0;  // lower bound on the cost of any mapping

  Cost cost_ = no_cost;
  Cost aim_ = no_cost;    // cost that the search of a choice must beat
  Cost level_ = 0;        // start of the level: all choices with smaller bounds are finished
  Cost level_end_ = 0;    // end of the level: bounds in this pass are smaller
  Cost next_level_ = 0;   // least bound at or above level_end_ in this pass so far
  Cost passed_over_ = 0;  // least bound of skipped choices
  std::uint64_t nodes_ = 0;
  std::uint32_t looked_at_ = 0;
  Stage stage_ = Stage::choosing;
  bool symmetric_ = false;
  bool all_seen_ = false;  // true if no choice is left to visit
  bool climbed_ = false;   // true if climbing cannot improve the current mapping
  bool at_choice_ = false;

  // For the choice being opened or bounded: the current operand and its progress.
  std::uint8_t operand_ = 0;
  bool begun_ = false;
  Int steps_ = 0;               // temporal steps of the choice
  Cost choice_bound_ = 0;       // greatest known bound of the choice
  RemainingTransfers outlook_;  // results of find_bound() for the operands so far
  Cost outlook_additive_ = 0;
  Int waits_ = 0;
  std::array<Int, operand_count> accessed_{};
  OperandTable::Progress filled_;
  OperandTable::Least least_;

  Lattices lattices_;
  ChoiceCursor cursor_;
  std::array<OperandTable, operand_count> tables_;
  EmbeddedSearches search_;
  Mapping mapping_;
};

}  // namespace nestor::cim
