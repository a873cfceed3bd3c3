#include "heuristics/simd/cicpp.h"

#include <algorithm>
#include <bit>

#include "heuristics/simd/perturb.h"

namespace nestor::simd {

namespace {

constexpr std::uint32_t no_array = ~std::uint32_t{0};
constexpr std::size_t snapshot_count = 32;

constexpr std::uint64_t bit(std::uint32_t array) { return std::uint64_t{1} << array; }

bool contains(const Fanins& fanins, Value value) {
  return fanins[0] == value || fanins[1] == value || fanins[2] == value;
}

std::uint32_t array_count(const Problem& problem, std::uint32_t most) {
  most = std::min(most, CicppMachine::most_arrays);
  return problem.array_limit() == 0 ? most : std::min(problem.array_limit(), most);
}

std::uint64_t mix(std::uint64_t hash, const CicppMachine::Choice& choice) {
  hash ^= (std::uint64_t{choice.gate} << 8) + choice.array + 1;
  hash *= 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 31);
}

}  // namespace

CicppMachine::CicppMachine(const Problem& problem, std::uint32_t arrays)
    : problem_(&problem), stride_(array_count(problem, arrays)), recorder_(problem) {
  link_partners();
  State& s = initial_;
  s.mask.assign(problem.value_count(), 0);
  s.unread.resize(problem.value_count());
  for (Value value = 0; value < problem.value_count(); ++value)
    s.unread[value] = static_cast<std::uint32_t>(problem.readers(value).size());
  s.near.assign(std::size_t{problem.value_count()} * stride_, 0);
  s.row_of.assign(std::size_t{problem.value_count()} * stride_, 0);
  s.value_at.assign(std::size_t{stride_} * problem.rows(), no_value);
  s.free_rows.resize(std::size_t{stride_} * problem.rows());
  s.free_count.resize(stride_);
  for (std::uint32_t array = 0; array < stride_; ++array) {
    s.free_count[array] = problem.free_rows(array);
    for (std::uint32_t i = 0; i < s.free_count[array]; ++i)
      s.free_rows[array * problem.rows() + i] = problem.rows() - 1 - i;
  }
  s.arrays_used = problem.home_arrays();
  s.shared.assign(partnership_count_, 0);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
    for (const std::uint32_t p : gate_partnerships_[gate])
      if (p != no_value) ++s.shared[p];
  s.missing.assign(problem.gate_count(), 0);
  s.ready_at.assign(problem.gate_count(), 0);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    for (const Value value : problem.fanins(gate))
      if (value != no_value && !problem.is_input(value)) ++s.missing[gate];
    if (s.missing[gate] == 0) {
      s.ready_at[gate] = static_cast<std::uint32_t>(s.ready.size());
      s.ready.push_back(gate);
    }
  }
  state_ = initial_;
  for (Value input = 0; input < problem.input_count(); ++input) {
    const std::uint32_t home = problem.home_of(input);
    if (home >= stride_) break;  // stuck from the start
    state_.row_of[cell(input, home)] = input_place(input, problem.rows()).row;
    state_.mask[input] = bit(home);
    for (const Partner& partner : partners(input)) ++state_.near[cell(partner.value, home)];
  }
  initial_ = state_;
  victims_.resize(stride_);
  snapshots_.resize(snapshot_count);
  position_.resize(problem.gate_count());
}

void CicppMachine::link_partners() {
  struct Pair {
    Value low, high;
    std::uint32_t gate;
    std::uint32_t index;
  };
  const std::uint32_t gates = problem_->gate_count();
  gate_partnerships_.assign(gates, {no_value, no_value, no_value});
  std::vector<Pair> pairs;
  for (std::uint32_t gate = 0; gate < gates; ++gate) {
    const Fanins& f = problem_->fanins(gate);
    std::uint32_t index = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a + 1; b < 3; ++b)
        if (f[a] != no_value && f[b] != no_value)
          pairs.push_back({std::min(f[a], f[b]), std::max(f[a], f[b]), gate, index++});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.gate < b.gate;
  });
  std::vector<std::array<Value, 2>> ends;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].low != pairs[i - 1].low || pairs[i].high != pairs[i - 1].high)
      ends.push_back({pairs[i].low, pairs[i].high});
    gate_partnerships_[pairs[i].gate][pairs[i].index] = static_cast<std::uint32_t>(ends.size() - 1);
  }
  partnership_count_ = static_cast<std::uint32_t>(ends.size());
  partner_begin_.assign(problem_->value_count() + 1, 0);
  for (const auto& pair : ends)
    for (const Value value : pair) ++partner_begin_[value + 1];
  for (Value value = 0; value < problem_->value_count(); ++value)
    partner_begin_[value + 1] += partner_begin_[value];
  partners_.resize(partner_begin_.back());
  std::vector<std::uint32_t> cursor(partner_begin_.begin(), partner_begin_.end() - 1);
  for (std::uint32_t p = 0; p < partnership_count_; ++p) {
    partners_[cursor[ends[p][0]]++] = {ends[p][1], p};
    partners_[cursor[ends[p][1]]++] = {ends[p][0], p};
  }
}

