// SPDX-License-Identifier: Apache-2.0
// Depth-first search of one branch of a space, in memory that is set aside before it begins: the search of
// the embedded profile. It asks a branch for the same things as LabelSearch (label_search.h) and proves the
// same cost, but keeps no table of labels: a frame for each step of the path, and a small cache of labels
// seen.
//
// Order. Children are followed by (bound, place in the branch's order). A frame holds no child, only the
// places of the next few: a child is made again by another expansion when its turn comes, so a path costs
// little memory whatever the number of children. What is followed depends neither on how often the search was
// interrupted nor on the size of a pointer.
//
// Exactness. A child is left out if its bound reaches the cut, or if a label in the cache dominates it. A
// label enters the cache before it is followed, and everything below it that costs less than the cut is
// followed before the search turns to any label that is not below it; one that is below it lies deeper and
// has another key. So when a label in the cache dominates another one, its completions have all been seen,
// and the cut has only fallen since.
#pragma once

#include "base/arena.h"
#include "base/function_ref.h"
#include "solver/search/label_search.h"
#include "solver/search/slice.h"

namespace nestor {

/// A branch whose expansions may be left and resumed, with lists in memory that is passed in:
///
/// - expand(label, from, below, cut, emit, lists, pace): as expand() of SearchBranch; asks `pace`
/// (PacedExpansion)
///   before every candidate.
/// - allocate_lists(arena, lists): false if the arena is too small.
template <typename B>
concept PacedBranch = SearchBranch<B> &&
    requires(const B& branch, const typename B::Label& label, Cost cost, typename B::Lists& lists,
             PacedExpansion& pace, Arena& arena) {
  { branch.allocate_lists(arena, lists) } -> std::same_as<bool>;
  branch.expand(label, cost, cost, cost, EmitProbe<typename B::Label>{}, lists, pace);
};

template <PacedBranch Branch>
class DepthFirst {
 public:
  using Label = typename Branch::Label;

  /// Bytes of the frames of a path of this length.
  static std::size_t bytes_needed(int depth) {
    return static_cast<std::size_t>(depth) * sizeof(Frame) + alignof(Frame);
  }

  /// Takes its memory from the arena: lists for expansions, frames for the deepest path and, of what is left,
  /// a cache of at most `most_remembered` labels. False if all but the cache does not fit.
  bool start(const Branch& branch, Arena& arena, std::size_t most_remembered) {
    branch_ = &branch;
    depth_ = 0;
    counts_ = {};
    stage_ = Stage::following;
    if (!branch.allocate_lists(arena, lists_)) return false;
    frames_ = arena.allocate<Frame>(static_cast<std::size_t>(branch.max_depth()));
    if (frames_ == nullptr) return false;
    sets_ = most_remembered / ways;
    while (sets_ > 0 && (cache_ = arena.allocate<Remembered>(sets_ * ways)) == nullptr) sets_ /= 2;
    for (std::size_t i = 0; i < sets_ * ways; ++i) cache_[i].used = false;
    if (branch.max_depth() > 0) enter(branch.root());
    return true;
  }

  /// Follows every path that may cost less than `cut`. `found(cost)` is told of each solution, while
  /// walk_back() shows it, and lowers the cut. Ends early after `labels` labels or with the slice, to be
  /// called again with the same cut or a lower one.
  template <typename Found>
  SearchEnd advance(const Cost& cut, std::uint64_t labels, Slice& slice, Found found) {
    pace_.resume(slice);
    while (depth_ > 0) {
      Frame& top = frames_[depth_ - 1];
      if (stage_ == Stage::following && top.next == top.pending && !top.exhausted) begin_list(top);
      if (stage_ == Stage::listing) {
        list_children(top, cut);
        if (pace_.left()) return SearchEnd::stopped;
        end_list(top);
      }
      if (stage_ == Stage::following) {
        if (top.next == top.pending || top.children[top.next].bound >= cut) {
          --depth_;
          continue;
        }
        if (labels == 0) return SearchEnd::out_of_work;
        --labels;
        begin_child(top);
      }
      make_child(top.label, cut);
      if (!made_ && pace_.left()) return SearchEnd::stopped;
      pace_.resume(slice);
      stage_ = Stage::following;
      if (!made_) continue;
      if (branch_->depth(child_) == branch_->max_depth()) {
        found(place_.bound);
      } else if (!is_dominated(child_, cut)) {
        enter(child_);
      }
    }
    return SearchEnd::reached;
  }

  const SearchCounts& counts() const { return counts_; }

  /// The steps of the solution that found() is being told of, from the last one back to the root.
  template <typename Visit>
  void walk_back(Visit visit) const {
    const Label* child = &child_;
    for (std::size_t i = depth_; i-- > 0;) {
      visit(frames_[i].label, *child);
      child = &frames_[i].label;
    }
  }

