// Best-first label search of one branch of a space. The branch is a layered graph. A label is a partial
// placement, its key identifies the set of its completions, and every expansion leads to a deeper layer.
// Labels are expanded in the order of (bound, deeper first, age). The search can be advanced to a target
// bound, paused, and advanced further without repeating work.
//
// Exactness. bound(label) never exceeds the cost of a completion, and every open label has a bound of at
// least least_open(). Therefore, no completion that costs less than least_open() is missing. dominates(a, b)
// may be true only if a has, for every completion of b, a completion that costs no more. It is evaluated only
// if bound(a) <= bound(b). If bound(a) < bound(b), all ancestors of a precede b in the order, so a exists
// before b is expanded. If the bounds are equal, b may be expanded first, which costs work but loses no
// completion.
//
// The requirements on a branch and a storage are in concepts.h.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/stop_signal.h"
#include "solver/search/concepts.h"

namespace nestor {

struct SearchCounts {
  std::uint64_t expanded = 0;   ///< expansions of labels (the unit of work), including repeated ones
  std::uint64_t generated = 0;  ///< children that expand() emitted
  std::uint64_t cut = 0;        ///< children whose bound reached the cut
  std::uint64_t dominated = 0;  ///< labels pruned by dominance

  void add(const SearchCounts& other) {
    expanded += other.expanded;
    generated += other.generated;
    cut += other.cut;
    dominated += other.dominated;
  }
  void subtract(const SearchCounts& other) {
    expanded -= other.expanded;
    generated -= other.generated;
    cut -= other.cut;
    dominated -= other.dominated;
  }
};

enum class SearchEnd : std::uint8_t { reached, stopped, out_of_memory, out_of_work };

/// Called for every complete label that costs less than the cut; walk_back() then starts from this label.
class CompletionListener {
 public:
  virtual void completed() = 0;

 protected:
  CompletionListener() = default;
  CompletionListener(const CompletionListener&) = default;
  CompletionListener& operator=(const CompletionListener&) = default;
  ~CompletionListener() = default;
};

/// Limits and settings of one call of a search.
struct SearchBudget {
  std::uint64_t work = std::numeric_limits<std::uint64_t>::max();  ///< limit on expansions
  /// Limit on expansions and the work of filling tables together.
  std::uint64_t all_work = std::numeric_limits<std::uint64_t>::max();
  const StopSignal* stop = nullptr;
  bool dominance = true;  ///< switched off only to measure its effect
  /// If set, it is called for every complete label below the cut, not only for improvements. The branch then
  /// determines what may be pruned.
  CompletionListener* listener = nullptr;
};

/// Saves and restores the state of a search, in builds with files (solver/engine/label_state.h).
template <typename Search>
struct LabelState;
/// Follows labels with the least bounds down to complete ones (solver/search/label_beam.h).
template <typename Search, SearchStorage Storage>
class LabelBeam;

template <SearchBranch Branch, SearchStorage Storage>
class LabelSearch {
 public:
  using Label = typename Branch::Label;

  LabelSearch(const Branch& branch, Storage storage)
      : branch_(branch), nodes_(storage), links_(storage), queue_(storage), buckets_(storage) {}

  /// Expands every label with a bound below `target` and prunes those that reach `cut`. A solution is stored
  /// if it costs less than `cut` and less than all earlier solutions.
  SearchEnd advance(Cost target, Cost cut, const SearchBudget& budget) {
    cut_ = std::min(cut, best_cost_);
    begin(budget);
    if (!started_ && !start()) return SearchEnd::out_of_memory;
    std::uint64_t work = 0;
    while (!queue_.empty() && queue_[0].bound < std::min(target, cut_)) {
      if (work == budget.work) return SearchEnd::out_of_work;
      const std::uint32_t index = pop();
      if (nodes_[index].dead || !nodes_[index].in_queue) continue;
      nodes_[index].in_queue = false;
      if (counts_.expanded % poll_interval == 0 && budget.stop != nullptr && budget.stop->requested()) {
        static_cast<void>(push(index));  // its slot in the queue was just freed, so this cannot fail
        return SearchEnd::stopped;
      }
      ++work;
      ++counts_.expanded;
      const Label label = nodes_[index].label;
      const Cost beyond =
          branch_.expand(label, nodes_[index].expanded_below, target, cut_,
                         [&](const Label& child, Cost bound) { consider(child, bound, index); });
      wait_for(index, target, beyond);
      if (out_of_memory_) return SearchEnd::out_of_memory;
    }
    return SearchEnd::reached;
  }

