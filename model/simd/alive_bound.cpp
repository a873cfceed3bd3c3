#include "model/simd/alive_bound.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nestor::simd {

namespace {

enum History : std::uint8_t { open = 0, past = 1, future = 2 };

/// Maximum number of gates that crowded_gates() samples before it searches the neighbourhood of the best of
/// them.
constexpr std::uint32_t samples = 1000;

}  // namespace

AliveBound::AliveBound(const ScheduleProblem& problem, Stop stop)
    : problem_(&problem),
      stop_(std::move(stop)),
      history_(problem.gate_count(), open),
      at_home_(problem.gate_count()),
      later_(problem.gate_count()) {
  for (std::uint32_t array = 0; array < problem.home_arrays(); ++array) rows_ += problem.free_rows(array);
  for (Value input = 0; input < problem.input_count(); ++input)
    if (problem.free_rows(problem.home_of(input)) == 0 && !problem.readers(input).empty()) ++stuck_;
}

/// Marks the gates that have run in every order, and those that have run in no order, at the time just before
/// `gate` or, if `after`, just after it.
void AliveBound::mark_history(std::uint32_t gate, bool after) {
  std::fill(history_.begin(), history_.end(), open);
  history_[gate] = after ? past : future;
  queue_.assign(1, gate);
  for (std::size_t i = 0; i < queue_.size(); ++i)
    for (const Value value : problem_->fanins(queue_[i])) {
      if (value == no_value || problem_->is_input(value)) continue;
      const std::uint32_t fanin = problem_->gate_of(value);
      if (history_[fanin] != open) continue;
      history_[fanin] = past;
      queue_.push_back(fanin);
    }
  work_ += queue_.size();
  queue_.assign(1, gate);
  for (std::size_t i = 0; i < queue_.size(); ++i)
    for (const std::uint32_t reader : problem_->readers(problem_->value_of_gate(queue_[i]))) {
      if (history_[reader] != open) continue;
      history_[reader] = future;
      queue_.push_back(reader);
    }
  work_ += queue_.size();
}

/// Adds a price that is paid if `from` is on the source side of the cut and `to` is not.
void AliveBound::add_edge(std::uint32_t from, std::uint32_t to, std::int32_t price) {
  if (from != MinCut::sink && to != MinCut::source && from != to && price > 0)
    flow_.add_edge(from, to, price);
}

/// True if nothing reads the gate. For such a gate, the time after it is also checked, since all outputs are
/// present after the last gate. The time after any other gate is covered by the times before its readers.
bool AliveBound::is_last(std::uint32_t gate) const {
  return problem_->readers(problem_->value_of_gate(gate)).empty();
}

std::uint32_t AliveBound::alive_at(std::uint32_t gate) {
  const std::uint32_t before = alive_then(gate, false);
  return is_last(gate) ? std::max(before, alive_then(gate, true)) : before;
}

std::int64_t AliveBound::priced(std::uint32_t gate, std::int32_t row_price) {
  const std::int64_t before = priced_then(gate, false, row_price);
  return is_last(gate) ? std::max(before, priced_then(gate, true, row_price)) : before;
}

std::uint32_t AliveBound::alive_then(std::uint32_t gate, bool after) {
  mark_history(gate, after);
  flow_.clear();
  for (std::uint32_t other = 0; other < problem_->gate_count(); ++other)
    later_[other] = history_[other] == past     ? MinCut::source
                    : history_[other] == future ? MinCut::sink
                                                : flow_.add_node();
  for (std::uint32_t other = 0; other < problem_->gate_count(); ++other) {
    if (history_[other] == future) continue;
    for (const Value value : problem_->fanins(other))
      if (value != no_value && !problem_->is_input(value))
        add_edge(later_[other], later_[problem_->gate_of(value)], MinCut::infinite);
    const Value value = problem_->value_of_gate(other);
    const std::uint32_t held = flow_.add_node();
    add_edge(later_[other], held, 1);
    if (problem_->must_stay(value)) add_edge(held, MinCut::sink, MinCut::infinite);
    for (const std::uint32_t reader : problem_->readers(value))
      add_edge(held, later_[reader], MinCut::infinite);
  }
  work_ += problem_->value_count();
  return static_cast<std::uint32_t>(flow_.run(MinCut::infinite, [this] { return exhausted(); }));
}

/// Creates two nodes of the cut for every gate. For a gate that has run in every order, or in no order, the
/// only choice is whether it runs at home.
void AliveBound::number_nodes() {
  for (std::uint32_t gate = 0; gate < problem_->gate_count(); ++gate) {
    at_home_[gate] = flow_.add_node();
    later_[gate] = history_[gate] == past     ? MinCut::source
                   : history_[gate] == future ? at_home_[gate]
                                              : flow_.add_node();
    add_edge(at_home_[gate], later_[gate], MinCut::infinite);
  }
}

/// Adds the cost of a gate's value by docs/models/simd.md (4.3): a copy if a reader and the gate are on
/// different sides, a row if the value is at home and has later readers. Each part below costs no more than
/// this, and parts that occur together cost no more in total.
void AliveBound::add_value_of(std::uint32_t gate, std::int32_t row_price) {
  const Value value = problem_->value_of_gate(gate);
  const auto readers = problem_->readers(value);
  const bool stays = problem_->must_stay(value);
  const std::int32_t rest = copy_price - row_price;
  if (stays) add_edge(later_[gate], at_home_[gate], row_price);
  if (readers.empty()) return;
  const std::uint32_t brought = flow_.add_node();  // computed elsewhere, read at home
  const std::uint32_t sent = flow_.add_node();     // computed at home, read elsewhere
  const std::uint32_t early = flow_.add_node();    // not computed yet, and read elsewhere
  add_edge(at_home_[gate], brought, stays ? copy_price : rest);
  add_edge(sent, at_home_[gate], rest);
  add_edge(early, later_[gate], row_price);
  for (const std::uint32_t reader : readers) {
    add_edge(brought, at_home_[reader], MinCut::infinite);
    add_edge(at_home_[reader], sent, MinCut::infinite);
    add_edge(later_[reader], early, MinCut::infinite);
  }
  if (stays) return;
  const std::uint32_t held = flow_.add_node();  // has run or is elsewhere, and is read at home later
  add_edge(later_[gate], held, row_price);
  for (const std::uint32_t reader : readers) add_edge(held, later_[reader], MinCut::infinite);
}