void CicppMachine::reset() {
  state_ = initial_;
  stuck_ = problem_->home_arrays() > stride_;
  ++version_;
}

/// Arrays in play: those in use and one more.
std::uint32_t CicppMachine::arrays_open() const {
  return stuck_ ? 0 : std::min(state_.arrays_used + 1, stride_);
}

// ---- priority
// ------------------------------------------------------------------------------------------------

void CicppMachine::insert(Victims& found, std::uint32_t begin, const Victim& victim) {
  std::uint32_t at = found.count;
  while (at > begin && found.list[at - 1].change < victim.change) --at;
  if (at == victim_count) return;
  const std::uint32_t last =
      std::min<std::uint32_t>(found.count, static_cast<std::uint32_t>(victim_count - 1));
  for (std::uint32_t i = last; i > at; --i) found.list[i] = found.list[i - 1];
  found.list[at] = victim;
  found.count = last + 1;
}

/// Case 2: values that another array holds too.
void CicppMachine::find_duplicated(std::uint32_t array, Victims& found) const {
  const Value* rows = &state_.value_at[std::size_t{array} * problem_->rows()];
  for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
    const Value value = rows[row];
    if (value == no_value || (state_.mask[value] & ~bit(array)) == 0) continue;
    insert(found, 0, {value, no_array, -std::int32_t{state_.near[cell(value, array)]}});
  }
  found.duplicated = found.count;
}

bool CicppMachine::gap_in(std::uint32_t array, std::int32_t& change, Value& victim) const {
  change = 0;
  victim = no_value;
  if (state_.free_count[array] > 0) return true;
  Victims found;
  found.count = 0;
  find_duplicated(array, found);
  if (found.count == 0) return false;
  change = found.list[0].change;
  victim = found.list[0].value;
  return true;
}

/// Case 3: values that must be copied to another array first.
void CicppMachine::find_movable(std::uint32_t array, Victims& found) const {
  std::array<std::int32_t, most_arrays> gap{};
  std::array<bool, most_arrays> open{};
  for (std::uint32_t other = 0; other < arrays_open(); ++other) {
    Value victim = no_value;
    open[other] = other != array && gap_in(other, gap[other], victim);
  }
  const std::uint32_t begin = found.count;
  const Value* rows = &state_.value_at[std::size_t{array} * problem_->rows()];
  for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
    const Value value = rows[row];
    if (value == no_value || (state_.mask[value] & ~bit(array)) != 0) continue;
    Victim best;
    for (std::uint32_t other = 0; other < arrays_open(); ++other) {
      if (!open[other]) continue;
      const std::int32_t change =
          gap[other] + state_.near[cell(value, other)] - state_.near[cell(value, array)];
      if (best.value == no_value || change > best.change) best = {value, other, change};
    }
    if (best.value != no_value) insert(found, begin, best);
  }
}

const CicppMachine::Victims& CicppMachine::victims(std::uint32_t array) {
  Victims& found = victims_[array];
  if (found.version == version_) return found;
  found.version = version_;
  found.count = 0;
  find_duplicated(array, found);
  find_movable(array, found);
  return found;
}

/// Adds what it costs to free `before` rows while the fanins stay and `after` rows when they may go.
bool CicppMachine::take_victims(std::uint32_t array, const Fanins& fanins, std::uint32_t before,
                                std::uint32_t after, Priority& priority) {
  const Victims& found = victims(array);
  std::uint32_t used = 0;  // bits of the list
  const auto take = [&](bool pinned) {
    for (std::uint32_t i = 0; i < found.count; ++i) {
      const Victim& victim = found.list[i];
      if ((used >> i & 1U) != 0 || (pinned && contains(fanins, victim.value))) continue;
      used |= 1U << i;
      priority.copies += victim.to != no_array ? 1 : 0;
      priority.close_pairs += victim.change;
      return true;
    }
    return false;
  };
  for (; before > 0; --before)
    if (!take(true)) return false;
  for (; after > 0; --after)
    if (!take(false)) return false;
  return true;
}

