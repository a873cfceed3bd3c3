#include "heuristics/simd/masim_machine.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "heuristics/simd/perturb.h"

namespace nestor::simd {

namespace {

constexpr std::size_t most_snapshots = 32;
constexpr std::size_t snapshot_bytes = std::size_t{1} << 29;  // approximate total of all snapshots
// Hash of the empty prefix. Its high bits keep the hash of a short prefix from being 0, the hash of a
// snapshot that is not taken yet.
constexpr std::uint64_t empty_prefix = 0xcbf29ce484222325ULL;

std::uint32_t array_count(const ScheduleProblem& problem, std::uint32_t most) {
  most = std::min(most, MasimMachine::most_arrays);
  return problem.array_limit() == 0 ? most : std::min(problem.array_limit(), most);
}

std::uint64_t mix(std::uint64_t hash, const MasimMachine::Choice& choice) {
  hash ^= (std::uint64_t{choice.gate} << 8) + choice.array + 1;
  hash *= 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 31);
}

}  // namespace

MasimMachine::MasimMachine(const ScheduleProblem& problem, std::uint32_t arrays, Stop stop)
    : problem_(&problem), stride_(array_count(problem, arrays)), stop_(std::move(stop)), recorder_(problem) {
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    fanins_.push_back(problem.fanins(gate));
    std::ranges::sort(fanins_.back());
  }
  is_built_ = link_partners() && begin();
}

/// Polls the stop rule and returns true if stopped. Called between steps that take noticeable time for a
/// million gates.
bool MasimMachine::stops_here() {
  if (should_stop(stop_)) stopped_ = true;
  return stopped_;
}

/// Sets up the state before the first gate. Returns false if stopped.
bool MasimMachine::begin() {
  const ScheduleProblem& problem = *problem_;
  State& s = initial_;
  s.mask.assign(problem.value_count(), 0);
  s.unread.resize(problem.value_count());
  for (Value value = 0; value < problem.value_count(); ++value)
    s.unread[value] = static_cast<std::uint32_t>(problem.readers(value).size());
  if (stops_here()) return false;
  s.near.assign(std::size_t{problem.value_count()} * stride_, 0);
  if (stops_here()) return false;
  s.row_of.assign(std::size_t{problem.value_count()} * stride_, 0);
  if (stops_here()) return false;
  s.value_at.assign(std::size_t{stride_} * problem.rows(), no_value);
  s.free_rows.resize(std::size_t{stride_} * problem.rows());
  s.free_count.resize(stride_);
  for (std::uint32_t array = 0; array < stride_; ++array) {
    s.free_count[array] = problem.free_rows(array);
    for (std::uint32_t row = problem.rows() - s.free_count[array]; row < problem.rows(); ++row)
      s.free_rows.set(place(array, row));
  }
  s.arrays_used = problem.home_arrays();
  s.shared.assign(partnership_count_, 0);
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
    for (const std::uint32_t p : gate_partnerships_[gate])
      if (p != no_value) ++s.shared[p];
  s.missing.assign(problem.gate_count(), 0);
  s.ready.resize(problem.gate_count());
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
    for (const Value value : fanins_[gate])
      if (value != no_value && !problem.is_input(value)) ++s.missing[gate];
    if (s.missing[gate] == 0) s.ready.set(gate);
  }
  s.first_ready = s.ready.find_first();
  for (Value input = 0; input < problem.input_count(); ++input) {
    const std::uint32_t home = problem.home_of(input);
    if (home >= stride_) break;  // then no construction is possible
    s.row_of[cell(input, home)] = input_place(input, problem.rows()).row;
    s.mask[input] = bit(home);
    for (const Partner& partner : partners(input))
      s.near[cell(partner.value, home)] += static_cast<std::int32_t>(s.shared[partner.partnership]);
  }
  victims_.resize(stride_);
  const std::size_t bytes = s.near.size() * (sizeof(s.near[0]) + sizeof(s.row_of[0])) + 1;
  snapshots_.resize(std::clamp<std::size_t>(snapshot_bytes / bytes, 1, most_snapshots));
  position_.resize(problem.gate_count());
  return !stops_here();
}

