// Tests that compare the search of the pim space with every mapping of tiny cases, under every layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/pim/boundaries.h"
#include "model/pim/legality.h"
#include "model/pim/rows/hybrid_rows.h"
#include "model/pim/space/pim_space.h"
#include "sim/pim/row_trace.h"
#include "solver/engine/engine.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::search_exactness_test {
namespace {

using pim::LayoutKind;
using pim::ObjectiveKind;
using Point = std::pair<Int, double>;

// Chooses the layouts with the fewest activations, by trace or by the hybrid formulas. They are optimal for
// every objective, since no cost decreases with more activations.
void choose_layouts(const PimCase& tiny, pim::PimMapping& mapping) {
  const pim::PimNest nest(tiny.layer, tiny.machine, mapping);
  for (const Operand operand : all_operands) {
    if (!tiny.machine.has_rows(operand)) continue;
    const auto boundary = nest.boundaries(operand)[0];
    const auto walk = nest.row_walk(operand, boundary);
    const Int reuse = pim::buffered_reuse(tiny.layer, tiny.machine, mapping, operand, boundary);
    Int least = std::numeric_limits<Int>::max();
    const auto consider = [&](const pim::Layout& layout) {
      const Int opened = tiny.machine.row_model == pim::RowModel::hybrid
                             ? pim::hybrid_rows(tiny.layer, walk, layout, reuse)
                             : sim::pim::trace_rows(walk, layout).activations;
      if (opened < least) mapping.layouts[index_of(operand)] = layout;
      least = std::min(least, opened);
    };
    consider({});
    if (operand == Operand::W) {
      consider({.kind = LayoutKind::row_aligned});
      continue;
    }
    consider({.kind = LayoutKind::hwc});
    for (Int height = 1; height <= walk.size[2]; ++height)
      for (Int width = 1; width <= walk.size[3]; ++width)
        if (walk.size[2] % height == 0 && walk.size[3] % width == 0)
          consider({LayoutKind::row_aligned, height, width});
  }
}

struct Optima {
  double latency = no_cost;
  double energy = no_cost;
  double edp = no_cost;
  double blended = no_cost;
  std::vector<Point> points;
};

std::optional<Optima> brute_force(const PimCase& tiny, std::uint64_t limit, FeatureTally& features) {
  Optima optima;
  pim::RowCounter rows;
  pim::PimMapping fastest;
  bool returning = false;
  const bool complete = each_pim_mapping(tiny, limit, [&](const pim::PimMapping& found) {
    EXPECT_FALSE(find_violation(tiny.layer, tiny.machine, found)) << "made of levels, but not found even";
    pim::PimMapping mapping = found;
    const auto sums = pim::PimNest(tiny.layer, tiny.machine, mapping).boundaries(Operand::O)[0];
    returning = returning || sums.times > sums.distinct;
    choose_layouts(tiny, mapping);
    const auto evaluation = pim::evaluate(tiny.layer, tiny.machine, mapping, rows);
    const auto cycles = static_cast<double>(evaluation.latency_cycles);
    if (cycles < optima.latency) fastest = mapping;
    optima.latency = std::min(optima.latency, cycles);
    optima.energy = std::min(optima.energy, evaluation.energy_pj);
    optima.edp = std::min(optima.edp, evaluation.edp());
    optima.blended = std::min(optima.blended, 3 * cycles + 0.25 * evaluation.energy_pj);
    optima.points.emplace_back(evaluation.latency_cycles, evaluation.energy_pj);
  });
  if (!complete) return std::nullopt;
  if (optima.latency < no_cost) tally(tiny, fastest, features);
  features["cases where sums may return"] += static_cast<int>(returning);
  features.erase("returning sums");  // rare in optima
  return optima;
}

std::vector<Point> front_of(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  std::vector<Point> front;
  for (const Point& point : points)
    if (front.empty() || point.second < front.back().second * (1 - 1e-9)) front.push_back(point);
  return front;
}

constexpr std::size_t search_bytes = std::size_t{1} << 30U;

template <typename Space>
auto run_engine(Space& space, MemoryBudget& memory, bool dominance = true) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  return Engine<pim::PimSpace<HostStorage>>(space, *executor, memory, {.dominance = dominance}, stop).run();
}