/// Adds the cost of an input: a copy if it is read elsewhere. Inputs of full arrays are counted separately.
void AliveBound::add_input(Value input) {
  const auto readers = problem_->readers(input);
  if (readers.empty() || problem_->free_rows(problem_->home_of(input)) == 0) return;
  const std::uint32_t delivered = flow_.add_node();
  add_edge(delivered, MinCut::sink, copy_price);
  for (const std::uint32_t reader : readers) add_edge(at_home_[reader], delivered, MinCut::infinite);
}

std::int64_t AliveBound::priced_then(std::uint32_t gate, bool after, std::int32_t row_price) {
  mark_history(gate, after);
  flow_.clear();
  number_nodes();
  for (std::uint32_t other = 0; other < problem_->gate_count(); ++other) add_value_of(other, row_price);
  for (Value input = 0; input < problem_->input_count(); ++input) add_input(input);
  work_ += problem_->value_count();
  const std::int32_t least = flow_.run(MinCut::infinite, [this] { return exhausted(); });
  return least - static_cast<std::int64_t>(rows_) * row_price;
}

/// Returns the examined gates at whose time more values are alive than arrays that hold inputs have free
/// rows, in descending order of the number of alive values. The examined gates are a sample over the depths
/// of the netlist and the neighbourhood of the best gate of this sample.
std::vector<std::uint32_t> AliveBound::crowded_gates() {
  const std::uint32_t gates = problem_->gate_count();
  std::vector<std::uint32_t> depth(gates, 0), by_depth(gates);
  for (std::uint32_t gate = 0; gate < gates; ++gate)
    for (const Value value : problem_->fanins(gate))
      if (value != no_value && !problem_->is_input(value))
        depth[gate] = std::max(depth[gate], depth[problem_->gate_of(value)] + 1);
  std::iota(by_depth.begin(), by_depth.end(), 0U);
  std::stable_sort(by_depth.begin(), by_depth.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return depth[a] < depth[b]; });
  std::vector<std::uint32_t> alive(gates, 0);  // by position in `by_depth`
  std::uint32_t best = 0;
  const auto spent = [&](std::uint64_t part) { return work() > part || should_stop(stop_); };
  const auto look_at = [&](std::uint32_t place) {
    if (alive[place] != 0) return;
    alive[place] = alive_at(by_depth[place]);
    if (alive[place] > alive[best]) best = place;
  };
  const std::uint32_t looks = std::min(gates, samples);
  for (std::uint32_t i = 1; i <= looks && !spent(budget_ / 4); ++i) {
    // Positions 1/2, 1/4, 3/4, 1/8, ...: the depths are covered evenly wherever the budget ends.
    double place = 0, digit = 0.5;
    for (std::uint32_t bits = i; bits != 0; bits /= 2, digit /= 2) place += bits % 2 * digit;
    look_at(static_cast<std::uint32_t>(place * gates));
  }
  for (std::uint32_t stride = std::max(gates / 50, 2U); stride > 1 && !spent(budget_ / 2);) {
    const std::uint32_t first = best - std::min(best, 2 * stride), last = std::min(best + 2 * stride, gates);
    stride = std::max(stride / 4, 1U);
    for (std::uint32_t place = first; place < last && !spent(budget_ / 2); place += stride) look_at(place);
  }
  most_alive_ = alive[best];
  std::vector<std::uint32_t> crowded;
  for (std::uint32_t place = 0; place < gates; ++place)
    if (alive[place] > rows_) crowded.push_back(place);
  std::stable_sort(crowded.begin(), crowded.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return alive[a] > alive[b]; });
  for (std::uint32_t& place : crowded) place = by_depth[place];
  return crowded;
}

std::uint32_t AliveBound::fewest(std::uint64_t budget) {
  budget_ = budget;
  // A cut costs at most a copy of every value. This cost must be within the range of capacities.
  if (rows_ == 0 || problem_->value_count() > MinCut::infinite / copy_price) return stuck_;
  std::int64_t most = 0;
  std::int32_t best_price = 0;
  for (const std::uint32_t gate : crowded_gates()) {
    if (exhausted()) break;
    const auto priced_at = [&](std::int32_t row_price) {
      const std::int64_t proved = priced(gate, row_price);
      if (proved > most) {
        most = proved;
        best_price = row_price;
      }
      return proved;
    };
    // Once a best price is known, other prices are tried only for gates whose bound at this price is at least
    // the best bound so far.
    if (best_price != 0 && priced_at(best_price) < most) continue;
    // The proved bound is concave in the price of a row.
    for (std::int32_t low = 0, high = copy_price; high - low > 4 && !exhausted();) {
      const std::int32_t third = (high - low) / 3;
      if (priced_at(low + third) < priced_at(high - third))
        low += third;
      else
        high -= third;
    }
  }
  return stuck_ + static_cast<std::uint32_t>(ceil_divide(most, copy_price));
}

}  // namespace nestor::simd
