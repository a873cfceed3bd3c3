// One layer mapped in memory that the caller gives: the exact search of the embedded profile. It runs in
// slices, may be left after any of them, and finds the same mapping whatever their lengths and whatever the
// target.
//
// Order. Spatial choices come in levels of their trivial bound (the steps that a choice leaves, an MVM each),
// so that the most promising come first and nothing is sorted or stored. Below a choice, loops are placed by
// a depth-first search (solver/search/depth_first.h) under the bounds of the operands' tables, which are
// built in the arena for one choice at a time.
//
// What does not fit the arena is passed over with its bound kept: then the run ends with `memory_limit`, the
// best mapping found, and a bound that still holds. So that there is one, and a good one, the search is
// helped out by a climb (heuristics/cim/nest_climber.h) when memory falls short before it has a mapping, and
// once more at its end.
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

  /// A workspace of this size is enough for every choice of the problem.
  static std::size_t most_bytes(const CimProblem& problem);

  /// Goes on for `nodes` labels, until `stop` asks it to, or to the end; true at the end.
  bool step(std::uint64_t nodes, const StopSignal* stop = nullptr);

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
  enum class Stage : std::uint8_t { choosing, searching, climbing, ended };

  void prepare_search();
  std::uint64_t choose();
  bool may_climb() const;
  void begin_climb();
  std::uint64_t climb(std::uint64_t nodes);
  bool next_choice(bool& opens);
  bool begin_level();
  Cost trivial_bound() const;
  bool open_branch();
  template <typename AnySearch>
  bool open_branch(AnySearch& search, const Placement::Tables& tables);
  void pass_over(Cost bound);
  Cost cut() const;

  const CimProblem& problem_;
  Arena arena_;
  std::size_t mark_ = 0;  // where the memory of one choice begins
  Lattices lattices_;
  Cost least_additive_ = 0;
  bool symmetric_ = false;

  Stage stage_ = Stage::choosing;
  bool all_seen_ = false;  // no choice is left
  bool climbed_ = false;   // from the mapping at hand there is no way up
  ChoiceCursor cursor_;
  bool at_choice_ = false;
  std::uint32_t looked_at_ = 0;
  Cost level_ = 0;        // choices bounded below it have been searched
  Cost level_end_ = 0;    // those up to here belong to this pass
  Cost next_level_ = 0;   // the least bound at or above level_end_
  Cost passed_over_ = 0;  // the least bound of what did not fit

  std::array<OperandTable, operand_count> tables_;
  EmbeddedSearches search_;
  Mapping mapping_;
  Cost cost_ = no_cost;
  Cost aim_ = no_cost;  // what the search below a choice must beat
  std::uint64_t nodes_ = 0;
};

}  // namespace nestor::cim