double optimum(const PimCase& tiny, ObjectiveKind kind) {
  NestObjective objective{.kind = kind};
  if (kind == ObjectiveKind::blended) {
    objective.latency_weight = 3;
    objective.additive_weight = 0.25;
  }
  const auto problem = make_problem(tiny.layer, tiny.machine, objective);
  MemoryBudget memory(search_bytes);
  const auto space = pim::make_space<HostStorage>(problem);
  const auto outcome = run_engine(*space, memory);
  if (outcome.best.empty()) return no_cost;
  const auto& best = outcome.best.front();
  EXPECT_FALSE(find_violation(tiny.layer, tiny.machine, best.solution));
  pim::RowCounter rows;
  const auto evaluation = pim::evaluate(tiny.layer, tiny.machine, best.solution, rows);
  const double cost = objective_value(objective, evaluation);
  EXPECT_NEAR(cost, best.cost, 1e-9 * std::abs(cost)) << "what the search claims of its own mapping";
  return cost;
}

bool close(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::abs(b); }

void expect_brute_force(pim::RowModel row_model) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 40));
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  FeatureTally features;
  std::uint64_t compared = 0;
  for (std::uint64_t i = 0; compared < cases; ++i) {
    PimCase tiny = random_pim_case(seed + i, 16);
    tiny.machine.row_model = row_model;
    const auto optima = brute_force(tiny, 60000, features);
    if (!optima) continue;
    ++compared;
    const auto number = "seed " + std::to_string(seed + i);
    ASSERT_TRUE(close(optimum(tiny, ObjectiveKind::latency), optima->latency)) << number;
    ASSERT_TRUE(close(optimum(tiny, ObjectiveKind::energy), optima->energy)) << number;
    ASSERT_TRUE(close(optimum(tiny, ObjectiveKind::edp), optima->edp)) << number;
    ASSERT_TRUE(close(optimum(tiny, ObjectiveKind::blended), optima->blended)) << number;
    pim::FrontPoints collector;
    const auto problem = front_problem(make_problem(tiny.layer, tiny.machine, {}), 100);
    MemoryBudget memory(search_bytes);
    const auto space = pim::make_front_space<HostStorage>(problem, collector);
    run_engine(*space, memory);
    const auto wanted = front_of(optima->points);
    const auto found = collector.front(0);
    ASSERT_EQ(found.size(), wanted.size()) << number;
    for (std::size_t p = 0; p < wanted.size(); ++p) {
      ASSERT_EQ(found[p].latency, wanted[p].first) << number;
      ASSERT_TRUE(close(found[p].energy, wanted[p].second)) << number;
    }
  }
  if (cases < 40 || row_model == pim::RowModel::hybrid) return;
  for (const auto& [feature, count] : features) {
    const int rare = feature == "blocks of planes" ? 4 : 1;  // rarely the only optimum
    EXPECT_GE(count * 50 * rare, static_cast<int>(cases)) << "too rare to be tested: " << feature;
  }
}

TEST(PimSearch, EqualsBruteForce) { expect_brute_force(pim::RowModel::exact); }

TEST(PimSearch, EqualsBruteForceUnderHybridRows) { expect_brute_force(pim::RowModel::hybrid); }

// Layers with too many mappings to enumerate, in whose search labels share keys.
TEST(PimSearch, DominanceChangesNoOptimum) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 40));
  const std::uint64_t seed = setting("NESTOR_PIM_SEED", 1);
  std::uint64_t dominated = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    PimCase random = random_pim_case(seed + i, 96);
    if (i % 4 == 3) random.machine.row_model = pim::RowModel::hybrid;
    for (const ObjectiveKind kind : {ObjectiveKind::latency, ObjectiveKind::edp, ObjectiveKind::blended}) {
      const auto problem = make_problem(random.layer, random.machine, {.kind = kind, .additive_weight = 0.1});
      MemoryBudget memory(2 * search_bytes);
      const auto with = pim::make_space<HostStorage>(problem);
      const auto without = pim::make_space<HostStorage>(problem);
      const auto found = run_engine(*with, memory);
      const auto all = run_engine(*without, memory, false);
      ASSERT_EQ(found.best.empty(), all.best.empty()) << "seed " << seed + i;
      if (all.best.empty()) continue;
      ASSERT_TRUE(close(found.best.front().cost, all.best.front().cost)) << "seed " << seed + i;
      dominated += found.counts.dominated;
    }
  }
  EXPECT_GT(dominated, 10 * cases);
}

}  // namespace
}  // namespace nestor::tests::search_exactness_test
