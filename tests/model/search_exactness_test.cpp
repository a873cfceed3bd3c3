// The engine against brute force on random tiny cases: equal optima for every objective and latency model,
// bounds never above the best completion, dominance without effect on optima. NESTOR_EXACTNESS_CASES and
// NESTOR_EXACTNESS_SEED set how many cases and which (the long bar runs thousands).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "model/cim/legality.h"
#include "model/cim/space/honours.h"
#include "model/cim_space/cim_space.h"
#include "solver/host/engine.h"
#include "support/brute_force.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::cim {
namespace {

using nestor::testing::RandomCase;
using nestor::testing::setting;
using Space = CimSpace<HostStorage>;

const std::vector<Objective>& objectives() {
  static const std::vector<Objective> all = [] {
    std::vector<Objective> list;
    for (const auto model : {LatencyModel::miredo, LatencyModel::stall}) {
      list.push_back({.kind = ObjectiveKind::latency, .latency_model = model});
      list.push_back({.kind = ObjectiveKind::energy, .latency_model = model});
      list.push_back({.kind = ObjectiveKind::edp, .latency_model = model});
      list.push_back({.kind = ObjectiveKind::eq14, .latency_model = model, .additive_weight = -1});
      // Weights large enough that sizes and energy compete with latency.
      list.push_back({.kind = ObjectiveKind::eq14, .latency_model = model, .additive_weight = 0.05});
      list.push_back({.kind = ObjectiveKind::blended, .latency_model = model, .additive_weight = 0.1});
    }
    return list;
  }();
  return all;
}

struct Best {
  double cost = no_cost;
  Mapping mapping;
};

// The best mapping per objective, or nothing if there are too many to enumerate.
std::optional<std::vector<Best>> enumerate(const RandomCase& sample, std::uint64_t limit) {
  std::vector<Objective> resolved;
  for (const Objective& objective : objectives())
    resolved.push_back(make_problem(sample.layer, sample.architecture.machine, objective).objective);
  std::vector<Best> best(resolved.size());
  const bool complete = nestor::testing::for_each_mapping(
      sample.layer, sample.architecture.machine, limit, [&](const Mapping& mapping) {
        const Evaluation evaluation = evaluate(sample.layer, sample.architecture.machine, mapping);
        for (std::size_t i = 0; i < resolved.size(); ++i) {
          const double cost = objective_value(resolved[i], evaluation, sample.architecture.machine);
          if (cost < best[i].cost) best[i] = {cost, mapping};
        }
      });
  if (!complete) return std::nullopt;
  return best;
}

Engine<Space>::Outcome solve(const Problem& problem, const EngineOptions& options,
                             Direction direction = Direction::outward) {
  Space space(problem, direction);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  StopSource stop;
  return Engine<Space>(space, *executor, memory, options, stop).run();
}

void expect_equal(const RandomCase& sample, const std::vector<Best>& best, const EngineOptions& options,
                  Direction direction = Direction::outward) {
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Problem problem = make_problem(sample.layer, sample.architecture.machine, objectives()[i]);
    if (direction == Direction::inward && !InwardBranch::answers(problem)) continue;
    const auto outcome = solve(problem, options, direction);
    if (best[i].cost == no_cost) {
      EXPECT_EQ(outcome.status, Status::infeasible);
      continue;
    }
    const double tolerance = 1e-9 * std::abs(best[i].cost);
    ASSERT_EQ(outcome.status, Status::optimal) << "objective " << i;
    EXPECT_NEAR(outcome.best.front().cost, best[i].cost, tolerance) << "objective " << i;
    EXPECT_NEAR(outcome.bound, best[i].cost, tolerance) << "objective " << i;
    const Mapping& mapping = outcome.best.front().solution;
    ASSERT_FALSE(find_violation(sample.layer, sample.architecture.machine, mapping)) << "objective " << i;
    const Objective objective =
        make_problem(sample.layer, sample.architecture.machine, objectives()[i]).objective;
    const double real = objective_value(
        objective, evaluate(sample.layer, sample.architecture.machine, mapping), sample.architecture.machine);
    EXPECT_NEAR(real, best[i].cost, tolerance) << "objective " << i;
  }
}

// A case small enough to enumerate; others are drawn again from a derived seed.
std::pair<RandomCase, std::vector<Best>> tiny_case(std::uint64_t seed) {
  constexpr std::uint64_t most_mappings = 150000;
  for (std::uint64_t attempt = 0;; ++attempt) {
    RandomCase sample = nestor::testing::random_case(
        seed + (attempt << 40U), {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0});
    if (auto best = enumerate(sample, most_mappings)) return {std::move(sample), std::move(*best)};
  }
}

