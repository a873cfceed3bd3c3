// Test that reads a binary AIGER file of ten million gates.
#include <gtest/gtest.h>

#include "io/netlist/aiger_reader.h"
#include "io/netlist/random_aiger.h"

namespace nestor::aiger_scale_test {
namespace {

TEST(AigerScale, ReadsTenMillionGates) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "too slow under a sanitizer";
#endif
  simd::Netlist expected;
  const auto text = tests::random_binary_aiger(1000, 10'000'000, 6, expected);
  const auto network = io::parse_aiger(text, "big.aig");
  ASSERT_TRUE(network.ok()) << network.error().to_string();
  EXPECT_EQ(network->netlist.gates.size(), 10'000'000U);
  EXPECT_EQ(network->netlist.gates, expected.gates);
}

}  // namespace
}  // namespace nestor::aiger_scale_test
