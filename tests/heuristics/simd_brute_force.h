// Breadth-first search for schedules of tiny netlists on explicit machines, row by row. It is a slow,
// independent implementation of the machine in docs/models/simd.md and shares no code with the search (no
// canonical forms, no dominance, no bounds).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "model/simd/netlist.h"

namespace nestor::simd {

/// Computes the fewest copies by breadth-first search over states: the rows of every array and the set of
/// computed gates. A row contains a node index, or 0 if it stores no needed value. The rows of an array are
/// kept sorted, since the position of a value is irrelevant.
class BruteForce {
 public:
  BruteForce(const Netlist& netlist, std::uint32_t rows, std::uint32_t arrays)
      : netlist_(netlist), rows_(rows), arrays_(arrays) {
    if (rows * arrays > State().cells.size() || netlist.gates.size() > 8 * sizeof(State::computed) ||
        netlist.first_gate() + netlist.gates.size() > std::numeric_limits<Nodes>::digits)
      throw std::logic_error("too large for brute force");
    find_needed();
  }

  using Cell = std::uint8_t;
  struct State {
    std::array<Cell, 16> cells{};  // rows of all arrays, array by array
    std::uint16_t computed = 0;    // one bit for each gate
    bool operator==(const State&) const = default;
  };

  State start() const {
    State state;
    for (NodeIndex input = 0; input < netlist_.input_names.size(); ++input)
      state.cells[input] = static_cast<Cell>(input + 1);
    return sorted(state);
  }
  /// Returns the state after at most `steps` random instructions.
  State random_state(nestor::Random& random, std::int64_t steps) const {
    State state = start();
    for (; steps > 0; --steps) {
      std::vector<State> next;
      each_step(state, [&](const State& after, std::uint32_t) { next.push_back(sorted(after)); });
      if (next.empty()) break;
      state = next[random.below(next.size())];
    }
    return state;
  }

  /// Returns the fewest copies of a schedule; nullopt if there is no schedule.
  std::optional<std::uint32_t> copies() { return copies_from(start()); }
  std::optional<std::uint32_t> copies_from(const State& start) {
    std::unordered_map<State, std::uint32_t, Hash> best{{start, 0}};
    std::deque<std::pair<State, std::uint32_t>> queue{{start, 0}};
    while (!queue.empty()) {
      const auto [state, cost] = queue.front();
      queue.pop_front();
      if (best[state] < cost) continue;
      if (finished(state)) return cost;
      const auto reach = [&](const State& unsorted, std::uint32_t step) {
        const State next = sorted(unsorted);
        const auto [known, is_new] = best.try_emplace(next, cost + step);
        if (!is_new && known->second <= cost + step) return;
        known->second = cost + step;
        if (step == 0)
          queue.emplace_front(next, cost);
        else
          queue.emplace_back(next, cost + step);
      };
      each_step(state, reach);
    }
    return std::nullopt;
  }

 private:
  using Nodes = std::uint32_t;  ///< one bit for each node
  struct Hash {
    std::size_t operator()(const State& state) const {
      const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(state.cells);
      std::uint64_t mixed = state.computed;
      for (const std::uint64_t half : halves) mixed = (std::rotl(mixed, 29) ^ half) * 0x9E37'79B9'7F4A'7C15U;
      return mixed ^ mixed >> 32U;
    }
  };

  NodeIndex node_of(std::size_t gate) const { return netlist_.first_gate() + static_cast<NodeIndex>(gate); }
  static bool computed(const State& state, std::size_t gate) { return (state.computed >> gate & 1U) != 0; }
  /// Returns the number of rows that inputs permanently occupy in an array. These are the first rows of the
  /// array.
  std::uint32_t fixed_rows(std::uint32_t array) const {
    const auto inputs = static_cast<std::uint32_t>(netlist_.input_names.size());
    return inputs > array * rows_ ? std::min(rows_, inputs - array * rows_) : 0;
  }
  bool holds(const State& state, std::uint32_t array, NodeIndex value) const {
    const auto begin = state.cells.begin() + array * rows_;
    return std::find(begin, begin + rows_, value) != begin + rows_;
  }
  /// Calls reach(state after, copies) for every possible instruction.
  template <typename Reach>
  void each_step(const State& state, const Reach& reach) const {
    for (std::size_t gate = 0; gate < netlist_.gates.size(); ++gate) compute(state, gate, reach);
    for (std::uint32_t from = 0; from < arrays_; ++from)
      for (std::uint32_t row = 0; row < rows_; ++row)
        for (std::uint32_t to = 0; to < arrays_; ++to)
          if (const Cell value = state.cells[from * rows_ + row]; to != from && value != 0)
            write(state, to, value, [&](const State& next) { reach(next, 1); });
  }
  template <typename Reach>
  void compute(const State& state, std::size_t gate, const Reach& reach) const {
    if (computed(state, gate)) return;
    for (std::uint32_t array = 0; array < arrays_; ++array) {
      bool present = true;
      for (const Signal signal : netlist_.gates[gate].fanin)
        present = present && (signal.is_constant() || holds(state, array, signal.node()));
      if (!present) continue;
      State next = state;
      next.computed = static_cast<std::uint16_t>(next.computed | 1U << gate);
      write(next, array, node_of(gate), [&](const State& s) { reach(s, 0); });
    }
  }
  /// Visits the states after writing a value to any row that is not an input's home, unless a needed value
  /// would be lost.
  template <typename Visit>
  void write(const State& state, std::uint32_t array, NodeIndex value, const Visit& visit) const {
    for (std::uint32_t row = fixed_rows(array); row < rows_; ++row) {
      State next = state;
      next.cells[array * rows_ + row] = static_cast<Cell>(value);
      if (!lost(state, next)) visit(next);
    }
  }
  /// True if a value that was computed before and is still needed is no longer stored in any row.
  bool lost(const State& before, const State& after) const {
    Nodes stored = 0;
    for (const Cell cell : after.cells) stored |= Nodes{1} << cell;
    return (Nodes{before.computed} << netlist_.first_gate() & needed_[after.computed] & ~stored) != 0;
  }
  /// Finds the needed nodes for every set of computed gates: the outputs and the values that other gates
  /// read.
  void find_needed() {
    for (std::uint32_t computed = 0; computed < 1U << netlist_.gates.size(); ++computed) {
      Nodes nodes = 0;
      for (const Output& output : netlist_.outputs) nodes |= Nodes{1} << output.signal.node();
      for (std::size_t gate = 0; gate < netlist_.gates.size(); ++gate)
        if ((computed >> gate & 1U) == 0)
          for (const Signal signal : netlist_.gates[gate].fanin) nodes |= Nodes{1} << signal.node();
      needed_.push_back(nodes);
    }
  }
  bool finished(const State& state) const { return state.computed == (1U << netlist_.gates.size()) - 1; }
  /// Clears values that are no longer needed and sorts the writable rows.
  State sorted(State state) const {
    for (std::uint32_t array = 0; array < arrays_; ++array) {
      const auto begin = state.cells.begin() + array * rows_;
      const auto free = begin + fixed_rows(array);
      for (auto cell = free; cell != begin + rows_; ++cell)
        if ((needed_[state.computed] >> *cell & 1U) == 0) *cell = 0;
      std::sort(free, begin + rows_);
    }
    return state;
  }

  const Netlist& netlist_;
  std::uint32_t rows_, arrays_;
  std::vector<Nodes> needed_;
};

}  // namespace nestor::simd
