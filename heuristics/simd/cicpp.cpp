#include "heuristics/simd/cicpp.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "heuristics/simd/perturb.h"

namespace nestor::simd {

namespace {

constexpr std::uint32_t no_array = ~std::uint32_t{0};
constexpr std::size_t snapshot_count = 32;

constexpr std::uint64_t bit(std::uint32_t array) { return std::uint64_t{1} << array; }

Fanins ascending(Fanins fanins) {
  if (fanins[1] < fanins[0]) std::swap(fanins[0], fanins[1]);
  if (fanins[2] < fanins[1]) std::swap(fanins[1], fanins[2]);
  if (fanins[1] < fanins[0]) std::swap(fanins[0], fanins[1]);
  return fanins;
}

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
  words_ = (problem.rows() + 63) / 64;
  s.free_rows.assign(stride_ * words_, 0);
  s.free_count.resize(stride_);
  for (std::uint32_t array = 0; array < stride_; ++array) {
    s.free_count[array] = problem.free_rows(array);
    for (std::uint32_t row = problem.rows() - s.free_count[array]; row < problem.rows(); ++row)
      s.free_rows[array * words_ + row / 64] |= std::uint64_t{1} << row % 64;
  }
  s.arrays_used = problem.home_arrays();
  s.shared.assign(partnership_count_, 0);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
    for (const std::uint32_t p : gate_partnerships_[gate])
      if (p != no_value) ++s.shared[p];
  s.missing.assign(problem.gate_count(), 0);
  s.ready.assign((problem.gate_count() + 63) / 64, 0);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    for (const Value value : problem.fanins(gate))
      if (value != no_value && !problem.is_input(value)) ++s.missing[gate];
    if (s.missing[gate] == 0) s.ready[gate / 64] |= std::uint64_t{1} << gate % 64;
  }
  state_ = initial_;
  for (Value input = 0; input < problem.input_count(); ++input) {
    const std::uint32_t home = problem.home_of(input);
    if (home >= stride_) break;  // stuck from the start
    state_.row_of[cell(input, home)] = input_place(input, problem.rows()).row;
    state_.mask[input] = bit(home);
    for (const Partner& partner : partners(input))
      state_.near[cell(partner.value, home)] += static_cast<std::int32_t>(state_.shared[partner.partnership]);
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
    for (std::size_t i = 0; i < 2; ++i)
      if (!problem_->is_input(pair[1 - i])) ++partner_begin_[pair[i] + 1];
  for (Value value = 0; value < problem_->value_count(); ++value)
    partner_begin_[value + 1] += partner_begin_[value];
  partners_.resize(partner_begin_.back());
  std::vector<std::uint32_t> cursor(partner_begin_.begin(), partner_begin_.end() - 1);
  for (std::uint32_t p = 0; p < partnership_count_; ++p) {
    for (std::size_t i = 0; i < 2; ++i)
      if (!problem_->is_input(ends[p][1 - i])) partners_[cursor[ends[p][i]]++] = {ends[p][1 - i], p};
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
    insert(found, 0, {value, no_array, -state_.near[cell(value, array)]});
  }
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
  const std::uint32_t begin = found.count, arrays = arrays_open();
  for (std::uint32_t other = 0; other < arrays; ++other) {
    Value victim = no_value;
    open[other] = other != array && gap_in(other, gap[other], victim);
  }
  const Value* rows = &state_.value_at[std::size_t{array} * problem_->rows()];
  for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
    const Value value = rows[row];
    if (value == no_value || (state_.mask[value] & ~bit(array)) != 0) continue;
    Victim best;
    for (std::uint32_t other = 0; other < arrays; ++other) {
      if (!open[other]) continue;
      const std::int32_t change =
          gap[other] + state_.near[cell(value, other)] - state_.near[cell(value, array)];
      if (best.value == no_value || change > best.change) best = {value, other, change};
    }
    if (best.value != no_value) insert(found, begin, best);
  }
}

/// The value that the array gives up as the `index`-th; nothing beyond the first few or if no other is there.
const CicppMachine::Victim* CicppMachine::victim(std::uint32_t array, std::uint32_t index) {
  Victims& found = victims_[array];
  if (found.version != version_) {
    found.version = version_;
    found.count = 0;
    found.movable_known = false;
    find_duplicated(array, found);
  }
  if (index >= found.count && !found.movable_known) {
    found.movable_known = true;
    find_movable(array, found);
  }
  return index < found.count ? &found.list[index] : nullptr;
}