  /// Follows the most promising children down to a complete label, to find a first solution with little work.
  /// A dive expands labels fully, so the best-first search repeats no work.
  SearchEnd dive(Cost cut, const SearchBudget& budget) {
    cut_ = std::min(cut, best_cost_);
    begin(budget);
    if (!started_ && !start()) return SearchEnd::out_of_memory;
    if (budget.work == 0) return SearchEnd::out_of_work;
    std::uint32_t index = queue_.empty() ? none : pop();
    for (std::uint64_t work = 1; index != none; ++work) {
      const auto before = static_cast<std::uint32_t>(nodes_.size());
      if (!expand_for_good(index)) return SearchEnd::out_of_memory;
      index = most_promising_from(before);
      if (work == budget.work && index != none) return SearchEnd::out_of_work;
    }
    return SearchEnd::reached;
  }

  /// Returns a lower bound on the cost of every completion other than the best one. It is no_cost if the
  /// branch is exhausted: no label is open, or no completion can cost less than best_cost().
  Cost least_open() const {
    if (!started_) return branch_.root_bound();
    const Cost least = std::min(least_cut_, queue_.empty() ? no_cost : queue_[0].bound);
    return least >= best_cost_ ? no_cost : least;
  }
  /// True if nothing has been expanded; the search can then be dropped and opened again without loss.
  bool untouched() const { return counts_.expanded == 0 && !found(); }
  bool found() const { return best_cost_ < no_cost; }
  Cost best_cost() const { return best_cost_; }
  const SearchCounts& counts() const { return counts_; }

  /// Calls visit(parent, child) for each step of the best solution, from the last step back to the root.
  template <typename Visit>
  void walk_back(Visit visit) const {
    Label child = best_;
    for (std::uint32_t i = best_parent_; i != none; i = nodes_[i].parent) {
      visit(nodes_[i].label, child);
      child = nodes_[i].label;
    }
  }

  /// Calls visit(parent's number, parent, label, true if dominated) for every stored label except the root,
  /// in the order of their numbers. The root has number 0; parents come before their children.
  template <typename Visit>
  void each_stored(Visit visit) const {
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      visit(nodes_[i].parent, nodes_[nodes_[i].parent].label, nodes_[i].label, nodes_[i].dead);
  }

 private:
  friend struct LabelState<LabelSearch>;
  friend class LabelBeam<LabelSearch, Storage>;

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t poll_interval = 64;
  static constexpr std::size_t first_buckets = 64;

  struct Node {
    Label label;
    Cost bound;           ///< bound of the label; once expanded, least bound of its children not yet stored
    Cost expanded_below;  ///< children with a bound below this have been stored
    std::uint32_t parent;
    bool dead;
    bool in_queue;
  };

  struct NoDigest {};
  using Digest = std::conditional_t<HasDigest<Branch>, std::uint64_t, NoDigest>;
  Digest digest_of(const Label& label) const {
    if constexpr (HasDigest<Branch>) return branch_.digest(label);
    return {};
  }
  static bool may_dominate(Digest a, Digest b) {
    if constexpr (HasDigest<Branch>) return (b & ~a) == 0;
    return true;
  }

  // Hot fields for dominance checks, kept apart from Node for locality: the chain of a bucket may be long.
  struct Link {
    std::uint64_t key;
    Cost bound;  ///< bound of the label
    std::uint32_t next;
    [[no_unique_address]] Digest digest;
  };

  struct QueueEntry {
    Cost bound;
    std::uint32_t depth;
    std::uint32_t index;
    // The greatest entry is at the front of the heap, so "less" means expanded later.
    friend bool operator<(const QueueEntry& a, const QueueEntry& b) {
      if (a.bound != b.bound) return a.bound > b.bound;
      if (a.depth != b.depth) return a.depth < b.depth;
      return a.index > b.index;
    }
  };

  // Expands an open label fully, up to the cut, so that it is never expanded again. Returns false if memory
  // runs out.
  bool expand_for_good(std::uint32_t index) {
    ++counts_.expanded;
    nodes_[index].in_queue = false;  // its entry in the queue is now stale
    const Label label = nodes_[index].label;
    const Cost beyond =
        branch_.expand(label, nodes_[index].expanded_below, cut_, cut_,
                       [&](const Label& child, Cost bound) { consider(child, bound, index); });
    wait_for(index, cut_, beyond);
    return !out_of_memory_;
  }

  // Returns the label with which a dive continues, among those with numbers from `first` on.
  std::uint32_t most_promising_from(std::uint32_t first) const {
    std::uint32_t best = none;
    Cost preference = no_cost;
    for (std::uint32_t i = first; i < nodes_.size(); ++i) {
      const Cost mine = branch_.preference(nodes_[i].label);
      if (best != none && nodes_[i].bound >= nodes_[best].bound &&
          (nodes_[i].bound > nodes_[best].bound || mine >= preference))
        continue;
      best = i;
      preference = mine;
    }
    return best;
  }

