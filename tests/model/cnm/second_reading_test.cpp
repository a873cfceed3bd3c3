// The lowering (kernel to CNM IR to llvcnm to a program) against the second reading (kernel to program), and
// the engine of the estimate against its second: random kernels under random maps, legal ones compared item
// by item.
#include <gtest/gtest.h>

#include "base/random.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/estimate_kernel.h"
#include "model/cnm/second_reading/read_map.h"
#include "random_programs.h"
#include "sim/cnm/second_estimate.h"
#include "support/setting.h"

namespace nestor::cnm {
namespace {

AffineExpr sum_of(std::size_t dims, std::initializer_list<std::size_t> used) {
  AffineExpr expr{std::vector<Int>(dims, 0), 0};
  for (const std::size_t d : used) expr.factors[d] += 1;
  return expr;
}

// Operands over random subsets of the dims, a window among them at times, one or two outputs, a region that
// reads and writes them in several ways.
Kernel random_kernel(Random& random) {
  Kernel kernel;
  kernel.name = "random";
  const auto dims = static_cast<std::size_t>(random.between(1, 3));
  for (std::size_t d = 0; d < dims; ++d) {
    kernel.extents.push_back(std::array<Int, 6>{4, 8, 12, 16, 24, 48}[random.below(6)]);
    kernel.reduction.push_back(random.chance(0.4));
  }
  if (random.chance(0.8)) kernel.reduction[0] = false;
  const Type type = std::array<Type, 4>{Type::i8, Type::i32, Type::i64, Type::f32}[random.below(4)];
  const auto add_operand = [&](bool output) {
    KernelOperand operand;
    operand.name = "v" + std::to_string(kernel.operands.size());
    operand.type = type;
    operand.output = output;
    for (std::size_t d = 0; d < dims; ++d) {
      if (output ? kernel.reduction[d] : random.chance(0.3)) continue;
      if (!output && d + 1 < dims && random.chance(0.1)) {
        operand.map.push_back(sum_of(dims, {d, d + 1}));
        ++d;
      } else {
        operand.map.push_back(sum_of(dims, {d}));
      }
    }
    for (const AffineExpr& expr : operand.map) operand.dims.push_back(reach(expr, kernel.extents));
    kernel.operands.push_back(std::move(operand));
  };
  const auto inputs = static_cast<std::size_t>(random.between(1, 3));
  const auto outputs = static_cast<std::size_t>(random.between(1, 2));
  for (std::size_t i = 0; i < inputs; ++i) add_operand(false);
  for (std::size_t i = 0; i < outputs; ++i) add_operand(true);
  const std::size_t operands = inputs + outputs;
  const auto steps = static_cast<std::size_t>(random.between(1, 3));
  for (std::size_t s = 0; s < steps; ++s) {
    if (random.chance(0.2)) {
      kernel.region.push_back({RegionStep::Kind::constant, Op::add, type, "3", {}});
      continue;
    }
    const auto argument = [&] { return static_cast<std::size_t>(random.below(operands + s)); };
    const Op op = std::array<Op, 3>{Op::add, Op::mul, Op::sub}[random.below(3)];
    kernel.region.push_back({RegionStep::Kind::operation, op, type, "op", {argument(), argument()}});
  }
  for (std::size_t o = 0; o < outputs; ++o)
    kernel.yields.push_back(random.chance(0.85) ? operands + random.below(steps) : random.below(operands));
  for (const RegionStep& step : kernel.region)
    for (const std::size_t a : step.arguments)
      if (a < operands && kernel.operands[a].output) kernel.operands[a].read = true;
  kernel.multiply_k = static_cast<Int>(random.below(12));
  return kernel;
}

Int divisor_of(Int number, Random& random) {
  for (;;) {
    const Int d = random.between(1, number);
    if (number % d == 0) return d;
  }
}

CnmMap random_map(const Kernel& kernel, Random& random) {
  CnmMap map;
  const std::size_t dims = kernel.dim_count();
  map.tuples.assign(3, std::vector<Int>(dims, 1));
  map.tuples.push_back(kernel.extents);
  for (std::size_t d = 0; d < dims; ++d) {
    Int& local = map.tuples[3][d];
    for (std::size_t level = 0; level < 3; ++level)
      if (random.chance(0.4)) local /= map.tuples[level][d] = divisor_of(local, random);
    map.block.push_back(divisor_of(local, random));
    map.order.push_back(d);
  }
  for (std::size_t d = dims; d > 1; --d) std::swap(map.order[d - 1], map.order[random.below(d)]);
  if (random.chance(0.2)) map.collect = random.between(1, 40);
  return map;
}

TEST(SecondReading, GivesTheProgramOfTheLowering) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = testing::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = testing::setting("NESTOR_CNM_READINGS", 3000);
  std::size_t legal = 0, gathered = 0, summed = 0, in_order = 0;
  for (std::uint64_t i = 0; legal < wanted && i < 60 * wanted; ++i) {
    Random random(seed + i);
    const Kernel kernel = random_kernel(random);
    const CnmMap map = random_map(kernel, random);
    if (!find_shape_fault(map, kernel.dim_count(), *upmem).empty()) continue;
    const MapListing listing = list_map(kernel, map, *upmem);
    if (!listing.fault.empty()) continue;
    const auto first = program_of(listing.listing, *upmem);
    ASSERT_TRUE(first.error.empty()) << first.error;
    const auto second = second::read_map(kernel, map, *upmem);
    ++legal;
    ASSERT_EQ(second.fault, "") << "seed " << seed + i;
    ASSERT_EQ(simplify(second.program), simplify(first.program)) << "seed " << seed + i;
    EXPECT_EQ(second.wram, listing.legality.use.wram) << "seed " << seed + i;
    EXPECT_EQ(second.mram, listing.legality.use.mram) << "seed " << seed + i;
    EXPECT_EQ(second.iram, listing.legality.use.iram) << "seed " << seed + i;
    EXPECT_EQ(second.partial_results, partial_results(kernel, map)) << "seed " << seed + i;
    EXPECT_EQ(second.rank_bytes_in, bytes_of_rank(kernel, map).in) << "seed " << seed + i;
    EXPECT_EQ(second.rank_bytes_out, bytes_of_rank(kernel, map).out) << "seed " << seed + i;
    for (const Line& line : listing.listing.lines) summed += line.kind == LineKind::leave ? 1U : 0U;
    gathered += map.collect ? 1U : 0U;
    in_order += std::is_sorted(map.order.begin(), map.order.end()) ? 1U : 0U;
  }
  EXPECT_GE(legal, wanted);
  EXPECT_GE(summed, wanted / 50);
  EXPECT_GE(gathered, wanted / 20);
  EXPECT_LT(in_order, legal);
}

TEST(SecondEstimate, GivesTheFiguresOfTheEngine) {
  const auto seed = testing::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = testing::setting("NESTOR_CNM_READINGS", 3000) / 10;
  std::size_t extrapolated = 0, bent = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    Random random(seed + i);
    System system = testing::random_dpu(random);
    system.clock_mhz = 350;
    system.engine.whole = 8;
    Program program = testing::random_program(random, 2, false);
    for (Item& item : program)
      if (item.kind == ItemKind::loop) item.amount *= random.between(1, 40);
    const Int tasklets = random.between(1, 12);
    const auto first = estimate_program(system, program, tasklets);
    const auto second = sim::estimate_again(system, program, tasklets);
    ASSERT_TRUE(first && second) << "seed " << seed + i;
    const auto near = [&](double a, double b) {
      EXPECT_NEAR(a, b, 1e-9 * std::max(1.0, std::abs(a))) << "seed " << seed + i;
    };
    near(first->cycles, second->cycles);
    for (std::size_t c = 0; c < 4; ++c) near(first->causes[c], second->causes[c]);
    near(first->bounds.issue, second->issue);
    near(first->bounds.dma, second->dma);
    near(first->bounds.tasklet, second->tasklet);
    EXPECT_EQ(first->runs, second->runs) << "seed " << seed + i;
    EXPECT_EQ(first->cycles_simulated, second->cycles_simulated) << "seed " << seed + i;
    EXPECT_EQ(first->k, second->k) << "seed " << seed + i;
    EXPECT_EQ(first->linear, second->linear) << "seed " << seed + i;
    extrapolated += first->k > 0 ? 1U : 0U;
    bent += first->k > system.engine.k ? 1U : 0U;
  }
  EXPECT_GE(extrapolated, wanted / 4);
  EXPECT_GE(bent, wanted / 50);
}

}  // namespace
}  // namespace nestor::cnm
