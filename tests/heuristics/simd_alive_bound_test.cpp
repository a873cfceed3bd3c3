// Tests of the lower bound from values that are alive at the same time. The parts of the bound are compared
// with an enumeration of all placements of the gates, and the whole bound with the exact search.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/random.h"
#include "heuristics/simd_cases.h"
#include "heuristics/simd_searched.h"
#include "model/simd/alive_bound.h"
#include "model/simd/bounds.h"

namespace nestor::simd::simd_alive_bound_test {
namespace {

/// Returns a random netlist. Its outputs are all gates that no gate reads, and some other gates.
Netlist drawn(std::uint64_t seed, std::uint32_t most_gates) {
  Random random(seed);
  Netlist netlist = circuit("random", {.width = static_cast<std::uint32_t>(random.between(3, 6)),
                                       .count = static_cast<std::uint32_t>(random.between(4, most_gates)),
                                       .seed = seed});
  for (std::uint32_t gate = 0; gate < netlist.gates.size(); ++gate)
    if (random.below(4) == 0)
      netlist.outputs.push_back({"z" + std::to_string(gate), Signal(netlist.first_gate() + gate, false)});
  return netlist;
}

/// Where and when a gate is computed: in another array, or in the array that the bound considers (`home`),
/// before or after the time that the bound considers.
enum Place : std::uint8_t { elsewhere, ran_at_home, runs_at_home };

/// Enumeration of all placements of the gates, with costs as docs/models/simd.md defines them.
class AllPlacements {
 public:
  explicit AllPlacements(const ScheduleProblem& problem) : problem_(&problem), place_(problem.gate_count()) {}

  /// Returns the least weighted sum of copies and of alive rows at home over all placements, just before
  /// `gate` runs. If no gate reads the value of `gate`, returns the larger of this sum and the sum just after
  /// `gate` runs. The prices are the weights. If `divided`, gates may be computed elsewhere.
  std::int64_t least(std::uint32_t gate, std::int32_t row_price, std::int32_t copy_price, bool divided) {
    const std::int64_t before = least_then(gate, false, row_price, copy_price, divided);
    if (!problem_->readers(problem_->value_of_gate(gate)).empty()) return before;
    return std::max(before, least_then(gate, true, row_price, copy_price, divided));
  }

 private:
  std::int64_t least_then(std::uint32_t gate, bool has_run, std::int32_t row_price, std::int32_t copy_price,
                          bool divided) {
    std::int64_t least = std::int64_t{1} << 40U;
    std::uint64_t all = 1;
    for (std::uint32_t i = 0; i < problem_->gate_count(); ++i) all *= 3;
    const auto before = closure(gate, true), after = closure(gate, false);
    for (std::uint64_t code = 0; code < all; ++code) {
      std::uint64_t rest = code;
      bool allowed = true;
      for (std::uint32_t i = 0; i < problem_->gate_count(); ++i, rest /= 3) {
        place_[i] = static_cast<Place>(rest % 3);
        allowed = allowed && (divided || place_[i] != elsewhere) &&
                  !(place_[i] == runs_at_home && (i != gate || has_run) && (before >> i & 1U) != 0) &&
                  !(place_[i] == ran_at_home && (i != gate || !has_run) && (after >> i & 1U) != 0);
      }
      if (allowed && is_legal()) least = std::min(least, price(row_price, copy_price));
    }
    return least;
  }

  /// Returns the gate and all gates on which it depends, or the gate and all gates that depend on it.
  std::uint32_t closure(std::uint32_t gate, bool fanins) const {
    std::uint32_t set = 1U << gate;
    for (bool grown = true; grown;) {
      const std::uint32_t old = set;
      for (std::uint32_t i = 0; i < problem_->gate_count(); ++i)
        for (const std::uint32_t reader : problem_->readers(problem_->value_of_gate(i)))
          if ((set >> (fanins ? reader : i) & 1U) != 0) set |= 1U << (fanins ? i : reader);
      grown = set != old;
    }
    return set;
  }

  bool is_legal() const {
    for (std::uint32_t i = 0; i < problem_->gate_count(); ++i)
      for (const std::uint32_t reader : problem_->readers(problem_->value_of_gate(i)))
        if (place_[i] == runs_at_home && place_[reader] == ran_at_home) return false;
    return true;
  }