TEST(SearchExactness, EqualsBruteForceOnRandomTinyCases) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  const std::uint64_t first = setting("NESTOR_EXACTNESS_SEED", 400);
  nestor::testing::FeatureCount features;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const auto [sample, best] = tiny_case(seed);
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

// The steps of a walk from the root, as a branch reads a mapping off them.
template <typename AnyBranch>
struct Walk {
  std::vector<typename AnyBranch::Label> labels;
  double cost = 0;
  template <typename Visit>
  void walk_back(Visit visit) const {
    for (std::size_t i = labels.size(); i-- > 1;) visit(labels[i - 1], labels[i]);
  }
};

// To a complete label by random steps; empty if it runs into a dead end.
template <typename AnyBranch>
std::optional<Walk<AnyBranch>> random_walk(const AnyBranch& branch, Random& random) {
  using Label = typename AnyBranch::Label;
  Walk<AnyBranch> walk{{branch.root()}, branch.root_bound()};
  while (branch.depth(walk.labels.back()) < branch.max_depth()) {
    std::vector<std::pair<Label, double>> children;
    branch.expand(walk.labels.back(), -no_cost, no_cost, no_cost,
                  [&](const Label& child, double bound) { children.emplace_back(child, bound); });
    if (children.empty()) return std::nullopt;
    walk.labels.emplace_back();
    std::tie(walk.labels.back(), walk.cost) = children[random.below(children.size())];
  }
  return walk;
}

// Mappings at the ends of random walks in one branch of a problem, checked.
template <typename AnyBranch>
void check_walks(const Problem& problem, Direction direction, Random& random,
                 std::vector<Mapping>& mappings) {
  Space space(problem, direction);
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto run = space.open_as<AnyBranch>(random.below(space.branch_count()), HostStorage(memory));
  if (run->least_open() == no_cost) return;
  for (int walks = 0; walks < 20; ++walks) {
    const auto walk = random_walk(run->branch(), random);
    if (!walk) continue;
    const Mapping mapping = run->branch().mapping(*walk);
    const auto violation = find_violation(problem.layer, problem.machine, mapping);
    ASSERT_FALSE(violation) << "rule " << static_cast<int>(violation->rule);
    const double real = objective_value(problem.objective, evaluate(problem.layer, problem.machine, mapping),
                                        problem.machine);
    // Loops of one dimension that the mapping joins may cost less than they did apart.
    ASSERT_LE(real, walk->cost + 1e-9 * std::max(1.0, std::abs(walk->cost)));
    if (direction == Direction::inward) {
      ASSERT_NEAR(real, walk->cost, 1e-9 * walk->cost);
    }
    mappings.push_back(mapping);
  }
}

bool is_shared(const Memory& memory) {
  const auto holds = [&](Operand operand) { return memory.operands.contains(operand); };
  return std::count_if(all_operands.begin(), all_operands.end(), holds) > 1;
}

// Capacities that some mapping just needs, once or a few times.
void tighten(RandomCase& sample, Random& random) {
  Architecture& machine = sample.architecture.machine;
  const auto usage = evaluate(sample.layer, machine, sample.mapping).usage_bits;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    if (usage[m] > 0 && random.chance(0.5)) {
      machine.memories[m].capacity = usage[m] * (1 + static_cast<Int>(random.below(3)));
      machine.memories[m].double_buffer = true;
    }
}

// What the optima alone would seldom show, such as two operands that leave a shared memory in one step, both
// doubled.
TEST(SearchExactness, EveryCompleteLabelIsALegalMappingAtItsCostOrLess) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) * 5;
  nestor::testing::FeatureCount features;
  std::uint64_t full = 0;  // mappings that fill a memory of several operands to three quarters
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    RandomCase sample = nestor::testing::random_case(
        seed + 6000000, {.max_steps = 300, .max_loops = 7, .graded = seed % 2 == 0});
    Random random(seed);
    tighten(sample, random);
    const Architecture& machine = sample.architecture.machine;
    SCOPED_TRACE(sample.describe());
    std::vector<Mapping> mappings;
    for (const Objective& objective : objectives()) {
      const Problem problem = make_problem(sample.layer, machine, objective);
      check_walks<Branch>(problem, Direction::outward, random, mappings);
      if (InwardBranch::answers(problem))
        check_walks<InwardBranch>(problem, Direction::inward, random, mappings);
      if (::testing::Test::HasFatalFailure()) return;
    }
    for (const Mapping& mapping : mappings)
      for (std::size_t m = 0; m < machine.memories.size(); ++m)
        full += static_cast<std::uint64_t>(is_shared(machine.memories[m]) &&
                                           evaluate(sample.layer, machine, mapping).usage_bits[m] >
                                               machine.memories[m].capacity / 4 * 3);
    if (!mappings.empty()) features.add(machine, sample.layer, mappings);
  }
  std::printf("%llu cases, %llu full shared memories; %s\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(full), features.to_string().c_str());
  EXPECT_EQ(features.below_five_per_cent(), "");
  EXPECT_GT(full, cases * 5);
}

