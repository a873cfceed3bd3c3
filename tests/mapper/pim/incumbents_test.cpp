// Tests of the incumbents that searches on PIM machines report: they become better until the result, with the
// nodes and the bound at that time, and are the same for any number of threads.
#include <gtest/gtest.h>

#include <map>

#include "mapper/pim/map_layer.h"
#include "model/pim/search/admission.h"
#include "support/pim_cases.h"

namespace nestor::tests::pim_incumbents_test {
namespace {

using Incumbents = std::vector<SearchStatistics::Incumbent>;

void expect_in_order(const mapper::pim::PimLayerMap& map) {
  const Incumbents& incumbents = map.search.incumbents;
  ASSERT_FALSE(incumbents.empty());
  const double objective = map.best.front().objective;
  EXPECT_DOUBLE_EQ(incumbents.back().objective, objective);
  for (std::size_t i = 0; i < incumbents.size(); ++i) {
    EXPECT_GE(incumbents[i].nodes, i == 0 ? 0 : incumbents[i - 1].nodes);
    EXPECT_LE(incumbents[i].nodes, map.search.nodes());
    EXPECT_LE(incumbents[i].lower_bound, objective * (1 + 1e-12));
    if (i > 0) {
      EXPECT_LT(incumbents[i].objective, incumbents[i - 1].objective);
    }
  }
}

TEST(IncumbentsOnPim, BecomeBetterUntilTheResult) {
  MemoryBudget memory(std::size_t{1} << 30U);
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PimCase sample = random_pim_case(seed, 4000);
    const bool pads = seed % 2 == 0;
    if (pads) sample.layer.bounds[index_of(Dim::K)] = 11;  // no axis has this size
    if (pim::admit(sample.layer, sample.machine) != Refusal::none) continue;
    mapper::pim::PimRequest request;
    request.objective.kind =
        std::array{ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::edp}[seed % 3];
    if (seed % 4 == 0) request.method = MapMethod::priority;
    if (pads) request.padding.percent = 10;
    const auto map = [&](int threads) {
      const auto executor = make_executor(threads == 1 ? ExecutorKind::serial : ExecutorKind::tbb, threads);
      return map_layer(sample.layer, sample.machine, request, {*executor, memory});
    };
    const auto one = map(1);
    if (one.best.empty()) continue;
    expect_in_order(one);
    if (request.method == MapMethod::optimal && one.best.front().shape.bounds != sample.layer.bounds) {
      // Padded bounds are searched after the layer's own.
      request.padding = {};
      const Int before = map(1).search.nodes();
      EXPECT_GE(one.search.incumbents.back().nodes, before);
      request.padding.percent = 10;
      seen["padded results"] += before > 0 ? 1 : 0;
    }
    const auto two = map(2);
    ASSERT_EQ(two.search.incumbents.size(), one.search.incumbents.size());
    for (std::size_t i = 0; i < one.search.incumbents.size(); ++i) {
      EXPECT_EQ(two.search.incumbents[i].objective, one.search.incumbents[i].objective);
      EXPECT_EQ(two.search.incumbents[i].nodes, one.search.incumbents[i].nodes);
      EXPECT_EQ(two.search.incumbents[i].lower_bound, one.search.incumbents[i].lower_bound);
    }
    ++seen["layers"];
    seen["several incumbents"] += one.search.incumbents.size() > 1 ? 1 : 0;
    seen["bounds"] += one.search.incumbents.back().lower_bound > no_bound ? 1 : 0;
    ASSERT_FALSE(HasFailure());
  }
  for (const char* feature : {"layers", "several incumbents", "bounds", "padded results"})
    EXPECT_GT(seen[feature], 5) << feature;
}

}  // namespace
}  // namespace nestor::tests::pim_incumbents_test
