// Tests that compare the engine with brute force on random tiny cases. Optima are equal for every objective
// and latency model, and dominance has no effect on them. NESTOR_EXACTNESS_CASES and NESTOR_EXACTNESS_SEED
// set the number of cases and the first seed (the nightly run uses thousands).
#include <gtest/gtest.h>

#include <algorithm>

#include "model/loopnest/rules/legality.h"
#include "search_brute_force.h"
#include "support/case_features.h"
#include "support/setting.h"

namespace nestor::cim::search_exactness_test {
namespace {

void expect_equal(const RandomCase& sample, const std::vector<Best>& best, const EngineOptions& options,
                  Direction direction = Direction::outward) {
  for (std::size_t i = 0; i < best.size(); ++i) {
    const CimProblem problem = make_problem(sample.layer, sample.architecture.machine, objectives()[i]);
    if (direction == Direction::inward && !InwardBranch::answers(problem)) continue;
    const auto outcome = solve(problem, options, direction);
    if (best[i].cost == no_cost) {
      EXPECT_EQ(outcome.status, Status::infeasible);
      continue;
    }
    const double tolerance = 1e-9 * std::max(std::abs(best[i].cost), 1e-3);  // eq14 may have optimum 0
    ASSERT_EQ(outcome.status, Status::optimal) << "objective " << i;
    EXPECT_NEAR(outcome.best.front().cost, best[i].cost, tolerance) << "objective " << i;
    EXPECT_NEAR(outcome.bound, best[i].cost, tolerance) << "objective " << i;
    const Mapping& mapping = outcome.best.front().solution;
    ASSERT_FALSE(find_violation(sample.layer, sample.architecture.machine, mapping)) << "objective " << i;
    const CimObjective objective =
        make_problem(sample.layer, sample.architecture.machine, objectives()[i]).objective;
    const double real = objective_value(
        objective, evaluate(sample.layer, sample.architecture.machine, mapping), sample.architecture.machine);
    EXPECT_NEAR(real, best[i].cost, tolerance) << "objective " << i;
  }
}

TEST(SearchExactness, EqualsBruteForceOnRandomTinyCases) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  const std::uint64_t first = setting("NESTOR_EXACTNESS_SEED", 400);
  nestor::tests::FeatureCount features;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const RandomCase sample = tiny_case(seed);
    const auto best = enumerate(sample);
    SCOPED_TRACE(sample.describe());
    expect_equal(sample, best, {});
    expect_equal(sample, best, {}, Direction::inward);
    if (::testing::Test::HasFailure()) return;
    std::vector<Mapping> optima;
    for (const Best& optimum : best) optima.push_back(optimum.mapping);
    features.add(sample.architecture.machine, sample.layer, optima);
  }
  std::printf("%llu cases from seed %llu; of their optima: %s\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(first), features.to_string().c_str());
  EXPECT_EQ(features.below_five_per_cent(), "");
}

// Layers with groups, on machines whose axes accept or exclude G.
TEST(SearchExactness, EqualsBruteForceWithGroups) {
  constexpr std::uint64_t most_mappings = 150000;
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t done = 0;
  std::uint64_t on_axes = 0;
  std::uint64_t in_loops = 0;
  for (std::uint64_t seed = 11000000; done < cases; ++seed) {
    const RandomCase sample = nestor::tests::random_case(
        seed, {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0, .groups = true});
    if (sample.layer.bound(Dim::G) == 1 ||
        !nestor::tests::has_at_most(most_mappings, sample.layer, sample.architecture.machine))
      continue;
    ++done;
    SCOPED_TRACE(sample.describe());
    const auto best = enumerate(sample);
    expect_equal(sample, best, {});
    expect_equal(sample, best, {}, Direction::inward);
    if (::testing::Test::HasFailure()) return;
    const Mapping& optimum = best[0].mapping;
    on_axes += static_cast<std::uint64_t>(
        std::any_of(optimum.spatial.begin(), optimum.spatial.end(),
                    [](const Extents& factors) { return factors[index_of(Dim::G)] > 1; }));
    in_loops += static_cast<std::uint64_t>(std::any_of(optimum.loops.begin(), optimum.loops.end(),
                                                       [](const Loop& loop) { return loop.dim == Dim::G; }));
  }
  std::printf("%llu cases, G on axes %llu, in loops %llu\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(on_axes), static_cast<unsigned long long>(in_loops));
  EXPECT_GE(on_axes, cases / 8);
  EXPECT_GE(in_loops, cases / 8);
}

// Cases in which partial sums have fewer bits than final sums.
TEST(SearchExactness, EqualsBruteForceWherePartialSumsAreNarrow) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t done = 0;
  for (std::uint64_t seed = 9000064; done < cases; ++seed) {
    RandomCase sample = tiny_case(seed);
    BitWidths& bits = sample.layer.bits;
    if (bits.output < 2) continue;
    bits.partial_sum = Random(seed).between(1, bits.output - 1);
    ++done;
    SCOPED_TRACE(sample.describe());
    const auto best = enumerate(sample);
    expect_equal(sample, best, {});
    expect_equal(sample, best, {}, Direction::inward);
    if (::testing::Test::HasFailure()) return;
    // Memories just large enough for one optimum, so that final sums often do not fit.
    Architecture& machine = sample.architecture.machine;
    const Best& optimum = best[Random(seed).below(best.size())];
    const CimEvaluation evaluation = evaluate(sample.layer, machine, optimum.mapping);
    for (std::size_t m = 0; m < machine.memories.size(); ++m)
      machine.memories[m].capacity = std::max<Int>(1, evaluation.usage_bits[m]);
    expect_equal(sample, enumerate(sample), {});
    if (::testing::Test::HasFailure()) return;
  }
}

// Capacities that bind. Each memory that a best mapping shares between operands is one bit too small for this
// mapping.
TEST(SearchExactness, EqualsBruteForceWhereAnOptimumNoLongerFits) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t worsened = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const RandomCase sample = tiny_case(4 * (seed + 7000000));  // not graded: more memories are shared
    const auto best = enumerate(sample);
    const Architecture& machine = sample.architecture.machine;
    Random random(seed);
    const Mapping& optimum = best[random.below(best.size())].mapping;
    const CimEvaluation evaluation = evaluate(sample.layer, machine, optimum);
    RandomCase tight = sample;
    bool any = false;
    for (std::size_t m = 0; m < machine.memories.size(); ++m) {
      if (evaluation.usage_bits[m] < 2 || !is_shared(machine.memories[m])) continue;
      tight.architecture.machine.memories[m].capacity = evaluation.usage_bits[m] - 1;
      any = true;
    }
    if (!any) continue;
    const auto tight_best = enumerate(tight);
    SCOPED_TRACE(tight.describe());
    expect_equal(tight, tight_best, {});
    expect_equal(tight, tight_best, {}, Direction::inward);
    if (::testing::Test::HasFailure()) return;
    for (std::size_t i = 0; i < best.size(); ++i)
      worsened += static_cast<std::uint64_t>(tight_best[i].cost > best[i].cost);
  }
  std::printf("%llu optima got worse\n", static_cast<unsigned long long>(worsened));
  if (cases >= nestor::tests::fewest_cases_that_tell) {
    EXPECT_GT(worsened, cases / 20);
  }
}

