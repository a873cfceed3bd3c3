// Storage of a search's labels as part of its state (state.h), with validation after reading.
#pragma once

#include "solver/engine/state.h"
#include "solver/search/label_search.h"

namespace nestor {

/// A branch that can validate labels. is_step(parent, label) returns whether `label` can follow `parent` in
/// position and depth, so that later operations stay within the branch's tables. It does not check costs.
template <typename B>
concept ChecksLabels = requires(const B& branch, const typename B::Label& label) {
  { branch.is_step(label, label) } -> std::same_as<bool>;
};

template <ChecksLabels Branch, typename Storage>
struct LabelState<LabelSearch<Branch, Storage>> {
  using Search = LabelSearch<Branch, Storage>;

  template <typename State>
  static bool exchange(Search& search, State& state) {
    const bool whole = state.array(search.nodes_) && state.array(search.links_) &&
                       state.array(search.queue_) && state.array(search.buckets_) &&
                       state.values(search.counts_, search.started_, search.cut_, search.least_cut_,
                                    search.best_, search.best_parent_, search.best_cost_);
    if constexpr (State::reads) return whole && is_sound(search);
    return whole;
  }

 private:
  // True if all indices are in range and all chains end.
  static bool is_sound(Search& search) {
    const std::size_t count = search.nodes_.size();
    const auto leads = [&](std::uint32_t to, std::size_t end) { return to == Search::none || to < end; };
    if (!search.started_) return count == 0 && search.queue_.empty();
    const std::size_t buckets = search.buckets_.size();
    if (buckets == 0 || (buckets & (buckets - 1)) != 0 || search.links_.size() != count) return false;
    if (count > 0) search.nodes_[0].label = search.branch_.root();
    for (std::size_t i = 0; i < count; ++i) {
      const auto& node = search.nodes_[i];
      // The chain of a bucket leads only to older labels.
      if (!leads(search.links_[i].next, i)) return false;
      if (i == 0 ? node.parent != Search::none : node.parent >= i) return false;
      if (i > 0 && !search.branch_.is_step(search.nodes_[node.parent].label, node.label)) return false;
    }
    for (std::size_t i = 0; i < buckets; ++i)
      if (!leads(search.buckets_[i], count)) return false;
    for (std::size_t i = 0; i < search.queue_.size(); ++i)
      if (search.queue_[i].index >= count) return false;
    if (search.best_cost_ == no_cost) return true;
    return search.best_parent_ == Search::none ||
           (search.best_parent_ < count && search.branch_.depth(search.best_) == search.branch_.max_depth() &&
            search.branch_.is_step(search.nodes_[search.best_parent_].label, search.best_));
  }
};

}  // namespace nestor
