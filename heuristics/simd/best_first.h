// Best-first search over the states of model/simd/exact_space. Copies cost 1 and computes nothing, so states
// are kept in buckets by cost plus bound; when the cheapest open state is complete it is optimal, and until
// then its bucket is a lower bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/simd/exact_space.h"

namespace nestor::simd {

class BestFirst {
 public:
  /// Looks for schedules of fewer copies than `below`.
  BestFirst(const ExactSpace& space, std::uint32_t below) : space_(&space), below_(below), open_(below) {
    push(space.root(), nothing, {}, 0);
  }

  enum class End : std::uint8_t { found, exhausted, stopped, out_of_memory };

  /// Runs until a complete state is the cheapest, nothing below the limit is left, `stop()`, or there are as
  /// many states as memory is meant for.
  template <typename Stop>
  End run(Stop&& stop) {
    for (; lowest_ < below_; ++lowest_)
      while (!open_[lowest_].empty()) {
        if ((++work_ & 1023U) == 0 && stop()) return End::stopped;
        if (nodes_.size() > state_limit) return End::out_of_memory;
        const std::uint32_t index = open_[lowest_].back();
        open_[lowest_].pop_back();
        if (nodes_[index].closed) continue;
        const ExactSpace::State state = nodes_[index].state;
        if (space_->complete(state)) {
          last_ = index;
          return End::found;
        }
        const std::uint32_t cost = nodes_[index].cost;
        space_->expand(state, [&](const ExactSpace::State& child, const ExactSpace::Step& step) {
          push(child, index, step, cost + (step.compute ? 0 : 1));
        });
      }
    return End::exhausted;
  }

  /// No schedule below this cost exists.
  std::uint32_t bound() const { return lowest_; }
  std::uint64_t work() const { return work_; }
  std::vector<ExactSpace::Step> steps() const {
    std::vector<ExactSpace::Step> result;
    for (std::uint32_t at = last_; nodes_[at].parent != nothing; at = nodes_[at].parent)
      result.push_back(nodes_[at].step);
    std::reverse(result.begin(), result.end());
    return result;
  }

 private:
  static constexpr std::size_t state_limit = 8'000'000;  ///< some 2 GiB
  static constexpr std::uint32_t nothing = ~std::uint32_t{0};

  struct Node {
    ExactSpace::State state;
    std::uint32_t parent = nothing;
    std::uint32_t cost = 0;
    ExactSpace::Step step;
    bool closed = false;  ///< dominated
  };

  struct Rival {
    ExactSpace::State form;  ///< canonical
    std::uint32_t cost = 0;
    std::uint32_t node = nothing;
  };

  void push(const ExactSpace::State& state, std::uint32_t parent, const ExactSpace::Step& step,
            std::uint32_t cost) {
    const std::uint32_t total = cost + space_->bound(state);
    if (total >= below_) return;
    auto& rivals = labels_[space_->key(state)];
    const ExactSpace::State form = space_->canonical(state);
    for (const Rival& rival : rivals)
      if (rival.cost <= cost && space_->dominates(rival.form, form)) return;
    std::erase_if(rivals, [&](const Rival& rival) {
      if (cost > rival.cost || !space_->dominates(form, rival.form)) return false;
      nodes_[rival.node].closed = true;
      return true;
    });
    rivals.push_back({form, cost, static_cast<std::uint32_t>(nodes_.size())});
    open_[total].push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back({state, parent, cost, step, false});
    lowest_ = std::min(lowest_, total);
  }

  const ExactSpace* space_;
  std::uint32_t below_;
  std::vector<std::vector<std::uint32_t>> open_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::vector<Rival>> labels_;
  std::uint32_t lowest_ = 0, last_ = nothing;
  std::uint64_t work_ = 0;
};

}  // namespace nestor::simd
