// The exact method against brute force on machines written out row by row: a second, slow reading of the
// contract's machine that shares nothing with the search (no canonical forms, no dominance, no bounds).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <optional>

#include "heuristics/simd/scheduler.h"
#include "io/netlist/generate.h"
#include "model/simd/delivery.h"
#include "model/simd/verify_schedule.h"
#include "model/simd/xmg_builder.h"
#include "solver/core/random.h"

// The nightly build of this test runs the full bar of 500 netlists.
#ifndef NESTOR_EXACT_CASES
#define NESTOR_EXACT_CASES 60
#endif

namespace nestor::simd {
namespace {

/// Fewest copies by breadth-first search over (rows of every array, computed set). A row holds a node index
/// or 0 for nothing worth keeping. Rows within an array are kept sorted: which of them a value is in cannot
/// matter.
class BruteForce {
 public:
  BruteForce(const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays)
      : netlist_(netlist), rows_(rows), arrays_(arrays) {}

  /// Nothing if there is no schedule.
  std::optional<std::uint32_t> copies() {
    State start;
    start.cells.assign(arrays_, std::vector<NodeIndex>(rows_, 0));
    for (NodeIndex input = 0; input < netlist_.input_names.size(); ++input)
      start.cells[input / rows_][input % rows_] = input + 1;
    start.computed.assign(netlist_.gates.size(), false);
    std::map<State, std::uint32_t> best;
    std::deque<std::pair<State, std::uint32_t>> queue{{sorted(start), 0}};
    best[sorted(start)] = 0;
    while (!queue.empty()) {
      const auto [state, cost] = queue.front();
      queue.pop_front();
      if (best[state] < cost) continue;
      if (finished(state)) return cost;
      const auto reach = [&](State next, std::uint32_t step) {
        next = sorted(next);
        const auto it = best.find(next);
        if (it != best.end() && it->second <= cost + step) return;
        best[next] = cost + step;
        if (step == 0)
          queue.emplace_front(std::move(next), cost);
        else
          queue.emplace_back(std::move(next), cost + step);
      };
      for (std::size_t gate = 0; gate < netlist_.gates.size(); ++gate) compute(state, gate, reach);
      for (std::uint32_t from = 0; from < arrays_; ++from)
        for (const NodeIndex value : state.cells[from])
          for (std::uint32_t to = 0; to < arrays_; ++to)
            if (to != from && value != 0)
              write(state, to, value, [&](State next) { reach(std::move(next), 1); });
    }
    return std::nullopt;
  }

 private:
  struct State {
    std::vector<std::vector<NodeIndex>> cells;
    std::vector<bool> computed;
    auto operator<=>(const State&) const = default;
  };