/// What computing a gate in an array takes, as it is added up.
struct CicppMachine::Bill {
  const Fanins* fanins;
  std::uint32_t array;
  std::uint32_t free;  ///< rows
  std::uint32_t next_victim = 0;
  std::array<Value, 4> gone{};  ///< victims
  std::uint32_t gone_count = 0;
  std::array<Value, 3> brought{};  ///< fanins copied in
  std::uint32_t brought_count = 0;
  Priority total{};
};

/// Gates not yet computed that read both values, the second of which is no input.
std::int32_t CicppMachine::pairs_between(Value a, Value b) const {
  for (const Partner& partner : partners(a))
    if (partner.value == b) return static_cast<std::int32_t>(state_.shared[partner.partnership]);
  return 0;
}

std::int32_t CicppMachine::pairs_of(Value value, const Bill& bill) const {
  if (problem_->is_input(value)) return 0;
  std::int32_t pairs = state_.near[cell(value, bill.array)];
  for (std::uint32_t i = 0; i < bill.gone_count; ++i) pairs -= pairs_between(bill.gone[i], value);
  for (std::uint32_t i = 0; i < bill.brought_count; ++i) pairs += pairs_between(bill.brought[i], value);
  return pairs;
}

bool CicppMachine::take_row(Bill& bill) {
  if (bill.free > 0) {
    --bill.free;
    return true;
  }
  while (const Victim* const found = victim(bill.array, bill.next_victim++)) {
    if (contains(*bill.fanins, found->value)) continue;
    bill.gone[bill.gone_count++] = found->value;
    bill.total.copies += found->to != no_array ? 1 : 0;
    bill.total.close_pairs += found->change;
    return true;
  }
  return false;
}

/// The first fanin that no other gate will read, if it has a row in the array that may be written; fanins
/// that are missing there will have been copied in.
Value CicppMachine::last_read_by(const Fanins& fanins, std::uint32_t array) const {
  Value found = no_value;
  for (const Value value : fanins) {
    if (value == no_value) break;
    if (state_.unread[value] == 1 && !problem_->must_stay(value) && !at_home(value, array))
      found = std::min(found, value);
  }
  return found;
}

/// False if the array can't take the gate, or not better than `best`.
bool CicppMachine::evaluate(std::uint32_t gate, std::uint32_t array, const Priority& best,
                            Priority& priority) {
  ++work_;
  const Fanins fanins = ascending(problem_->fanins(gate));
  Fanins missing{no_value, no_value, no_value};
  std::uint32_t missing_count = 0;
  for (const Value value : fanins)
    if (value != no_value && (state_.mask[value] & bit(array)) == 0) missing[missing_count++] = value;
  if (missing_count >= best.copies) return false;
  Bill bill{.fanins = &fanins, .array = array, .free = state_.free_count[array]};
  for (std::uint32_t i = 0; i < missing_count; ++i) {
    if (!take_row(bill)) return false;
    if (++bill.total.copies >= best.copies) return false;
    bill.total.close_pairs += pairs_of(missing[i], bill);
    bill.brought[bill.brought_count++] = missing[i];
  }
  if (last_read_by(fanins, array) == no_value && !take_row(bill)) return false;
  bill.total.close_pairs += pairs_of(problem_->value_of_gate(gate), bill);
  priority = bill.total;
  return best < priority;
}

/// The fewest copies among arrays that have room for what they miss: what costs more there or elsewhere is
/// never chosen, so no array needs to be asked what it would give up for it.
std::uint32_t CicppMachine::copies_with_room(std::uint32_t gate) const {
  const Fanins& fanins = problem_->fanins(gate);
  std::uint32_t fewest = any_copies;
  for (std::uint32_t array = first_array(); array < arrays_open(); ++array) {
    std::uint32_t missing = 0;
    for (const Value value : fanins)
      if (value != no_value && (state_.mask[value] & bit(array)) == 0) ++missing;
    const std::uint32_t free = state_.free_count[array];
    if (free > missing || (free == missing && last_read_by(fanins, array) != no_value))
      fewest = std::min(fewest, missing);
  }
  return fewest;
}