 private:
  static constexpr std::size_t listed = 12;  // children whose places a frame holds
  static constexpr std::size_t ways = 2;     // labels remembered for one hash
  static constexpr std::uint32_t units_of_label =
      4;  // of work: what an expansion takes before its candidates

  // Which child: the ordinal-th, in the branch's order, of those with this bound.
  struct Place {
    Cost bound = 0;
    std::uint32_t ordinal = 0;
    friend bool operator<(const Place& a, const Place& b) {
      return a.bound != b.bound ? a.bound < b.bound : a.ordinal < b.ordinal;
    }
  };
  struct Frame {
    Label label;
    std::array<Place, listed> children;
    std::uint8_t next;
    std::uint8_t pending;
    bool begun;      // the last child listed is where the next list starts
    bool exhausted;  // no children beyond those listed
  };
  struct Remembered {
    Label label;
    std::uint64_t key;
    bool used;
  };
  // An expansion is under way, or none is.
  enum class Stage : std::uint8_t { following, listing, making };

  void enter(const Label& label) {
    Frame& frame = frames_[depth_++];
    frame.label = label;
    frame.next = frame.pending = 0;
    frame.begun = frame.exhausted = false;
  }

  void begin_expansion(Stage stage) {
    stage_ = stage;
    pace_.begin();
    pace_.charge(units_of_label);
    ordinal_ = 0;
  }

  // One type for all that is told of children: the branch's expand(), which is large, is in the program once.
  void expand(const Label& label, Cost from, Cost cut, FunctionRef<void(const Label&, Cost)> emit) {
    branch_->expand(label, from, cut, cut, emit, lists_, pace_);
  }

  void begin_list(Frame& frame) {
    last_ = frame.begun ? frame.children[frame.pending - 1U] : Place{};
    frame.pending = 0;
    frame.exhausted = true;
    begin_expansion(Stage::listing);
  }

  // The places of the next few children, those before them having been followed. `ordinal_` counts children
  // with the bound of the last one.
  void list_children(Frame& frame, Cost cut) {
    expand(frame.label, frame.begun ? last_.bound : no_bound, cut, [&](const Label& /*child*/, Cost bound) {
      ++counts_.generated;
      if (frame.begun && bound < last_.bound) return;
      auto& places = frame.children;
      std::size_t count = frame.pending;
      Place place{bound, 0};
      if (frame.begun && bound == last_.bound) {
        place.ordinal = ordinal_++;
        if (place.ordinal <= last_.ordinal) return;
      } else {
        for (std::size_t i = 0; i < count; ++i)
          place.ordinal += static_cast<std::uint32_t>(places[i].bound == bound);
      }
      if (count == listed) {
        frame.exhausted = false;
        if (!(place < places[count - 1])) return;
        --count;
      }
      std::size_t at = count++;
      for (; at > 0 && place < places[at - 1]; --at) places[at] = places[at - 1];
      places[at] = place;
      frame.pending = static_cast<std::uint8_t>(count);
    });
  }
  void end_list(Frame& frame) {
    frame.next = 0;
    frame.begun = true;
    stage_ = Stage::following;
  }

  void begin_child(Frame& frame) {
    ++counts_.expanded;
    place_ = frame.children[frame.next++];
    made_ = false;
    begin_expansion(Stage::making);
  }
  // Makes a child again, in child_.
  void make_child(const Label& parent, Cost cut) {
    expand(parent, place_.bound, cut, [&](const Label& child, Cost bound) {
      if (made_ || bound != place_.bound || ordinal_++ != place_.ordinal) return;
      child_ = child;
      made_ = true;
      pace_.end();
    });
  }

  // Whether a label seen before dominates it; if not, it is remembered in the place of the oldest.
  bool is_dominated(const Label& label, Cost cut) {
    if (sets_ == 0) return false;
    const std::uint64_t key = branch_->key(label);
    Remembered* set = cache_ + ways * (hash(key) % sets_);
    for (std::size_t i = 0; i < ways; ++i)
      if (set[i].used && set[i].key == key && branch_->dominates(set[i].label, label, cut)) {
        ++counts_.dominated;
        return true;
      }
    for (std::size_t i = ways - 1; i > 0; --i) set[i] = set[i - 1];
    set[0] = {label, key, true};
    return false;
  }

  static std::uint64_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15ULL;
    return key ^ (key >> 29U);
  }

  const Branch* branch_ = nullptr;
  Frame* frames_ = nullptr;
  Remembered* cache_ = nullptr;
  std::size_t sets_ = 0;
  std::size_t depth_ = 0;
  typename Branch::Lists lists_;
  PacedExpansion pace_;
  Stage stage_ = Stage::following;
  bool made_ = false;          // child_ is the one at place_
  std::uint32_t ordinal_ = 0;  // children seen with the bound that is looked for
  Place last_;                 // of the list before
  Place place_;                // of the child to make
  Label child_{};
  SearchCounts counts_;
};

}  // namespace nestor
