#include "mapper/cnm/map_cuts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "base/checked.h"
#include "model/cnm/search/channel_bound.h"
#include "model/cnm/search/no_map.h"

namespace nestor::cnm {
namespace {

struct Cut {
  std::size_t dim = 0;
  Int full = 1;
  double bound = 0;    ///< lower bound on the cost of the cut, in picoseconds
  double between = 0;  ///< picoseconds in which the host adds the partial results of both parts
};

// Results for a part of the kernel.
struct Part {
  std::optional<CnmMap> map;
  double cost = no_cost;
  double bound = 0;  ///< lower bound on the cost of any map of the part
};

// Search for the best map of one part of a kernel.
class PartSearch {
 public:
  struct Found {
    Status status = Status::infeasible;
    std::optional<CnmMap> map;
    double cost = no_cost;
    double bound = 0;
  };

  virtual ~PartSearch() = default;
  virtual bool may_be_mapped(const Kernel& part) const = 0;
  /// Returns a safe lower bound on the cost of the part.
  virtual double least_cost(const Kernel& part) const = 0;
  /// Searches for the best map of the part among maps that cost less than `limit`. The status is `infeasible`
  /// if there is no such map.
  virtual Found run(const Kernel& part, double limit) = 0;
};

constexpr Int most_units = Int{1} << 20;

Int all_units(const System& system) {
  Int units = 1;
  for (std::size_t level = 0; level < 3; ++level)
    units = checked_multiply(units, system.levels[level].size).value_or(most_units);
  return std::min(units, most_units);
}

double points_of(const Kernel& kernel) {
  double points = 1;
  for (const Int extent : kernel.extents) points *= static_cast<double>(extent);
  return points;
}

class DpuParts final : public PartSearch {
 public:
  DpuParts(OneMapSearch& search, const Kernel& kernel)
      : search_(search),
        least_slots_(kernel, search.system()),
        dpus_(static_cast<double>(search.system().levels[0].size) *
              static_cast<double>(search.system().levels[1].size)) {}

  bool may_be_mapped(const Kernel& part) const override {
    return find_unaligned_operand(part, search_.system()).empty();
  }

  // Returns the least time, over all numbers of tasklets, of the issue slots for the points spread over all
  // DPUs, plus a launch. Rounding errors are less than the 2 ps subtracted.
  double least_cost(const Kernel& part) const override {
    const System& system = search_.system();
    const double points = points_of(part);
    double least = no_cost;
    for (Int t = 1; t <= system.levels[2].size; ++t) {
      const auto tasklets = static_cast<double>(t);
      const double each = std::max(1.0, points / dpus_ / tasklets);
      const double cycles =
          std::max(tasklets, static_cast<double>(system.gap)) * least_slots_.of_points(each);
      const double ms = host_time(system, t, HostWork{}).sum() + cycles_to_ms(system, cycles);
      least = std::min(least, cost_of(ms));
    }
    return std::max(0.0, least - 2);
  }

  Found run(const Kernel& part, double limit) override {
    auto found = search_.run(part, {}, {limit, std::nullopt}, false);
    return {found.status, std::move(found.map), found.cost, found.bound};
  }

 private:
  OneMapSearch& search_;
  LeastSlots least_slots_;
  double dpus_;
};

class ChannelParts final : public PartSearch {
 public:
  ChannelParts(const Kernel& kernel, const System& system, StopSource& stop, MapResult& result)
      : system_(system), stop_(stop), result_(result), form_(pim_form_of(kernel)) {}

  // A map spreads the points evenly over all blocks and lanes, so their number must divide the number of
  // points.
  bool may_be_mapped(const Kernel& part) const override {
    Int left = system_.levels[1].size * system_.levels[2].size;
    for (const Int extent : part.extents) left /= std::gcd(left, extent);
    return left == 1;
  }