  bool holds(const State& state, std::uint32_t array, NodeIndex value) const {
    const auto& cells = state.cells[array];
    return std::find(cells.begin(), cells.end(), value) != cells.end();
  }
  template <typename Reach>
  void compute(const State& state, std::size_t gate, const Reach& reach) const {
    if (state.computed[gate]) return;
    for (std::uint32_t array = 0; array < arrays_; ++array) {
      bool present = true;
      for (const Signal signal : netlist_.gates[gate].fanin)
        present = present && (signal.is_constant() || holds(state, array, signal.node()));
      if (!present) continue;
      State next = state;
      next.computed[gate] = true;
      write(next, array, netlist_.first_gate() + static_cast<NodeIndex>(gate),
            [&](State s) { reach(std::move(s), 0); });
    }
  }
  /// Into every row that is not an input's home, as long as nothing needed is lost for good.
  template <typename Visit>
  void write(const State& state, std::uint32_t array, NodeIndex value, const Visit& visit) const {
    const std::uint64_t first = std::uint64_t{array} * rows_;
    const auto inputs = netlist_.input_names.size();
    const std::size_t fixed = inputs > first ? std::min<std::uint64_t>(rows_, inputs - first) : 0;
    for (std::size_t row = fixed; row < rows_; ++row) {
      State next = state;
      next.cells[array][row] = value;
      if (!lost(state, next)) visit(std::move(next));
    }
  }
  bool lost(const State& before, const State& after) const {
    for (std::size_t gate = 0; gate < netlist_.gates.size(); ++gate) {
      const NodeIndex node = netlist_.first_gate() + static_cast<NodeIndex>(gate);
      if (!before.computed[gate] || !needed(after, node)) continue;
      bool stored = false;
      for (std::uint32_t array = 0; array < arrays_; ++array) stored = stored || holds(after, array, node);
      if (!stored) return true;
    }
    return false;
  }
  bool needed(const State& state, NodeIndex node) const {
    for (const Output& output : netlist_.outputs)
      if (output.signal.node() == node) return true;
    for (std::size_t gate = 0; gate < netlist_.gates.size(); ++gate)
      if (!state.computed[gate])
        for (const Signal signal : netlist_.gates[gate].fanin)
          if (signal.node() == node) return true;
    return false;
  }
  bool finished(const State& state) const {
    return std::all_of(state.computed.begin(), state.computed.end(), [](bool done) { return done; });
  }
  /// Forgets values nobody needs and sorts the rows that may be written.
  State sorted(State state) const {
    for (std::uint32_t array = 0; array < arrays_; ++array) {
      const std::uint64_t first = std::uint64_t{array} * rows_;
      const auto inputs = netlist_.input_names.size();
      const auto fixed =
          static_cast<std::ptrdiff_t>(inputs > first ? std::min<std::uint64_t>(rows_, inputs - first) : 0);
      auto& cells = state.cells[array];
      for (auto it = cells.begin() + fixed; it != cells.end(); ++it)
        if (!needed(state, *it)) *it = 0;
      std::sort(cells.begin() + fixed, cells.end());
    }
    return state;
  }

  const Netlist& netlist_;
  std::uint32_t rows_, arrays_;
};

ScheduleResult exact(const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays) {
  ScheduleRequest request;
  request.method = Method::exact;
  request.rows = rows;
  request.array_limit = arrays;
  request.time_limit = 1000;
  request.threads = 1;
  if (auto result = make_schedule(netlist, request)) return std::move(*result);
  ScheduleResult none;
  none.copies = ~0U;
  return none;
}

TEST(Exact, EqualsBruteForceOnRandomNetlists) {
  int proved = 0, with_copies = 0, infeasible = 0;
  // First two on which a rule of the search once went wrong.
  for (std::uint64_t draw = 0; proved < NESTOR_EXACT_CASES; ++draw) {
    const std::uint64_t seed = draw == 0 ? 404 : draw == 1 ? 475 : draw - 1;
    SCOPED_TRACE(seed);
    ASSERT_LT(seed, 2000U);
    nestor::Random random(seed);
    const auto netlist = io::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 5)),
                                                 .count = static_cast<std::uint32_t>(random.between(2, 9)),
                                                 .seed = seed});
    ASSERT_TRUE(netlist.ok());
    const auto rows = static_cast<std::uint32_t>(random.between(4, 6));
    const std::uint32_t arrays = 2;
    if (netlist->input_names.size() > std::size_t{rows} * arrays) continue;
    const auto brute = BruteForce(*netlist, rows, arrays).copies();
    const ScheduleResult result = exact(*netlist, rows, arrays);
    ++proved;
    if (!brute) {
      ++infeasible;
      EXPECT_EQ(result.copies, ~0U);
      continue;
    }
    with_copies += *brute > 0 ? 1 : 0;
    if (result.copies == ~0U) {
      ADD_FAILURE() << "brute force finds " << *brute << " copies, the search nothing";
      continue;
    }
    ASSERT_EQ(result.copies, *brute);
    EXPECT_EQ(result.status, Status::optimal);
    const auto verdict = verify_schedule(*netlist, *netlist, result.schedule);
    ASSERT_FALSE(verdict.fault) << verdict.fault->message;
    EXPECT_EQ(verdict.figures.copies, *brute);
  }
  EXPECT_GT(with_copies, NESTOR_EXACT_CASES / 4);
}

