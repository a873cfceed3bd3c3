// Cost of computing a gate in an array on MASIM's machine.
#include <algorithm>
#include <bit>
#include <limits>

#include "heuristics/simd/masim_machine.h"

namespace nestor::simd {

void MasimMachine::insert(Victims& found, std::uint32_t begin, const Victim& victim) {
  std::uint32_t at = found.count;
  while (at > begin && found.list[at - 1].change < victim.change) --at;
  if (at == victim_count) return;
  const std::uint32_t last =
      std::min<std::uint32_t>(found.count, static_cast<std::uint32_t>(victim_count - 1));
  for (std::uint32_t i = last; i > at; --i) found.list[i] = found.list[i - 1];
  found.list[at] = victim;
  found.count = last + 1;
}

/// Case 2: finds values that another array also stores.
void MasimMachine::find_duplicated(std::uint32_t array, Victims& found) const {
  const Value* rows = &state_.value_at[place(array, 0)];
  for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
    const Value value = rows[row];
    if (value == no_value || state_.mask[value] == bit(array)) continue;
    insert(found, 0, {value, no_array, -state_.near[cell(value, array)]});
  }
  found.duplicated = found.count;
}

/// Computes the change in close pairs if the array receives a value, in a free row or in the row of a
/// duplicated value. Returns false if there is no such row.
bool MasimMachine::gap_in(std::uint32_t array, std::int32_t& change, Value& victim) const {
  change = 0;
  victim = no_value;
  if (state_.free_count[array] > 0) return true;
  Victims found;
  find_duplicated(array, found);
  if (found.count == 0) return false;
  change = found.list[0].change;
  victim = found.list[0].value;
  return true;
}

/// Case 3: finds values that must first be copied to another array.
void MasimMachine::find_movable(std::uint32_t array, Victims& found) const {
  struct Gap {
    bool open = false;
    std::int32_t change = 0;
    Value displaced = no_value;
  };
  std::array<Gap, most_arrays> gaps{};
  const std::uint32_t begin = found.count, arrays = arrays_open();
  for (std::uint32_t other = 0; other < arrays; ++other)
    gaps[other].open = other != array && gap_in(other, gaps[other].change, gaps[other].displaced);
  const Value* rows = &state_.value_at[place(array, 0)];
  for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
    const Value value = rows[row];
    if (value == no_value || state_.mask[value] != bit(array)) continue;
    Victim best;
    for (std::uint32_t other = 0; other < arrays; ++other) {
      const Gap& gap = gaps[other];
      if (!gap.open) continue;
      std::int32_t change = gap.change + state_.near[cell(value, other)] - state_.near[cell(value, array)];
      if (best.value != no_value && change <= best.change) continue;
      if (gap.displaced != no_value) change -= pairs_between(gap.displaced, value);
      if (best.value == no_value || change > best.change) best = {value, other, change};
    }
    if (best.value != no_value) insert(found, begin, best);
  }
}

void MasimMachine::start(Victims& found, std::uint32_t array) const {
  if (found.version == version_) return;
  found = {.version = version_};
  find_duplicated(array, found);
}

/// Returns the number of values in the array, other than those in `staying`, that other arrays also store; at
/// most victim_count.
std::uint32_t MasimMachine::duplicates(std::uint32_t array, const Fanins& staying) {
  Victims& found = victims_[array];
  start(found, array);
  return static_cast<std::uint32_t>(
      std::count_if(found.list.begin(), found.list.begin() + found.duplicated,
                    [&](const Victim& victim) { return !contains(staying, victim.value); }));
}

/// Returns the first value, other than those in `staying`, that the array would evict, or null if there is
/// none. `found` belongs to the array and stores the victims found so far.
const MasimMachine::Victim* MasimMachine::victim(Victims& found, std::uint32_t array,
                                                 const Fanins& staying) const {
  start(found, array);
  for (std::uint32_t i = 0;; ++i) {
    if (i == found.count && !found.movable_known) {
      found.movable_known = true;
      find_movable(array, found);
    }
    if (i == found.count) return nullptr;
    if (!contains(staying, found.list[i].value)) return &found.list[i];
  }
}

/// Returns the number of pairs that two values form, or 0 if the second value is an input.
std::int32_t MasimMachine::pairs_between(Value a, Value b) const {
  for (const Partner& partner : partners(a))
    if (partner.value == b) return static_cast<std::int32_t>(state_.shared[partner.partnership]);
  return 0;
}

