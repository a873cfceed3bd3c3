#include "heuristics/simd/order_cuts.h"

#include <algorithm>
#include <utility>

namespace nestor::simd {

OrderCuts::OrderCuts(const ScheduleProblem& problem, std::vector<std::uint32_t> order, bool inputs_travel,
                     Stop interrupted)
    : problem_(&problem),
      inputs_travel_(inputs_travel),
      interrupted_(std::move(interrupted)),
      order_(std::move(order)),
      position_(order_.size()),
      stamp_(problem.value_count(), 0) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
}

std::vector<std::uint32_t> OrderCuts::profile() const {
  std::vector<std::int32_t> change(order_.size() + 1, 0);
  for (Value value = 0; value < problem_->value_count(); ++value) {
    const auto readers = problem_->readers(value);
    if (problem_->is_input(value) && (!inputs_travel_ || readers.empty())) continue;
    std::uint32_t first = ~0U, last = 0;
    for (const std::uint32_t gate : readers) {
      first = std::min(first, position_[gate]);
      last = std::max(last, position_[gate]);
    }
    if (!problem_->is_input(value)) {
      first = position_[problem_->gate_of(value)];
      if (problem_->must_stay(value)) last = static_cast<std::uint32_t>(order_.size());
      last = std::max(last, first);
    }
    ++change[first];
    --change[last];
  }
  std::vector<std::uint32_t> result(order_.size());
  std::int32_t alive = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    alive += change[i];
    result[i] = static_cast<std::uint32_t>(alive);
  }
  return result;
}

/// Adds the edges that make the cut cost 1 if `value` is alive across it. The source represents gates before
/// `first`, and the sink gates from `last` on.
void OrderCuts::add_value(Value value, std::uint32_t first, std::uint32_t last) {
  const auto readers = problem_->readers(value);
  const bool input = problem_->is_input(value);
  if (input && !inputs_travel_) return;
  bool read_before = false, read_after = problem_->must_stay(value);
  std::uint32_t inside = 0, some_reader = 0;
  for (const std::uint32_t gate : readers) {
    const std::uint32_t at = position_[gate];
    read_before |= at < first;
    read_after |= at >= last;
    if (at >= first && at < last) {
      ++inside;
      some_reader = gate;
    }
  }
  work_ += readers.size();
  std::uint32_t holder = MinCut::source;
  if (!input && position_[problem_->gate_of(value)] >= first)
    holder = node_of(problem_->gate_of(value), first);
  if (input && !read_before) {  // the input is copied in for its first reader
    if (inside + (read_after ? 1U : 0U) < 2) return;
    holder = flow_.add_node();
    for (const std::uint32_t gate : readers)
      if (position_[gate] >= first && position_[gate] < last)
        flow_.add_edge(node_of(gate, first), holder, MinCut::infinite);
  }
  if (read_after) {
    if (holder != MinCut::source) flow_.add_edge(holder, MinCut::sink, 1);
    return;
  }
  if (inside == 1 && (!input || read_before)) {
    flow_.add_edge(holder, node_of(some_reader, first), 1);
    return;
  }
  if (inside == 0) return;
  const std::uint32_t split = flow_.add_node();
  flow_.add_edge(holder, split, 1);
  for (const std::uint32_t gate : readers)
    if (position_[gate] >= first && position_[gate] < last)
      flow_.add_edge(split, node_of(gate, first), MinCut::infinite);
}

bool OrderCuts::cut(std::uint32_t first, std::uint32_t last, bool late) {
  if (last <= first + 1) return false;
  ++stamp_now_;
  flow_.clear();
  for (std::uint32_t at = first; at < last; ++at) flow_.add_node();
  const auto visit = [&](Value value) {
    if (stamp_[value] == stamp_now_) return;
    stamp_[value] = stamp_now_;
    add_value(value, first, last);
  };
  for (std::uint32_t at = first; at < last; ++at) {
    const std::uint32_t gate = order_[at];
    for (const Value value : problem_->fanins(gate)) {
      if (value == no_value) break;
      visit(value);
      if (problem_->is_input(value)) continue;
      const std::uint32_t fanin = problem_->gate_of(value);
      if (position_[fanin] >= first)
        flow_.add_edge(node_of(gate, first), node_of(fanin, first), MinCut::infinite);
    }
    visit(problem_->value_of_gate(gate));
  }
  flow_.run(MinCut::infinite, interrupted_);
  if (flow_.gave_up()) return false;
  flow_.mark_source_side(late);
  before_.clear();
  after_.clear();
  bool changed = false;
  for (std::uint32_t at = first; at < last; ++at) {
    const bool early = flow_.on_source_side(2 + at - first);
    changed |= early && !after_.empty();
    (early ? before_ : after_).push_back(order_[at]);
  }
  if (!changed) return false;
  before_.insert(before_.end(), after_.begin(), after_.end());
  for (std::uint32_t i = 0; i < before_.size(); ++i) {
    order_[first + i] = before_[i];
    position_[before_[i]] = first + i;
  }
  return true;
}

void OrderCuts::bisect(std::uint32_t begin, std::uint32_t end, Lengths lengths, Random& random,
                       const std::function<bool()>& stop) {
  const std::uint32_t length = end - begin;
  if (length < lengths.shortest || stop()) return;
  const auto margin = static_cast<std::uint32_t>(length / 16 + random.below(length / 4 + 1));
  if (length <= lengths.longest) cut(begin + margin, end - margin, random.below(2) == 0);
  const std::uint32_t middle = begin + length / 2;
  bisect(begin, middle, lengths, random, stop);
  bisect(middle, end, lengths, random, stop);
}

}  // namespace nestor::simd
