#include "mapper/cnm/map_cuts.h"

#include <algorithm>
#include <bit>
#include <map>

#include "base/checked.h"
#include "model/cnm/search/no_map.h"

namespace nestor::cnm {
namespace {

struct Cut {
  std::size_t dim = 0;
  Int full = 1;
  double bound = 0;    ///< picoseconds
  double between = 0;  ///< what the host takes for partial results of both parts
};

// What is known of a part of the kernel that was searched already.
struct Part {
  std::optional<CnmMap> map;
  double cost = no_cost;
  double bound = 0;  ///< if no map is known
};

class CutSearch {
 public:
  CutSearch(OneMapSearch& search, const Kernel& kernel, MapResult& result)
      : search_(search), kernel_(kernel), result_(result), least_slots_(kernel, search.system()) {
    const System& system = search.system();
    dpus_ = static_cast<double>(system.levels[0].size) * static_cast<double>(system.levels[1].size);
    const auto pair = checked_multiply(system.levels[0].size, system.levels[1].size);
    units_ = pair ? checked_multiply(*pair, system.levels[2].size).value_or(most_units) : most_units;
    if (!result.mapping.empty()) best_ = cost_of(result.time_ms);
  }

  // False, and nothing is known, if cuts are not worth a search.
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
    // A good cut first: one whose parts can be halved often.
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
  static constexpr Int most_units = Int{1} << 20;

  bool ended() const {
    return search_.stop().requested() || (cut_short_ && *cut_short_ != Status::gap_reached);
  }

  static int halvings(const Cut& cut) { return std::countr_zero(static_cast<std::uint64_t>(cut.full)); }

  Kernel part_of(std::size_t dim, Int extent) const {
    Kernel part = kernel_;
    part.extents[dim] = extent;
    return part;
  }

  bool may_be_mapped(std::size_t dim, Int extent) const {
    return find_unaligned_operand(part_of(dim, extent), search_.system()).empty();
  }

  double least_cost(std::size_t dim, Int extent) const {
    double points = 1;
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
      points *= static_cast<double>(d == dim ? extent : kernel_.extents[d]);
    const System& system = search_.system();
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
        CnmMap whole = single_unit(kernel_, search_.system().levels.size());
        between =
            search_.system().host.reduce_ns * static_cast<double>(output_elements(kernel_, whole)) * 1e3;
      }
      for (const Int each : full)
        if (may_be_mapped(dim, each) && may_be_mapped(dim, extent - each))
          cuts_.push_back(
              {dim, each, least_cost(dim, each) + least_cost(dim, extent - each) + between, between});
    }
    std::stable_sort(cuts_.begin(), cuts_.end(),
                     [](const Cut& a, const Cut& b) { return a.bound < b.bound; });
  }

  // The best map of a part, if it costs less than `limit`.
  const Part& solve_part(const Kernel& kernel, double limit) {
    Part& part = parts_[kernel.extents];
    if (part.map || part.bound >= limit || ended()) return part;
    auto found = search_.run(kernel, {}, {limit, std::nullopt}, false);
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

  // A lower bound on the cut if it may still hold something better than is known; otherwise no_cost.
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
    const auto estimate = estimate_kernel(kernel_, mapping, search_.system(), search_.library());
    if (!estimate.refusal.empty() || cost_of(estimate.time_ms) >= best_) return;
    best_ = cost_of(estimate.time_ms);
    result_.time_ms = estimate.time_ms;
    result_.mapping = std::move(mapping);
    result_.ties = Status::heuristic;
  }

  void finish(double open) {
    if (ended() || cut_short_) {
      if (open < best_) {
        result_.status = cut_short_.value_or(search_.stop().status());
        result_.bound_ms = std::min(result_.bound_ms > 0 ? result_.bound_ms : ms_of(open), ms_of(open));
      }
      return;
    }
    if (result_.mapping.size() < 2) return;
    result_.refusal.clear();
    result_.status = Status::optimal;
    result_.bound_ms = result_.time_ms;
  }

  OneMapSearch& search_;
  const Kernel& kernel_;
  MapResult& result_;
  LeastSlots least_slots_;
  double dpus_ = 1, best_ = no_cost;
  Int units_ = 1;
  std::optional<Status> cut_short_;
  std::vector<Cut> cuts_;
  std::map<std::vector<Int>, Part> parts_;  ///< by extents
};

}  // namespace

void map_cut(OneMapSearch& search, const Kernel& kernel, double least_gain, MapResult& result) {
  if (result.status != Status::optimal && result.status != Status::infeasible) return;
  if (CutSearch(search, kernel, result).run(least_gain)) result.searched = of_two_maps;
}

}  // namespace nestor::cnm
