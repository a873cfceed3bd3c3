#include "model/simd/search/completion_table.h"

#include <algorithm>
#include <bit>

namespace nestor::simd {

namespace {

constexpr ValueSet bit(std::uint32_t value) { return MachineSets::bit(value); }

}  // namespace

void CompletionTable::grow(std::size_t patience, const Stop& stop) {
  patience_ = patience;
  while (levels_ < open_.size()) {
    // States with more computed gates are processed first, since they lead to states with fewer computed
    // gates in the same level.
    for (std::uint32_t gates = machine_.gates + 1; gates-- > 0;)
      if (!close(open_[levels_][gates], stop)) return;
    ++levels_;
    if (at_least(0, {}) < levels_) return;  // the initial state meets a need of a complete level
  }
  exhausted_ = true;
}

/// Processes all states of a level with the same number of computed gates, smallest needs first. Returns
/// false if there are too many states or if the computation was stopped.
bool CompletionTable::close(std::vector<State>& states, const Stop& stop) {
  constexpr std::size_t stretch = 256;
  const auto size = [](const State& state) {
    std::uint32_t result = 0;
    for (const ValueSet need : state.need) result += count(need);
    return result;
  };
  std::stable_sort(states.begin(), states.end(),
                   [&](const State& a, const State& b) { return size(a) > size(b); });
  std::size_t steps = 0;
  while (!states.empty()) {
    if (seen_.size() >= patience_ || (++steps % stretch == 0 && should_stop(stop))) return false;
    const State state = states.back();
    states.pop_back();
    if (is_known(state)) continue;
    Need need{state.need, 0, levels_};
    for (const ValueSet in : state.need) need.anywhere |= in;
    needs_of_[state.computed].push_back(need);
    ++needs_;
    before_computes(state);
    before_copies(state);
  }
  return true;
}

std::size_t CompletionTable::bytes() const {
  std::size_t open = 0;
  for (const auto& level : open_)
    for (const auto& states : level) open += states.capacity();
  return seen_.capacity() * sizeof(State) + open * sizeof(State) + 2 * needs_ * sizeof(Need);
}

/// Adds the states from which a single copy leads to this state: docs/models/simd.md (5.4).
void CompletionTable::before_copies(const State& state) {
  for (std::size_t to = 0; to < machine_.arrays; ++to)
    for (ValueSet left = state.need[to]; left != 0; left &= left - 1) {
      const auto value = static_cast<std::uint32_t>(std::countr_zero(left));
      bool stored_elsewhere = value < machine_.inputs;
      for (std::size_t array = 0; array < machine_.arrays; ++array)
        stored_elsewhere = stored_elsewhere || (array != to && (state.need[array] & bit(value)) != 0);
      State before = state;
      before.need[to] &= ~bit(value);
      if (stored_elsewhere) {
        add(before, levels_ + 1);
        continue;
      }
      for (std::size_t from = 0; from < machine_.arrays; ++from) {
        if (from == to || !has_room(state, from) || repeats_empty(state, from)) continue;
        before.need[from] |= bit(value);
        add(before, levels_ + 1);
        before.need[from] &= ~bit(value);
      }
    }
}

/// Adds the states from which a single compute leads to this state: (5.3).
void CompletionTable::before_computes(const State& state) {
  const ValueSet needed = machine_.needed(state.computed);
  for (ValueSet left = state.computed; left != 0; left &= left - 1) {
    const auto value = static_cast<std::uint32_t>(std::countr_zero(left));
    if ((machine_.readers[value] & state.computed) != 0) continue;
    std::size_t places = 0, place = 0;
    for (std::size_t array = 0; array < machine_.arrays; ++array)
      if ((state.need[array] & bit(value)) != 0) {
        ++places;
        place = array;
      }
    if (places == 1) before_compute(state, value, place);
    if ((needed & bit(value)) != 0) continue;
    for (std::size_t array = 0; array < machine_.arrays; ++array)
      if (has_room(state, array) && !repeats_empty(state, array)) before_compute(state, value, array);
  }
}

void CompletionTable::before_compute(State state, std::uint32_t gate, std::size_t array) {
  state.computed &= ~bit(gate);
  state.need[array] &= ~bit(gate);
  state.need[array] |= machine_.fanins_of(gate) & ~machine_.home[array];
  if (count(state.need[array]) > machine_.capacity[array]) return;
  add(state, levels_);
}

void CompletionTable::add(State state, std::uint32_t copies) {
  if (copies + copies_before(state) >= below_) return;
  machine_.sort_alike(state.need, [](std::size_t) {});
  // A state that was found before required no more copies, because levels are processed one after the other.
  if (!seen_.insert(state).second) return;
  if (open_.size() <= copies) open_.resize(copies + 1, std::vector<std::vector<State>>(machine_.gates + 1));
  open_[copies][count(state.computed)].push_back(state);
}

/// Returns a lower bound on the copies of any schedule that meets the needs. A computed value requires a copy
/// for each array that needs it except one, and an input for each such array. An input of a full array
/// requires at least one copy if it was read.
std::uint32_t CompletionTable::copies_before(const State& state) const {
  ValueSet once = 0, read = 0;
  std::uint32_t result = 0;
  for (std::size_t array = 0; array < machine_.arrays; ++array) {
    const ValueSet in = state.need[array];
    result += count(in & (once | machine_.all_inputs()));
    once |= in;
  }
  for (ValueSet left = state.computed; left != 0; left &= left - 1)
    read |= machine_.fanins_of(static_cast<std::uint32_t>(std::countr_zero(left)));
  return result + count(machine_.stuck_inputs & read & ~once);
}

bool CompletionTable::has_room(const State& state, std::size_t array) const {
  return count(state.need[array]) < machine_.capacity[array];
}

/// True if this array began empty and has no needs, and the preceding array that began empty has no needs
/// either.
bool CompletionTable::repeats_empty(const State& state, std::size_t array) const {
  return array > machine_.first_alike() && state.need[array] == 0 && state.need[array - 1] == 0;
}

/// True if the needs of this state include a need that the table contains for the same computed gates.
bool CompletionTable::is_known(const State& state) const {
  const auto at = needs_of_.find(state.computed);
  if (at == needs_of_.end()) return false;
  ValueSet anywhere = 0;
  for (const ValueSet in : state.need) anywhere |= in;
  return std::any_of(at->second.begin(), at->second.end(), [&](const Need& need) {
    return (need.anywhere & ~anywhere) == 0 && meets(need, state.need);
  });
}

bool CompletionTable::meets(const Need& need, const MachineSets::Contents& held) const {
  const std::size_t first = machine_.first_alike();
  for (std::size_t array = 0; array < first; ++array)
    if ((need.in[array] & ~held[array]) != 0) return false;
  return meets_alike(need, held, first, 0);
}

/// True if the remaining needs of arrays that began empty can be assigned to such arrays so that each array
/// meets its need. These arrays are interchangeable, so any assignment is allowed.
bool CompletionTable::meets_alike(const Need& need, const MachineSets::Contents& held, std::size_t array,
                                  std::uint32_t taken) const {
  if (array == machine_.arrays || need.in[array] == 0) return true;  // sorted: all further needs are empty
  for (std::size_t other = machine_.first_alike(); other < machine_.arrays; ++other) {
    if ((taken >> other & 1U) != 0 || (need.in[array] & ~held[other]) != 0) continue;
    if (meets_alike(need, held, array + 1, taken | 1U << other)) return true;
  }
  return false;
}

std::uint32_t CompletionTable::at_least(ValueSet computed, const MachineSets::Contents& held) const {
  const std::uint32_t beyond = exhausted_ ? below_ : levels_;
  const auto at = needs_of_.find(computed);
  if (at == needs_of_.end()) return beyond;
  ValueSet anywhere = 0;
  for (std::size_t array = 0; array < machine_.arrays; ++array) anywhere |= held[array];
  for (const Need& need : at->second)
    if ((need.anywhere & ~anywhere) == 0 && meets(need, held)) return std::min(need.copies, beyond);
  return beyond;
}

}  // namespace nestor::simd
