#include "sim/cim/walker.h"

#include <bit>

namespace nestor::sim::cim {
namespace {

/// Maximum number of integers in the table: 64 MiB.
constexpr std::size_t memo_capacity = std::size_t{8} << 20;
/// Minimum number of steps for the table; shorter sequences are faster to simulate than to look up.
constexpr Int least_steps_kept = 8;
/// Minimum number of iterations for which a period is searched; shorter loops cannot repeat often enough.
constexpr Int least_iterations_watched = 6;

}  // namespace

template <typename Trace>
Walker<Trace>::Walker(const Plan& plan, const ReplayOptions& options, Trace& trace)
    : options_(options), trace_(trace), machine_(plan), memo_(memo_capacity) {
  for (const Operand operand : all_operands) level_count_[index_of(operand)] = plan.chain(operand).size();
  for (std::size_t i = 0; i < plan.loops.size(); ++i) {
    LoopPlan loop;
    loop.iterations = plan.loops[i].iterations;
    loop.revisits = plan.loops[i].revisits;
    for (const Operand operand : all_operands) {
      const Chain& chain = plan.chain(operand);
      std::uint8_t stays = 0;
      while (stays < chain.size() && chain[stays].first <= i) ++stays;
      loop.change.from[index_of(operand)] = stays;
      if (operand == Operand::O && stays < chain.size() && chain[stays].first == i + 1)
        loop.change.edge_level = stays;
    }
    loops_.push_back(loop);
  }
  Int steps = 1;
  for (std::size_t i = loops_.size(); i-- > 0;) {
    steps *= loops_[i].iterations;
    loops_[i].worth_keeping = steps >= least_steps_kept;
  }
}

template <typename Trace>
bool Walker<Trace>::run() {
  machine_.start(Change{}, trace_);
  ++steps_simulated_;
  if (!walk(0, false, false)) return false;
  end_ = machine_.finish(trace_);
  return true;
}

template <typename Trace>
bool Walker<Trace>::walk(std::size_t i, bool revisited, bool returns_beyond) {
  if (i == loops_.size()) return true;
  if (Trace::active || options_.plain || !loops_[i].worth_keeping)
    return iterate(i, revisited, returns_beyond);

  const Levels& from = loops_[i].change.from;
  std::array<Int, 1 + Machine::max_state> key;
  key[0] = static_cast<Int>(4 * i + (revisited ? 2U : 0U) + (returns_beyond ? 1U : 0U));
  const std::size_t state_size = machine_.capture(from, key.data() + 1);
  const std::span<const Int> whole_key(key.data(), 1 + state_size);
  if (const auto known = memo_.find(whole_key); !known.empty()) {
    machine_.set_now(machine_.now() + known[0]);
    machine_.restore(from, known.data() + 1);
    add_tally(from, known.data() + 1 + state_size, nullptr, 1);
    return true;
  }
  const Int begin = machine_.now();
  TallyBuffer before;
  read_tally(from, before.data());
  if (!iterate(i, revisited, returns_beyond)) return false;

  std::array<Int, 1 + Machine::max_state + std::tuple_size_v<TallyBuffer>> value;
  value[0] = machine_.now() - begin;
  machine_.capture(from, value.data() + 1);
  Int* grown = value.data() + 1 + state_size;
  const std::size_t tally_size = read_tally(from, grown);
  for (std::size_t t = 0; t < tally_size; ++t) grown[t] -= before[t];
  memo_.insert(whole_key, {value.data(), 1 + state_size + tally_size});
  return true;
}

template <typename Trace>
bool Walker<Trace>::iterate(std::size_t i, bool revisited, bool returns_beyond) {
  const LoopPlan& loop = loops_[i];
  const bool revisited_later = revisited || loop.revisits;
  // True if, after an iteration other than the last, the next tile of O returns.
  const bool next_returns = revisited_later;
  const bool ends_source_tile = loop.change.edge_level != Change::no_level;
  const auto beyond = [&](bool last) { return !ends_source_tile && (last ? returns_beyond : next_returns); };

  if (!walk(i + 1, revisited, beyond(false))) return false;
  Change change = loop.change;
  change.revisit = revisited_later;
  bool watch = !Trace::active && !options_.plain && loop.iterations >= least_iterations_watched;
  Snapshot snapshot;
  for (Int k = 1; k < loop.iterations; ++k) {
    if (watch && k + 1 < loop.iterations) {
      const Int skipped = skip_periods(loop, k, snapshot);
      watch = skipped < 0;
      if (skipped > 0) k += skipped;
    }
    const bool last = k + 1 == loop.iterations;
    change.edge_returns = last ? returns_beyond : next_returns;
    if (!advance(change)) return false;
    if (!walk(i + 1, revisited_later, beyond(last))) return false;
  }
  return true;
}

template <typename Trace>
bool Walker<Trace>::advance(const Change& change) {
  if (++steps_simulated_ > options_.step_limit) return false;
  machine_.advance(change, trace_);
  if constexpr (Trace::active) return trace_.takes_more();
  return true;
}

/// If the state equals that of the snapshot, skips whole periods before iteration k. Returns the number of
/// skipped iterations, or -1 if no period is known yet.
template <typename Trace>
Int Walker<Trace>::skip_periods(const LoopPlan& loop, Int k, Snapshot& snapshot) {
  const Levels& from = loop.change.from;
  StateBuffer state;
  const std::size_t size = machine_.capture(from, state.data());
  if (snapshot.iteration > 0 && std::equal(state.begin(), state.begin() + size, snapshot.state.begin())) {
    const Int period = k - snapshot.iteration;
    const Int repetitions = (loop.iterations - 1 - k) / period;
    TallyBuffer tally;
    read_tally(from, tally.data());
    add_tally(from, tally.data(), snapshot.tally.data(), repetitions);
    machine_.set_now(machine_.now() + (machine_.now() - snapshot.now) * repetitions);
    machine_.restore(from, state.data());
    return period * repetitions;
  }
  if (std::has_single_bit(static_cast<std::uint64_t>(k))) {
    snapshot.iteration = k;
    snapshot.now = machine_.now();
    snapshot.state = state;
    read_tally(from, snapshot.tally.data());
  }
  return -1;
}

template <typename Trace>
std::size_t Walker<Trace>::read_tally(const Levels& from, Int* values) const {
  const Tally& tally = machine_.tally();
  Int* next = std::copy(tally.stalls.begin(), tally.stalls.end(), values);
  for (std::size_t x = 0; x < operand_count; ++x)
    next = std::copy(tally.buffer_cycles[x].begin() + from[x],
                     tally.buffer_cycles[x].begin() + level_count_[x], next);
  const std::size_t output = index_of(Operand::O);
  next = std::copy(tally.returns.begin() + from[output], tally.returns.begin() + level_count_[output], next);
  return static_cast<std::size_t>(next - values);
}

template <typename Trace>
void Walker<Trace>::add_tally(const Levels& from, const Int* values, const Int* before, Int times) {
  Tally& tally = machine_.tally();
  const auto add = [&](Int& sum) { sum += (*values++ - (before != nullptr ? *before++ : 0)) * times; };
  for (Int& stall : tally.stalls) add(stall);
  for (std::size_t x = 0; x < operand_count; ++x)
    for (std::size_t j = from[x]; j < level_count_[x]; ++j) add(tally.buffer_cycles[x][j]);
  const std::size_t output = index_of(Operand::O);
  for (std::size_t j = from[output]; j < level_count_[output]; ++j) add(tally.returns[j]);
}

template class Walker<NoTrace>;
template class Walker<SinkTrace>;

}  // namespace nestor::sim::cim
