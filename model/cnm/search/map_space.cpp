#include "model/cnm/search/map_space.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace nestor::cnm {
namespace {

constexpr std::size_t most_branches = 20'000'000;
constexpr std::size_t most_tuples = 200'000;

void divisors_below(Int number, Int limit, std::vector<Int>& divisors) {
  for (Int d = 1; d <= limit && d * d <= number; ++d) {
    if (number % d != 0) continue;
    divisors.push_back(d);
    if (number / d != d && number / d <= limit) divisors.push_back(number / d);
  }
  std::sort(divisors.begin(), divisors.end());
}

}  // namespace

double cost_of(double time_ms) { return std::floor(time_ms * 1e9 + 0.5); }

bool precedes(const CnmMap& a, const CnmMap& b) {
  const auto dpus = [](const CnmMap& map) { return map.parts(0) * map.parts(1); };
  if (dpus(a) != dpus(b)) return dpus(a) < dpus(b);
  const Int tasklets_a = a.parts(a.tuples.size() - 2), tasklets_b = b.parts(b.tuples.size() - 2);
  if (tasklets_a != tasklets_b) return tasklets_a < tasklets_b;
  return std::tie(a.tuples, a.block, a.order) < std::tie(b.tuples, b.block, b.order);
}

std::vector<Int> grown_extents(const std::vector<Int>& extents, double pad_percent) {
  std::vector<Int> most;
  for (const Int extent : extents) {
    const double growth = std::floor(static_cast<double>(extent) * pad_percent / 100 + 1e-9);
    most.push_back(std::min(max_count, extent + static_cast<Int>(growth)));
  }
  return most;
}

MapSpace::MapSpace(const Kernel& kernel, const System& system, const Library& library, const Members& members,
                   MemoryBudget* memory, const StopSignal* stop)
    : kernel_(kernel),
      system_(system),
      library_(library),
      most_(members.most.empty() ? kernel.extents : members.most),
      of_branches_(memory != nullptr ? *memory : unlimited_),
      of_programs_(memory != nullptr ? *memory : unlimited_),
      least_slots_(kernel, system) {
  ranks_ = tuples_of_level(system.levels[0].size);
  dpus_ = tuples_of_level(system.levels[1].size);
  tasklets_ = tuples_of_level(system.levels[2].size);
  add_branches(members, stop);
}

// Returns the numbers of parts into which an allowed extent of the dim can be divided.
std::vector<Int> MapSpace::factors_up_to(std::size_t dim, Int size) const {
  std::vector<Int> factors;
  if (most_[dim] == kernel_.extents[dim]) {
    divisors_below(most_[dim], size, factors);
    return factors;
  }
  for (Int parts = 1; parts <= std::min(size, most_[dim]); ++parts)
    if (locals_of(dim, parts).count() > 0) factors.push_back(parts);
  return factors;
}

// Returns all splits of the dims into at most `size` parts, in lexicographic order, but at most most_tuples.
MapSpace::TupleList MapSpace::tuples_of_level(Int size) const {
  TupleList list;
  std::vector<std::vector<Int>> factors;
  for (std::size_t d = 0; d < kernel_.dim_count(); ++d) factors.push_back(factors_up_to(d, size));
  std::vector<Int> tuple;
  const auto extend = [&](const auto& self, Int left) -> void {
    if (list.size() >= most_tuples) return;
    if (tuple.size() == factors.size()) {
      list.push_back(tuple);
      return;
    }
    for (const Int factor : factors[tuple.size()]) {
      if (factor > left) break;
      tuple.push_back(factor);
      self(self, left / factor);
      tuple.pop_back();
    }
  };
  extend(extend, size);
  return list;
}

void MapSpace::set_locals(CnmMap& map, std::uint32_t growth) const {
  auto& local = map.tuples[3];
  local.assign(kernel_.dim_count(), 1);
  for (std::size_t d = local.size(); d-- > 0;) {
    const auto range = locals_of(d, map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d]);
    local[d] = range.first + growth % range.count();
    growth /= static_cast<std::uint32_t>(range.count());
  }
}

CnmMap MapSpace::map_of(std::size_t branch) const {
  const Branch& b = branches_[branch];
  CnmMap map;
  map.tuples = {ranks_[b.rank], dpus_[b.dpu], tasklets_[b.tasklet], {}};
  set_locals(map, b.growth);
  return map;
}

double MapSpace::host_ms(const CnmMap& map) const {
  return host_time(system_, tasklets_of(map), host_work(kernel_, map, system_, library_)).sum();
}

bool MapSpace::host_varies() const { return system_.host.to_gbs > 0 || system_.host.from_gbs > 0; }

double MapSpace::host_of_member(const CnmMap& map, double of_cut) const {
  return host_varies() ? host_ms(map) : of_cut;
}

