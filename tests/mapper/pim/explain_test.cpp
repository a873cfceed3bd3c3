// Tests of the bottleneck reports on PIM machines. Every claimed optimum of a changed machine equals the
// least cost of all mappings onto this machine, with sequential layouts.
#include "mapper/pim/explain.h"

#include <gtest/gtest.h>

#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::explain_test {
namespace {

using Kind = Resource::Kind;

std::optional<double> brute_force(const PimCase& tiny, const mapper::pim::PimRequest& request) {
  const auto objective = problem_of(tiny.layer, tiny.machine, request).objective;
  pim::RowCounter rows;
  double best = no_cost;
  const bool complete = each_pim_mapping(tiny, 4000, [&](const pim::PimMapping& mapping) {
    best = std::min(best, objective_value(objective, evaluate(tiny.layer, tiny.machine, mapping, rows)));
  });
  return complete ? std::optional(best) : std::nullopt;
}

// Sets a resource to `amount`. A bandwidth, whether for reads, writes or both, is only raised, never lowered.
void give(const Resource& resource, Int amount, pim::PimMachine& machine) {
  if (resource.kind != Kind::bandwidth) {
    amount_of(resource, machine) = amount;
    return;
  }
  Memory& memory = machine.memories[resource.place];
  for (Int* way : {&memory.bandwidth, &memory.read_bandwidth, &memory.write_bandwidth})
    if (*way > 0) *way = std::max(*way, amount);
}

TEST(PimExplanations, EqualBruteForceOnTheChangedMachine) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto cases = setting("NESTOR_PIM_EXPLANATIONS", 60);
  const auto first = setting("NESTOR_PIM_SEED", 1);
  std::uint64_t explained = 0;
  int compared = 0;
  std::array<int, 6> changed_kinds{};
  std::array<int, 4> binding{};
  for (std::uint64_t seed = first; explained < cases; ++seed) {
    const PimCase tiny = random_pim_case(seed, 12);
    mapper::pim::PimRequest request;
    request.objective.kind = static_cast<pim::ObjectiveKind>(seed % 3);
    request.layouts = pim::LayoutSet::of(pim::LayoutKind::sequential);
    if (!brute_force(tiny, request)) continue;
    const auto map = map_layer(tiny.layer, tiny.machine, request, {*executor, memory});
    if (map.best.empty()) continue;
    ++explained;
    ASSERT_EQ(map.status, Status::optimal);
    const double before = map.best.front().objective;
    const auto reports = explain_layer(tiny.layer, tiny.machine, request, map, {*executor, memory});
    ASSERT_EQ(fault_of(reports), mapper::Fault::none);
    for (const auto& report : reports) {
      ++binding[static_cast<std::size_t>(report.binding)];
      for (const auto* change : {&report.step, &report.most}) {
        if (!*change) continue;
        PimCase changed = tiny;
        give(report.resource, (*change)->amount, changed.machine);
        const auto best = brute_force(changed, request);
        if (!best) continue;
        ++compared;
        ++changed_kinds[static_cast<std::size_t>(report.resource.kind)];
        const auto place = "seed " + std::to_string(seed) + ", " +
                           std::string(resource_kinds.word(report.resource.kind)) + ' ' +
                           std::to_string(report.resource.place);
        const double tolerance = 2e-9 * std::max(std::abs(*best), std::abs(before));
        ASSERT_EQ((*change)->status, Status::optimal) << place;
        ASSERT_NEAR((*change)->best.objective, *best, tolerance) << place;
        ASSERT_NEAR((*change)->lower_bound.value(), *best, tolerance) << place;
        ASSERT_NEAR((*change)->gain * std::abs(before), before - *best, tolerance) << place;
      }
    }
  }
  std::cout << compared << " optima of changed machines in " << cases << " cases; binding: no " << binding[0]
            << ", later " << binding[1] << ", yes " << binding[2] << '\n';
  for (const int count : changed_kinds) EXPECT_GE(count, static_cast<int>(cases) / 4);
  for (const auto kind : {Binding::no, Binding::later, Binding::yes})
    EXPECT_GE(binding[static_cast<std::size_t>(kind)], static_cast<int>(cases) / 12);
  EXPECT_EQ(binding[static_cast<std::size_t>(Binding::unknown)], 0);
}

// If a mapping is not proved optimal, no resource is reported as binding.
TEST(PimExplanations, NameNoBindingResourceOfUnprovedMappings) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const PimCase tiny = random_pim_case(seed, 300);
    mapper::pim::PimRequest request;
    request.work_limit = 1;
    const auto map = map_layer(tiny.layer, tiny.machine, request, {*executor, memory});
    if (map.best.empty() || map.status == Status::optimal) continue;
    for (const auto& report : explain_layer(tiny.layer, tiny.machine, request, map, {*executor, memory})) {
      EXPECT_NE(report.binding, Binding::yes) << "seed " << seed;
      unknown += report.binding == Binding::unknown ? 1 : 0;
      if (!report.step) continue;
      EXPECT_LE(report.step->best.objective, map.best.front().objective * (1 + 1e-9)) << "seed " << seed;
      EXPECT_LE(report.step->lower_bound.value(), report.step->best.objective * (1 + 1e-9))
          << "seed " << seed;
    }
  }
  EXPECT_GE(unknown, 10);
}

TEST(PimExplanations, StateTheGainOfTheCurrentMappingIfTimeIsOver) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  int gains = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const PimCase tiny = random_pim_case(seed, 12);
    const mapper::pim::PimRequest request;
    mapper::Resources resources{*executor, memory};
    const auto map = map_layer(tiny.layer, tiny.machine, request, resources);
    if (map.best.empty()) continue;
    const double before = map.best.front().objective;
    resources.deadline = mapper::Resources::Clock::now();
    for (const auto& report : explain_layer(tiny.layer, tiny.machine, request, map, resources)) {
      if (!report.most) continue;
      PimCase changed = tiny;
      give(report.resource, report.most->amount, changed.machine);
      pim::RowCounter rows;
      const auto& best = map.best.front();
      const auto cycles = evaluate(best.shape, changed.machine, best.mapping, rows).latency_cycles;
      EXPECT_EQ(report.most->best.objective, static_cast<double>(cycles)) << "seed " << seed;
      EXPECT_NEAR(report.most->gain, (before - report.most->best.objective) / before, 1e-9)
          << "seed " << seed;
      gains += report.most->gain > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(gains, 10);
}

}  // namespace
}  // namespace nestor::tests::explain_test
