#include "heuristics/simd/baseline_orders.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <span>

#include "model/simd/sequence.h"

namespace nestor::simd {

namespace {

/// Builds an order gate by gate. score(gate) is computed for every ready gate at every step; the lowest score
/// wins.
class ListBuilder {
 public:
  ListBuilder(const ScheduleProblem& problem, bool first, Random& random)
      : problem_(&problem),
        first_(first),
        random_(&random),
        missing_(problem.gate_count(), 0),
        done_(problem.gate_count(), 0),
        unread_(problem.value_count()) {
    for (Value value = 0; value < problem.value_count(); ++value)
      unread_[value] = static_cast<std::uint32_t>(problem.readers(value).size());
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
      for (const Value value : problem.fanins(gate))
        if (value != no_value && !problem.is_input(value)) ++missing_[gate];
      if (missing_[gate] == 0) ready_.push_back(gate);
    }
  }

  bool done(std::uint32_t gate) const { return done_[gate] != 0; }
  std::uint32_t unread(Value value) const { return unread_[value]; }

  /// Returns the order, or an empty one if stopped.
  template <typename Score>
  Order build(Score&& score, const Stop& stop) {
    constexpr std::uint32_t stretch = 1024;
    Order order;
    order.reserve(problem_->gate_count());
    std::uint32_t scores = 0;
    while (!ready_.empty()) {
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), equals = 0;
      std::size_t picked = 0;
      for (std::size_t i = 0; i < ready_.size(); ++i) {
        const std::uint64_t value = score(ready_[i], least);
        if (++scores % stretch == 0 && should_stop(stop)) return {};
        if (value > least) continue;
        if (value < least) {
          least = value;
          equals = 1;
          picked = i;
        } else if (first_ ? ready_[i] < ready_[picked] : random_->below(++equals) == 0) {
          picked = i;
        }
      }
      order.push_back(take(picked));
    }
    return order;
  }

 private:
  std::uint32_t take(std::size_t index) {
    const std::uint32_t gate = ready_[index];
    ready_[index] = ready_.back();
    ready_.pop_back();
    done_[gate] = 1;
    for (const Value value : problem_->fanins(gate))
      if (value != no_value) --unread_[value];
    for (const std::uint32_t reader : problem_->readers(problem_->value_of_gate(gate)))
      if (--missing_[reader] == 0) ready_.push_back(reader);
    return gate;
  }

  const ScheduleProblem* problem_;
  bool first_;
  Random* random_;
  std::vector<std::uint32_t> missing_;
  std::vector<std::uint8_t> done_;
  std::vector<std::uint32_t> unread_;
  std::vector<std::uint32_t> ready_;
};

/// Largest number of gates that are ordered exactly.
constexpr std::uint32_t part_size = 12;

/// Finds the order of one part with the lowest peak of live values; the lowest sum of live values breaks
/// ties.
class PartOrder {
 public:
  PartOrder(const ScheduleProblem& problem, std::span<const std::uint32_t> part,
            const std::vector<std::uint32_t>& position, std::uint32_t first)
      : problem_(&problem), part_(part), position_(&position), first_(first), alive_(1U << part.size(), 0) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      needs_.push_back(0);
      for (const Value value : problem.fanins(part[i])) {
        if (value == no_value || problem.is_input(value)) continue;
        if (const auto at = index_of(problem.gate_of(value)); at < part.size()) needs_[i] |= 1U << at;
      }
    }
    count_alive();
  }

  Order best() const {
    const std::uint32_t all = (1U << part_.size()) - 1;
    std::vector<std::uint64_t> cost(all + 1, std::numeric_limits<std::uint64_t>::max());
    std::vector<std::uint8_t> last(all + 1, 0);
    cost[0] = 0;
    for (std::uint32_t set = 0; set < all; ++set) {
      if (cost[set] == std::numeric_limits<std::uint64_t>::max()) continue;
      for (std::uint32_t i = 0; i < part_.size(); ++i) {
        if ((set >> i & 1U) != 0 || (needs_[i] & ~set) != 0) continue;
        const std::uint32_t next = set | 1U << i;
        const auto alive = static_cast<std::uint64_t>(std::int64_t{alive_[next]} + bias);
        const std::uint64_t worst = std::max(cost[set] >> 32U, alive);
        const std::uint64_t total = worst << 32U | ((cost[set] & 0xffffffffU) + alive);
        if (total >= cost[next]) continue;
        cost[next] = total;
        last[next] = static_cast<std::uint8_t>(i);
      }
    }
    Order order;
    for (std::uint32_t set = all; set != 0; set &= ~(1U << last[set])) order.push_back(part_[last[set]]);
    std::reverse(order.begin(), order.end());
    return order;
  }

 private:
  static constexpr std::int32_t bias = 1 << 16;  ///< makes counts relative to the start of the part positive

  std::size_t index_of(std::uint32_t gate) const {
    return static_cast<std::size_t>(std::find(part_.begin(), part_.end(), gate) - part_.begin());
  }
  /// Counts the live values after every subset, relative to the start of the part.
  void count_alive() {
    for (std::size_t i = 0; i < part_.size(); ++i) {
      const Value result = problem_->value_of_gate(part_[i]);
      add_value(result, 1U << i);
      for (const Value value : problem_->fanins(part_[i])) {
        if (value == no_value || problem_->is_input(value)) continue;
        if (index_of(problem_->gate_of(value)) == part_.size()) add_value(value, 0);
      }
    }
  }
  /// Adds a value to the counts. `maker` is the bit of the gate that computes the value, or 0 if this gate is
  /// outside the part.
  void add_value(Value value, std::uint32_t maker) {
    if (std::find(seen_.begin(), seen_.end(), value) != seen_.end()) return;
    seen_.push_back(value);
    std::uint32_t readers = 0;
    bool later = problem_->must_stay(value);
    for (const std::uint32_t gate : problem_->readers(value)) {
      const std::uint32_t at = (*position_)[gate];
      if (at < first_) continue;
      if (at >= first_ + part_.size()) {
        later = true;
        break;
      }
      readers |= 1U << index_of(gate);
    }
    for (std::uint32_t set = 0; set < alive_.size(); ++set) {
      const bool made = maker == 0 || (set & maker) != 0;
      if (made && (later || (readers & ~set) != 0)) ++alive_[set];
    }
  }

  const ScheduleProblem* problem_;
  std::span<const std::uint32_t> part_;
  const std::vector<std::uint32_t>* position_;
  std::uint32_t first_;
  std::vector<std::uint32_t> needs_;
  std::vector<std::int32_t> alive_;
  std::vector<Value> seen_;
};

}  // namespace

