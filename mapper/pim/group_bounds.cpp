#include "mapper/pim/group_bounds.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "model/loopnest/space/table_cache.h"
#include "model/pim/search/branch.h"

namespace nestor::mapper::pim {
namespace {

using nestor::pim::PimBranch;
using nestor::pim::PimProblem;
using Cache = TableCache<nestor::pim::TransferTables, HostStorage>;

constexpr std::size_t groups_at_once = 64;
constexpr std::uint64_t most_work_of_a_group = 20000;

struct Group {
  SpatialChoice choice;
  std::vector<std::size_t> members;
};

// Returns the choices below the cutoff by group, in the order of the list, or nothing if memory is short.
std::vector<Group> groups_of(const GroupedSpace& space, double cutoff, MemoryCharge& charge) {
  constexpr std::size_t bytes_of_group = 2 * sizeof(Group) + sizeof(SpatialChoice);  // with its place below
  constexpr std::size_t bytes_of_member = 3 * sizeof(std::size_t);                   // while a vector grows
  std::map<SpatialChoice, std::size_t> place;
  std::vector<Group> groups;
  std::size_t members = 0;
  for (std::size_t i = 0; i < space.branch_count(); ++i) {
    if (space.branch_bound(i) >= cutoff) continue;
    const auto group = nestor::pim::group_of(space.problem(), space.choices().choice(i));
    if (!group) return {};
    const auto [at, is_new] = place.emplace(*group, groups.size());
    if (is_new) groups.push_back({*group, {}});
    groups[at->second].members.push_back(i);
    if (!charge.raise_to(groups.size() * bytes_of_group + ++members * bytes_of_member)) return {};
  }
  return groups;
}

// Returns the problem without rows, whose number depends on the part of a tensor in each lane outside DRAM.
PimProblem without_rows(const PimProblem& problem) {
  PimProblem rowless = problem;
  for (const Operand operand : all_operands) rowless.machine.memories[rowless.machine.home(operand)].row = 0;
  return rowless;
}

// Computes the bounds of a group's members.
class GroupTable {
 public:
  GroupTable(const PimProblem& problem, const GroupedSpace& space, Cache& cache, MemoryBudget& memory)
      : problem_(problem), choices_(space.choices()), cache_(cache), storage_(memory), lattices_(storage_) {}

  /// Returns one bound per member, or nothing if memory is short. `work` receives the work.
  std::vector<double> bounds(const Group& group, double cutoff, std::uint64_t& work) {
    work = 1;
    if (!prepare(group.choice)) return {};
    std::vector<Int> latencies;
    for (const std::size_t i : group.members)
      latencies.push_back(nestor::pim::least_latency(problem_, choices_.steps(i)));
    const Int least = *std::min_element(latencies.begin(), latencies.end());
    const double limit = branch_.energy_of_cost(cutoff, least);
    std::size_t bytes = branch_.own_table_bytes();
    if (bytes == 0) return {};
    HostStorage::Array<double> energies(storage_);
    if (!energies.resize(branch_.start_count(), 0)) return {};
    for (std::uint64_t filled = 0; filled == 0; bytes *= 2) {
      HostStorage::Bytes table(storage_);
      if (!table.allocate(bytes)) return {};
      Arena arena = table.arena();
      filled = branch_.fill_starts(limit, {.most = most_work_of_a_group}, arena,
                                   {energies.begin(), energies.end()});
      work = std::max(work, filled);
    }
    std::vector<double> bounds;
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      Extents temporal;
      for (std::size_t d = 0; d < dim_count; ++d)
        temporal[d] = choices_.lattices()[d].remaining(choices_.choice(group.members[m]).used(d));
      bounds.push_back(branch_.combine(latencies[m], energies[branch_.start_of(temporal)]));
    }
    return bounds;
  }

 private:
  bool prepare(const SpatialChoice& choice) {
    if (!lattices_.allocate(choices_.lattice_bytes())) return false;
    PimBranch::Tables tables{};
    for (const Operand operand : all_operands) {
      auto& table = tables_[index_of(operand)];
      table = cache_.get(nestor::pim::make_setup(problem_, choices_.lattices(), choice, operand), storage_);
      if (!table) return false;
      tables[index_of(operand)] = table.get();
    }
    Arena arena = lattices_.arena();
    return branch_.prepare(problem_, choices_.lattices(), choice, tables, arena) == BranchSetup::ready;
  }

  const PimProblem& problem_;
  const ChoiceList& choices_;
  Cache& cache_;
  HostStorage storage_;
  HostStorage::Bytes lattices_;
  std::array<std::shared_ptr<const nestor::pim::TransferTable>, operand_count> tables_;
  PimBranch branch_;
};

}  // namespace

std::uint64_t raise_group_bounds(GroupedSpace& space, double cutoff, std::uint64_t most_work,
                                 Executor& executor, MemoryBudget& memory, const StopSignal& stop) {
  MemoryCharge charge(memory);
  const std::vector<Group> groups = groups_of(space, cutoff, charge);
  const PimProblem problem = without_rows(space.problem());
  Cache cache(problem);
  std::uint64_t done = 0;
  for (std::size_t first = 0; first < groups.size(); first += groups_at_once) {
    const std::size_t count = std::min(groups_at_once, groups.size() - first);
    std::vector<std::vector<double>> bounds(count);
    std::vector<std::uint64_t> work(count);
    executor.run(count, [&](std::size_t i) {
      if (!stop.requested())
        bounds[i] = GroupTable(problem, space, cache, memory).bounds(groups[first + i], cutoff, work[i]);
    });
    const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t{0});
    if (stop.requested()) return done;
    if (all > most_work - done) return most_work;
    done += all;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t m = 0; m < bounds[i].size(); ++m)
        space.raise_bound(groups[first + i].members[m], bounds[i][m]);
  }
  return done;
}

}  // namespace nestor::mapper::pim