// If rows and columns of an image are equivalent, the search follows only one of two mirrored mappings. If
// they are only nearly equivalent, it must follow both. The result is compared with a search that always
// follows both.
TEST(SearchExactness, SkippingMirroredMappingsChangesNoOptimum) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t done = 0;
  std::uint64_t compared = 0;
  std::uint64_t alike = 0;
  std::uint64_t strides = 0;
  std::uint64_t dilations = 0;
  std::uint64_t axes = 0;
  std::uint64_t left_out = 0;
  for (std::uint64_t seed = 1; done < cases; ++seed) {
    const RandomCase sample =
        nestor::tests::random_case(seed + 10000000, {.max_steps = 8, .max_loops = 3, .mirrored = true});
    const LayerShape& layer = sample.layer;
    if (layer.bound(Dim::P) == 1 || layer.bound(Dim::R) == 1 || sample.mapping.loops.size() > 6) continue;
    const Architecture& machine = sample.architecture.machine;
    // Some cases have thousands of spatial choices, and each choice has many mappings.
    const auto all =
        make_space<HostStorage>(make_problem(layer, machine, objectives()[0]), Direction::outward);
    if (all->branch_count() > 1000) {
      ++left_out;
      continue;
    }
    ++done;
    SCOPED_TRACE(sample.describe());
    for (const CimObjective& objective : objectives()) {
      const CimProblem problem = make_problem(sample.layer, machine, objective);
      CimProblem plain = problem;
      plain.techniques.symmetry = false;
      for (const Direction direction : {Direction::outward, Direction::inward}) {
        if (direction == Direction::inward && !InwardBranch::answers(problem)) continue;
        const auto expected = solve(plain, {.work_limit = 2'000}, direction);
        if (expected.status == Status::work_limit) continue;
        ++compared;
        const auto found = solve(problem, {}, direction);
        ASSERT_EQ(found.status, expected.status);
        if (expected.best.empty()) continue;
        const double cost = expected.best.front().cost;
        ASSERT_NEAR(found.best.front().cost, cost, 1e-9 * std::abs(cost));
      }
    }
    const bool same_axes = std::all_of(machine.axes.begin(), machine.axes.end(), [](const Axis& axis) {
      return axis.dims.contains(Dim::P) == axis.dims.contains(Dim::Q) &&
             axis.dims.contains(Dim::R) == axis.dims.contains(Dim::S);
    });
    alike += static_cast<std::uint64_t>(is_symmetric(make_problem(layer, machine, {}), machine));
    strides += static_cast<std::uint64_t>(layer.stride[0] != layer.stride[1]);
    dilations += static_cast<std::uint64_t>(layer.dilation[0] != layer.dilation[1]);
    axes += static_cast<std::uint64_t>(!same_axes);
  }
  std::printf(
      "%llu cases: %llu alike, unlike in strides %llu, dilations %llu, axes %llu; %llu optima; %llu cases "
      "left out\n",
      static_cast<unsigned long long>(cases), static_cast<unsigned long long>(alike),
      static_cast<unsigned long long>(strides), static_cast<unsigned long long>(dilations),
      static_cast<unsigned long long>(axes), static_cast<unsigned long long>(compared),
      static_cast<unsigned long long>(left_out));
  EXPECT_GT(compared, cases * 10);
  for (const std::uint64_t count : {alike, strides, dilations, axes}) EXPECT_GE(count * 20, cases);
}

TEST(SearchExactness, DominanceChangesNoOptimum) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) / 5;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const RandomCase sample = tiny_case(seed + 1000000);
    const auto best = enumerate(sample);
    SCOPED_TRACE(sample.describe());
    expect_equal(sample, best, {.dominance = false});
    expect_equal(sample, best, {.dominance = false}, Direction::inward);
    if (::testing::Test::HasFailure()) return;
  }
}

