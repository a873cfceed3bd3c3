// Mappings of a kernel onto UPMEM, as a space that the engine searches (docs/models/cnm.md, "Map"). A branch
// is a cut, which fixes the split of each dim over ranks, DPUs and tasklets; blocks and loop orders remain
// open.
//
// Safety of pruning: the bounds of a program (engine.h: slots of all tasklets, time of the DMA engine, one
// tasklet alone) are valid for every run. Before a program exists, lower bounds replace them: every point
// needs the region's operations, loads and the least possible addressing. Every tile of an input is read at
// least once in each step of the dims that it uses. Launch and host reduction depend on the branch alone.
// Only those host transfers are included that no block and order can avoid. Therefore, no member costs less
// than the bound of its branch, of its block, or of its program.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>

#include "base/tables/hash_table.h"
#include "model/cnm/estimate/estimate_kernel.h"
#include "model/cnm/estimate_batch.h"
#include "model/cnm/form_program.h"
#include "model/cnm/map_judge.h"
#include "model/cnm/search/least_slots.h"
#include "solver/engine/concepts.h"

namespace nestor::cnm {

/// Returns a cost in whole picoseconds, which doubles represent exactly up to hours.
double cost_of(double time_ms);
constexpr double ms_of(double cost) { return cost / 1e9; }

struct MemberCost {
  CnmMap map;
  double cost = no_cost;
};

/// Cycles of all maps with the same work of a tasklet and the same block and order.
struct FormCycles {
  CnmMap map;
  double cycles = 0;
};

/// True if `a` precedes `b` in the order of ties: fewer DPUs, fewer tasklets, then the least tuples, block
/// and order.
bool precedes(const CnmMap& a, const CnmMap& b);

/// Splits that a space includes. Unless transfers are included in the cost, only the product of ranks and
/// DPUs matters. For the best mapping, one split of this product over the two levels suffices: the first in
/// the order of ties.
enum class SplitsKept : std::uint8_t { one_of_each, all };

/// Returns the limits up to which extents may grow: each by this percentage, rounded down to whole elements.
std::vector<Int> grown_extents(const std::vector<Int>& extents, double pad_percent);

/// Selection of a space's members.
struct Members {
  SplitsKept kept = SplitsKept::one_of_each;
  std::vector<Int> most{};  ///< largest allowed extents; empty if they may not grow
  double limit = no_cost;   ///< cuts with a bound above this are omitted
};

/// Tools with which one thread writes and estimates programs. Forms that differ only in trips are most
/// efficiently estimated together.
struct FormTools {
  FormWriter writer;
  EstimateBatch batch;
};

class MapSpace {
 public:
  using Solution = CnmMap;
  class Run;

  /// Without `memory`, memory is unlimited. `stop` ends the listing of branches. `memory` must outlive the
  /// space.
  MapSpace(const Kernel& kernel, const System& system, const Library& library, const Members& members,
           MemoryBudget* memory = nullptr, const StopSignal* stop = nullptr);

  /// False if there are too many branches for the memory or the listing, or if the listing was stopped.
  bool complete() const { return complete_; }
  /// True if there was not enough memory for a branch or a program; a search then stops.
  bool short_of_memory() const { return short_of_memory_.load(std::memory_order_relaxed); }
  std::size_t branch_count() const { return branches_.size(); }
  double branch_bound(std::size_t branch) const { return branches_[branch].bound; }
  std::unique_ptr<Run> open(std::size_t branch, HostStorage storage);

  /// Returns the branches in the order of ties: fewer DPUs, fewer tasklets, the least tuples.
  std::vector<std::size_t> branches_by_preference() const;
  /// Visits every legal member of a branch with a cost of at most `limit`, in the order of ties, with its
  /// exact cost. Stops when `visit` returns false.
  template <typename Visit>
  bool each_member(std::size_t branch, const double& limit, Visit visit);
  /// Returns the forms of all legal members whose bounds do not exceed `limit`. Each form is listed once,
  /// forms of the same work are adjacent, and the order depends on the space alone.
  std::vector<FormCycles> forms_within(double limit);

  CnmMap map_of(std::size_t branch) const;
  /// Returns the key of everything on which a program depends, except block and order. Maps with the same
  /// work of a tasklet have equal keys.
  std::string work_of_tasklet(const CnmMap& map) const;
  /// Adds the program of a map with block and order to the batch. Returns false if the program is known to be
  /// illegal without a run.
  bool add_program(FormTools& tools, const CnmMap& map) { return work_out(tools, map, true).legal; }
  bool is_legal(FormTools& tools, const CnmMap& map) { return work_out(tools, map, false).legal; }
  FormTools form_tools() const { return {FormWriter(kernel_, system_), EstimateBatch(system_)}; }
  /// Returns the host time of a map without block and order: a lower bound for all its members.
  double host_ms(const CnmMap& map) const;
  /// True if members of one cut may differ in host time.
  bool host_varies() const;
  /// Returns the host time of a map with block and order; `of_cut` is the host time of its cut.
  double host_of_member(const CnmMap& map, double of_cut) const;
  /// Returns a cost in whole picoseconds.
  double cost(double cycles, double host) const;
  void list_blocks(const CnmMap& map, std::vector<std::vector<Int>>& blocks) const;
  std::vector<std::vector<std::size_t>> orders_of(const CnmMap& map) const;
  /// Returns a lower bound in cycles on all programs of the map's block, regardless of the order.
  double block_bound(const CnmMap& map) const { return block_time(map).cycles; }
  /// Returns cost functions for the construction of a first mapping; library calls are not supported.
  MapJudge judge();
  /// Returns the number of programs whose cycles were estimated.
  std::uint64_t estimates() const { return estimates_; }