  double least_cost(const Kernel& part) const override {
    const Int cycles = ChannelBound(part, form_, system_).of_units(part.extents, all_units(system_));
    return std::max(0.0, cost_of(cycles_to_ms(system_, static_cast<double>(cycles))) - 2);
  }

  Found run(const Kernel& part, double limit) override {
    auto found = channel_maps(part, system_, ChannelSpace::exact, 1, &stop_, limit - 1);
    result_.branches += found.cuts;
    result_.work += found.expanded;
    result_.estimates += found.estimates;
    Found best;
    if (!found.members.empty()) {
      best.map = std::move(found.members.front().map);
      best.cost = best.bound = found.members.front().cost;
      best.status = Status::optimal;
    }
    if (found.stopped) {
      best.status = stop_.requested() ? stop_.status() : Status::memory_limit;
      best.bound = std::max(0.0, std::min(best.cost, found.bound));
    }
    return best;
  }

 private:
  const System& system_;
  StopSource& stop_;
  MapResult& result_;
  PimForm form_;
};

class CutSearch {
 public:
  CutSearch(PartSearch& parts, const Kernel& kernel, const System& system, const Library& library,
            StopSource& stop, MapResult& result)
      : search_(parts),
        kernel_(kernel),
        system_(system),
        library_(library),
        stop_(stop),
        result_(result),
        units_(all_units(system)) {
    if (!result.mapping.empty()) best_ = cost_of(result.time_ms);
  }

  // Searches the cuts. Returns false, without a result, if a search is not worthwhile.
  bool run(double least_gain) {
    if (units_ >= most_units) return false;
    list_cuts();
    if (cuts_.empty() || best_ < least_gain * cuts_.front().bound) return false;
    double open = no_cost;
    const auto more = [&](const Cut& cut) {
      if (cut.bound >= best_) return false;
      if (ended()) open = std::min(open, cut.bound);
      return !ended();
    };
    // Promising cuts come first: cuts whose full part can be halved often.
    auto likely = cuts_;
    std::stable_sort(likely.begin(), likely.end(),
                     [](const Cut& a, const Cut& b) { return halvings(a) > halvings(b); });
    for (std::size_t i = 0; i < std::min(likely.size(), first_cuts); ++i)
      if (more(likely[i])) open = std::min(open, solve(likely[i]));
    for (const Cut& cut : cuts_)
      if (more(cut)) open = std::min(open, solve(cut));
    finish(open);
    return true;
  }

 private:
  static constexpr std::size_t first_cuts = 16;

  bool ended() const { return stop_.requested() || (cut_short_ && *cut_short_ != Status::gap_reached); }

  static int halvings(const Cut& cut) { return std::countr_zero(static_cast<std::uint64_t>(cut.full)); }

  Kernel part_of(std::size_t dim, Int extent) const {
    Kernel part = kernel_;
    part.extents[dim] = extent;
    return part;
  }

  double least_cost(std::size_t dim, Int extent) const { return search_.least_cost(part_of(dim, extent)); }

  void list_cuts() {
    for (std::size_t dim = 0; dim < kernel_.dim_count(); ++dim) {
      const Int extent = kernel_.extents[dim];
      std::vector<Int> full;
      for (Int units = 1; units <= std::min(units_, extent - 1); ++units)
        if (extent % units != 0) full.push_back(extent / units * units);
      std::sort(full.begin(), full.end());
      full.erase(std::unique(full.begin(), full.end()), full.end());
      double between = 0;
      if (kernel_.reduction[dim]) {
        const CnmMap whole = single_unit(kernel_, system_.levels.size());
        between = system_.host.reduce_ns * static_cast<double>(output_elements(kernel_, whole)) * 1e3;
      }
      for (const Int each : full)
        if (search_.may_be_mapped(part_of(dim, each)) && search_.may_be_mapped(part_of(dim, extent - each)))
          cuts_.push_back(
              {dim, each, least_cost(dim, each) + least_cost(dim, extent - each) + between, between});
    }
    std::stable_sort(cuts_.begin(), cuts_.end(),
                     [](const Cut& a, const Cut& b) { return a.bound < b.bound; });
  }

