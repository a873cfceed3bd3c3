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

namespace nestor {

template <SearchBranch Branch>
class DepthFirst {
 public:
  using Label = typename Branch::Label;

  /// Bytes of the frames of a path of this length.
  static std::size_t bytes_needed(int depth) {
    return static_cast<std::size_t>(depth) * sizeof(Frame) + alignof(Frame);
  }

  /// Takes its memory from the arena: frames for the deepest path and, of what is left, a cache of at most
  /// `most_remembered` labels. False if not even the frames fit.
  bool start(const Branch& branch, Arena& arena, std::size_t most_remembered) {
    branch_ = &branch;
    depth_ = 0;
    counts_ = {};
    frames_ = arena.allocate<Frame>(static_cast<std::size_t>(branch.max_depth()));
    if (frames_ == nullptr) return false;
    sets_ = most_remembered / ways;
    while (sets_ > 0 && (cache_ = arena.allocate<Remembered>(sets_ * ways)) == nullptr) sets_ /= 2;
    for (std::size_t i = 0; i < sets_ * ways; ++i) cache_[i].used = false;
    if (branch.max_depth() > 0) enter(branch.root());
    return true;
  }

  /// Follows every path that may cost less than `cut`. `found(cost)` is told of each solution, while
  /// walk_back() shows it, and lowers the cut. Ends early after `work` labels, to be called again with the
  /// same cut or a lower one.
  template <typename Found>
  SearchEnd advance(const Cost& cut, const SearchBudget& budget, Found found) {
    std::uint64_t work = 0;
    while (depth_ > 0) {
      Frame& top = frames_[depth_ - 1];
      if (top.next == top.pending && !top.exhausted) list_children(top, cut);
      if (top.next == top.pending || top.children[top.next].bound >= cut) {
        --depth_;
        continue;
      }
      if (work == budget.work) return SearchEnd::out_of_work;
      if (budget.stop != nullptr && work % poll_interval == 0 && budget.stop->requested())
        return SearchEnd::stopped;
      ++work;
      ++counts_.expanded;
      const Place place = top.children[top.next++];
      if (!make_child(top.label, place, cut)) continue;
      if (branch_->depth(child_) == branch_->max_depth()) {
        found(place.bound);
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
  static constexpr std::uint64_t poll_interval = 16;

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

  void enter(const Label& label) {
    Frame& frame = frames_[depth_++];
    frame.label = label;
    frame.next = frame.pending = 0;
    frame.begun = frame.exhausted = false;
  }

  // One type for all that is told of children: the branch's expand(), which is large, is in the program once.
  void expand(const Label& label, Cost from, Cost cut, FunctionRef<void(const Label&, Cost)> emit) const {
    branch_->expand(label, from, cut, cut, emit);
  }

  // The places of the next few children, those before them having been followed.
  void list_children(Frame& frame, Cost cut) {
    const Place last = frame.begun ? frame.children[frame.pending - 1U] : Place{};
    std::uint32_t same_as_last = 0;  // children with the bound of the last one
    bool more = false;
    auto& places = frame.children;
    std::size_t count = 0;
    expand(frame.label, frame.begun ? last.bound : no_bound, cut, [&](const Label& /*child*/, Cost bound) {
      ++counts_.generated;
      if (frame.begun && bound < last.bound) return;
      Place place{bound, 0};
      if (frame.begun && bound == last.bound) {
        place.ordinal = same_as_last++;
        if (place.ordinal <= last.ordinal) return;
      } else {
        for (std::size_t i = 0; i < count; ++i)
          place.ordinal += static_cast<std::uint32_t>(places[i].bound == bound);
      }
      if (count == listed) {
        more = true;
        if (!(place < places[count - 1])) return;
        --count;
      }
      std::size_t at = count++;
      for (; at > 0 && place < places[at - 1]; --at) places[at] = places[at - 1];
      places[at] = place;
    });
    frame.next = 0;
    frame.pending = static_cast<std::uint8_t>(count);
    frame.exhausted = !more;
    frame.begun = true;
  }

  // Makes a child again, in child_.
  bool make_child(const Label& parent, const Place& place, Cost cut) {
    std::uint32_t ordinal = 0;
    bool made = false;
    expand(parent, place.bound, cut, [&](const Label& child, Cost bound) {
      if (bound != place.bound || ordinal++ != place.ordinal) return;
      child_ = child;
      made = true;
    });
    return made;
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
  Label child_{};
  SearchCounts counts_;
};

}  // namespace nestor