/// Returns the first fanin that no other gate will read and whose row in the array may be overwritten. This
/// includes fanins missing in the array, because they will be copied in first.
Value MasimMachine::last_read_by(const Fanins& fanins, std::uint32_t array) const {
  for (const Value value : fanins) {
    if (value == no_value) break;
    if (state_.unread[value] == 1 && !problem_->must_stay(value) && !at_home(value, array)) return value;
  }
  return no_value;
}

/// Computes the priority of the gate in the array. Returns false if the array cannot run the gate, or if the
/// priority is not better than `best`.
bool MasimMachine::evaluate(std::uint32_t gate, std::uint32_t array, const Priority& best,
                            Priority& priority) {
  if (is_stopped()) return false;
  const Fanins& fanins = fanins_[gate];
  Fanins missing{no_value, no_value, no_value};
  std::uint32_t missing_count = 0;
  for (const Value value : fanins)
    if (value != no_value && !holds(array, value)) missing[missing_count++] = value;
  if (missing_count >= best.copies) return false;
  const std::uint32_t free = state_.free_count[array];
  const std::uint32_t rows = missing_count + (last_read_by(fanins, array) == no_value ? 1 : 0);
  if (rows > free + 1 || (rows > free && free > 0)) {
    // Each row beyond the free rows and the rows of duplicates costs a further copy.
    const std::uint32_t room = free + duplicates(array, fanins);
    if (missing_count > room && 2 * missing_count - room >= best.copies) return false;
    if (rows > room && missing_count + rows - room > best.copies) return false;
    return try_out(gate, array, best, priority);
  }

  // At most one row is missing, and it is needed first, so its cost is known without executing the steps.
  priority = {missing_count, 0};
  Value gone = no_value;
  if (rows > free) {
    const Victim* const found = victim(victims_[array], array, fanins);
    if (found == nullptr) return false;
    gone = found->value;
    priority.close_pairs = found->change;
    if (found->to != no_array) ++priority.copies;
    if (missing_count > 0 && priority.copies >= best.copies) return false;
  }
  const auto add_pairs = [&](Value value, std::uint32_t brought) {
    priority.close_pairs += state_.near[cell(value, array)];
    if (gone != no_value) priority.close_pairs -= pairs_between(gone, value);
    for (std::uint32_t i = 0; i < brought; ++i) priority.close_pairs += pairs_between(missing[i], value);
  };
  for (std::uint32_t i = 0; i < missing_count; ++i) add_pairs(missing[i], i);
  add_pairs(problem_->value_of_gate(gate), missing_count);
  return best < priority;
}

bool MasimMachine::try_out(std::uint32_t gate, std::uint32_t array, const Priority& best,
                           Priority& priority) {
  const std::uint32_t copies = state_.copies, arrays_used = state_.arrays_used;
  trail_.clear();
  on_trail_ = true;
  priority = {};
  const bool possible = bring_together(gate, array, best.copies, priority);
  on_trail_ = false;
  for (; !trail_.empty(); trail_.pop_back()) {
    const Step& step = trail_.back();
    if (step.stored)
      drop(step.value, step.array);
    else
      store(step.value, step.array, step.row);
  }
  state_.copies = copies;
  state_.arrays_used = arrays_used;
  return possible && best < priority;
}

/// Returns the fewest copies among arrays that have rows for all missing fanins and the result. An array with
/// more copies is never chosen, so its victims need not be determined.
std::uint32_t MasimMachine::copies_with_room(std::uint32_t gate) const {
  const Fanins& fanins = fanins_[gate];
  std::uint32_t fewest = any_copies;
  for (std::uint32_t array = first_array(); array < arrays_open(); ++array) {
    std::uint32_t missing = 0;
    for (const Value value : fanins)
      if (value != no_value && !holds(array, value)) ++missing;
    const std::uint32_t free = state_.free_count[array];
    if (free > missing || (free == missing && last_read_by(fanins, array) != no_value))
      fewest = std::min(fewest, missing);
  }
  return fewest;
}

/// Finds the best array for a gate. Returns false if no array can run it with at most `most_copies` copies.
bool MasimMachine::best_array(std::uint32_t gate, std::uint32_t most_copies, Choice& choice, Priority& best) {
  if (stuck_) return false;
  most_copies = std::min({most_copies, copies_with_room(gate), any_copies - 1});
  best = {most_copies + 1, std::numeric_limits<std::int32_t>::max()};  // just worse than acceptable
  bool found = false;
  for (std::uint32_t array = first_array(); array < arrays_open() && best.copies > 0; ++array) {
    Priority priority;
    if (!evaluate(gate, array, best, priority)) continue;
    choice.array = array;
    best = priority;
    found = true;
  }
  return found;
}

}  // namespace nestor::simd