/// Builds the lists of partners. Returns false if stopped.
bool MasimMachine::link_partners() {
  struct Partnership {
    Value low, high;
    std::uint32_t gate;
    std::uint32_t index;
  };
  const std::uint32_t gates = problem_->gate_count();
  gate_partnerships_.assign(gates, {no_value, no_value, no_value});
  std::vector<Partnership> pairs;
  for (std::uint32_t gate = 0; gate < gates; ++gate) {
    const Fanins& f = fanins_[gate];
    std::uint32_t index = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a + 1; b < 3; ++b)
        if (f[a] != no_value && f[b] != no_value) pairs.push_back({f[a], f[b], gate, index++});
  }
  if (stops_here()) return false;
  // Sorts by the lower value with a counting sort, because a million gates have three million pairs.
  std::vector<std::uint32_t> begin(problem_->value_count() + 1, 0);
  for (const Partnership& pair : pairs) ++begin[pair.low + 1];
  for (Value value = 0; value < problem_->value_count(); ++value) begin[value + 1] += begin[value];
  std::vector<Partnership> sorted(pairs.size());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (const Partnership& pair : pairs) sorted[next[pair.low]++] = pair;
  if (stops_here()) return false;
  for (Value value = 0; value < problem_->value_count(); ++value)
    std::sort(sorted.begin() + begin[value], sorted.begin() + begin[value + 1],
              [](const Partnership& a, const Partnership& b) {
                return a.high != b.high ? a.high < b.high : a.gate < b.gate;
              });
  pairs = std::move(sorted);
  if (stops_here()) return false;
  std::vector<std::array<Value, 2>> ends;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].low != pairs[i - 1].low || pairs[i].high != pairs[i - 1].high)
      ends.push_back({pairs[i].low, pairs[i].high});
    gate_partnerships_[pairs[i].gate][pairs[i].index] = static_cast<std::uint32_t>(ends.size() - 1);
  }
  if (stops_here()) return false;
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
  return !stops_here();
}

void MasimMachine::reset() { go_to(initial_); }

void MasimMachine::go_to(const State& state) {
  state_ = state;
  stuck_ = !is_built_ || problem_->home_arrays() > stride_;
  ++version_;
}

bool MasimMachine::is_stopped() {
  constexpr std::uint64_t stretch = 64;
  if (!stopped_ && ++work_ % stretch == 0 && should_stop(stop_)) stopped_ = true;
  return stopped_;
}

/// Returns the number of available arrays: the arrays in use and one more.
std::uint32_t MasimMachine::arrays_open() const {
  return stuck_ ? 0 : std::min(state_.arrays_used + 1, stride_);
}

std::uint32_t MasimMachine::lowest_free_row(std::uint32_t array) const {
  const std::size_t first = place(array, 0);
  const auto& free = state_.free_rows;
  return static_cast<std::uint32_t>((free[first] ? first : free.find_next(first)) - first);
}

void MasimMachine::store(Value value, std::uint32_t array, std::uint32_t row) {
  State& s = state_;
  s.free_rows.reset(place(array, row));
  --s.free_count[array];
  s.row_of[cell(value, array)] = row;
  s.value_at[place(array, row)] = value;
  s.mask[value] |= bit(array);
  s.arrays_used = std::max(s.arrays_used, array + 1);
  for (const Partner& partner : partners(value))
    s.near[cell(partner.value, array)] += static_cast<std::int32_t>(s.shared[partner.partnership]);
  if (on_trail_) trail_.push_back({value, array, row, true});
}

void MasimMachine::drop(Value value, std::uint32_t array) {
  State& s = state_;
  const std::uint32_t row = s.row_of[cell(value, array)];
  s.value_at[place(array, row)] = no_value;
  s.free_rows.set(place(array, row));
  ++s.free_count[array];
  s.mask[value] &= ~bit(array);
  for (const Partner& partner : partners(value))
    s.near[cell(partner.value, array)] -= static_cast<std::int32_t>(s.shared[partner.partnership]);
  if (on_trail_) trail_.push_back({value, array, row, false});
}

void MasimMachine::copy(Value value, std::uint32_t to, CopyCause cause) {
  const auto from = static_cast<std::uint32_t>(std::countr_zero(state_.mask[value]));
  store(value, to, lowest_free_row(to));
  ++state_.copies;
  recorder_.copy({from, state_.row_of[cell(value, from)]}, {to, state_.row_of[cell(value, to)]}, value,
                 cause);
}