// Capacities that bind: the memories that a best mapping shares between operands, one bit too small for it.
TEST(SearchExactness, EqualsBruteForceWhereAnOptimumHasJustLostItsRoom) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t worsened = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto [sample, best] = tiny_case(4 * (seed + 7000000));  // not graded: memories are shared more
    const Architecture& machine = sample.architecture.machine;
    Random random(seed);
    const Mapping& optimum = best[random.below(best.size())].mapping;
    const Evaluation evaluation = evaluate(sample.layer, machine, optimum);
    RandomCase tight = sample;
    bool any = false;
    for (std::size_t m = 0; m < machine.memories.size(); ++m) {
      if (evaluation.usage_bits[m] < 2 || !is_shared(machine.memories[m])) continue;
      tight.architecture.machine.memories[m].capacity = evaluation.usage_bits[m] - 1;
      any = true;
    }
    if (!any) continue;
    const auto tight_best = enumerate(tight, ~std::uint64_t{0});
    SCOPED_TRACE(tight.describe());
    expect_equal(tight, *tight_best, {});
    expect_equal(tight, *tight_best, {}, Direction::inward);
    if (::testing::Test::HasFailure()) return;
    for (std::size_t i = 0; i < best.size(); ++i)
      worsened += static_cast<std::uint64_t>((*tight_best)[i].cost > best[i].cost);
  }
  std::printf("%llu optima got worse\n", static_cast<unsigned long long>(worsened));
  EXPECT_GT(worsened, cases / 20);
}

TEST(SearchExactness, DominanceChangesNoOptimum) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) / 5;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto [sample, best] = tiny_case(seed + 1000000);
    SCOPED_TRACE(sample.describe());
    expect_equal(sample, best, {.dominance = false});
    expect_equal(sample, best, {.dominance = false}, Direction::inward);
    if (::testing::Test::HasFailure()) return;
  }
}

// Everything costs nothing but time: the front is one point.
void make_free(Architecture& machine) {
  machine.mac_energy = 0;
  for (Memory& memory : machine.memories) memory.read_energy = memory.write_energy = 0;
}

// What is found of a front with so much work; sets how much was done.
std::vector<FrontPoint> front_of(const Problem& problem, std::uint64_t work_limit, std::uint64_t& work) {
  Space space(problem);
  FrontCollector collector;
  space.collect(collector);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  StopSource stop;
  const auto outcome = Engine<Space>(space, *executor, memory, {.work_limit = work_limit}, stop).run();
  work = outcome.counts.expanded;
  EXPECT_TRUE(outcome.status == Status::infeasible || outcome.status == Status::work_limit);
  return collector.front(problem);
}

