#include "heuristics/simd/orders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

#include "heuristics/simd/sweep_coordinates.h"

namespace nestor::simd {

namespace {

/// Steps between two polls of the stop rule.
constexpr std::uint32_t stretch = 4096;

/// Tracks which gates are ready, that is, have no unfinished fanin gates.
class Readiness {
 public:
  explicit Readiness(const ScheduleProblem& problem) : problem_(&problem), missing_(problem.gate_count(), 0) {
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
      for (const Value value : problem.fanins(gate))
        if (value != no_value && !problem.is_input(value)) ++missing_[gate];
  }
  bool ready(std::uint32_t gate) const { return missing_[gate] == 0; }
  template <typename Visit>
  void finish(std::uint32_t gate, Visit&& visit) {
    for (const std::uint32_t reader : problem_->readers(problem_->value_of_gate(gate)))
      if (--missing_[reader] == 0) visit(reader);
  }

 private:
  const ScheduleProblem* problem_;
  std::vector<std::uint32_t> missing_;
};

/// Returns an order that always chooses the ready gate with the least key.
template <typename Key>
Order list_order(const ScheduleProblem& problem, const Key& key) {
  using Entry = std::pair<decltype(key(0U)), std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  Readiness readiness(problem);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
    if (readiness.ready(gate)) queue.push({key(gate), gate});
  Order order;
  order.reserve(problem.gate_count());
  while (!queue.empty()) {
    const std::uint32_t gate = queue.top().second;
    queue.pop();
    order.push_back(gate);
    readiness.finish(gate, [&](std::uint32_t next) { queue.push({key(next), next}); });
  }
  return order;
}

/// Returns the roots of depth-first searches: the outputs in their order, then gates without readers.
Order traversal_roots(const ScheduleProblem& problem) {
  Order roots;
  for (const Value value : problem.staying()) roots.push_back(problem.gate_of(value));
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    const Value value = problem.value_of_gate(gate);
    if (!problem.must_stay(value) && problem.readers(value).empty()) roots.push_back(gate);
  }
  return roots;
}

/// Returns the number of gates in the transitive fanin of each root. When a budget of steps is used up,
/// returns levels instead for the remaining roots.
std::vector<std::uint64_t> cone_sizes(const ScheduleProblem& problem, const Order& roots, const Stop& stop) {
  std::uint64_t budget = 40'000'000, asked = budget;
  const std::vector<std::uint32_t> level = levels(problem);
  std::vector<std::uint32_t> stamp(problem.gate_count(), 0), stack;
  std::vector<std::uint64_t> sizes;
  std::uint32_t now = 0;
  for (const std::uint32_t root : roots) {
    if (budget == 0) {
      sizes.push_back(std::uint64_t{level[problem.value_of_gate(root)]} << 32);
      continue;
    }
    std::uint64_t size = 0;
    stack.assign(1, root);
    stamp[root] = ++now;
    while (!stack.empty()) {
      const std::uint32_t gate = stack.back();
      stack.pop_back();
      ++size;
      for (const Value value : problem.fanins(gate)) {
        if (value == no_value || problem.is_input(value)) continue;
        const std::uint32_t fanin = problem.gate_of(value);
        if (stamp[fanin] == now) continue;
        stamp[fanin] = now;
        stack.push_back(fanin);
      }
    }
    budget -= std::min(budget, size);
    if (asked - budget > stretch) {
      if (should_stop(stop)) budget = 0;
      asked = budget;
    }
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace

std::vector<std::uint32_t> levels(const ScheduleProblem& problem) {
  std::vector<std::uint32_t> level(problem.value_count(), 0);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {  // gates are stored topologically
    std::uint32_t highest = 0;
    for (const Value value : problem.fanins(gate))
      if (value != no_value) highest = std::max(highest, level[value]);
    level[problem.value_of_gate(gate)] = highest + 1;
  }
  return level;
}

std::vector<std::uint32_t> strahler_numbers(const ScheduleProblem& problem) {
  std::vector<std::uint32_t> number(problem.value_count(), 1);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    std::array<std::uint32_t, 3> needs{};
    for (std::size_t i = 0; i < 3; ++i)
      if (const Value value = problem.fanins(gate)[i]; value != no_value) needs[i] = number[value];
    std::sort(needs.rbegin(), needs.rend());
    std::uint32_t rows = 1;
    for (std::uint32_t i = 0; i < 3; ++i)
      if (needs[i] != 0) rows = std::max(rows, needs[i] + i);
    number[problem.value_of_gate(gate)] = rows;
  }
  return number;
}

namespace {

/// Returns the roots in the order of a rule, with random tie-breaking.
Order sorted_roots(const ScheduleProblem& problem, RootRule rule, const std::vector<std::uint32_t>& rank,
                   Random& random, const Stop& stop) {
  const Order roots = traversal_roots(problem);
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>> queue;
  std::vector<std::uint64_t> sizes(roots.size(), 0);
  if (rule == RootRule::smallest_cone) sizes = cone_sizes(problem, roots, stop);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const Value value = problem.value_of_gate(roots[i]);
    if (rule == RootRule::shallowest) sizes[i] = rank[value];
    if (rule == RootRule::widest) sizes[i] = std::uint64_t{~rank[value]} << 32 | i;
    if (rule == RootRule::given) sizes[i] = std::min<std::size_t>(i, problem.stay_count());
    queue.emplace_back(sizes[i], random.next(), roots[i]);
  }
  std::sort(queue.begin(), queue.end());
  Order order;
  for (const auto& [size, tie, root] : queue) order.push_back(root);
  return order;
}

/// Visits a root's cone depth first and calls finish(gate) once all its fanin gates are done. Returns false
/// if stopped.
template <typename Done, typename Finish>
bool descend(const ScheduleProblem& problem, std::uint32_t root, FaninRule rule,
             const std::vector<std::uint32_t>& rank, std::vector<std::uint8_t>& opened, Random& random,
             const Done& done, const Finish& finish, const Stop& stop) {
  const bool by_index = rule == FaninRule::widest_by_index;
  Order stack{root};
  for (std::uint32_t steps = 1; !stack.empty(); ++steps) {
    if (steps % stretch == 0 && should_stop(stop)) return false;
    const std::uint32_t gate = stack.back();
    if (opened[gate] != 0 || done(gate)) {
      stack.pop_back();
      if (!done(gate)) finish(gate);
      continue;
    }
    opened[gate] = 1;
    std::array<std::pair<std::uint64_t, std::uint32_t>, 3> next{};
    std::size_t count = 0;
    for (const Value value : problem.fanins(gate)) {
      if (value == no_value || problem.is_input(value)) continue;
      const std::uint32_t fanin = problem.gate_of(value);
      if (opened[fanin] != 0 || done(fanin)) continue;
      const std::uint64_t first = rule == FaninRule::random ? 0 : rank[value];
      const std::uint64_t among_equals = by_index ? ~fanin : random.next() >> 32;
      const std::pair entry{first << 32 | among_equals, fanin};
      std::size_t at = count++;
      for (; at > 0 && entry < next[at - 1]; --at) next[at] = next[at - 1];
      next[at] = entry;
    }
    // The gate pushed last is visited first.
    for (std::size_t i = 0; i < count; ++i) stack.push_back(next[i].second);
  }
  return true;
}

std::vector<std::uint32_t> rank_of(const ScheduleProblem& problem, RootRule roots, FaninRule fanins) {
  const bool by_width =
      fanins == FaninRule::widest_by_index || fanins == FaninRule::widest || roots == RootRule::widest;
  return by_width ? strahler_numbers(problem) : levels(problem);
}

/// Builds an order that runs a gate as soon as this does not increase the number of live values.
class Closer {
 public:
  explicit Closer(const ScheduleProblem& problem)
      : problem_(&problem),
        readiness_(problem),
        done_(problem.gate_count(), 0),
        unread_(problem.value_count()) {
    for (Value value = 0; value < problem.value_count(); ++value)
      unread_[value] = static_cast<std::uint32_t>(problem.readers(value).size());
    order_.reserve(problem.gate_count());
  }

  bool done(std::uint32_t gate) const { return done_[gate] != 0; }
  Order& order() { return order_; }

  /// Runs a gate whose fanins are available, and then all gates that can now run without increasing the
  /// number of live values.
  void run(std::uint32_t gate) {
    take(gate);
    while (!candidates_.empty()) {
      const std::uint32_t candidate = candidates_.back();
      candidates_.pop_back();
      if (done(candidate) || !closes(candidate)) continue;
      const Order group = group_;
      for (const std::uint32_t member : group) take(member);
    }
  }

 private:
  static constexpr std::size_t most_readers = 64;  ///< values with more readers are skipped

  bool reads_only(std::uint32_t gate, const Fanins& values) const {
    for (const Value value : problem_->fanins(gate))
      if (value != no_value && std::find(values.begin(), values.end(), value) == values.end()) return false;
    return true;
  }
  /// Fills group_ with `gate` and all ready gates that read only its fanins. True if the group needs no more
  /// rows than it frees.
  bool closes(std::uint32_t gate) {
    const Fanins& fanins = problem_->fanins(gate);
    group_.assign(1, gate);
    std::int64_t more = 0;
    Value rarest = no_value;
    for (const Value value : fanins) {
      if (value == no_value) break;
      if (problem_->is_input(value) && unread_[value] == problem_->readers(value).size()) ++more;
      if (rarest == no_value || problem_->readers(value).size() < problem_->readers(rarest).size())
        rarest = value;
    }
    if (rarest != no_value && problem_->readers(rarest).size() <= most_readers)
      for (const std::uint32_t other : problem_->readers(rarest))
        if (other != gate && !done(other) && readiness_.ready(other) && reads_only(other, fanins))
          group_.push_back(other);
    more += static_cast<std::int64_t>(group_.size());
    for (const Value value : fanins) {
      if (value == no_value) break;
      const auto reads =
          static_cast<std::uint32_t>(std::count_if(group_.begin(), group_.end(), [&](std::uint32_t member) {
            const Fanins& own = problem_->fanins(member);
            return std::find(own.begin(), own.end(), value) != own.end();
          }));
      if (reads == unread_[value] && !problem_->must_stay(value)) --more;
    }
    return more <= 0;
  }
  void take(std::uint32_t gate) {
    done_[gate] = 1;
    order_.push_back(gate);
    const auto consider = [&](Value value) {
      const auto readers = problem_->readers(value);
      if (readers.size() > most_readers) return;
      for (const std::uint32_t reader : readers)
        if (!done(reader) && readiness_.ready(reader)) candidates_.push_back(reader);
    };
    for (const Value value : problem_->fanins(gate)) {
      if (value == no_value) break;
      --unread_[value];
    }
    readiness_.finish(gate, [](std::uint32_t) {});
    for (const Value value : problem_->fanins(gate))
      if (value != no_value) consider(value);
    consider(problem_->value_of_gate(gate));
  }

  const ScheduleProblem* problem_;
  Readiness readiness_;
  std::vector<std::uint8_t> done_;
  std::vector<std::uint32_t> unread_;
  Order order_, candidates_, group_;
};

}  // namespace

Order depth_first_order(const ScheduleProblem& problem, RootRule root_rule, FaninRule fanin_rule,
                        Random& random, const Stop& stop) {
  const std::vector<std::uint32_t> rank = rank_of(problem, root_rule, fanin_rule);
  Order order;
  order.reserve(problem.gate_count());
  std::uint32_t roots = 0;
  std::vector<std::uint8_t> opened(problem.gate_count(), 0), done(problem.gate_count(), 0);
  for (const std::uint32_t root : sorted_roots(problem, root_rule, rank, random, stop))
    if (!descend(
            problem, root, fanin_rule, rank, opened, random,
            [&](std::uint32_t gate) { return done[gate] != 0; },
            [&](std::uint32_t gate) {
              done[gate] = 1;
              order.push_back(gate);
            },
            stop) ||
        (++roots % stretch == 0 && should_stop(stop)))
      return {};
  return order;
}

Order closing_order(const ScheduleProblem& problem, RootRule root_rule, FaninRule fanin_rule, Random& random,
                    const Stop& stop) {
  const std::vector<std::uint32_t> rank = rank_of(problem, root_rule, fanin_rule);
  std::vector<std::uint8_t> opened(problem.gate_count(), 0);
  Closer closer(problem);
  std::uint32_t roots = 0;
  for (const std::uint32_t root : sorted_roots(problem, root_rule, rank, random, stop))
    if (!descend(
            problem, root, fanin_rule, rank, opened, random,
            [&](std::uint32_t gate) { return closer.done(gate); },
            [&](std::uint32_t gate) { closer.run(gate); }, stop) ||
        (++roots % stretch == 0 && should_stop(stop)))
      return {};
  return std::move(closer.order());
}

Order greedy_order(const ScheduleProblem& problem, Random& random, bool inputs_travel, const Stop& stop) {
  const std::uint32_t gates = problem.gate_count();
  std::vector<std::uint32_t> unread(problem.value_count()), born(problem.value_count(), 0);
  for (Value value = 0; value < problem.value_count(); ++value)
    unread[value] = static_cast<std::uint32_t>(problem.readers(value).size());
  using Key = std::tuple<std::int32_t, std::uint32_t, std::uint64_t, std::uint32_t>;
  std::set<Key> queue;
  std::vector<Key> key_of(gates);
  const auto make_key = [&](std::uint32_t gate) {
    std::int32_t kept = 1;
    std::uint32_t youngest = 0;
    for (const Value value : problem.fanins(gate)) {
      if (value == no_value) break;
      const bool input = problem.is_input(value);
      if (input && inputs_travel && unread[value] == problem.readers(value).size()) ++kept;
      if (unread[value] == 1 && (inputs_travel || !input) && !problem.must_stay(value)) --kept;
      youngest = std::max(youngest, born[value]);
    }
    return Key{kept, ~youngest, random.next(), gate};
  };
  const auto push = [&](std::uint32_t gate) {
    key_of[gate] = make_key(gate);
    queue.insert(key_of[gate]);
  };
  Readiness readiness(problem);
  std::vector<std::uint8_t> done(gates, 0);
  for (std::uint32_t gate = 0; gate < gates; ++gate)
    if (readiness.ready(gate)) push(gate);
  Order order;
  while (!queue.empty()) {
    const std::uint32_t gate = std::get<3>(*queue.begin());
    queue.erase(queue.begin());
    done[gate] = 1;
    order.push_back(gate);
    if (order.size() % stretch == 0 && should_stop(stop)) return {};
    born[problem.value_of_gate(gate)] = static_cast<std::uint32_t>(order.size());
    for (const Value value : problem.fanins(gate)) {
      if (value == no_value) break;
      const bool first = unread[value] == problem.readers(value).size();
      if (--unread[value] != 1 && !(first && problem.is_input(value))) continue;
      if (problem.is_input(value) && !inputs_travel) continue;
      for (const std::uint32_t reader : problem.readers(value))
        if (done[reader] == 0 && readiness.ready(reader)) {
          queue.erase(key_of[reader]);
          push(reader);
        }
    }
    readiness.finish(gate, push);
  }
  return order;
}

Order random_order(const ScheduleProblem& problem, Random& random) {
  return list_order(problem, [&](std::uint32_t) { return random.next(); });
}

}  // namespace nestor::simd