/// Frees a row of the array (the three cases of docs/scheduling.md, section 6.1) and adds its cost to
/// `total`.
bool MasimMachine::make_row(std::uint32_t array, const Fanins& staying, Priority& total) {
  if (state_.free_count[array] > 0) return true;
  Victims ranked;
  const Victim* const found = victim(ranked, array, staying);
  if (found == nullptr) return false;
  total.close_pairs += found->change;
  if (found->to != no_array) {
    std::int32_t change = 0;
    Value displaced = no_value;
    gap_in(found->to, change, displaced);
    if (displaced != no_value) drop(displaced, found->to);
    copy(found->value, found->to, CopyCause::eviction);
    ++total.copies;
  }
  drop(found->value, array);
  return true;
}

/// Copies the missing fanins of the gate to the array and provides a row for its result. Returns false if
/// this is impossible or if `most_copies` copies are reached while the fanins are copied.
bool MasimMachine::bring_together(std::uint32_t gate, std::uint32_t array, std::uint32_t most_copies,
                                  Priority& total) {
  const Fanins& fanins = fanins_[gate];
  for (const Value value : fanins) {
    if (value == no_value || holds(array, value)) continue;
    if (!make_row(array, fanins, total)) return false;
    copy(value, array, CopyCause::fanin);
    total.close_pairs += state_.near[cell(value, array)];
    if (++total.copies >= most_copies) return false;
  }
  if (last_read_by(fanins, array) == no_value && !make_row(array, fanins, total)) return false;
  total.close_pairs += state_.near[cell(problem_->value_of_gate(gate), array)];
  return true;
}

/// Marks the gate as computed: ends the partnerships through it, and drops fanins that were read for the last
/// time.
void MasimMachine::finish_gate(std::uint32_t gate) {
  State& s = state_;
  const Fanins& fanins = fanins_[gate];
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
  s.ready.reset(gate);
  const Value result = problem_->value_of_gate(gate);
  for (const std::uint32_t reader : problem_->readers(result))
    if (--s.missing[reader] == 0) s.ready.set(reader);
  ++s.computed;
  // The uncomputed gate with the lowest index is always ready.
  if (s.first_ready == gate) s.first_ready = s.ready.find_next(gate);
}

/// Computes a gate whose fanins are in the array, which also has a row for its result.
void MasimMachine::compute(std::uint32_t gate, std::uint32_t array) {
  const Value result = problem_->value_of_gate(gate);
  const Value leaving = last_read_by(fanins_[gate], array);
  const std::uint32_t row =
      leaving != no_value ? state_.row_of[cell(leaving, array)] : lowest_free_row(array);
  const auto operands =
      recorder_.operands(gate, [&](Value value) { return state_.row_of[cell(value, array)]; });
  finish_gate(gate);
  store(result, array, row);
  recorder_.compute(gate, {array, row}, operands);
  if (!needed(result)) drop(result, array);
}

void MasimMachine::apply(const Choice& choice) {
  Priority total;
  if (bring_together(choice.gate, choice.array, any_copies, total))
    compute(choice.gate, choice.array);
  else
    stuck_ = true;
  ++version_;
}

std::size_t MasimMachine::perturb(std::span<Choice> sequence, Random& random) {
  return perturb_order(*problem_, sequence, position_, random);
}

void MasimMachine::rewind(std::span<const Choice> prefix) {
  const std::size_t spacing = problem_->gate_count() / snapshots_.size() + 1;
  constexpr std::size_t stretch = 256;
  std::vector<std::uint64_t> hashes{empty_prefix};
  std::uint64_t hash = empty_prefix;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    hash = mix(hash, prefix[i]);
    if ((i + 1) % spacing == 0) hashes.push_back(hash);
  }
  std::size_t at = hashes.size() - 1;
  while (at > 0 && snapshots_[at].prefix_hash != hashes[at]) --at;
  go_to(at > 0 ? snapshots_[at].state : initial_);
  for (std::size_t i = at * spacing; i < prefix.size(); ++i) {
    if (i % stretch == 0 && stops_here()) {
      stuck_ = true;
      return;
    }
    apply(prefix[i]);
    if ((i + 1) % spacing != 0) continue;
    Snapshot& snapshot = snapshots_[(i + 1) / spacing];
    snapshot.prefix_hash = hashes[(i + 1) / spacing];
    snapshot.state = state_;
  }
}

Schedule MasimMachine::record(const Netlist& netlist, std::span<const Choice> sequence, const Stop& stop) {
  const auto place_of = [&](Value value) {
    const auto array = static_cast<std::uint32_t>(std::countr_zero(state_.mask[value]));
    return Place{array, state_.row_of[cell(value, array)]};
  };
  return recorder_.record(*this, netlist, sequence, place_of, stop);
}

}  // namespace nestor::simd
