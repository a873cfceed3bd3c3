// SPDX-License-Identifier: Apache-2.0
// One layer mapped in memory that the caller gives: the exact search of the embedded profile. It runs in
// slices, may be left after any of them, and finds the same mapping whatever their lengths and whatever the
// target.
//
// Order. Spatial choices come in levels of their trivial bound (the steps that a choice leaves, an MVM each),
// so that the most promising come first and nothing is sorted or stored. Below a choice, loops are placed by
// a depth-first search (solver/search/depth_first.h) under the bounds of the operands' tables, which are
// built in the arena for one choice at a time.
//
// What does not fit the arena is passed over with a bound kept that needs no tables: then the run ends with
// `memory_limit`, the best mapping found, and a bound that still holds. A choice is passed over with the
// greatest bound known of it: that of all mappings, of the steps, of operands alone, and, where tables fit
// but no search does, of the branch. More memory adds bounds of a choice and takes none away, and a choice
// that is searched to its end has none. So a search that ends in more memory never states a lower bound (but
// by 1e-9 of it, within which costs of doubles count as equal). So that there is one, and a good one, the
// search is helped out by a climb (heuristics/cim/nest_climber.h) when memory falls short before it has a
// mapping, and once more at its end.
//
// Slices. Each stage works in small pieces and may be left between any two of them (solver/search/slice.h).
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

// What takes turns in the same place. The climb comes when no search is under way.
using EmbeddedSearches =
    std::conditional_t<latency_only,
                       std::variant<BranchSearch<StallBranch>, BranchSearch<MiredoBranch>, NestClimber>,
                       std::variant<BranchSearch<StallBranch>, BranchSearch<MiredoBranch>,
                                    BranchSearch<EnergyBranch>, NestClimber>>;

class EmbeddedMapper {
 public:
  /// Prepares a search in `memory`, which must outlive it. What admit() refuses must not come here.
  EmbeddedMapper(const CimProblem& problem, std::span<std::byte> memory)
      : EmbeddedMapper(problem, Arena(memory)) {}
  EmbeddedMapper(const CimProblem& problem, const Arena& arena);
  EmbeddedMapper(const EmbeddedMapper&) = delete;
  EmbeddedMapper& operator=(const EmbeddedMapper&) = delete;

  /// A workspace of this size is enough for every choice of such a problem with full prime factors.
  using ChainLengths = std::array<std::size_t, operand_count>;  // memories of each operand
  static std::size_t most_bytes(const LayerShape& layer, const ChainLengths& chains);

  /// Goes on for `work` units (Slice), until `stop` asks it to end, until `most_nodes` labels were expanded
  /// in all, or to the end; true at the end.
  bool step(std::uint64_t work, const StopSignal* stop = nullptr,
            std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max());

  bool ended() const { return stage_ == Stage::ended; }
  /// Of a search that has ended.
  Status status() const;
  bool found() const { return cost_ < no_cost; }
  Cost cost() const { return cost_; }
  /// No mapping costs less. It holds at any time.
  Cost bound() const;
  const Mapping& mapping() const { return mapping_; }
  std::uint64_t nodes() const { return nodes_; }
  /// The most bytes of the memory that were in use.
  std::size_t peak_bytes() const { return arena_.peak(); }

 private:
  // choosing: looks at the spatial choices of a level. Of one that is opened: `filling` builds the tables,
  // `searching` places its loops; `bounding` is for one that does not fit.
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

  // What is small comes first: the shortest instructions reach it.
  const CimProblem& problem_;
  Arena arena_;
  std::size_t mark_ = 0;  // where the memory of one choice begins
  Cost least_additive_ = 0;
  Cost floor_ = 0;  // what every mapping costs at least

  Cost cost_ = no_cost;
  Cost aim_ = no_cost;    // what the search below a choice must beat
  Cost level_ = 0;        // choices bounded below it have been searched
  Cost level_end_ = 0;    // those up to here belong to this pass
  Cost next_level_ = 0;   // the least bound at or above level_end_
  Cost passed_over_ = 0;  // the least bound of what did not fit
  std::uint64_t nodes_ = 0;
  std::uint32_t looked_at_ = 0;
  Stage stage_ = Stage::choosing;
  bool symmetric_ = false;
  bool all_seen_ = false;  // no choice is left
  bool climbed_ = false;   // from the mapping at hand there is no way up
  bool at_choice_ = false;

  // Of the choice being opened or bounded: the operand that is worked on, and how far.
  std::uint8_t operand_ = 0;
  bool begun_ = false;
  Int steps_ = 0;          // that it leaves
  Cost choice_bound_ = 0;  // the greatest bound known of it
  Outlook outlook_;        // what bounding has found of the operands so far
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
