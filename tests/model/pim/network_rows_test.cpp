// Test that compares exact row counts with an element-by-element trace, on tiles of real networks.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "model/pim/rows/row_counter.h"
#include "sim/pim/row_trace.h"
#include "support/pim_network_walks.h"
#include "support/setting.h"

namespace nestor::tests::network_rows_test {
namespace {

TEST(RowCounter, EqualsTheTraceOnTilesOfNetworks) {
  const std::uint64_t cases = setting("NESTOR_PIM_NETWORK_CASES", 400);
  const auto most_accesses = static_cast<Int>(setting("NESTOR_PIM_MOST_ACCESSES", 300000));
  const std::vector<LayerShape> layers = network_layers();
  Random random(setting("NESTOR_PIM_SEED", 1));
  pim::RowCounter counter;
  int cut = 0;
  int returning = 0;
  int left_out = 0;
  std::vector<int> of_banks(4);
  for (std::uint64_t traced = 0; traced < cases;) {
    const std::size_t power = random.below(of_banks.size());
    const auto made = random_network_walk(random, layers[random.below(layers.size())], Int{1} << power);
    const Int counted = counter.count(made.walk, made.layout);
    if (made.accesses > most_accesses) {
      ++left_out;
      continue;
    }
    ++traced;
    const auto trace = sim::pim::trace_rows(made.walk, made.layout);
    ASSERT_EQ(counted, trace.activations) << "case " << traced << ", " << made.accesses << " accesses";
    ++of_banks[power];
    cut += static_cast<int>(cuts_planes(made.walk, made.layout));
    returning += static_cast<int>(sums_return(made.walk));
  }
  std::printf("%llu walks traced, %d of more than %lld accesses left out\n",
              static_cast<unsigned long long>(cases), left_out, static_cast<long long>(most_accesses));
  const int least = static_cast<int>(cases / 40);
  EXPECT_GT(cut, least);
  EXPECT_GT(returning, least);
  for (const int met : of_banks) EXPECT_GT(met, least);
}

}  // namespace
}  // namespace nestor::tests::network_rows_test
