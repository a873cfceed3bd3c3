// Tests of the conflicts that are reported between constraints. Each reported set of constraints excludes all
// mappings, and no proper subset of it does.
#include "mapper/loopnest/conflict.h"

#include <gtest/gtest.h>

#include "mapper/cim/map_layer.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "one_layer.h"

namespace nestor::mapper::conflict_test {
namespace {

constexpr std::size_t buffer = 1;
constexpr std::size_t array = 2;

class Conflicts : public OneLayer {
 protected:
  Conflicts() {
    layer_.bounds = {1, 8, 8, 6, 6, 1, 1, 1};
    machine_ = machine_of(R"(
name: small
hierarchy:
  - memory: {name: dram, operands: [I, W, O], bandwidth: 16}
  - memory: {name: buffer, operands: [I, O], capacity: 1 KiB, bandwidth: 32}
  - memory: {name: array, operands: [W], capacity: 2048, bandwidth: 32}
  - memory: {name: lines, operands: [I], capacity: 256, bandwidth: 32}
  - memory: {name: sums, operands: [O], capacity: 256, bandwidth: 32}
  - spatial: {name: row, size: 8, dims: [C, R, S]}
  - spatial: {name: column, size: 4, dims: [K]}
compute: {mvm_cycles: 4}
)");
  }
  CimLayerMap run() { return map_layer(layer_, machine_, request_, resources_); }
  Conflict conflict() { return find_conflict(layer_, machine_, request_, resources_); }
};

TEST_F(Conflicts, AreFoundBetweenIndividuallyFeasibleConstraints) {
  auto& fixed = request_.constraints;
  fixed.axis_dims[0] = DimSet::of(Dim::C);
  fixed.axis_factors[0][index_of(Dim::C)] = 2;
  fixed.min_utilisation[0] = 0.5;  // 2 of 8 lanes are only a quarter
  fixed.must_use[buffer] = OperandSet::of(Operand::I);
  ASSERT_EQ(run().status, Status::infeasible);
  const auto found = conflict();
  EXPECT_TRUE(found.minimal);
  EXPECT_TRUE(found.shortages.empty());
  ASSERT_EQ(found.items.size(), 2U);
  EXPECT_EQ(found.items[0].kind, FixedItem::Kind::axis_factor);
  EXPECT_EQ(found.items[1].kind, FixedItem::Kind::min_utilisation);
}

TEST_F(Conflicts, WithTheMachineNameOneConstraint) {
  request_.constraints.must_not_use[array] = OperandSet::of(Operand::W);  // W's innermost memory
  request_.constraints.must_use[buffer] = OperandSet::of(Operand::O);
  ASSERT_EQ(run().status, Status::infeasible);
  const auto found = conflict();
  ASSERT_EQ(found.items.size(), 1U);
  EXPECT_EQ(found.items[0].kind, FixedItem::Kind::must_not_use);
}

TEST_F(Conflicts, NameAMemoryTooSmallForOneElement) {
  machine_.memories[array].capacity = 7;
  ASSERT_EQ(run().status, Status::infeasible);
  const auto found = conflict();
  ASSERT_EQ(found.shortages.size(), 1U);
  EXPECT_EQ(found.shortages[0].memory, array);
  EXPECT_EQ(found.shortages[0].needed, 8);
}

// Constraints that fix choices of the optimum do not change it, and no constraint improves the objective.
TEST_F(Conflicts, AreNotReportedForFeasibleConstraints) {
  const double free = run().best.front().objective;
  const auto best = run().best.front();
  request_.constraints.axis_factors[0][index_of(Dim::C)] = best.mapping.spatial[0][index_of(Dim::C)];
  EXPECT_DOUBLE_EQ(run().best.front().objective, free);
  request_.constraints = {};
  for (const Operand operand : {Operand::I, Operand::O})
    for (auto* list : {&request_.constraints.must_use, &request_.constraints.must_not_use}) {
      request_.constraints = {};
      (*list)[buffer].insert(operand);
      const auto map = run();
      EXPECT_EQ(map.fault, Fault::none);
      ASSERT_FALSE(map.best.empty());
      EXPECT_TRUE(satisfies_constraints(request_.constraints, layer_, machine_, map.best.front().mapping));
      EXPECT_GE(map.best.front().objective, free);
    }
}

}  // namespace
}  // namespace nestor::mapper::conflict_test
