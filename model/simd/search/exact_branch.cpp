#include "model/simd/search/exact_branch.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>

#include "base/tables/hash_table.h"

namespace nestor::simd {

std::optional<ExactBranch> ExactBranch::make(const ScheduleProblem& problem, std::uint32_t copies) {
  if (problem.value_count() > MachineSets::most_values) return std::nullopt;
  ExactBranch space(problem);
  std::uint64_t arrays = problem.home_arrays() + space.useful_arrays(copies);
  if (problem.array_limit() != 0) arrays = std::min<std::uint64_t>(arrays, problem.array_limit());
  arrays = std::max<std::uint64_t>(arrays, 1);
  if (arrays > MachineSets::most_arrays) return std::nullopt;
  space.machine_.set_arrays(problem, static_cast<std::uint8_t>(arrays));
  return space;
}

/// Returns an upper bound on the number of useful arrays that begin empty. One array suffices if it has rows
/// for all values that are ever needed at the same time, since it can replace several arrays without the
/// copies between them. For the same reason, arrays that only store values need in total no more rows than
/// the largest number of values needed at the same time. Each array that also computes requires at least one
/// copy for each value that its first gate reads, unless this gate reads only constants.
std::uint64_t ExactBranch::useful_arrays(std::uint32_t copies) const {
  const std::uint32_t needed = most_needed();
  const std::uint32_t rows = problem_->rows();
  if (rows == 0) return 0;
  if (rows >= needed) return 1;
  std::uint64_t unfed = 0, fewest_read = 3;
  for (const Set fanins : machine_.fanins) {
    unfed += fanins == 0 ? 1 : 0;
    fewest_read = std::min<std::uint64_t>(
        fewest_read, fanins == 0 ? 1U : static_cast<std::uint32_t>(std::popcount(fanins)));
  }
  const std::uint64_t stores = std::min(copies, static_cast<std::uint32_t>(ceil_divide(needed, rows)));
  return unfed + stores + (copies - stores) / fewest_read;
}

/// Returns the maximum number of values needed at any time in any order, or the number of all values if the
/// computation would take too long.
std::uint32_t ExactBranch::most_needed() const {
  constexpr std::size_t patience = 200'000;
  HashSet<Set> seen{0};
  std::vector<Set> open{0};
  int most = 0, unread = 0;  // a result that is never read occupies a row for a moment
  for (std::uint32_t gate = 0; gate < machine_.gates; ++gate)
    if (machine_.readers[machine_.inputs + gate] == 0 &&
        (machine_.must_stay & bit(machine_.inputs + gate)) == 0)
      unread = 1;
  while (!open.empty()) {
    Label label;
    label.computed = open.back();
    open.pop_back();
    most = std::max(most, std::popcount(needed(label.computed)));
    for (std::uint32_t gate = 0; gate < machine_.gates; ++gate)
      if (const Set next = label.computed | bit(machine_.inputs + gate);
          ready(label, gate) && seen.insert(next).second)
        open.push_back(next);
    if (seen.size() > patience) return problem_->value_count();
  }
  return static_cast<std::uint32_t>(most + unread);
}

/// Returns the values that at least one other array stores.
ExactBranch::Set ExactBranch::elsewhere(const Label& label, std::size_t array) const {
  Set result = 0;
  for (std::size_t other = 0; other < machine_.arrays; ++other)
    if (other != array) result |= present(label, other);
  return result;
}

bool ExactBranch::ready(const Label& label, std::uint32_t gate) const {
  const Set inputs = machine_.all_inputs();
  return (label.computed & bit(machine_.inputs + gate)) == 0 &&
         (machine_.fanins[gate] & ~(label.computed | inputs)) == 0;
}

/// True if this array and the preceding one both began empty and are still empty.
bool ExactBranch::repeats_empty(const Label& label, std::size_t array) const {
  return array > problem_->home_arrays() && label.held[array] == 0 && label.held[array - 1] == 0;
}

void ExactBranch::drop_unneeded(Label& label) const {
  const Set wanted = needed(label.computed);
  for (std::size_t array = 0; array < machine_.arrays; ++array) label.held[array] &= wanted;
}

/// Returns the compute of a gate, if any, that can run in the row of one of its fanins: the gate is the last
/// reader of this fanin, and no other array stores it. A gate whose result is never needed can also run if a
/// row is free.
std::optional<ExactBranch::Step> ExactBranch::forced(const Label& label) const {
  for (std::uint32_t gate = 0; gate < machine_.gates; ++gate) {
    if (!ready(label, gate)) continue;
    const std::uint32_t value = machine_.inputs + gate;
    const Set after = needed(label.computed | bit(value));
    for (std::uint8_t array = 0; array < machine_.arrays; ++array) {
      if ((machine_.fanins[gate] & ~present(label, array)) != 0) continue;
      const Set dying = machine_.fanins[gate] & label.held[array] & ~after & ~elsewhere(label, array);
      if (dying != 0 || (after & bit(value)) == 0) {
        // A result that is never read occupies any row for a moment. If no fanin is read for the last time,
        // it needs a free row.
        const bool room =
            static_cast<std::uint32_t>(std::popcount(label.held[array] & after)) < capacity(array);
        if (room) return Step{true, static_cast<std::uint8_t>(value), array, array, no_victim};
      }
    }
  }
  return std::nullopt;
}

ExactBranch::Label ExactBranch::applied(const Label& label, const Step& step) const {
  Label next = label;
  next.step = step;
  if (step.victim != no_victim) next.held[step.to] &= ~bit(step.victim);
  next.held[step.to] |= bit(step.value);
  if (step.compute) {
    next.computed |= bit(step.value);
    drop_unneeded(next);
    next.waiting = 0;
    return next;
  }
  ++next.copies;
  std::uint8_t waiting = 0;  // number of waiting copies, without those of the evicted value
  for (std::uint8_t i = 0; i < next.waiting; ++i)
    if (next.brought[i].value != step.victim) next.brought[waiting++] = next.brought[i];
  if (waiting < most_waiting) next.brought[waiting++] = {step.value, step.to};
  next.waiting = waiting;
  return next;
}

/// True if the compute justifies all copies since the last compute.
bool ExactBranch::serves(const Label& label, const Step& step) const {
  if (!step.compute) return true;
  const Set fanins = machine_.fanins[step.value - machine_.inputs];
  return std::all_of(label.brought.begin(), label.brought.begin() + label.waiting, [&](const Brought& copy) {
    return copy.value == step.victim || (copy.array == step.to && (fanins & bit(copy.value)) != 0);
  });
}

/// True if some compute can still justify all waiting copies. One gate in one array must read all copies that
/// do not save a value.
bool ExactBranch::may_serve(const Label& label) const {
  Set read = 0;
  std::uint8_t array = no_victim;
  for (std::uint8_t i = 0; i < label.waiting; ++i) {
    const Brought& copy = label.brought[i];
    bool saves = false;
    for (std::size_t other = 0; other < machine_.arrays && !saves; ++other)
      saves = other != copy.array && (label.held[other] & bit(copy.value)) != 0;
    if (saves) continue;
    if (array != no_victim && array != copy.array) return false;
    array = copy.array;
    read |= bit(copy.value);
  }
  if (read == 0) return true;
  for (std::uint32_t gate = 0; gate < machine_.gates; ++gate)
    if ((read & ~machine_.fanins[gate]) == 0 && ready(label, gate)) return true;
  return false;
}

ExactBranch::Label ExactBranch::canonical(Label label) const {
  machine_.sort_alike(label.held, [&](std::size_t first) {
    for (std::uint8_t k = 0; k < label.waiting; ++k) {
      std::uint8_t& array = label.brought[k].array;
      if (array == first)
        ++array;
      else if (array == first + 1)
        --array;
    }
  });
  return label;
}

ExactBranch::Label ExactBranch::after(const Label& label, const Step& step) const {
  return canonical(applied(label, step));
}

std::uint32_t ExactBranch::bound(const Label& label) const {
  const Set wanted = needed(label.computed);
  Set waiting = machine_.stuck_inputs & wanted;
  for (std::size_t array = 0; array < machine_.arrays; ++array) waiting &= ~label.held[array];
  const std::uint32_t left = static_cast<std::uint32_t>(std::popcount(waiting)) + meetings(label, wanted);
  std::uint32_t result = label.copies + left;
  if (completions_)
    result = std::max(result, label.copies + completions_->at_least(label.computed, label.held));
  if (loads_ && result < loads_below_)
    result = std::max(
        result, label.copies + loads_->at_least(label.computed, label.held, loads_below_ - label.copies));
  return result;
}

/// Returns a lower bound on the copies that connect arrays. Remaining gates form groups, connected by the
/// values that they compute or read and that are in at most one array. The arrays that store values read by a
/// group must be joined by copies of its values.
std::uint32_t ExactBranch::meetings(const Label& label, Set wanted) const {
  Set once = 0, more = 0;  // stored in one array with free rows; stored in several
  for (std::size_t array = 0; array < machine_.arrays; ++array) {
    if (capacity(array) == 0) continue;
    const Set here = present(label, array) & wanted;
    more |= once & here;
    once |= here;
  }
  once &= ~more;
  const Set open = machine_.all_gates & ~label.computed;
  const Set joining = once | open;
  std::uint32_t result = 0;
  for (Set left = open; left != 0;) {
    Set group = left & (~left + 1), read = 0;
    for (Set fresh = group; fresh != 0;) {
      const auto gate = static_cast<std::uint32_t>(std::countr_zero(fresh));
      fresh &= fresh - 1;
      Set values = ((machine_.fanins[gate - machine_.inputs] & ~read) | bit(gate)) & joining;
      read |= values;
      Set reached = 0;
      for (; values != 0; values &= values - 1) {
        const auto value = static_cast<std::uint32_t>(std::countr_zero(values));
        reached |= machine_.readers[value] | (bit(value) & machine_.all_gates);
      }
      reached &= open & ~group;
      group |= reached;
      fresh |= reached;
    }
    left &= ~group;
    std::uint32_t arrays = 0;
    for (std::size_t array = 0; array < machine_.arrays; ++array)
      if (capacity(array) != 0 && (present(label, array) & once & read) != 0) ++arrays;
    if (arrays > 1) result += arrays - 1;
  }
  return result;
}

bool ExactBranch::dominates(const Label& a, const Label& b, double /*cut*/) const {
  if (a.copies > b.copies || a.computed != b.computed) return false;
  Set missing = 0;
  for (std::size_t array = 0; array < machine_.arrays; ++array) missing |= b.held[array] & ~a.held[array];
  return missing == 0;
}

/// Replays the steps on arrays with fixed numbers.
Schedule ExactBranch::schedule(const Netlist& netlist, const std::vector<Step>& steps) const {
  WorkingArrays working;
  for (std::uint32_t array = 0; array < machine_.arrays; ++array) working.physical.push_back(array);
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> arrays(machine_.gates, 0);
  std::vector<Transfer> transfers;
  std::array<std::uint8_t, MachineSets::most_arrays> number{};  // machine array of each array of the label
  std::iota(number.begin(), number.end(), std::uint8_t{0});
  Label label = root();
  for (const Step& step : steps) {
    const auto position = static_cast<std::uint32_t>(order.size());
    const std::uint8_t to = number[step.to];
    if (step.victim != no_victim)
      transfers.push_back({position, step.victim, TransferKind::drop, step.compute, to, to});
    if (step.compute) {
      const std::uint32_t gate = step.value - machine_.inputs;
      arrays[gate] = to;
      order.push_back(gate);
    } else {
      transfers.push_back({position, step.value, TransferKind::bring, false, number[step.from], to});
    }
    const Label next = applied(label, step);
    std::array<std::uint8_t, MachineSets::most_arrays> sorted{};
    std::iota(sorted.begin(), sorted.end(), std::uint8_t{0});
    std::stable_sort(sorted.begin() + static_cast<std::ptrdiff_t>(machine_.first_alike()),
                     sorted.begin() + machine_.arrays,
                     [&](std::uint8_t a, std::uint8_t b) { return next.held[a] > next.held[b]; });
    for (std::uint8_t& array : sorted) array = number[array];
    number = sorted;
    label = after(label, step);
  }
  Sequence sequence(*problem_, order);
  sequence.assign(order, arrays);
  return emit(netlist, sequence, working, transfers);
}

}  // namespace nestor::simd
