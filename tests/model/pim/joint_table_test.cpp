// Tests of the table of all operands together: its bounds never exceed the energy of a mapping, and the
// search with it finds every spatial choice's least energy.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "model/pim/space/pim_space.h"
#include "solver/engine/host_storage.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::joint_table_test {
namespace {

// Returns the index of the listed choice with these factors or equal costs.
std::optional<std::size_t> find_choice(const ChoiceList& choices, const SpatialFactors& factors) {
  SpatialChoice wanted;
  for (std::size_t a = 0; a < choices.axes(); ++a)
    for (std::size_t d = 0; d < dim_count; ++d)
      for (std::size_t node = 0; node < choices.lattices()[d].size(); ++node)
        if (choices.lattices()[d].value(static_cast<LatticeNode>(node)) == factors[a][d])
          wanted.node[a][d] = static_cast<LatticeNode>(node);
  return choices.find(wanted);
}

struct Requested final : StopSignal {
  bool requested() const override { return true; }
};

TEST(JointTable, BoundsEveryMapping) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 60));
  const std::uint64_t first_seed = setting("NESTOR_PIM_SEED", 1);
  std::uint64_t compared = 0;
  std::uint64_t tight = 0;
  std::uint64_t limited = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PimCase tiny = random_pim_case(seed, 16);
    tiny.machine.blocks = pim::BlockRule::even;
    const auto problem = make_problem(tiny.layer, tiny.machine, {.kind = pim::ObjectiveKind::energy});
    const auto space = pim::make_space<HostStorage>(problem);
    std::map<std::size_t, double> least;  // energy per listed choice
    pim::RowCounter rows;
    const bool complete = each_pim_mapping(tiny, 30000, [&](pim::PimMapping mapping) {
      pim::choose_layouts(problem, mapping, rows);
      const auto choice = find_choice(space->choices(), mapping.nest.spatial);
      if (!choice) return;  // the mirror image of a mapping that is enumerated as well
      const double energy = pim::evaluate(tiny.layer, tiny.machine, mapping, rows).energy_pj;
      const auto [entry, is_new] = least.try_emplace(*choice, energy);
      if (!is_new) entry->second = std::min(entry->second, energy);
    });
    if (!complete) continue;
    MemoryBudget memory(std::size_t{1} << 28U);
    for (const auto& [choice, energy] : least) {
      ++compared;
      for (const double share : {0.9, 1.001, 4.0}) {
        const double limit = energy * share;
        const auto run = space->open(choice, HostStorage(memory));
        ASSERT_NE(run, nullptr);
        const double bound = run->tightened(limit, {});
        ASSERT_LE(bound, energy * (1 + 1e-12));
        tight += static_cast<std::uint64_t>(share > 1 && bound > energy * (1 - 1e-9));
        limited += static_cast<std::uint64_t>(share < 1 && bound >= limit * (1 - 1e-9));
        ASSERT_EQ(run->advance(no_cost, no_cost, {}), SearchEnd::reached);
        ASSERT_NEAR(run->best_cost(), energy, energy * 1e-9);
        // A run that was stopped has no table, and continues to the same mapping.
        const Requested stop;
        const auto stopped = space->open(choice, HostStorage(memory));
        const double known = stopped->least_open();
        ASSERT_EQ(stopped->tightened(limit, {.stop = &stop}), known);
        ASSERT_EQ(stopped->advance(no_cost, no_cost, {.stop = &stop}), SearchEnd::stopped);
        ASSERT_EQ(stopped->advance(no_cost, no_cost, {}), SearchEnd::reached);
        ASSERT_NEAR(stopped->best_cost(), energy, energy * 1e-9);
      }
    }
  }
  std::printf("%llu choices; bounds equal to the least energy %llu times, to the limit %llu times\n",
              static_cast<unsigned long long>(compared), static_cast<unsigned long long>(tight),
              static_cast<unsigned long long>(limited));
  if (cases < fewest_cases_that_tell) return;
  EXPECT_GT(compared, 2 * cases);
  EXPECT_GT(tight, compared / 2);
  EXPECT_GT(limited, compared / 4);
}

}  // namespace
}  // namespace nestor::tests::joint_table_test
