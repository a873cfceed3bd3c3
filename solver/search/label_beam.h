// Beam search on the labels of a label search. It proceeds depth by depth from all open labels to complete
// ones, and expands the labels with the least bounds at each depth. It finds good solutions early, whereas
// the best-first search completes its first labels late. The beam expands the chosen labels fully and leaves
// all other labels open. A later beam or the best-first search continues from the open labels (cyclic
// best-first search) without repeating work.
#pragma once

#include <algorithm>
#include <cstdint>

#include "solver/search/label_search.h"

namespace nestor {

template <typename Search, SearchStorage Storage>
class LabelBeam {
 public:
  LabelBeam(Search& search, Storage storage) : search_(search), frontier_(storage) {}

  /// Expands at most `width` labels of each depth, and no label whose bound reaches the cut. However the beam
  /// ends, least_open() of the search is a valid bound afterwards.
  SearchEnd run(std::uint32_t width, Cost cut, const SearchBudget& budget) {
    search_.cut_ = std::min(cut, search_.best_cost_);
    search_.begin(budget);
    if ((!search_.started_ && !search_.start()) || !add_from(0)) return SearchEnd::out_of_memory;
    const SearchEnd end = descend(width, budget);
    search_.drop_stale();
    return end;
  }

 private:
  // The first entry of the heap has the least depth and, at this depth, the least bound.
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
    std::uint32_t taken = 0;  // labels expanded at this depth
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

  // Adds the open labels below the cut whose numbers are at least `first`.
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