double MapSpace::cost(double cycles, double host) const {
  return cost_of(cycles_to_ms(system_, cycles) + host);
}

// Returns a bound for this number of points per tasklet: the larger of the bounds from the slots of all
// tasklets and from one tasklet alone.
double MapSpace::least_cycles(double points, double tasklets) const {
  return std::max(tasklets, static_cast<double>(system_.gap)) * least_slots_.of_points(points);
}

void MapSpace::add_branches(const Members& members, const StopSignal* stop) {
  complete_ = ranks_.size() < most_tuples && dpus_.size() < most_tuples && tasklets_.size() < most_tuples;
  const std::size_t dims = kernel_.dim_count();
  CnmMap map;
  map.tuples.assign(4, std::vector<Int>(dims, 1));
  const bool one = members.kept == SplitsKept::one_of_each && !host_varies();
  HashSet<std::vector<Int>> seen;  // number of parts of each dim on both levels together
  std::vector<Int> together(dims, 1);
  const double launch = host_time(system_, 1, HostWork{}).sum();
  for (std::uint32_t r = 0; r < ranks_.size() && complete_; ++r) {
    map.tuples[0] = ranks_[r];
    for (std::uint32_t d = 0; d < dpus_.size() && complete_; ++d) {
      map.tuples[1] = dpus_[d];
      double points = 1;
      for (std::size_t i = 0; i < dims; ++i) {
        together[i] = ranks_[r][i] * dpus_[d][i];
        points *= static_cast<double>(ceil_divide(kernel_.extents[i], together[i]));
      }
      if (one && !seen.insert(together).second) continue;
      if (stop != nullptr && stop->requested()) complete_ = false;
      if (cost(points * least_slots_.of_point(), launch) - 1 > members.limit) continue;
      for (std::uint32_t t = 0; t < tasklets_.size() && complete_; ++t) {
        map.tuples[2] = tasklets_[t];
        add_locals(map, {.rank = r, .dpu = d, .tasklet = t}, members.limit);
      }
    }
  }
}

// Adds a branch for each combination of local extents that the map's parts allow, if its bound is within
// `limit`.
void MapSpace::add_locals(CnmMap& map, Branch branch, double limit) {
  Int count = 1;
  double points = 1;
  for (std::size_t d = 0; d < kernel_.dim_count(); ++d) {
    const auto range = locals_of(d, map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d]);
    if (range.count() == 0) return;
    count = std::min<Int>(checked_multiply(count, range.count()).value_or(most_branches), most_branches);
    points *= static_cast<double>(range.first);
  }
  const auto tasklets = static_cast<double>(tasklets_of(map));
  if (cost(least_cycles(points, tasklets), 0) - 1 > limit) return;
  for (branch.growth = 0; branch.growth < count; ++branch.growth) {
    set_locals(map, branch.growth);
    if (kernel_.library_call.empty()) {
      const auto bytes = operand_bytes_in_dpu(kernel_, map);
      if (!bytes || *bytes >= system_.mram_capacity) continue;
    }
    points = 1;
    for (const Int local : map.local()) points *= static_cast<double>(local);
    branch.bound = std::max(0.0, cost(least_cycles(points, tasklets), host_ms(map)) - 1);
    if (branch.bound > limit) continue;
    if (branches_.size() == branches_.capacity())
      short_of_memory_ = !of_branches_.raise_to(3 * branches_.size() * sizeof(Branch));
    complete_ = branches_.size() < most_branches && !short_of_memory();
    if (!complete_) return;
    branches_.push_back(branch);
  }
}

std::vector<std::size_t> MapSpace::branches_by_preference() const {
  std::vector<std::size_t> order(branches_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto product = [](const std::vector<Int>& tuple) {
    return std::accumulate(tuple.begin(), tuple.end(), Int{1}, std::multiplies<>());
  };
  const auto rank_of = [&](std::size_t i) {
    const Branch& b = branches_[i];
    // The lists are in lexicographic order, so their indices have the same order as the tuples.
    return std::make_tuple(product(ranks_[b.rank]) * product(dpus_[b.dpu]), product(tasklets_[b.tasklet]),
                           b.rank, b.dpu, b.tasklet, b.growth);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rank_of(a) < rank_of(b); });
  return order;
}

bool MapSpace::fits_scratchpad(Int tasklets, const std::vector<Int>& block) const {
  const Int room = (system_.wram.capacity - system_.wram.reserved) / tasklets - system_.wram.stack;
  Int bytes = 0;
  for (const KernelOperand& operand : kernel_.operands) {
    Int elements = 1;
    for (const AffineExpr& expr : operand.map) elements *= reach(expr, block);
    bytes += (elements * bytes_of(operand.type) + 7) / 8 * 8;
    if (bytes > room) return false;
  }
  return true;
}