TEST(SearchExactness, TheParetoFrontEqualsThatOfAllMappings) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) / 2;
  std::size_t points = 0;
  std::uint64_t partial = 0;  // fronts cut short with some but not all points
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    auto [sample, best] = tiny_case(seed + 2000000);
    SCOPED_TRACE(sample.describe());
    Architecture& machine = sample.architecture.machine;
    if (seed % 10 == 0) make_free(machine);
    const auto with_leakage = [&machine](double energy, Int latency) {
      return energy + machine.leakage * static_cast<double>(latency);
    };
    for (const auto model : {LatencyModel::miredo, LatencyModel::stall}) {
      std::map<Int, double> least_energy;  // per latency
      nestor::testing::for_each_mapping(
          sample.layer, machine, ~std::uint64_t{0}, [&](const Mapping& mapping) {
            const Evaluation evaluation = evaluate(sample.layer, machine, mapping);
            const Int latency = evaluation.cycles(model);
            const double energy = with_leakage(evaluation.energy_pj, latency);
            const auto [entry, added] = least_energy.try_emplace(latency, energy);
            entry->second = std::min(entry->second, energy);
          });
      std::vector<std::pair<Int, double>> expected;
      for (const auto& [latency, energy] : least_energy)
        if (expected.empty() || energy < expected.back().second * (1 - 1e-9))
          expected.emplace_back(latency, energy);
      const auto problem = front_problem(make_problem(sample.layer, machine, {.latency_model = model}),
                                         evaluate(sample.layer, machine, sample.mapping).energy_pj);
      std::uint64_t work = 0;
      const auto front = front_of(problem, ~std::uint64_t{0}, work);
      ASSERT_EQ(front.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(front[i].latency, expected[i].first);
        EXPECT_NEAR(with_leakage(front[i].energy, front[i].latency), expected[i].second,
                    1e-9 * expected[i].second);
      }
      // Cut short, it is something that mappings reach.
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

// The outermost loops of a random mapping, fixed; brute force filters for them.
TEST(SearchExactness, FixedOuterLoopsAreKeptAndTheRestIsOptimal) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) / 2;
  std::uint64_t with_two = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto [sample, best] = tiny_case(seed + 3000000);
    SCOPED_TRACE(sample.describe());
    const Architecture& machine = sample.architecture.machine;
    for (const Objective& objective : objectives()) {
      Problem problem = make_problem(sample.layer, machine, objective);
      const std::size_t count = std::min<std::size_t>(2, sample.mapping.loops.size());
      for (std::size_t i = 0; i < count; ++i)
        problem.constraints.outer_loops.push_back(sample.mapping.loops[i]);
      with_two += static_cast<std::uint64_t>(count == 2);
      double least = no_cost;
      nestor::testing::for_each_mapping(
          sample.layer, machine, ~std::uint64_t{0}, [&](const Mapping& mapping) {
            if (mapping.loops.size() < count) return;
            for (std::size_t i = 0; i < count; ++i)
              if (mapping.loops[i].dim != sample.mapping.loops[i].dim ||
                  mapping.loops[i].factor != sample.mapping.loops[i].factor)
                return;
            least = std::min(
                least, objective_value(problem.objective, evaluate(sample.layer, machine, mapping), machine));
          });
      const auto outcome = solve(problem, {});
      ASSERT_EQ(outcome.status, least < no_cost ? Status::optimal : Status::infeasible);
      if (least == no_cost) continue;
      EXPECT_NEAR(outcome.best.front().cost, least, 1e-9 * std::abs(least));
      const Mapping& mapping = outcome.best.front().solution;
      EXPECT_TRUE(honours(problem.constraints, machine, mapping));
      EXPECT_NEAR(objective_value(problem.objective, evaluate(sample.layer, machine, mapping), machine),
                  least, 1e-9 * std::abs(least));
    }
  }
  EXPECT_GT(with_two, cases);
}

// The best completion of a label by following every child, without bound, dominance or cut.
template <typename AnyBranch>
double best_completion(const AnyBranch& branch, const typename AnyBranch::Label& label,
                       std::uint64_t& visited) {
  double best = no_cost;
  if (++visited > 20000) return best;
  branch.expand(label, -no_cost, no_cost, no_cost, [&](const typename AnyBranch::Label& child, double bound) {
    best = std::min(
        best, branch.depth(child) == branch.max_depth() ? bound : best_completion(branch, child, visited));
  });
  return best;
}

// Labels of a branch up to a few loops deep, at most so many.
template <typename AnyBranch>
std::vector<typename AnyBranch::Label> some_labels(const AnyBranch& branch, Random& random,
                                                   std::size_t most) {
  using Label = typename AnyBranch::Label;
  std::vector<Label> labels;
  std::vector<Label> open = {branch.root()};
  while (!open.empty() && labels.size() < most) {
    std::swap(open.back(), open[random.below(open.size())]);
    const Label label = open.back();
    open.pop_back();
    branch.expand(label, -no_cost, no_cost, no_cost, [&](const Label& child, double) {
      if (branch.depth(child) == branch.max_depth()) return;
      labels.push_back(child);
      if (branch.depth(child) < 3) open.push_back(child);
    });
  }
  return labels;
}

