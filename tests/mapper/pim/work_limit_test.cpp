// Tests of work limits on PIM machines whose branches fill tables. A run ends within its limit, in the same
// state for any number of threads.
#include <gtest/gtest.h>

#include <iostream>

#include "mapper/pim/map_layer.h"
#include "model/pim/search/admission.h"
#include "model/pim/search/joint_table.h"
#include "support/pim_cases.h"

namespace nestor::tests::work_limit_test {
namespace {

constexpr std::uint64_t rounding = 2;  // units by which a table may exceed the limit

TEST(WorkLimitOnPim, HoldsForLabelsAndTablesOfEveryRound) {
  MemoryBudget memory(std::size_t{1} << 30U);
  std::uint64_t limited = 0;
  for (std::uint64_t seed = 1; limited < 60; ++seed) {
    const PimCase sample = random_pim_case(seed, 4000);
    if (pim::admit(sample.layer, sample.machine) != Refusal::none) continue;
    mapper::pim::PimRequest request;
    request.objective.kind = seed % 2 == 0 ? ObjectiveKind::energy : ObjectiveKind::edp;
    request.break_ties = false;
    if (!pim::JointTable::supports(problem_of(sample.layer, sample.machine, request))) continue;
    const auto map = [&](int threads) {
      const auto executor = make_executor(threads == 1 ? ExecutorKind::serial : ExecutorKind::tbb, threads);
      return map_layer(sample.layer, sample.machine, request, {*executor, memory});
    };
    const auto whole = map(1).search.counts.expanded;
    for (const std::uint64_t limit : {whole / 5, whole / 2, whole - whole / 5}) {
      if (limit < 20) continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", limit " + std::to_string(limit));
      request.work_limit = limit;
      const auto one = map(1);
      if (one.status == Status::optimal) continue;  // no attempt fitted into the limit, and none was needed
      ASSERT_EQ(one.status, Status::work_limit);
      ASSERT_GE(one.search.counts.expanded, limit);
      ASSERT_LE(one.search.counts.expanded, limit + rounding);
      for (const int threads : {2, 4}) {
        const auto other = map(threads);
        ASSERT_EQ(other.search.counts.expanded, one.search.counts.expanded);
        ASSERT_EQ(other.search.branches_opened, one.search.branches_opened);
        ASSERT_EQ(other.bound, one.bound);
        ASSERT_EQ(other.best.size(), one.best.size());
        if (!one.best.empty()) {
          ASSERT_EQ(other.best.front().mapping, one.best.front().mapping);
        }
      }
      ++limited;
    }
    request.work_limit = mapper::pim::PimRequest{}.work_limit;
  }
  std::cout << limited << " limited runs\n";
}

}  // namespace
}  // namespace nestor::tests::work_limit_test
