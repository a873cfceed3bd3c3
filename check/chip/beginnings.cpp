// Enumeration of all schedules of a run that are shorter than a limit, operator by operator. Later operators
// depend on a partial schedule (a beginning) only through the number of free cores and the arrival times of
// the rows that they wait for. Of the finished operators, only the latest end matters.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "check/chip/rules.h"

namespace nestor::check::chip {
namespace {

// Limit on the number of times stored in all beginnings that end with the same operator, plus 8 for each
// beginning.
constexpr std::size_t most_times = std::size_t{1} << 27U;
using Time = std::int32_t;

struct Beginning {
  Int cores = 0;
  Int done = 0;             ///< latest end of an operator
  std::vector<Time> times;  ///< arrival of each row of the pending transfers, one transfer after another
};

class Listing {
 public:
  Listing(const Segment& segment, const Mix& mix, const Choices& choices, Int limit)
      : segment_(segment),
        mix_(mix),
        choices_(choices),
        limit_(limit),
        best_(best_of(choices)),
        tails_(segment.tails(best_)),
        rest_(least_sums(choices, mix.lengths(choices, limit), segment.cores())) {}

  std::optional<Int> run(std::size_t& count) {
    std::vector<Beginning> kept(1);
    for (std::size_t k = 0; k < segment_.size(); ++k) {
      enter(k);
      std::vector<Beginning> made;
      std::size_t held = 0;
      for (const Beginning& beginning : kept)
        for (const OperatorTiming& pace : choices_[k])
          if (auto longer = with(beginning, k, pace)) {
            made.push_back(std::move(*longer));
            held += made.back().times.size() + 8;
            if (held > most_times) throw NotChecked("it has too many schedules to enumerate");
          }
      kept = undominated(std::move(made));
      count += kept.size();
      if (kept.empty()) return std::nullopt;
    }
    return std::min_element(kept.begin(), kept.end(),
                            [](const Beginning& a, const Beginning& b) { return a.done < b.done; })
        ->done;
  }

 private:
  // A transfer from a scheduled operator to one that is not yet scheduled.
  struct Pending {
    std::size_t edge;
    std::size_t begin;        ///< index of the edge's first arrival in Beginning::times
    std::vector<Int> shares;  ///< for each row: sum of the shares of the paths through it
  };

  // Determines the pending transfers after operator k.
  void enter(std::size_t k) {
    was_.assign(segment_.edges().size(), 0);
    for (const Pending& pending : pending_) was_[pending.edge] = pending.begin;
    pending_.clear();
    size_ = 0;
    for (std::size_t e = 0; e < segment_.edges().size(); ++e) {
      const Edge& edge = segment_.edges()[e];
      if (edge.from > k || edge.to <= k) continue;
      Pending pending{e, size_, std::vector<Int>(edge.need.size(), 0)};
      for (std::size_t p = 0; p < mix_.paths.size(); ++p)
        for (std::size_t s = 1; s < mix_.paths[p]->size(); ++s)
          if (const Step& step = (*mix_.paths[p])[s]; step.edge == e)
            pending.shares[edge.is_gated ? 0 : step.entry] += mix_.shares[p];
      size_ += edge.need.size();
      pending_.push_back(std::move(pending));
    }
    ended_ = 0;
    for (std::size_t p = 0; p < mix_.paths.size(); ++p)
      if (mix_.paths[p]->back().op <= k) ended_ += mix_.shares[p];
  }

  // Returns `from` extended by operator k with this pace, or nothing if no schedule below the limit can begin
  // in this way.
  std::optional<Beginning> with(const Beginning& from, std::size_t k, const OperatorTiming& pace) const {
    Beginning to{from.cores + pace.cores, 0, {}};
    if (to.cores > segment_.cores()) return std::nullopt;
    const auto ends =
        segment_.ends(k, pace, [&](std::size_t e, std::size_t r) { return Int{from.times[was_[e] + r]}; });
    to.done = std::max(from.done, ends.back() + pace.out);
    if (to.done >= limit_) return std::nullopt;
    // (8.2) bounds the mixed length: ended paths, the minimum that later operators add, and (below) paths in
    // progress.
    const Int rest = rest_[k + 1][static_cast<std::size_t>(segment_.cores() - to.cores)];
    Int mixed = ended_ * to.done + rest;
    const Int most = mix_.whole * (limit_ - 1);
    if (mixed > most) return std::nullopt;
    to.times.reserve(size_);
    for (const Pending& pending : pending_) {
      const Edge& edge = segment_.edges()[pending.edge];
      const OperatorTiming& best = best_[edge.to];
      const auto lanes = static_cast<std::size_t>(best.lanes);
      for (std::size_t r = 0; r < edge.need.size(); ++r) {
        Int time = edge.from == k ? ends[edge.need[r]] + pace.out : from.times[was_[pending.edge] + r];
        // A row cannot begin before the row that is `lanes` rows earlier is done. Raising its arrival to a
        // lower bound on this time delays nothing.
        if (r >= lanes) time = std::max(time, to.times[pending.begin + r - lanes] + best.row);
        if (time + tails_[edge.to][r] + (edge.is_gated ? best.gate : 0) >= limit_) return std::nullopt;
        to.times.push_back(static_cast<Time>(time));
        mixed += pending.shares[r] * time;
      }
    }
    if (mixed > most) return std::nullopt;
    return to;
  }

  // Drops each beginning that another one dominates: the other takes no more cores, ends no later, and lets
  // no row arrive later.
  static std::vector<Beginning> undominated(std::vector<Beginning> made) {
    std::vector<Int> sums;
    std::vector<std::size_t> order(made.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const Beginning& each : made)
      sums.push_back(std::accumulate(each.times.begin(), each.times.end(), each.done));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(made[a].cores, sums[a], a) < std::tuple(made[b].cores, sums[b], b);
    });
    std::vector<Beginning> kept;
    for (const std::size_t l : order) {
      const Beginning& each = made[l];
      const bool is_superfluous = std::any_of(kept.rbegin(), kept.rend(), [&](const Beginning& other) {
        return other.cores <= each.cores && other.done <= each.done &&
               (each.times.empty() || other.times.back() <= each.times.back()) &&
               std::equal(other.times.begin(), other.times.end(), each.times.begin(),
                          [](Time a, Time b) { return a <= b; });
      });
      if (!is_superfluous) kept.push_back(std::move(made[l]));
    }
    return kept;
  }

  const Segment& segment_;
  const Mix& mix_;
  const Choices& choices_;
  const Int limit_;
  const std::vector<OperatorTiming> best_;
  const Times tails_;
  const std::vector<std::vector<Int>> rest_;
  std::vector<std::size_t> was_;  ///< index in Beginning::times of an edge's first arrival, before operator k
  std::vector<Pending> pending_;
  std::size_t size_ = 0;
  Int ended_ = 0;
};

}  // namespace

std::optional<Int> ProofNode::shortest_schedule(std::size_t& count) const {
  return Listing(segment_, mix_, choices_, limit_).run(count);
}

}  // namespace nestor::check::chip