Order gppic_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop) {
  const std::vector<std::uint32_t> level = levels(problem);
  std::vector<std::uint32_t> last_read(problem.gate_count(), 0);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
    for (const std::uint32_t reader : problem.readers(problem.value_of_gate(gate)))
      last_read[gate] = std::max(last_read[gate], level[problem.value_of_gate(reader)]);
  ListBuilder builder(problem, first, random);
  return builder.build(
      [&](std::uint32_t gate, std::uint64_t) {
        std::uint64_t kept = 3;
        for (const Value value : problem.fanins(gate))
          if (value != no_value && builder.unread(value) == 1 && !problem.must_stay(value)) --kept;
        return kept << 32 | last_read[gate];
      },
      stop);
}

Order simpler_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop) {
  return depth_first_order(problem, RootRule::widest, first ? FaninRule::widest_by_index : FaninRule::widest,
                           random, stop);
}

Order star_order(const ScheduleProblem& problem, bool first, Random& random, const Stop& stop) {
  ListBuilder builder(problem, first, random);
  std::vector<std::uint32_t> stamp(problem.gate_count(), 0), stack;
  std::uint32_t now = 0;
  // Counts the readers of a value and all gates for which they still wait. Counting stops once the value
  // cannot be the best.
  const auto gates_until_removed = [&](Value value, std::uint64_t least) {
    ++now;
    stack.clear();
    std::uint64_t count = 0;
    const auto visit = [&](std::uint32_t gate) {
      if (stamp[gate] == now || builder.done(gate)) return;
      stamp[gate] = now;
      stack.push_back(gate);
      ++count;
    };
    for (const std::uint32_t reader : problem.readers(value)) visit(reader);
    for (std::uint32_t steps = 1; !stack.empty() && count <= least; ++steps) {
      if (steps % 4096 == 0 && should_stop(stop)) break;
      const std::uint32_t gate = stack.back();
      stack.pop_back();
      for (const Value fanin : problem.fanins(gate))
        if (fanin != no_value && !problem.is_input(fanin)) visit(problem.gate_of(fanin));
    }
    return count;
  };
  return builder.build(
      [&](std::uint32_t gate, std::uint64_t least) {
        std::uint64_t fewest = problem.gate_count();
        for (const Value value : problem.fanins(gate))
          if (value != no_value && !problem.is_input(value) && !problem.must_stay(value))
            fewest = std::min(fewest, gates_until_removed(value, std::min(fewest, least)));
        return fewest;
      },
      stop);
}

Order date24_order(const ScheduleProblem& problem, const Stop& stop) {
  Order order(problem.gate_count());
  std::iota(order.begin(), order.end(), 0U);
  const std::vector<std::uint32_t> position = order;
  for (std::uint32_t begin = 0; begin < order.size(); begin += part_size) {
    if (should_stop(stop)) return {};
    const auto size = std::min<std::size_t>(part_size, order.size() - begin);
    const std::span<std::uint32_t> part(order.data() + begin, size);
    const Order best = PartOrder(problem, part, position, begin).best();
    std::copy(best.begin(), best.end(), part.begin());
  }
  return order;
}

}  // namespace nestor::simd
