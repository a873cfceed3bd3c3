// SPDX-License-Identifier: Apache-2.0
// Mapper of one layer in memory that the caller provides: the exact search of the embedded profile. It runs
// in slices and may be suspended after any of them. It finds the same mapping for any lengths of slices and
// on any target.
//
// Order. Spatial choices come in levels of their trivial bound (the steps that a choice leaves, an MVM each).
// The most promising thus come first, and nothing is sorted or stored. For each choice, loops are placed by a
// depth-first search (solver/search/depth_first.h) under the bounds of the operands' tables. The arena holds
// the tables of one choice at a time.
//
// A choice that does not fit the arena is skipped. A bound on it that needs no tables is kept. The run then
// ends with `memory_limit`, the best mapping found, and a bound that still holds. The bound of a skipped
// choice is the greatest of those known: for all mappings, from the steps, from single operands, and, if
// tables fit but no search does, from the branch. More memory only adds bounds of a choice, and a choice that
// is searched completely has none. So more memory never leads to a smaller bound (except by 1e-9 of it,
// within which costs of doubles count as equal). To find a good mapping anyway, a climb
// (heuristics/cim/nest_climber.h) runs when memory is short before a mapping is found, and again at the end.
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

// Searches that share the same storage. The climb runs when no other search is active.
using EmbeddedSearches =
    std::conditional_t<latency_only,
                       std::variant<BranchSearch<StallBranch>, BranchSearch<MiredoBranch>, NestClimber>,
                       std::variant<BranchSearch<StallBranch>, BranchSearch<MiredoBranch>,
                                    BranchSearch<EnergyBranch>, NestClimber>>;

class EmbeddedMapper {
 public:
  /// Prepares a search in `memory`, which must outlive it. The problem must have passed admit().
  EmbeddedMapper(const CimProblem& problem, std::span<std::byte> memory)
      : EmbeddedMapper(problem, Arena(memory)) {}
  EmbeddedMapper(const CimProblem& problem, const Arena& arena);
  EmbeddedMapper(const EmbeddedMapper&) = delete;
  EmbeddedMapper& operator=(const EmbeddedMapper&) = delete;

  /// Returns a workspace size that suffices for every choice of such a problem with full prime factors.
  using ChainLengths = std::array<std::size_t, operand_count>;  // number of memories of each operand
  static std::size_t most_bytes(const LayerShape& layer, const ChainLengths& chains);

  /// Continues for `work` units (Slice), until `stop` requests an end, until `most_nodes` labels were
  /// expanded in total, or to the end. Returns true at the end.
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
  // choosing: selects among the spatial choices of a level. For an opened choice, `filling` builds the
  // tables, and `searching` places its loops; `bounding` is for one that does not fit.
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

  // Small members come first, where the shortest instructions reach them.
  const CimProblem& problem_;
  Arena arena_;
  std::size_t mark_ = 0;  // start of the memory of one choice
  Cost least_additive_ = 0;
  Cost floor_ = 0;  // least cost of any mapping

  Cost cost_ = no_cost;
  Cost aim_ = no_cost;    // cost that the search of a choice must beat
  Cost level_ = 0;        // choices with smaller bounds have been searched
  Cost level_end_ = 0;    // end of the bounds of this pass
  Cost next_level_ = 0;   // least bound at or above level_end_
  Cost passed_over_ = 0;  // least bound of skipped choices
  std::uint64_t nodes_ = 0;
  std::uint32_t looked_at_ = 0;
  Stage stage_ = Stage::choosing;
  bool symmetric_ = false;
  bool all_seen_ = false;  // no choice is left
  bool climbed_ = false;   // the current mapping cannot be improved by a climb
  bool at_choice_ = false;

  // For the choice being opened or bounded: the current operand and its progress.
  std::uint8_t operand_ = 0;
  bool begun_ = false;
  Int steps_ = 0;          // temporal steps of the choice
  Cost choice_bound_ = 0;  // greatest known bound of the choice
  Outlook outlook_;        // results of bounding for the operands so far
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
