// SPDX-License-Identifier: Apache-2.0
// Depth-first search of one branch of a space, in memory that is allocated before it starts. It is the search
// of the embedded profile. It proves the same cost as LabelSearch (label_search.h), but requires a branch
// whose expansions can pause (PacedBranch). Instead of a table of labels, it stores a frame for each step of
// the path and a small cache of visited labels.
//
// Order. Children are visited in the order of (bound, position in the branch's order). A frame stores no
// children, only the positions of the next few children. A child is generated again, by a second expansion,
// when it is visited. A path thus needs little memory, regardless of the number of children. The order
// depends neither on interruptions of the search nor on the size of pointers.
//
// Exactness. A child is pruned if its bound reaches the cut, or if a label in the cache dominates it. A label
// enters the cache before it is visited. Before the search continues outside the label's subtree, it visits
// all completions in the subtree that cost less than the cut. Labels in the subtree are deeper and have
// different keys. Therefore, when a cached label dominates another label, all completions of the cached label
// below the cut have been visited, and the cut has only decreased since.
#pragma once

#include "base/arena.h"
#include "base/function_ref.h"
#include "solver/search/label_search.h"
#include "solver/search/slice.h"

namespace nestor {

/// A branch whose expansions can pause and resume, and whose lists are in caller-provided memory:
///
/// - expand(label, from, below, cut, emit, lists, pace): like expand() of SearchBranch, but consults `pace`
///   (PacedExpansion) before every candidate.
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

  /// Returns the bytes needed for the frames of a path of length `depth`.
  static std::size_t bytes_needed(int depth) {
    return static_cast<std::size_t>(depth) * sizeof(Frame) + alignof(Frame);
  }

  /// Allocates lists for expansions, frames for the deepest path and a cache of at most `most_remembered`
  /// labels from the arena. The cache is smaller if the arena is too small. Returns false if the lists or
  /// frames do not fit.
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

  /// Follows every path that may cost less than `cut`. For each solution it calls `found(cost)`, which may
  /// read the solution with walk_back() and lower the cut. Returns early after `labels` labels or at the end
  /// of the slice; the next call must use the same cut or a lower one.
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

  /// Calls visit(parent, child) for each step of the solution for which found() is being called, from the
  /// last step back to the root.
  template <typename Visit>
  void walk_back(Visit visit) const {
    const Label* child = &child_;
    for (std::size_t i = depth_; i-- > 0;) {
      visit(frames_[i].label, *child);
      child = &frames_[i].label;
    }
  }

 private:
  static constexpr std::size_t listed = 12;           // number of children whose positions a frame stores
  static constexpr std::size_t ways = 2;              // labels cached per hash value
  static constexpr std::uint32_t units_of_label = 4;  // work of an expansion before its first candidate

  // Position of a child: its bound, and its index (from 0) among the children with this bound, in the
  // branch's order.
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
    bool begun;      // the next list starts after the last listed child
    bool exhausted;  // there are no children beyond the listed ones
  };
  struct Remembered {
    Label label;
    std::uint64_t key;
    bool used;
  };
  // The expansion that is in progress, if any.
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

  // A single callback type keeps the branch's expand(), which is large, from being compiled several times.
  void expand(const Label& label, Cost from, Cost cut, FunctionRef<void(const Label&, Cost)> emit) {
    branch_->expand(label, from, cut, cut, emit, lists_, pace_);
  }

  void begin_list(Frame& frame) {
    last_ = frame.begun ? frame.children[frame.pending - 1U] : Place{};
    frame.pending = 0;
    frame.exhausted = true;
    begin_expansion(Stage::listing);
  }

  // Lists the positions of the next few children; all earlier children have been visited. `ordinal_` counts
  // children with the same bound as the last visited child.
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
  // Generates the child at place_ again and stores it in child_.
  void make_child(const Label& parent, Cost cut) {
    expand(parent, place_.bound, cut, [&](const Label& child, Cost bound) {
      if (made_ || bound != place_.bound || ordinal_++ != place_.ordinal) return;
      child_ = child;
      made_ = true;
      pace_.end();
    });
  }

  // True if a cached label dominates `label`. Otherwise, `label` replaces the oldest label in its set.
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
  bool made_ = false;          // true if child_ is the child at place_
  std::uint32_t ordinal_ = 0;  // number of generated children with the wanted bound
  Place last_;                 // last position of the previous list
  Place place_;                // position of the child to generate
  Label child_{};
  SearchCounts counts_;
};

}  // namespace nestor