  void begin(const SearchBudget& budget) {
    dominance_ = budget.dominance;
    listener_ = budget.listener;
  }

  bool start() {
    started_ = true;
    if (!buckets_.resize(first_buckets, none)) return false;
    consider(branch_.root(), branch_.root_bound(), none);
    return !out_of_memory_;
  }

  bool push(std::uint32_t index) {
    Node& node = nodes_[index];
    node.in_queue = true;
    if (!queue_.push_back({node.bound, static_cast<std::uint32_t>(branch_.depth(node.label)), index}))
      return false;
    std::push_heap(queue_.begin(), queue_.end());
    return true;
  }

  std::uint32_t pop() {
    std::pop_heap(queue_.begin(), queue_.end());
    const std::uint32_t index = queue_[queue_.size() - 1].index;
    queue_.pop_back();
    return index;
  }

  // Drops entries in front of the queue whose labels were already expanded or dominated.
  void drop_stale() {
    while (!queue_.empty() && (nodes_[queue_[0].index].dead || !nodes_[queue_[0].index].in_queue)) pop();
  }

  // Queues the label again for its children at or above the target, unless they reach the cut. Children at or
  // above the cut are never stored.
  void wait_for(std::uint32_t index, Cost target, Cost beyond) {
    if (beyond >= cut_) {
      least_cut_ = std::min(least_cut_, beyond);
      return;
    }
    nodes_[index].bound = beyond;
    nodes_[index].expanded_below = target;
    if (!push(index)) out_of_memory_ = true;
  }

  void consider(const Label& child, Cost bound, std::uint32_t parent) {
    ++counts_.generated;
    if (bound >= cut_) {
      ++counts_.cut;
      least_cut_ = std::min(least_cut_, bound);
      return;
    }
    if (branch_.depth(child) == branch_.max_depth()) {
      best_ = child;
      best_parent_ = parent;
      if (listener_ != nullptr)
        listener_->completed();
      else
        best_cost_ = cut_ = bound;
      return;
    }
    add(child, bound, parent);
  }

  void add(const Label& label, Cost bound, std::uint32_t parent) {
    const std::uint64_t key = branch_.key(label);
    const Digest digest = digest_of(label);
    std::uint32_t& head = buckets_[hash(key) & (buckets_.size() - 1)];
    if (dominance_ && is_dominated(label, key, digest, bound, head)) return;
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    if (index == none || !nodes_.push_back({label, bound, no_bound, parent, false, false}) ||
        !links_.push_back({key, bound, head, digest})) {
      out_of_memory_ = true;
      return;
    }
    head = index;
    if (!push(index) || (nodes_.size() > buckets_.size() && !rehash())) out_of_memory_ = true;
  }

  // True if a stored label dominates `label`. Otherwise, removes the stored labels that `label` dominates. A
  // dominating label never has a greater bound.
  bool is_dominated(const Label& label, std::uint64_t key, Digest digest, Cost bound, std::uint32_t& head) {
    for (std::uint32_t* at = &head; *at != none;) {
      Link& link = links_[*at];
      if (link.key == key) {
        Node& other = nodes_[*at];
        if (link.bound <= bound && may_dominate(link.digest, digest) &&
            branch_.dominates(other.label, label, cut_)) {
          ++counts_.dominated;
          return true;
        }
        if (bound <= link.bound && may_dominate(digest, link.digest) &&
            branch_.dominates(label, other.label, cut_)) {
          ++counts_.dominated;
          other.dead = true;
          *at = link.next;
          continue;
        }
      }
      at = &link.next;
    }
    return false;
  }

  bool rehash() {
    const std::size_t count = buckets_.size() * 4;
    if (!buckets_.resize(count, none)) return false;
    std::fill(buckets_.begin(), buckets_.end(), none);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].dead) continue;
      std::uint32_t& head = buckets_[hash(links_[i].key) & (count - 1)];
      links_[i].next = head;
      head = i;
    }
    return true;
  }

  static std::uint64_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15ULL;
    return key ^ (key >> 29U);
  }

  const Branch& branch_;
  typename Storage::template Array<Node> nodes_;
  typename Storage::template Array<Link> links_;  // one per node
  typename Storage::template Array<QueueEntry> queue_;
  typename Storage::template Array<std::uint32_t> buckets_;
  SearchCounts counts_;
  bool started_ = false;
  bool dominance_ = true;
  CompletionListener* listener_ = nullptr;
  bool out_of_memory_ = false;
  Cost cut_ = no_cost;
  Cost least_cut_ = no_cost;
  Label best_{};
  std::uint32_t best_parent_ = none;
  Cost best_cost_ = no_cost;
};

}  // namespace nestor