 private:
  friend class Run;
  struct Branch {
    std::uint32_t rank = 0, dpu = 0, tasklet = 0;
    /// Index of the branch's combination of local extents, with the last dim varying fastest.
    std::uint32_t growth = 0;
    double bound = 0;
  };
  /// Known properties of a program.
  struct Known {
    bool legal = false;
    double bound = 0;    ///< lower bound in cycles
    double cycles = -1;  ///< negative if not estimated
  };
  using TupleList = std::vector<std::vector<Int>>;
  /// Lower bounds in cycles.
  struct BlockTime {
    double cycles = 0;
    double engine = 0;  ///< cycles of the DMA engine for all tasklets
  };

  /// Local extents that are possible for a number of parts of a dim; none if `first` is above `last`.
  struct Range {
    Int first = 1, last = 0;
    Int count() const { return std::max<Int>(0, last - first + 1); }
  };
  Range locals_of(std::size_t dim, Int parts) const {
    return {ceil_divide(kernel_.extents[dim], parts), most_[dim] / parts};
  }
  void set_locals(CnmMap& map, std::uint32_t growth) const;
  std::vector<Int> factors_up_to(std::size_t dim, Int size) const;
  TupleList tuples_of_level(Int size) const;
  void add_branches(const Members& members, const StopSignal* stop);
  void add_locals(CnmMap& map, Branch branch, double limit);
  double least_cycles(double points, double tasklets) const;
  BlockTime block_time(const CnmMap& map) const;
  bool fits_scratchpad(Int tasklets, const std::vector<Int>& block) const;
  std::string key_of(const CnmMap& map) const;
  static std::size_t bytes_of_program(const std::string& key);
  /// Returns the program's bound and, if `estimated`, its cycles.
  Known known(const CnmMap& map, bool estimated);
  template <typename Visit>
  bool each_open(std::size_t branch, const double& limit, Visit visit);
  Known work_out(FormTools& tools, const CnmMap& map, bool to_batch);

  const Kernel& kernel_;
  const System& system_;
  const Library& library_;
  const std::vector<Int> most_;  ///< largest allowed extents
  MemoryBudget unlimited_{std::numeric_limits<std::size_t>::max()};
  MemoryCharge of_branches_, of_programs_;
  std::atomic<bool> short_of_memory_ = false;
  TupleList ranks_, dpus_, tasklets_;
  std::vector<Branch> branches_;
  bool complete_ = true;
  LeastSlots least_slots_;
  std::mutex mutex_;
  HashMap<std::string, Known> programs_;
  std::uint64_t estimates_ = 0;
};

/// Search of one branch: blocks in the order of their bounds, then orders, then estimates.
class MapSpace::Run {
 public:
  Run(MapSpace& space, std::size_t branch, HostStorage storage);

  SearchEnd advance(double target, double cut, const SearchBudget& budget);
  SearchEnd dive(double cut, const SearchBudget& budget);
  double least_open() const;
  bool untouched() const { return counts_.expanded == 0 && best_cost_ == no_cost; }
  double best_cost() const { return best_cost_; }
  const CnmMap& solution() const { return best_; }
  SearchCounts counts() const { return counts_; }

 private:
  struct Item {
    double bound = 0;
    std::uint32_t block = 0;
    std::int32_t order = -1;  ///< -1 for all orders
    bool operator<(const Item& other) const {
      return std::tie(bound, block, order) > std::tie(other.bound, other.block, other.order);
    }
  };
  // start(), expand() and push() return false if memory is short.
  bool start();
  bool expand(const Item& item, double cut);
  bool push(Item item, double cut);
  Item pop();

  MapSpace& space_;
  CnmMap map_;
  double host_ = 0;
  double root_bound_ = 0;
  bool started_ = false;
  std::vector<std::vector<Int>> blocks_;
  std::vector<std::vector<std::size_t>> orders_;
  MemoryCharge of_lists_;
  BudgetedArray<Item> open_;  // a heap, least item first
  double least_cut_ = no_cost;
  double best_cost_ = no_cost;
  CnmMap best_;
  SearchCounts counts_;
};

// Visits every legal member that bounds do not prune, with the host time of its cut.
template <typename Visit>
bool MapSpace::each_open(std::size_t branch, const double& limit, Visit visit) {
  CnmMap map = map_of(branch);
  const double host = host_ms(map);
  std::vector<std::vector<Int>> blocks;
  list_blocks(map, blocks);
  const auto orders = orders_of(map);
  for (auto& block : blocks) {
    map.block = block;
    if (cost(block_bound(map), host) - 1 > limit) continue;
    for (const auto& order : orders) {
      map.order = order;
      const Known bound = known(map, false);
      if (!bound.legal || cost(bound.bound, host) - 1 > limit) continue;
      if (!visit(map, host)) return false;
    }
  }
  return true;
}

template <typename Visit>
bool MapSpace::each_member(std::size_t branch, const double& limit, Visit visit) {
  return each_open(branch, limit, [&](const CnmMap& map, double host) {
    const Known estimated = known(map, true);
    if (!estimated.legal) return true;
    const double exact = cost(estimated.cycles, host_of_member(map, host));
    return exact > limit || visit(map, exact);
  });
}

}  // namespace nestor::cnm