/// Close pairs that end because nothing but this gate, computed in `array`, reads both (Example 3 counts
/// them).
std::int32_t CicppMachine::pairs_ended(std::uint32_t gate, std::uint32_t array) const {
  const Fanins& fanins = problem_->fanins(gate);
  std::int32_t ended = 0;
  std::size_t index = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a + 1; b < 3; ++b) {
      if (fanins[a] == no_value || fanins[b] == no_value) continue;
      if (state_.shared[gate_partnerships_[gate][index++]] != 1) continue;
      ended += std::popcount((state_.mask[fanins[a]] | bit(array)) & (state_.mask[fanins[b]] | bit(array)));
    }
  return ended;
}

bool CicppMachine::evaluate(std::uint32_t gate, std::uint32_t array, Priority& priority) {
  ++work_;
  const Fanins& fanins = problem_->fanins(gate);
  const Value result = problem_->value_of_gate(gate);
  std::uint32_t missing = 0, released = 0;
  std::int32_t pairs = state_.near[cell(result, array)];
  for (const Value value : fanins) {
    if (value == no_value) break;
    const bool dies = state_.unread[value] == 1 && !problem_->must_stay(value) && !at_home(value, array);
    released += dies ? 1 : 0;
    if ((state_.mask[value] & bit(array)) != 0) continue;
    // Those brought in before it are its partners through this very gate.
    pairs += state_.near[cell(value, array)] + static_cast<std::int32_t>(missing);
    ++missing;
  }
  pairs -= pairs_ended(gate, array);
  priority.copies = missing;
  priority.close_pairs = pairs;
  const std::uint32_t free = state_.free_count[array];
  const std::uint32_t before = missing > free ? missing - free : 0;
  const std::uint32_t left = free > missing ? free - missing : 0;
  const std::uint32_t after = left + released == 0 ? 1 : 0;
  return before + after == 0 || take_victims(array, fanins, before, after, priority);
}

// ---- state
// ---------------------------------------------------------------------------------------------------

void CicppMachine::store(Value value, std::uint32_t array) {
  State& s = state_;
  const std::uint32_t row = s.free_rows[array * problem_->rows() + --s.free_count[array]];
  s.row_of[cell(value, array)] = row;
  s.value_at[array * problem_->rows() + row] = value;
  s.mask[value] |= bit(array);
  s.arrays_used = std::max(s.arrays_used, array + 1);
  for (const Partner& partner : partners(value))
    if (s.shared[partner.partnership] > 0) ++s.near[cell(partner.value, array)];
}

void CicppMachine::drop(Value value, std::uint32_t array) {
  State& s = state_;
  const std::uint32_t row = s.row_of[cell(value, array)];
  s.value_at[array * problem_->rows() + row] = no_value;
  s.free_rows[array * problem_->rows() + s.free_count[array]++] = row;
  s.mask[value] &= ~bit(array);
  for (const Partner& partner : partners(value))
    if (s.shared[partner.partnership] > 0) --s.near[cell(partner.value, array)];
}

void CicppMachine::copy(Value value, std::uint32_t to, CopyCause cause) {
  const auto from = static_cast<std::uint32_t>(std::countr_zero(state_.mask[value]));
  store(value, to);
  ++state_.copies;
  recorder_.copy({from, state_.row_of[cell(value, from)]}, {to, state_.row_of[cell(value, to)]}, value,
                 cause);
}

/// Frees a row of `array` (the three cases of section III-B3).
bool CicppMachine::make_row(std::uint32_t array, const Fanins* pinned) {
  if (state_.free_count[array] > 0) return true;
  ++version_;
  const Victims& found = victims(array);
  for (std::uint32_t i = 0; i < found.count; ++i) {
    const Victim victim = found.list[i];
    if (pinned != nullptr && contains(*pinned, victim.value)) continue;
    if (victim.to != no_array) {
      std::int32_t change = 0;
      Value displaced = no_value;
      if (!gap_in(victim.to, change, displaced)) return false;
      if (displaced != no_value) drop(displaced, victim.to);
      copy(victim.value, victim.to, CopyCause::eviction);
    }
    drop(victim.value, array);
    return true;
  }
  return false;
}

