// Tests of the formulas of objectives, and of the figures that each formula needs.
#include "model/loopnest/objective_kind.h"

#include <gtest/gtest.h>

namespace nestor::objective_kind_test {
namespace {

// Small numbers with exact results: 10 cycles, 7 pJ, leakage of 2 pJ per cycle, weights 3 and 5.
NestObjective objective(ObjectiveKind kind) {
  return {.kind = kind, .latency_weight = 3, .additive_weight = 5, .leakage = 2};
}

TEST(NestObjective, CombinesLatencyAndEnergyByItsFormula) {
  EXPECT_EQ(objective(ObjectiveKind::latency).combine(10, 7), 10);
  EXPECT_EQ(objective(ObjectiveKind::energy).combine(10, 7), 27);
  EXPECT_EQ(objective(ObjectiveKind::edp).combine(10, 7), 270);
  EXPECT_EQ(objective(ObjectiveKind::eq14).combine(10, -7), 23);
  EXPECT_EQ(objective(ObjectiveKind::blended).combine(10, 7), 165);
}

TEST(NestObjective, NeedsOnlyTheFiguresOfItsFormula) {
  for (const auto kind : {ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::edp,
                          ObjectiveKind::eq14, ObjectiveKind::blended}) {
    auto without_leakage = objective(kind);
    without_leakage.leakage = 0;
    for (const auto& asked : {objective(kind), without_leakage}) {
      EXPECT_EQ(asked.needs_latency(), asked.combine(1, 1) != asked.combine(2, 1));
      EXPECT_EQ(asked.needs_additive(), asked.combine(1, 1) != asked.combine(1, 2));
    }
    EXPECT_EQ(objective(kind).additive_is_energy(), kind != ObjectiveKind::eq14);
  }
}

}  // namespace
}  // namespace nestor::objective_kind_test
