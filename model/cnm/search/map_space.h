// The mappings of a kernel onto UPMEM as a space that the engine searches (docs/models/cnm.md, "Map"). A
// branch fixes how every dim is cut over ranks, DPUs and tasklets; in a branch, blocks and orders of loops
// are open.
//
// Why pruning is safe. The bounds of a program (engine.h: slots of all tasklets, the DMA engine's time, one
// tasklet alone) hold for every run. Before a program exists they are taken from below: every point needs the
// region's operations, loads and the least addressing there is; every tile of an input is read at least once
// in each step of the dims it uses. Launch and host reduction depend on the branch alone; of transfers by the
// host those are counted that block and order cannot spare. So a member never costs less than the bound of
// its branch, of its block, or of its program.
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

/// Costs are whole picoseconds, as doubles: exact up to hours.
double cost_of(double time_ms);
constexpr double ms_of(double cost) { return cost / 1e9; }

struct MemberCost {
  CnmMap map;
  double cost = no_cost;
};

/// What every map takes that leaves a tasklet the same work, with the same block and order.
struct FormCycles {
  CnmMap map;
  double cycles = 0;
};

/// Fewer DPUs, fewer tasklets, then the least tuples, block and order.
bool precedes(const CnmMap& a, const CnmMap& b);

/// Ranks and DPUs count only by what they make together, unless transfers are counted: of the ways to split
/// it over the two levels, the first in the order of ties is enough for the best.
enum class SplitsKept : std::uint8_t { one_of_each, all };

/// How far the extents of a kernel may grow: by so many per cent each, in whole elements.
std::vector<Int> grown_extents(const std::vector<Int>& extents, double pad_percent);

/// Which members a space has.
struct Members {
  SplitsKept kept = SplitsKept::one_of_each;
  std::vector<Int> most{};  ///< how far extents may grow; empty: not at all
  double limit = no_cost;   ///< cuts that cost more by their bound alone are left out
};

/// What one thread writes and estimates programs with. Forms that differ in trips alone are best estimated
/// together.
struct FormTools {
  FormWriter writer;
  EstimateBatch batch;
};

class MapSpace {
 public:
  using Solution = CnmMap;
  class Run;

  /// Without `memory`, all memory may be used; it and `stop`, which ends the listing, outlive the space.
  MapSpace(const Kernel& kernel, const System& system, const Library& library, const Members& members,
           MemoryBudget* memory = nullptr, const StopSignal* stop = nullptr);

  /// False if there are more branches than memory allows, or it was stopped.
  bool complete() const { return complete_; }
  /// Whether a branch or a program had no room: a search ends then.
  bool short_of_memory() const { return short_of_memory_.load(std::memory_order_relaxed); }
  std::size_t branch_count() const { return branches_.size(); }
  double branch_bound(std::size_t branch) const { return branches_[branch].bound; }
  std::unique_ptr<Run> open(std::size_t branch, HostStorage storage);

  /// Branches in the order of ties: fewer DPUs, fewer tasklets, the least tuples.
  std::vector<std::size_t> branches_by_preference() const;
  /// Every legal member of a branch that may cost at most `limit`, in the order of ties, with its exact cost.
  /// Stops when `visit` gives false.
  template <typename Visit>
  bool each_member(std::size_t branch, const double& limit, Visit visit);
  /// The forms of all legal members that no bound shows to cost more than `limit`: each once, those of one
  /// work together, in an order that depends on the space alone.
  std::vector<FormCycles> forms_within(double limit);

  CnmMap map_of(std::size_t branch) const;
  /// What a program depends on besides block and order: equal for maps that leave a tasklet the same work.
  std::string work_of_tasklet(const CnmMap& map) const;
  /// Adds the program of a map with block and order to the batch; false if it is not legal, as far as the
  /// machine says without running it.
  bool add_program(FormTools& tools, const CnmMap& map) { return work_out(tools, map, true).legal; }
  bool is_legal(FormTools& tools, const CnmMap& map) { return work_out(tools, map, false).legal; }
  FormTools form_tools() const { return {FormWriter(kernel_, system_), EstimateBatch(system_)}; }
  /// Of a map without block and order: no more than any of its members has.
  double host_ms(const CnmMap& map) const;
  /// Whether members of a cut differ in it.
  bool host_varies() const;
  /// Of a map with block and order, once that of its cut is known.
  double host_of_member(const CnmMap& map, double of_cut) const;
  /// Whole picoseconds.
  double cost(double cycles, double host) const;
  void list_blocks(const CnmMap& map, std::vector<std::vector<Int>>& blocks) const;
  std::vector<std::vector<std::size_t>> orders_of(const CnmMap& map) const;
  /// Cycles that no program of the map's block needs less than, whatever the order.
  double block_bound(const CnmMap& map) const { return block_time(map).cycles; }
  /// For a first mapping; not for library calls.
  MapJudge judge();
  std::uint64_t estimates() const { return estimates_; }

 private:
  friend class Run;
  struct Branch {
    std::uint32_t rank = 0, dpu = 0, tasklet = 0;
    std::uint32_t growth = 0;  ///< which of the local extents that the parts allow, the last dim fastest
    double bound = 0;
  };
  /// What a program costs, whoever runs it.
  struct Known {
    bool legal = false;
    double bound = 0;  ///< cycles
    double cycles = -1;
  };
  using TupleList = std::vector<std::vector<Int>>;
  /// From below, in cycles.
  struct BlockTime {
    double cycles = 0;
    double engine = 0;  ///< of all tasklets
  };

  /// Local extents that parts of a dim allow: none if the first is above the last.
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
  /// The program's bound, and its cycles if they are wanted.
  Known known(const CnmMap& map, bool estimated);
  template <typename Visit>
  bool each_open(std::size_t branch, const double& limit, Visit visit);
  Known work_out(FormTools& tools, const CnmMap& map, bool to_batch);

  const Kernel& kernel_;
  const System& system_;
  const Library& library_;
  const std::vector<Int> most_;  ///< extents
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

/// The search of one branch: blocks in the order of their bounds, then orders, then estimates.
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
    std::int32_t order = -1;  ///< -1: all of them
    bool operator<(const Item& other) const {
      return std::tie(bound, block, order) > std::tie(other.bound, other.block, other.order);
    }
  };
  // These give false if memory is short.
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
  BudgetedArray<Item> open_;  // a heap, the least first
  double least_cut_ = no_cost;
  double best_cost_ = no_cost;
  CnmMap best_;
  SearchCounts counts_;
};

// Every legal member that bounds do not close, with the host's part of its cut.
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