/// The gate counts as computed: partnerships through it end, fanins read for the last time leave.
void CicppMachine::finish_gate(std::uint32_t gate) {
  State& s = state_;
  const Fanins& fanins = problem_->fanins(gate);
  std::size_t index = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a + 1; b < 3; ++b) {
      if (fanins[a] == no_value || fanins[b] == no_value) continue;
      if (--s.shared[gate_partnerships_[gate][index++]] > 0) continue;
      for (std::uint64_t m = s.mask[fanins[a]]; m != 0; m &= m - 1)
        --s.near[cell(fanins[b], static_cast<std::uint32_t>(std::countr_zero(m)))];
      for (std::uint64_t m = s.mask[fanins[b]]; m != 0; m &= m - 1)
        --s.near[cell(fanins[a], static_cast<std::uint32_t>(std::countr_zero(m)))];
    }
  for (const Value value : fanins) {
    if (value == no_value || --s.unread[value] > 0 || problem_->must_stay(value)) continue;
    for (std::uint64_t m = s.mask[value]; m != 0; m &= m - 1) {
      const auto array = static_cast<std::uint32_t>(std::countr_zero(m));
      if (!at_home(value, array)) drop(value, array);
    }
  }
  const std::uint32_t at = s.ready_at[gate];
  s.ready[at] = s.ready.back();
  s.ready_at[s.ready[at]] = at;
  s.ready.pop_back();
  const Value result = problem_->value_of_gate(gate);
  for (const std::uint32_t reader : problem_->readers(result))
    if (--s.missing[reader] == 0) {
      s.ready_at[reader] = static_cast<std::uint32_t>(s.ready.size());
      s.ready.push_back(reader);
    }
  ++s.computed;
}

void CicppMachine::compute(std::uint32_t gate, std::uint32_t array) {
  const Value result = problem_->value_of_gate(gate);
  const auto operands =
      recorder_.operands(gate, [&](Value value) { return state_.row_of[cell(value, array)]; });
  finish_gate(gate);
  if (!make_row(array, nullptr)) {
    stuck_ = true;
    return;
  }
  store(result, array);
  recorder_.compute(gate, {array, state_.row_of[cell(result, array)]}, operands);
  if (!needed(result)) drop(result, array);
}

void CicppMachine::apply(const Choice& choice) {
  const Fanins& fanins = problem_->fanins(choice.gate);
  for (const Value value : fanins) {
    if (value == no_value || (state_.mask[value] & bit(choice.array)) != 0) continue;
    if (!make_row(choice.array, &fanins)) {
      stuck_ = true;
      return;
    }
    copy(value, choice.array, CopyCause::fanin);
  }
  compute(choice.gate, choice.array);
  ++version_;
}

// ---- perturb and rewind
// --------------------------------------------------------------------------------------

std::size_t CicppMachine::perturb(std::span<Choice> sequence, Random& random) {
  return perturb_order(*problem_, sequence, position_, random);
}

void CicppMachine::rewind(std::span<const Choice> prefix) {
  const std::size_t spacing = problem_->gate_count() / snapshot_count + 1;
  std::vector<std::uint64_t> hashes{1};
  std::uint64_t hash = 1;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    hash = mix(hash, prefix[i]);
    if ((i + 1) % spacing == 0) hashes.push_back(hash);
  }
  std::size_t at = hashes.size() - 1;
  while (at > 0 && snapshots_[at].prefix_hash != hashes[at]) --at;
  reset();
  if (at > 0) state_ = snapshots_[at].state;
  for (std::size_t i = at * spacing; i < prefix.size(); ++i) {
    apply(prefix[i]);
    if ((i + 1) % spacing != 0) continue;
    Snapshot& snapshot = snapshots_[(i + 1) / spacing];
    snapshot.prefix_hash = hashes[(i + 1) / spacing];
    snapshot.state = state_;
  }
}

Schedule CicppMachine::record(const Netlist& netlist, std::span<const Choice> sequence) {
  return recorder_.record(*this, netlist, sequence, [&](Value value) {
    const auto array = static_cast<std::uint32_t>(std::countr_zero(state_.mask[value]));
    return Place{array, state_.row_of[cell(value, array)]};
  });
}

}  // namespace nestor::simd
