// Tests of mapping under the user's constraints on PIM machines. The optimum equals the least cost that brute
// force finds among all mappings that satisfy the constraints. If there is no such mapping, the search finds
// none, and a true conflict is reported.
#include <gtest/gtest.h>

#include "mapper/loopnest/conflict.h"
#include "mapper/pim/map_layer.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "support/constraint_cases.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::fixed_test {
namespace {

class FixedOnPim : public ::testing::Test {
 protected:
  // Returns the least cost of all mappings that satisfy the constraints; nullopt if there are too many.
  static std::optional<double> brute_force(const PimCase& tiny, const mapper::pim::PimRequest& request,
                                           const Constraints& constraints) {
    const auto objective = problem_of(tiny.layer, tiny.machine, request).objective;
    pim::RowCounter rows;
    double best = no_cost;
    const bool complete = each_pim_mapping(tiny, 4000, [&](const pim::PimMapping& mapping) {
      if (satisfies_constraints(constraints, tiny.layer, tiny.machine, mapping.nest))
        best = std::min(best, objective_value(objective, evaluate(tiny.layer, tiny.machine, mapping, rows)));
    });
    return complete ? std::optional(best) : std::nullopt;
  }

  // Expects that all reported items together exclude every mapping, and that some mapping remains if any one
  // of them is removed.
  void expect_least_conflict(const PimCase& tiny, const mapper::pim::PimRequest& request) {
    const auto conflict = mapper::find_conflict(tiny.layer, tiny.machine, request, resources_);
    if (!conflict.shortages.empty()) {
      EXPECT_EQ(brute_force(tiny, request, {}), no_cost);
      return;
    }
    EXPECT_TRUE(conflict.minimal);
    EXPECT_EQ(brute_force(tiny, request, only(request.constraints, conflict.items, conflict.items.size())),
              no_cost);
    for (std::size_t without = 0; without < conflict.items.size(); ++without)
      EXPECT_LT(brute_force(tiny, request, only(request.constraints, conflict.items, without)), no_cost);
    if (!conflict.items.empty()) ++conflicts_;
  }

  // Returns the constraints that `items` lists, except the one at `without`.
  static Constraints only(const Constraints& all, const std::vector<mapper::FixedItem>& items,
                          std::size_t without) {
    using Kind = mapper::FixedItem::Kind;
    Constraints some;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto& item = items[i];
      if (i == without) continue;
      if (item.kind == Kind::axis_dims) some.axis_dims[item.place] = all.axis_dims[item.place];
      if (item.kind == Kind::axis_factor)
        some.axis_factors[item.place][index_of(item.dim)] = all.axis_factors[item.place][index_of(item.dim)];
      if (item.kind == Kind::min_utilisation)
        some.min_utilisation[item.place] = all.min_utilisation[item.place];
      if (item.kind == Kind::must_use) some.must_use[item.place].insert(item.operand);
      if (item.kind == Kind::must_not_use) some.must_not_use[item.place].insert(item.operand);
      if (item.kind == Kind::outer_loops) some.outer_loops = all.outer_loops;
      if (item.kind == Kind::stationary) some.stationary.insert(item.operand);
    }
    return some;
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory_{std::size_t{1} << 30U};
  mapper::Resources resources_{*executor_, memory_};
  int conflicts_ = 0;
};

TEST_F(FixedOnPim, ChoicesAreHonouredAndTheRestIsOptimal) {
  const auto cases = setting("NESTOR_PIM_CASES", 300);
  const auto first = setting("NESTOR_PIM_SEED", 1);
  ConstraintTally tally;
  std::uint64_t compared = 0;
  std::uint64_t impossible = 0;
  int costlier = 0;
  for (std::uint64_t seed = first; compared < cases; ++seed) {
    const PimCase tiny = random_pim_case(seed, 12);
    mapper::pim::PimRequest request;
    request.objective.kind = static_cast<pim::ObjectiveKind>(seed % 3);
    request.layouts = pim::LayoutSet::of(pim::LayoutKind::sequential);
    const auto free = brute_force(tiny, request, {});
    if (!free || *free == no_cost) continue;
    pim::PimMapping example;
    if (!random_pim_mapping(tiny, seed, example)) continue;
    SCOPED_TRACE(seed);
    request.constraints = random_constraints(seed, tiny.layer, tiny.machine, example.nest.loops);
    const auto best = *brute_force(tiny, request, request.constraints);
    const auto map = map_layer(tiny.layer, tiny.machine, request, resources_);
    ++compared;
    tally.add(request.constraints);
    ASSERT_EQ(map.fault, mapper::Fault::none);
    if (best == no_cost) {
      ++impossible;
      ASSERT_EQ(map.status, Status::infeasible);
      expect_least_conflict(tiny, request);
      continue;
    }
    costlier += best > *free * (1 + 1e-9) ? 1 : 0;
    ASSERT_EQ(map.status, Status::optimal);
    ASSERT_NEAR(map.best.front().objective, best, 2e-9 * std::abs(best));
    ASSERT_NEAR(map.bound.value(), best, 2e-9 * std::abs(best));
    if (HasFailure()) return;
  }
  std::cout << compared << " cases, " << impossible << " impossible, " << conflicts_ << " conflicts, "
            << costlier << " costlier; " << tally.to_string() << '\n';
  EXPECT_GE(impossible, cases / 10);
  EXPECT_GE(conflicts_, static_cast<int>(cases) / 10);
  EXPECT_GE(costlier, static_cast<int>(cases) / 15);
  EXPECT_GE(tally.least(), static_cast<int>(cases) / 10);
}

}  // namespace
}  // namespace nestor::tests::fixed_test