// Some pairs of a label and one that it dominates, in one branch of a problem.
template <typename AnyBranch>
void check_dominance(const Problem& problem, Direction direction, Random& random, std::uint64_t& pairs) {
  Space space(problem, direction);
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto run = space.open_as<AnyBranch>(random.below(space.branch_count()), HostStorage(memory));
  if (run->least_open() == no_cost) return;
  const AnyBranch& branch = run->branch();
  const double cut = 3 * std::abs(branch.root_bound());
  const auto labels = some_labels(branch, random, 150);
  int tried = 0;
  for (std::size_t i = 0; i < labels.size() && tried < 20; ++i)
    for (std::size_t j = 0; j < labels.size() && tried < 20; ++j) {
      if (i == j || branch.key(labels[i]) != branch.key(labels[j])) continue;
      if (!branch.dominates(labels[i], labels[j], cut)) continue;
      ++tried;
      std::uint64_t visited = 0;
      const double dominated = best_completion(branch, labels[j], visited);
      if (visited > 20000 || dominated >= cut) continue;
      visited = 0;
      const double dominator = best_completion(branch, labels[i], visited);
      if (visited > 20000) continue;
      ASSERT_LE(dominator, dominated + 1e-9 * std::abs(dominated));
      ++pairs;
    }
}

TEST(SearchExactness, ADominatedLabelHasNoBetterCompletionThanItsDominator) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t outward = 0;
  std::uint64_t inward = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    RandomCase sample = nestor::testing::random_case(seed + 8500000, {.max_steps = 200, .max_loops = 5});
    Random random(seed);
    if (seed % 4 != 0) tighten(sample, random);
    SCOPED_TRACE(sample.describe());
    for (const Objective& objective : objectives()) {
      const Problem problem = make_problem(sample.layer, sample.architecture.machine, objective);
      check_dominance<Branch>(problem, Direction::outward, random, outward);
      if (InwardBranch::answers(problem))
        check_dominance<InwardBranch>(problem, Direction::inward, random, inward);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  std::printf("%llu pairs, %llu of the search from the outside in\n",
              static_cast<unsigned long long>(outward), static_cast<unsigned long long>(inward));
  EXPECT_GT(outward, cases * 5);
  EXPECT_GT(inward, cases / 2);
}

struct Tightness {
  std::uint64_t checked = 0;
  double sum = 0;  // of bound / best completion
};

// The bound of one random partial placement of a problem against its best completion.
template <typename AnyBranch>
void check_bound(const Problem& problem, Direction direction, std::uint64_t seed, Tightness& tightness) {
  using Label = typename AnyBranch::Label;
  Space space(problem, direction);
  MemoryBudget memory(std::size_t{1} << 30U);
  Random random(seed);
  const auto run = space.open_as<AnyBranch>(random.below(space.branch_count()), HostStorage(memory));
  if (run->least_open() == no_cost) return;
  const AnyBranch& branch = run->branch();
  Label label = branch.root();
  double bound = branch.root_bound();
  for (std::uint64_t depth = random.below(4); depth > 0 && branch.depth(label) < branch.max_depth();
       --depth) {
    std::vector<std::pair<Label, double>> children;
    branch.expand(label, -no_cost, no_cost, no_cost,
                  [&](const Label& child, double b) { children.emplace_back(child, b); });
    if (children.empty()) break;
    std::tie(label, bound) = children[random.below(children.size())];
  }
  if (branch.depth(label) == branch.max_depth()) return;
  std::uint64_t visited = 0;
  const double best = best_completion(branch, label, visited);
  if (visited > 20000 || best == no_cost) return;
  ASSERT_LE(bound, best + 1e-9 * std::abs(best));
  ++tightness.checked;
  tightness.sum += best == 0 ? 1 : bound / best;
}

TEST(SearchExactness, NoBoundExceedsTheBestCompletionOfARandomPartialPlacement) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  Tightness outward;
  Tightness inward;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const RandomCase sample =
        nestor::testing::random_case(seed + 5000000, {.max_steps = 200, .max_loops = 5});
    SCOPED_TRACE(sample.describe());
    for (const Objective& objective : objectives()) {
      const Problem problem = make_problem(sample.layer, sample.architecture.machine, objective);
      check_bound<Branch>(problem, Direction::outward, seed, outward);
      if (InwardBranch::answers(problem)) check_bound<InwardBranch>(problem, Direction::inward, seed, inward);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  for (const auto& [name, tightness] : {std::pair{"outward", outward}, std::pair{"inward", inward}})
    std::printf("%s: %llu partial placements, mean bound / best completion %.3f\n", name,
                static_cast<unsigned long long>(tightness.checked),
                tightness.sum / static_cast<double>(tightness.checked));
  EXPECT_GT(outward.checked, cases * 3);
  EXPECT_GT(inward.checked, cases / 3);
}

}  // namespace
}  // namespace nestor::cim