/// Every gate an output, so that small machines overflow.
std::optional<Netlist> all_outputs(std::uint64_t seed) {
  nestor::Random random(seed);
  auto netlist = io::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 5)),
                                         .count = static_cast<std::uint32_t>(random.between(4, 8)),
                                         .seed = seed});
  if (!netlist.ok()) return std::nullopt;
  netlist->outputs.clear();
  for (std::uint32_t gate = 0; gate < netlist->gates.size(); ++gate)
    netlist->outputs.push_back({"y" + std::to_string(gate), Signal(netlist->first_gate() + gate, false)});
  return std::move(*netlist);
}

TEST(Bounds, AreNeverAboveBruteForceWhereOutputsOverflow) {
  int above_one = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto netlist = all_outputs(seed);
    ASSERT_TRUE(netlist);
    if (netlist->gates.size() > 6) continue;  // brute force takes seconds
    const auto rows = static_cast<std::uint32_t>(netlist->input_names.size() + 1 + seed % 2);
    const LowerBound bound = lower_bound(Problem(*netlist, rows, 2), false, BoundEffort::thorough);
    above_one += bound.copies > 1 ? 1 : 0;
    if (const auto brute = BruteForce(*netlist, rows, 2).copies()) {
      EXPECT_LE(bound.copies, *brute);
    }
  }
  EXPECT_GT(above_one, 5);
}

/// The same by trying every set of gates in the arrays that begin empty: copies of what it reads, of what
/// others read of it, and of outputs still short.
std::uint32_t fewest_copies_of_any_split(const Problem& problem, std::uint32_t outputs) {
  std::uint32_t fewest = problem.value_count();
  for (std::uint32_t apart = 0; apart < 1U << problem.gate_count(); ++apart) {
    const auto in = [&](std::uint32_t gate) { return (apart >> gate & 1U) != 0; };
    std::uint32_t copies = 0, there = 0;
    for (Value value = 0; value < problem.value_count(); ++value) {
      const bool made = !problem.is_input(value) && in(problem.gate_of(value));
      bool read_there = false, read_here = false;
      for (const std::uint32_t gate : problem.readers(value)) (in(gate) ? read_there : read_here) = true;
      copies += (made ? read_here : read_there) ? 1 : 0;
      if (problem.must_stay(value) && (made || read_there)) ++there;
    }
    fewest = std::min(fewest, copies + (outputs > there ? outputs - there : 0));
  }
  return fewest;
}

/// With recomputation: every set of delivered values, and all that can be computed from it.
std::uint32_t fewest_delivered(const Problem& problem, std::uint32_t outputs) {
  int fewest = static_cast<int>(problem.value_count());
  for (std::uint32_t subset = 0; subset < 1U << problem.value_count(); ++subset) {
    std::uint32_t closure = subset, there = 0;
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {  // topological
      const Fanins& fanins = problem.fanins(gate);
      if (std::all_of(fanins.begin(), fanins.end(),
                      [&](Value value) { return value == no_value || (closure >> value & 1U) != 0; }))
        closure |= 1U << problem.value_of_gate(gate);
      there += closure >> problem.value_of_gate(gate) & 1U;
    }
    if (there >= outputs) fewest = std::min(fewest, std::popcount(subset));
  }
  return static_cast<std::uint32_t>(fewest);
}

TEST(Delivery, FewestCopiesAreThoseOfAllSplits) {
  constexpr std::uint64_t enough = 100'000'000;
  int differ = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const auto netlist = all_outputs(seed);
    ASSERT_TRUE(netlist);
    const Problem problem(*netlist, 64, 0);
    for (std::uint32_t count = 0; count <= problem.gate_count(); ++count) {
      SCOPED_TRACE(count);
      const std::uint32_t once = DeliverySearch(problem, true).fewest(count, enough);
      const std::uint32_t again = DeliverySearch(problem, false).fewest(count, enough);
      EXPECT_EQ(once, fewest_copies_of_any_split(problem, count));
      EXPECT_EQ(again, fewest_delivered(problem, count));
      differ += once > again ? 1 : 0;
    }
  }
  EXPECT_GT(differ, 10);
}

