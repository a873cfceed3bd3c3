// A beam through a label search: from everything that is open down to complete labels, of each depth the
// labels of least bound. It finds good solutions early, where the search proper, in the order of bounds,
// completes its first labels late. What a beam expands is expanded for good and what it leaves stays open, so
// a further beam or the search proper goes on from there (cyclic best-first search) and repeats nothing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "solver/search/label_search.h"

namespace nestor {

template <typename Search, SearchStorage Storage>
class LabelBeam {
 public:
  LabelBeam(Search& search, Storage storage) : search_(search), frontier_(storage) {}

  /// Expands at most `width` labels of each depth, none that reaches the cut; least_open() of the search is a
  /// valid bound afterwards, however it ends.
  SearchEnd run(std::uint32_t width, Cost cut, const SearchBudget& budget) {
    search_.cut_ = std::min(cut, search_.best_cost_);
    search_.begin(budget);
    if ((!search_.started_ && !search_.start()) || !add_from(0)) return SearchEnd::out_of_memory;
    const SearchEnd end = descend(width, budget);
    search_.drop_stale();
    return end;
  }

 private:
  // A heap whose first is of least depth, and of least bound there.
  struct Entry {
    std::uint32_t depth;
    std::uint32_t index;
    Cost bound;
    Cost preference;
    friend bool operator<(const Entry& a, const Entry& b) {
      if (a.depth != b.depth) return a.depth > b.depth;
      if (a.bound != b.bound) return a.bound > b.bound;
      return a.preference != b.preference ? a.preference > b.preference : a.index > b.index;
    }
  };

  SearchEnd descend(std::uint32_t width, const SearchBudget& budget) {
    std::uint64_t work = 0;
    std::uint32_t depth = 0;
    std::uint32_t taken = 0;  // of this depth
    while (!frontier_.empty()) {
      std::pop_heap(frontier_.begin(), frontier_.end());
      const Entry entry = frontier_[frontier_.size() - 1];
      frontier_.pop_back();
      if (entry.depth != depth) taken = 0;
      depth = entry.depth;
      if (taken == width || search_.nodes_[entry.index].dead || entry.bound >= search_.cut_) continue;
      if (work == budget.work) return SearchEnd::out_of_work;
      if (work % Search::poll_interval == Search::poll_interval - 1 && budget.stop != nullptr &&
          budget.stop->requested())
        return SearchEnd::stopped;
      ++taken;
      ++work;
      const auto before = static_cast<std::uint32_t>(search_.nodes_.size());
      if (!search_.expand_for_good(entry.index) || !add_from(before)) return SearchEnd::out_of_memory;
    }
    return SearchEnd::reached;
  }

  // What is open of the labels from a number on.
  bool add_from(std::uint32_t first) {
    for (std::uint32_t i = first; i < search_.nodes_.size(); ++i) {
      const auto& node = search_.nodes_[i];
      if (!node.in_queue || node.dead || node.bound >= search_.cut_) continue;
      if (!frontier_.push_back({static_cast<std::uint32_t>(search_.branch_.depth(node.label)), i, node.bound,
                                search_.branch_.preference(node.label)}))
        return false;
      std::push_heap(frontier_.begin(), frontier_.end());
    }
    return true;
  }

  Search& search_;
  typename Storage::template Array<Entry> frontier_;
};

}  // namespace nestor