  // Returns the results for a part, of which only maps that cost less than `limit` matter. Searches the part
  // if no map is known, its bound is below `limit` and the run has not ended.
  const Part& solve_part(const Kernel& kernel, double limit) {
    Part& part = parts_[kernel.extents];
    if (part.map || part.bound >= limit || ended()) return part;
    auto found = search_.run(kernel, limit);
    part.bound = std::max(part.bound, found.bound);
    if (found.status != Status::optimal && found.status != Status::infeasible) {
      cut_short_ = found.status;
      if (!found.map) return part;
    }
    part.map = std::move(found.map);
    part.cost = part.map ? found.cost : no_cost;
    if (found.status == Status::infeasible) part.bound = limit;
    if (part.map) part.bound = found.status == Status::optimal ? part.cost : found.bound;
    return part;
  }

  // Returns a lower bound on the cut if the cut may still contain a better mapping, and otherwise no_cost.
  double solve(const Cut& cut) {
    const Int rest = kernel_.extents[cut.dim] - cut.full;
    const double of_rest = least_cost(cut.dim, rest);
    const Part full = solve_part(part_of(cut.dim, cut.full), best_ - cut.between - of_rest);
    if (full.bound + of_rest + cut.between >= best_) return no_cost;
    if (!full.map) return std::max(cut.bound, full.bound + of_rest + cut.between);
    const Part remainder = solve_part(part_of(cut.dim, rest), best_ - cut.between - full.bound);
    const double bound = full.bound + remainder.bound + cut.between;
    if (remainder.map) take(*full.map, *remainder.map);
    return bound < best_ - 2 ? bound : no_cost;
  }

  void take(CnmMap full, CnmMap rest) {
    full.name = "M1";
    rest.name = "M2";
    CnmMapping mapping = {std::move(full), std::move(rest)};
    const auto estimate = estimate_kernel(kernel_, mapping, system_, library_);
    if (!estimate.refusal.empty() || cost_of(estimate.time_ms) >= best_) return;
    best_ = cost_of(estimate.time_ms);
    result_.time_ms = estimate.time_ms;
    result_.mapping = std::move(mapping);
    result_.ties = Status::heuristic;
  }

  void finish(double open) {
    if (ended() || cut_short_) {
      if (open < best_) {
        result_.status = cut_short_.value_or(stop_.status());
        result_.bound_ms = std::min(result_.bound_ms > 0 ? result_.bound_ms : ms_of(open), ms_of(open));
      }
      return;
    }
    if (result_.mapping.size() < 2) return;
    result_.refusal.clear();
    result_.status = Status::optimal;
    result_.bound_ms = result_.time_ms;
  }

  PartSearch& search_;
  const Kernel& kernel_;
  const System& system_;
  const Library& library_;
  StopSource& stop_;
  MapResult& result_;
  Int units_;
  double best_ = no_cost;
  std::optional<Status> cut_short_;
  std::vector<Cut> cuts_;
  std::map<std::vector<Int>, Part> parts_;  ///< results of the parts searched so far, by extents
};

}  // namespace

void map_cut(OneMapSearch& search, const Kernel& kernel, double least_gain, MapResult& result) {
  if (result.status != Status::optimal && result.status != Status::infeasible) return;
  DpuParts parts(search, kernel);
  CutSearch cuts(parts, kernel, search.system(), search.library(), search.stop(), result);
  if (cuts.run(least_gain)) result.searched = of_two_maps;
}

void map_channel_cut(const Kernel& kernel, const System& system, const Library& library, StopSource& stop,
                     MapResult& result) {
  if (result.status != Status::optimal && result.status != Status::infeasible) return;
  ChannelParts parts(kernel, system, stop, result);
  if (CutSearch(parts, kernel, system, library, stop, result).run(1)) result.searched = of_two_channel_maps;
}

}  // namespace nestor::cnm
