// The toy loop-nest space (toy_nest.h) through the engine: the pieces of model/loopnest serve a space that is
// not cim, whatever its operands see. Its optimum is that of all splits, counted one fetch at a time.
#include <gtest/gtest.h>

#include "base/random.h"
#include "solver/engine/engine.h"
#include "toy_nest.h"

namespace nestor::toy {
namespace {

static_assert(NestBranch<Branch>);
static_assert(SearchSpace<Space>);

// Counts what evaluate() multiplies.
Int replay(const LayerShape& layer, const Inside& inside) {
  Int bits = 0;
  Extents at{};
  for (;;) {
    bits += tile_bits(layer, inside);
    std::size_t d = 0;
    while (d < dim_count && (at[d] += inside[d]) == layer.bounds[d]) at[d++] = 0;
    if (d == dim_count) return bits;
  }
}

// No value if nothing fits.
std::optional<Int> least_of_all(const LayerShape& layer, const Machine& machine, Inside inside = unit_extents,
                                std::size_t d = 0) {
  if (d == dim_count)
    return evaluate(layer, machine, inside) ? std::optional(replay(layer, inside)) : std::nullopt;
  std::optional<Int> least;
  for (inside[d] = 1; inside[d] <= layer.bounds[d]; ++inside[d]) {
    if (layer.bounds[d] % inside[d] != 0) continue;
    const auto here = least_of_all(layer, machine, inside, d + 1);
    if (here && (!least || *here < *least)) least = here;
  }
  return least;
}

LayerShape random_layer(Random& random) {
  LayerShape layer;
  for (Int& bound : layer.bounds) bound = 1 + static_cast<Int>(random.below(4));
  for (Int& stride : layer.stride) stride = 1 + static_cast<Int>(random.below(2));
  if (random.below(3) == 0) layer.relevance = Relevance::elementwise();
  if (random.below(3) == 0)
    for (DimSet& dims : layer.relevance.dims) dims.erase(all_dims[random.below(dim_count)]);
  return layer;
}

TEST(ToyNest, ItsOptimumIsThatOfAllSplits) {
  std::uint64_t infeasible = 0;
  std::uint64_t split = 0;  // optima that hold neither all nor a single element of each dimension
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const LayerShape layer = random_layer(random);
    const Machine machine =
        make_machine(10 + static_cast<Int>(random.below(random.below(10) == 0 ? 20 : 2000)));
    MemoryBudget memory(std::size_t{1} << 28U);
    Space space(make_problem(layer, machine), rules_of);
    const auto executor = make_executor(ExecutorKind::serial, 1);
    StopSource stop;
    const auto outcome = Engine<Space>(space, *executor, memory, {}, stop).run();
    const auto least = least_of_all(layer, machine);
    ASSERT_EQ(outcome.status, least ? Status::optimal : Status::infeasible);
    infeasible += static_cast<std::uint64_t>(!least);
    if (!least) continue;
    const Inside& inside = outcome.best.front().solution;
    EXPECT_EQ(outcome.best.front().cost, static_cast<double>(*least));
    EXPECT_EQ(evaluate(layer, machine, inside), least);
    EXPECT_EQ(replay(layer, inside), *least);
    split += static_cast<std::uint64_t>(inside != layer.bounds && inside != unit_extents);
  }
  EXPECT_GT(infeasible, 5);
  EXPECT_GT(split, 50);
}

}  // namespace
}  // namespace nestor::toy