// Lists, in lexicographic order, the blocks whose buffers fit the scratchpad and whose inputs the engine can
// transfer. For a library call, only the size of a request limits the blocks.
void MapSpace::list_blocks(const CnmMap& map, std::vector<std::vector<Int>>& blocks) const {
  const Int tasklets = tasklets_of(map);
  std::vector<Int> block(kernel_.dim_count(), 1);
  const bool library = !kernel_.library_call.empty();
  const auto transferable = [&] {
    for (const KernelOperand& operand : kernel_.operands) {
      if (operand.output) continue;
      Int run = 1;
      for (std::size_t k = operand.map.size(); k-- > 0;) {
        const Int extent = reach(operand.map[k], block);
        run *= extent;
        if (extent != reach(operand.map[k], map.local())) break;
      }
      const Int bytes = run * bytes_of(operand.type);
      if (bytes < system_.dma.min_bytes || bytes % system_.dma.align != 0) return false;
    }
    return true;
  };
  const auto extend = [&](const auto& self, std::size_t dim) -> void {
    if (dim == block.size()) {
      if (library || transferable()) blocks.push_back(block);
      return;
    }
    std::vector<Int> divisors;
    divisors_below(map.local()[dim], map.local()[dim], divisors);
    for (const Int d : divisors) {
      block[dim] = d;
      if (!library && !fits_scratchpad(tasklets, block)) break;  // larger blocks take at least as much memory
      if (library && d * bytes_of(kernel_.operands[0].type) > system_.dma.max_bytes) break;
      self(self, dim + 1);
    }
    block[dim] = 1;
  };
  extend(extend, 0);
}

// Returns lower bounds in cycles that are valid for all orders of loops. They include the slots of all
// points, and one read of each input tile in each step of the dims that the input uses.
MapSpace::BlockTime MapSpace::block_time(const CnmMap& map) const {
  if (!kernel_.library_call.empty()) return {};
  double slots = least_slots_.of_block(map.local(), map.block);
  double engine = 0, waits = 0;
  const TransferTime& time = system_.dma.read;
  for (const KernelOperand& operand : kernel_.operands) {
    if (operand.output) continue;
    double visits = 1;
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
      if (operand.uses(d)) {
        const Int blocks = map.local()[d] / map.block[d];
        visits *= static_cast<double>(blocks);
      }
    Int run = 1, rows = 1;
    bool broken = false;
    for (std::size_t k = operand.map.size(); k-- > 0;) {
      const Int extent = reach(operand.map[k], map.block);
      (broken ? rows : run) *= extent;
      broken |= extent != reach(operand.map[k], map.local());
    }
    const Int bytes = run * bytes_of(operand.type);
    const Int pieces = ceil_divide(bytes, system_.dma.max_bytes);
    const double requests = visits * static_cast<double>(rows * pieces);
    // Rounding a piece to whole cycles may lose half a cycle.
    const double busy = std::max(0.0, time.setup - 0.5) +
                        time.per_byte * static_cast<double>(bytes) / static_cast<double>(pieces);
    slots += 2 * requests;
    engine += requests * busy;
    waits += requests * std::max(0.0, busy + static_cast<double>(return_cycles(time) - system_.gap));
  }
  const auto tasklets = static_cast<double>(tasklets_of(map));
  const double transfers = tasklets * engine / static_cast<double>(ports_of(system_.dma, tasklets_of(map)));
  return {std::max({tasklets * slots, transfers, static_cast<double>(system_.gap) * slots + waits}),
          transfers};
}

MapJudge MapSpace::judge() {
  MapJudge judge;
  judge.outlook = [this](const CnmMap& map) {
    MapJudge::RemainingTransfers outlook;
    for (std::size_t level = 0; level < system_.levels.size(); ++level)
      if (map.parts(level) > system_.levels[level].size) return outlook;
    if (!fits_scratchpad(tasklets_of(map), map.block)) return outlook;
    const BlockTime time = block_time(map);
    outlook.cost = cost(time.cycles, host_ms(map));
    outlook.transfers = time.engine;
    return outlook;
  };
  judge.cost = [this](const CnmMap& map) {
    const Known known = this->known(map, true);
    return known.legal ? cost(known.cycles, host_ms(map)) : no_cost;
  };
  return judge;
}

std::vector<std::vector<std::size_t>> MapSpace::orders_of(const CnmMap& map) const {
  std::vector<std::size_t> open, rest;
  for (std::size_t d = 0; d < kernel_.dim_count(); ++d) (map.local()[d] > 1 ? open : rest).push_back(d);
  std::vector<std::vector<std::size_t>> orders;
  do {
    orders.push_back(open);
    orders.back().insert(orders.back().end(), rest.begin(), rest.end());
  } while (std::next_permutation(open.begin(), open.end()));
  return orders;
}

}  // namespace nestor::cnm
