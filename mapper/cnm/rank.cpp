#include "mapper/cnm/rank.h"

#include <algorithm>

#include "model/cnm/search/channel_maps.h"
#include "solver/engine/stop_source.h"

namespace nestor::cnm {
namespace {

constexpr std::size_t bytes_of_a_line = 128;  // one entry of a ranking, with its map

/// Stores the best `count` of the added members.
class Best {
 public:
  explicit Best(std::size_t count) : count_(count) {}

  /// Returns the cost above which members are dropped.
  double limit() const { return limit_; }
  /// Returns the cost of the worst member, or limit() if there is no member. Requires that trim() was called
  /// last.
  double last() const { return members_.empty() ? limit_ : members_.back().cost; }
  void add(const CnmMap& map, double cost) {
    members_.push_back({map, cost});
    if (members_.size() >= 2 * count_ + 64) trim();
  }
  void trim() {
    std::sort(members_.begin(), members_.end(), [](const MemberCost& a, const MemberCost& b) {
      return a.cost != b.cost ? a.cost < b.cost : precedes(a.map, b.map);
    });
    if (members_.size() < count_) return;
    members_.resize(count_);
    limit_ = members_.back().cost;
  }
  std::vector<MemberCost> take() { return std::move(members_); }

 private:
  std::size_t count_;
  double limit_ = no_cost;
  std::vector<MemberCost> members_;
};

void add_members(MapSpace& space, Best& best, const StopSignal& stop) {
  auto branches = space.branches_by_preference();
  std::stable_sort(branches.begin(), branches.end(), [&](std::size_t a, std::size_t b) {
    return space.branch_bound(a) < space.branch_bound(b);
  });
  for (const std::size_t branch : branches) {
    if (space.branch_bound(branch) > best.limit() || stop.requested()) return;
    space.each_member(branch, best.limit(), [&](const CnmMap& member, double cost) {
      best.add(member, cost);
      return !stop.requested();
    });
    best.trim();
  }
}

}  // namespace

std::optional<std::vector<RankedMap>> rank_best(const Kernel& kernel, const System& system,
                                                const Library& library, std::size_t count,
                                                const MapRequest& request, std::vector<FormCycles>* proof) {
  StopSource stop(deadline_after(request.time_limit));
  stop.watch(request.interrupted);
  std::vector<MemberCost> members;
  if (system.target == Target::hbm_pim) {
    auto found = channel_maps(kernel, system, request.channel_space, count, &stop);
    if (found.stopped) return std::nullopt;
    members = std::move(found.members);
  } else {
    const auto most = grown_extents(kernel.extents, request.pad_percent);
    double limit = no_cost;
    // Unpadded extents are searched first, and the costs found limit the search with padding. Without
    // padding, the first search suffices if it found a map.
    for (const auto& extents : {kernel.extents, most}) {
      if (extents == kernel.extents && !members.empty()) break;
      Best best(count);
      MapSpace space(kernel, system, library, {SplitsKept::all, extents, limit}, nullptr, &stop);
      if (!space.complete()) return std::nullopt;
      add_members(space, best, stop);
      best.trim();
      limit = best.limit();
      if (proof != nullptr) *proof = space.forms_within(best.last());
      members = best.take();
    }
  }
  if (stop.requested()) return std::nullopt;
  std::vector<RankedMap> ranked;
  ranked.reserve(members.size());
  for (MemberCost& member : members) ranked.push_back({std::move(member.map), ms_of(member.cost)});
  return ranked;
}

WholeRanking rank_all(const Kernel& kernel, const System& system, const Library& library,
                      const MapRequest& request) {
  StopSource stop(deadline_after(request.time_limit));
  stop.watch(request.interrupted);
  const auto executor = make_executor(request.executor, request.threads);
  Ranking ranking(kernel, system, library, *executor, request.memory_bytes / bytes_of_a_line, &stop,
                  grown_extents(kernel.extents, request.pad_percent), request.channel_space);
  const bool stopped = !ranking.complete() && stop.requested();
  return {std::move(ranking), stopped};
}

}  // namespace nestor::cnm
