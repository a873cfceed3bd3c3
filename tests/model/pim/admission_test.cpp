// Test that layers are refused if an operand in DRAM depends on more dimensions than its tensor has
// coordinates.
#include "model/pim/search/admission.h"

#include <gtest/gtest.h>

#include "model/pim/rows/row_walk.h"
#include "support/pim_cases.h"

namespace nestor::tests::admission_test {
namespace {

// If an operand depends on N, K and C, the dimensions K and C share a coordinate, so two elements would have
// the same address.
TEST(PimAdmission, RefusesDramOperandsWithMoreDimensionsThanCoordinates) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto [layer, machine] = random_pim_case(seed, 4096);
    if (admit(layer, machine) != Refusal::none) continue;
    const bool rows =
        machine.has_rows(Operand::I) || machine.has_rows(Operand::W) || machine.has_rows(Operand::O);
    layer.relevance = Relevance::elementwise();
    layer.bounds = {2, 3, 2, 1, 1, 1, 1, 1};
    EXPECT_EQ(admit(layer, machine), rows ? Refusal::no_coordinates : Refusal::none) << "seed " << seed;
    refused += static_cast<int>(rows);
    for (const Dim dim : {Dim::K, Dim::C}) {
      LayerShape alone = layer;
      alone.bounds[index_of(dim)] = 1;
      EXPECT_EQ(admit(alone, machine), Refusal::none) << "seed " << seed;
      const auto box = pim::tile_box(alone, Operand::I, alone.bounds);
      EXPECT_EQ(box[0] * box[1] * box[2] * box[3], product_of(alone.bounds));
    }
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace nestor::tests::admission_test