TEST(Exact, ClaimsNoOptimumWhereGatesMayBeComputedAgain) {
  XmgBuilder builder("tight");
  std::array<Signal, 4> in{};
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = builder.input("x" + std::to_string(i));
  const Signal sum = builder.xor3(in[0], in[1], in[2]), carry = builder.maj3(in[0], in[1], in[2]);
  builder.output("y", builder.xor3(sum, carry, in[3]));
  const Netlist netlist = builder.finish();
  ScheduleRequest request;
  request.method = Method::exact;
  request.rows = 5;  // one free row, two values at once
  for (const bool recompute : {false, true}) {
    request.recompute = recompute;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result);
    EXPECT_GT(result->copies, 0U);
    EXPECT_TRUE(result->completed || result->status == Status::optimal);
    EXPECT_EQ(result->status == Status::optimal, !recompute);
    EXPECT_EQ(result->bound.copies, recompute ? 0 : result->copies);
  }
}

Netlist decoder(std::uint32_t bits) {
  XmgBuilder builder("decoder");
  std::vector<Signal> inputs;
  inputs.reserve(bits);
  for (std::uint32_t i = 0; i < bits; ++i) inputs.push_back(builder.input("x" + std::to_string(i)));
  std::vector<Signal> outputs{!inputs[0], inputs[0]};
  for (std::uint32_t i = 1; i < bits; ++i) {
    const Signal bit = inputs[i];
    std::vector<Signal> next;
    for (const Signal signal : outputs) {
      next.push_back(builder.and2(signal, !bit));
      next.push_back(builder.and2(signal, bit));
    }
    outputs = next;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) builder.output("y" + std::to_string(i), outputs[i]);
  return builder.finish();
}

TEST(Exact, ProvesSmallArithmeticOnTightArrays) {
  const auto multiplier = io::generate("multiplier", {.width = 2});
  ASSERT_TRUE(multiplier.ok());
  const auto adder = io::generate("adder", {.width = 4});
  ASSERT_TRUE(adder.ok());
  const auto prove = [](const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays) {
    const ScheduleResult result = exact(netlist, rows, arrays);
    EXPECT_EQ(result.status, Status::optimal)
        << netlist.name << " " << result.copies << " >= " << result.bound.copies;
    RecordProperty(netlist.name + std::to_string(rows), static_cast<int>(result.copies));
    return result.copies;
  };
  EXPECT_EQ(prove(*multiplier, 64, 0), 0U);
  for (const std::uint32_t rows : {4U, 5U, 6U}) EXPECT_GT(prove(*multiplier, rows, 0), 0U);
  EXPECT_EQ(prove(*adder, 8, 0), 8U);  // the array is full of inputs, each must leave it
  EXPECT_GT(prove(*adder, 10, 0), 0U);
  for (const std::uint32_t rows : {5U, 6U, 8U}) EXPECT_GT(prove(decoder(3), rows, 0), 0U);
}

/// Eight bits decoded by halves, as the benchmark's `dec` does.
TEST(Bounds, ADecoderOf256OutputsNeedsSixCopiesOnArraysOf256Rows) {
  XmgBuilder builder("dec");
  std::vector<Signal> bits;
  bits.reserve(8);
  for (int bit = 0; bit < 8; ++bit) bits.push_back(builder.input("x" + std::to_string(bit)));
  std::vector<std::vector<Signal>> parts;
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const Signal low = bits[2 * pair], high = bits[2 * pair + 1];
    parts.push_back({builder.and2(!high, !low), builder.and2(!high, low), builder.and2(high, !low),
                     builder.and2(high, low)});
  }
  while (parts.size() > 1) {
    std::vector<std::vector<Signal>> wider;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      wider.emplace_back();
      for (const Signal high : parts[i])
        for (const Signal low : parts[i + 1]) wider.back().push_back(builder.and2(high, low));
    }
    parts = wider;
  }
  for (std::size_t i = 0; i < parts[0].size(); ++i) builder.output("y" + std::to_string(i), parts[0][i]);
  const Netlist netlist = builder.finish();
  ASSERT_EQ(netlist.gates.size(), 304U);
  EXPECT_EQ(lower_bound(Problem(netlist, 256, 0), false, BoundEffort::thorough).copies, 6U);
  EXPECT_EQ(lower_bound(Problem(netlist, 256, 0), true, BoundEffort::thorough).copies, 5U);
}

}  // namespace
}  // namespace nestor::simd