/// The array for a gate; false if none can take it for at most so many copies.
bool CicppMachine::best_array(std::uint32_t gate, std::uint32_t most_copies, Choice& choice, Priority& best) {
  most_copies = std::min({most_copies, copies_with_room(gate), any_copies - 1});
  best = {most_copies + 1, std::numeric_limits<std::int32_t>::max()};
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

// ---- state
// ---------------------------------------------------------------------------------------------------

std::uint32_t CicppMachine::lowest_free_row(std::uint32_t array) const {
  std::size_t word = array * words_;
  while (state_.free_rows[word] == 0) ++word;
  return static_cast<std::uint32_t>((word - array * words_) * 64 +
                                    static_cast<unsigned>(std::countr_zero(state_.free_rows[word])));
}

void CicppMachine::store(Value value, std::uint32_t array, std::uint32_t row) {
  State& s = state_;
  s.free_rows[array * words_ + row / 64] &= ~(std::uint64_t{1} << row % 64);
  --s.free_count[array];
  s.row_of[cell(value, array)] = row;
  s.value_at[array * problem_->rows() + row] = value;
  s.mask[value] |= bit(array);
  s.arrays_used = std::max(s.arrays_used, array + 1);
  for (const Partner& partner : partners(value))
    s.near[cell(partner.value, array)] += static_cast<std::int32_t>(s.shared[partner.partnership]);
}

void CicppMachine::drop(Value value, std::uint32_t array) {
  State& s = state_;
  const std::uint32_t row = s.row_of[cell(value, array)];
  s.value_at[array * problem_->rows() + row] = no_value;
  s.free_rows[array * words_ + row / 64] |= std::uint64_t{1} << row % 64;
  ++s.free_count[array];
  s.mask[value] &= ~bit(array);
  for (const Partner& partner : partners(value))
    s.near[cell(partner.value, array)] -= static_cast<std::int32_t>(s.shared[partner.partnership]);
}

void CicppMachine::copy(Value value, std::uint32_t to, CopyCause cause) {
  const auto from = static_cast<std::uint32_t>(std::countr_zero(state_.mask[value]));
  store(value, to, lowest_free_row(to));
  ++state_.copies;
  recorder_.copy({from, state_.row_of[cell(value, from)]}, {to, state_.row_of[cell(value, to)]}, value,
                 cause);
}

/// Frees a row of `array` (the three cases of section III-B3).
bool CicppMachine::make_row(std::uint32_t array, const Fanins& pinned) {
  if (state_.free_count[array] > 0) return true;
  ++version_;
  for (std::uint32_t i = 0; const Victim* const found = victim(array, i); ++i) {
    if (contains(pinned, found->value)) continue;
    if (found->to != no_array) {
      std::int32_t change = 0;
      Value displaced = no_value;
      if (!gap_in(found->to, change, displaced)) return false;
      if (displaced != no_value) drop(displaced, found->to);
      copy(found->value, found->to, CopyCause::eviction);
    }
    drop(found->value, array);
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
      --s.shared[gate_partnerships_[gate][index++]];
      for (const auto& [subject, other] :
           {std::pair{fanins[b], fanins[a]}, std::pair{fanins[a], fanins[b]}}) {
        if (problem_->is_input(subject)) continue;
        for (std::uint64_t m = s.mask[other]; m != 0; m &= m - 1)
          --s.near[cell(subject, static_cast<std::uint32_t>(std::countr_zero(m)))];
      }
    }
  for (const Value value : fanins) {
    if (value == no_value || --s.unread[value] > 0) continue;
    std::uint64_t leaves = s.mask[value];
    if (problem_->must_stay(value)) leaves &= ~std::bit_floor(leaves);
    for (std::uint64_t m = leaves; m != 0; m &= m - 1) {
      const auto array = static_cast<std::uint32_t>(std::countr_zero(m));
      if (!at_home(value, array)) drop(value, array);
    }
  }
  s.ready[gate / 64] &= ~(std::uint64_t{1} << gate % 64);
  const Value result = problem_->value_of_gate(gate);
  for (const std::uint32_t reader : problem_->readers(result))
    if (--s.missing[reader] == 0) s.ready[reader / 64] |= std::uint64_t{1} << reader % 64;
  ++s.computed;
}

void CicppMachine::compute(std::uint32_t gate, std::uint32_t array) {
  const Value result = problem_->value_of_gate(gate);
  const auto operands =
      recorder_.operands(gate, [&](Value value) { return state_.row_of[cell(value, array)]; });
  const Fanins& fanins = problem_->fanins(gate);
  const Value leaving = last_read_by(fanins, array);
  if (leaving == no_value && !make_row(array, fanins)) {
    stuck_ = true;
    return;
  }
  const std::uint32_t row =
      leaving != no_value ? state_.row_of[cell(leaving, array)] : lowest_free_row(array);
  finish_gate(gate);
  store(result, array, row);
  recorder_.compute(gate, {array, state_.row_of[cell(result, array)]}, operands);
  if (!needed(result)) drop(result, array);
}

void CicppMachine::apply(const Choice& choice) {
  const Fanins& fanins = problem_->fanins(choice.gate);
  for (const Value value : ascending(fanins)) {
    if (value == no_value || (state_.mask[value] & bit(choice.array)) != 0) continue;
    if (!make_row(choice.array, fanins)) {
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