  std::int64_t price(std::int32_t row_price, std::int32_t copy_price) const {
    std::int64_t total = 0;
    for (Value value = 0; value < problem_->value_count(); ++value) {
      const bool input = problem_->is_input(value);
      if (input && problem_->free_rows(problem_->home_of(value)) == 0) continue;
      const Place own = input ? ran_at_home : place_[problem_->gate_of(value)];
      bool copied = false, alive = problem_->must_stay(value);
      for (const std::uint32_t reader : problem_->readers(value)) {
        copied = copied || (place_[reader] == elsewhere) != (own == elsewhere);
        alive = alive || place_[reader] == runs_at_home;
      }
      if (copied)
        total += copy_price;
      else if (!input && own == ran_at_home && alive)
        total += row_price;
    }
    return total;
  }

  const ScheduleProblem* problem_;
  std::vector<Place> place_;
};

TEST(AliveBound, EqualsTheFewestLiveValuesOfAllOrders) {
  int compared = 0, many = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Netlist netlist = drawn(seed, 8);
    const ScheduleProblem problem(netlist, 16, 0);
    AliveBound bound(problem);
    AllPlacements all(problem);
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) {
      const std::uint32_t alive = bound.alive_at(gate);
      EXPECT_EQ(alive, all.least(gate, 1, 1, false)) << gate;
      ++compared;
      many += alive > 2 ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(many, 40);
}

TEST(AliveBound, IsNeverAboveTheCheapestPlacement) {
  int compared = 0, equal = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Netlist netlist = drawn(seed, 7);
    // Either the arrays have two rows, which inputs fill, or one array holds all inputs and has a free row.
    const auto inputs = static_cast<std::uint32_t>(netlist.input_names.size());
    const ScheduleProblem problem(netlist, seed % 2 == 0 ? 2 : inputs + 1, 0);
    AliveBound bound(problem);
    AllPlacements all(problem);
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
      for (const std::int32_t row_price : {20, 80, 120, 200, 240}) {
        SCOPED_TRACE(row_price);
        const std::int64_t least = all.least(gate, row_price, AliveBound::copy_price, true);
        const std::int64_t priced =
            bound.priced(gate, row_price) + static_cast<std::int64_t>(bound.rows()) * row_price;
        EXPECT_LE(priced, least) << gate;
        ++compared;
        equal += priced == least ? 1 : 0;
      }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(equal, compared * 3 / 4);
}

TEST(AliveBound, IsNeverAboveTheExactSearch) {
  constexpr int cases = 2000;
  int compared = 0, positive = 0, above_others = 0, tight = 0;
  for (std::uint64_t seed = 1; compared < cases; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_LT(seed, 10U * cases);
    Random random(seed);
    const Netlist netlist = drawn(seed, 10);
    const auto inputs = static_cast<std::uint32_t>(netlist.input_names.size());
    const auto rows = seed % 4 == 0 ? static_cast<std::uint32_t>(random.between(3, inputs))
                                    : inputs + static_cast<std::uint32_t>(random.between(1, 2));
    const std::uint32_t arrays = (inputs + rows - 1) / rows + 1;
    const auto copies = searched(netlist, rows, arrays, 40);
    if (!copies) continue;
    const ScheduleProblem problem(netlist, rows, arrays);
    const std::uint32_t bound = alive_bound(problem, 1'000'000).copies;
    const std::uint32_t others = std::max(input_bound(problem).copies, output_bound(problem, false).copies);
    ASSERT_LE(bound, *copies);
    ++compared;
    positive += bound > 0 ? 1 : 0;
    above_others += bound > others ? 1 : 0;
    tight += bound > 0 && bound == *copies ? 1 : 0;
  }
  RecordProperty("positive", positive);
  RecordProperty("above_others", above_others);
  RecordProperty("tight", tight);
  EXPECT_GT(positive, cases / 3);
  EXPECT_GT(above_others, cases / 40);
  EXPECT_GT(tight, cases / 50);
}

TEST(AliveBound, ReturnsAValidBoundWhenStoppedEarly) {
  const Netlist netlist = circuit("multiplier", {.width = 12});
  const ScheduleProblem problem(netlist, 32, 0);
  const std::uint32_t most = alive_bound(problem, 1'000'000'000).copies;
  EXPECT_GT(most, 4U);
  for (const std::uint64_t budget : {0U, 10'000U, 100'000U, 1'000'000U})
    EXPECT_LE(alive_bound(problem, budget).copies, most);
  EXPECT_EQ(alive_bound(problem, 1'000'000'000, [] { return true; }).copies, 0U);
}

}  // namespace
}  // namespace nestor::simd::simd_alive_bound_test
