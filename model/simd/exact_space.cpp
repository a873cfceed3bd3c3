#include "model/simd/exact_space.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_set>

namespace nestor::simd {

std::optional<ExactSpace> ExactSpace::make(const Problem& problem, std::uint32_t copies) {
  // An array that begins empty is worth having only if a copy goes there, or a gate runs there that reads
  // constants only. And one is as good as many if it has room for all that is ever needed at once: what the
  // many do, the one can do without the copies between them.
  if (problem.value_count() > most_values) return std::nullopt;
  ExactSpace space(problem);
  space.describe();
  std::uint64_t arrays = problem.home_arrays();
  const auto unfed = std::count(space.fanins_.begin(), space.fanins_.end(), Set{0});
  arrays += problem.rows() >= space.most_needed() ? 1 : copies + static_cast<std::uint64_t>(unfed);
  if (problem.array_limit() != 0) arrays = std::min<std::uint64_t>(arrays, problem.array_limit());
  arrays = std::max<std::uint64_t>(arrays, 1);
  if (arrays > most_arrays) return std::nullopt;
  space.arrays_ = static_cast<std::uint8_t>(arrays);
  for (std::uint32_t array = 0; array < space.arrays_; ++array)
    space.capacity_[array] = problem.free_rows(array);
  for (Value input = 0; input < space.inputs_; ++input) {
    space.home_[problem.home_of(input)] |= bit(input);
    if (problem.free_rows(problem.home_of(input)) == 0) space.stuck_inputs_ |= bit(input);
  }
  return space;
}

/// The netlist as sets.
void ExactSpace::describe() {
  gates_ = problem_->gate_count();
  inputs_ = problem_->input_count();
  readers_.assign(problem_->value_count(), 0);
  for (std::uint32_t gate = 0; gate < gates_; ++gate) {
    const Value result = problem_->value_of_gate(gate);
    all_gates_ |= bit(result);
    if (problem_->must_stay(result)) must_stay_ |= bit(result);
    Set fanins = 0;
    for (const Value value : problem_->fanins(gate))
      if (value != no_value) {
        fanins |= bit(value);
        readers_[value] |= bit(result);
      }
    fanins_.push_back(fanins);
  }
}

/// The most values needed at any time in any order; all there are where that is too long to find out.
std::uint32_t ExactSpace::most_needed() const {
  constexpr std::size_t patience = 200'000;
  std::unordered_set<Set> seen{0};
  std::vector<Set> open{0};
  int most = 0, unread = 0;  // a result that nobody needs takes a row for a moment
  for (std::uint32_t gate = 0; gate < gates_; ++gate)
    if (readers_[inputs_ + gate] == 0 && (must_stay_ & bit(inputs_ + gate)) == 0) unread = 1;
  while (!open.empty()) {
    State state;
    state.computed = open.back();
    open.pop_back();
    most = std::max(most, std::popcount(needed(state.computed)));
    for (std::uint32_t gate = 0; gate < gates_; ++gate)
      if (const Set next = state.computed | bit(inputs_ + gate);
          ready(state, gate) && seen.insert(next).second)
        open.push_back(next);
    if (seen.size() > patience) return problem_->value_count();
  }
  return static_cast<std::uint32_t>(most + unread);
}

/// Values that something still reads, and computed outputs.
ExactSpace::Set ExactSpace::needed(Set computed) const {
  Set result = must_stay_ & computed;
  const Set open = all_gates_ & ~computed;
  for (std::uint32_t value = 0; value < readers_.size(); ++value)
    if ((readers_[value] & open) != 0) result |= bit(value);
  return result;
}

/// Values that some array other than this one holds.
ExactSpace::Set ExactSpace::elsewhere(const State& state, std::size_t array) const {
  Set result = 0;
  for (std::size_t other = 0; other < arrays_; ++other)
    if (other != array) result |= present(state, other);
  return result;
}

bool ExactSpace::ready(const State& state, std::uint32_t gate) const {
  const Set inputs = bit(inputs_) - 1;  // fewer than 64: there is a gate
  return (state.computed & bit(inputs_ + gate)) == 0 && (fanins_[gate] & ~(state.computed | inputs)) == 0;
}

/// Is this an array that began empty, still is, and has an equal before it?
bool ExactSpace::repeats_empty(const State& state, std::size_t array) const {
  return array > problem_->home_arrays() && state.held[array] == 0 && state.held[array - 1] == 0;
}

/// Drops what nobody needs.
void ExactSpace::settle(State& state) const {
  const Set wanted = needed(state.computed);
  for (std::size_t array = 0; array < arrays_; ++array) state.held[array] &= wanted;
}

/// A gate that runs in the row of a fanin that dies with it and is held nowhere else, if there is one.
std::optional<ExactSpace::Step> ExactSpace::forced(const State& state) const {
  for (std::uint32_t gate = 0; gate < gates_; ++gate) {
    if (!ready(state, gate)) continue;
    const std::uint32_t value = inputs_ + gate;
    const Set after = needed(state.computed | bit(value));
    for (std::uint8_t array = 0; array < arrays_; ++array) {
      if ((fanins_[gate] & ~present(state, array)) != 0) continue;
      const Set dying = fanins_[gate] & state.held[array] & ~after & ~elsewhere(state, array);
      if (dying != 0 || (after & bit(value)) == 0) {
        // A result nobody needs takes any row for a moment; without a dying fanin it needs a free one.
        const bool room =
            static_cast<std::uint32_t>(std::popcount(state.held[array] & after)) < capacity(array);
        if (room) return Step{true, static_cast<std::uint8_t>(value), array, array, no_victim};
      }
    }
  }
  return std::nullopt;
}

ExactSpace::State ExactSpace::after(const State& state, const Step& step) const {
  State next = state;
  if (step.victim != no_victim) next.held[step.to] &= ~bit(step.victim);
  next.held[step.to] |= bit(step.value);
  if (step.compute) {
    next.computed |= bit(step.value);
    settle(next);
  }
  return next;
}

std::uint32_t ExactSpace::bound(const State& state) const {
  Set waiting = stuck_inputs_ & needed(state.computed);
  for (std::size_t array = 0; array < arrays_; ++array) waiting &= ~state.held[array];
  return static_cast<std::uint32_t>(std::popcount(waiting));
}

ExactSpace::State ExactSpace::canonical(State state) const {
  const auto first = static_cast<std::ptrdiff_t>(std::min<std::uint32_t>(problem_->home_arrays(), arrays_));
  std::sort(state.held.begin() + first, state.held.begin() + arrays_, std::greater<>());
  return state;
}

bool ExactSpace::dominates(const State& a, const State& b) const {
  if (a.computed != b.computed) return false;
  for (std::size_t array = 0; array < arrays_; ++array)
    if ((b.held[array] & ~a.held[array]) != 0) return false;
  return true;
}

Schedule ExactSpace::schedule(const Netlist& netlist, const std::vector<Step>& steps) const {
  WorkingArrays working;
  for (std::uint32_t array = 0; array < arrays_; ++array) working.physical.push_back(array);
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> arrays(gates_, 0);
  std::vector<Transfer> transfers;
  for (const Step& step : steps) {
    const auto position = static_cast<std::uint32_t>(order.size());
    if (step.victim != no_victim)
      transfers.push_back({position, step.victim, TransferKind::drop, step.compute, step.to, step.to});
    if (step.compute) {
      const std::uint32_t gate = step.value - inputs_;
      arrays[gate] = step.to;
      order.push_back(gate);
    } else {
      transfers.push_back({position, step.value, TransferKind::bring, false, step.from, step.to});
    }
  }
  Sequence sequence(*problem_, order);
  sequence.assign(order, arrays);
  return emit(netlist, sequence, working, transfers);
}

}  // namespace nestor::simd