// Removes all energy costs, so that the front is one point.
void make_free(Architecture& machine) {
  machine.mac_energy = 0;
  for (Memory& memory : machine.memories) memory.read_energy = memory.write_energy = 0;
}

// Returns the part of a front found within a work limit, and stores the work done in `work`.
std::vector<FrontPoint<Mapping>> front_of(const CimProblem& problem, std::uint64_t work_limit,
                                          std::uint64_t& work) {
  FrontPoints collector;
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto space = make_front_space<HostStorage>(problem, collector);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  const auto outcome = Engine<Space>(*space, *executor, memory, {.work_limit = work_limit}, stop).run();
  work = outcome.counts.expanded;
  EXPECT_TRUE(outcome.status == Status::infeasible || outcome.status == Status::work_limit);
  return collector.front(problem.machine.leakage);
}

TEST(SearchExactness, TheParetoFrontEqualsThatOfAllMappings) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) / 2;
  std::size_t points = 0;
  std::uint64_t partial = 0;  // fronts cut short that have some but not all points
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    RandomCase sample = tiny_case(seed + 2000000);
    SCOPED_TRACE(sample.describe());
    Architecture& machine = sample.architecture.machine;
    if (seed % 10 == 0) make_free(machine);
    const auto with_leakage = [&machine](double energy, Int latency) {
      return energy + machine.leakage * static_cast<double>(latency);
    };
    for (const auto model : {LatencyModel::miredo, LatencyModel::stall}) {
      const auto all = nestor::tests::front_of_all(sample.layer, machine, model, ~std::uint64_t{0});
      const auto& expected = *all;
      const auto problem = front_problem(make_problem(sample.layer, machine, {{}, model}),
                                         evaluate(sample.layer, machine, sample.mapping).energy_pj);
      std::uint64_t work = 0;
      const auto front = front_of(problem, ~std::uint64_t{0}, work);
      ASSERT_EQ(front.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(front[i].latency, expected[i].first);
        EXPECT_NEAR(with_leakage(front[i].energy, front[i].latency), expected[i].second,
                    1e-9 * expected[i].second);
      }
      // Every point of an incomplete front belongs to a mapping.
      const auto begun = front_of(problem, 1 + seed % (1 + work), work);
      for (std::size_t i = 0; i < begun.size(); ++i) {
        ASSERT_FALSE(find_violation(sample.layer, machine, begun[i].mapping));
        EXPECT_EQ(evaluate(sample.layer, machine, begun[i].mapping).cycles(model), begun[i].latency);
        EXPECT_TRUE(i == 0 ||
                    (begun[i].latency > begun[i - 1].latency && begun[i].energy < begun[i - 1].energy));
      }
      partial += static_cast<std::uint64_t>(!begun.empty() && begun.size() < front.size());
      points += expected.size();
    }
  }
  std::printf("%zu points on %llu fronts, %llu cut short with some of them\n", points,
              2 * static_cast<unsigned long long>(cases), static_cast<unsigned long long>(partial));
  EXPECT_GT(points, 3 * cases);
  EXPECT_GE(partial, cases / 20);
}

}  // namespace
}  // namespace nestor::cim::search_exactness_test
