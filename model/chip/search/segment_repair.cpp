// Repair of the best schedule so far. In random order, operators release cores as long as the schedule does
// not become longer than a random limit, up to 1.5 % above its current length. Then the operator with the
// largest gain per core gets spare cores, repeatedly, until no operator gains. Knapsack answers are best for
// a mix of paths, not for the longest path, so a repair often finds better schedules. A repair proves
// nothing.
#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "model/chip/search/segment_node.h"

namespace nestor::chip {

SegmentSearch::Outcome SegmentSearch::Worker::repair(Answer answer, Int limit, std::uint64_t seed) {
  outcome_ = {};
  limit_ = limit;
  const auto& graph = search_.graph_;
  const auto& options = search_.options_;
  Random random(seed);
  Int spare = search_.problem_.machine.cores.count();
  speeds_.resize(graph.size());
  for (std::size_t k = 0; k < graph.size(); ++k) {
    speeds_[k] = speed_of(options[answer[k]]);
    spare -= options[answer[k]].cores;
  }
  const auto take = [&](std::size_t k, std::uint32_t option) {
    spare += options[answer[k]].cores - options[option].cores;
    answer[k] = option;
    speeds_[k] = speed_of(options[option]);
    const Int schedule = graph.heads(speeds_, times_);
    graph.tails(speeds_, times_);
    return schedule;
  };
  Int schedule = take(0, answer[0]);
  const Int longest = schedule + schedule * random.between(0, 15) / 1000;
  std::vector<std::size_t> order(graph.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>(random.between(0, static_cast<Int>(k) - 1))]);
  for (const std::size_t k : order) {
    // Options are in ascending order of cores.
    for (auto o = search_.option_begin_[k]; o < answer[k]; ++o) {
      if (options[o].cores >= options[answer[k]].cores) break;
      if (graph.with(k, speed_of(options[o]), times_, scratch_) > longest) continue;
      schedule = take(k, o);
      break;
    }
  }
  for (;;) {
    if (stopped()) return std::move(outcome_);
    note(schedule, answer);
    std::size_t chosen = graph.size();
    std::uint32_t to = 0;
    double most = 0;
    for (std::size_t k = 0; k < graph.size(); ++k)
      for (auto o = answer[k] + 1; o < search_.option_begin_[k + 1]; ++o) {
        const Int more = options[o].cores - options[answer[k]].cores;
        if (more > spare) break;
        if (more <= 0) continue;
        const Int gain = schedule - graph.with(k, speed_of(options[o]), times_, scratch_);
        const double worth = static_cast<double>(gain) / static_cast<double>(more);
        if (worth <= most) continue;
        most = worth;
        chosen = k;
        to = o;
      }
    if (chosen == graph.size()) return std::move(outcome_);
    schedule = take(chosen, to);
  }
}

}  // namespace nestor::chip
