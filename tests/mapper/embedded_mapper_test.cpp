// Tests of the embedded search. On random cases, its optimum equals that of the desktop search, for slices of
// any length. With too little memory, the result is a legal mapping with a valid bound.
// NESTOR_EXACTNESS_CASES sets the number of cases (the nightly run uses more).
#include "mapper/embedded/embedded_mapper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "mapper/cim/map_layer.h"
#include "model/cim/space/cim_space.h"
#include "model/loopnest/rules/legality.h"
#include "solver/engine/host_storage.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::cim::embedded_mapper_test {
namespace {

using nestor::tests::random_case;
using nestor::tests::RandomCase;
using nestor::tests::setting;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t plenty = std::size_t{1} << 22U;

const std::vector<CimObjective>& objectives() {
  static const std::vector<CimObjective> all = [] {
    std::vector<CimObjective> list;
    for (const auto model : {LatencyModel::miredo, LatencyModel::stall})
      for (const auto kind :
           {ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::edp, ObjectiveKind::blended})
        list.push_back({{.kind = kind, .additive_weight = 0.1}, model});
    return list;
  }();
  return all;
}

// Returns a random case. Draws again from a derived seed if a case has thousands of spatial choices. Such a
// case tests nothing new, and a few of them in a hundred would take nearly all of the time.
RandomCase small_case(std::uint64_t seed) {
  constexpr std::size_t most_choices = 1000;
  for (std::uint64_t attempt = 0;; ++attempt) {
    RandomCase sample =
        random_case(seed + (attempt << 40U),
                    {.max_steps = 300, .max_loops = 6, .graded = seed % 2 == 0, .groups = seed % 4 == 3});
    const CimProblem problem = make_problem(sample.layer, sample.architecture.machine, objectives().front());
    if (make_space<HostStorage>(problem, Direction::outward)->branch_count() <= most_choices) return sample;
  }
}

struct Answer {
  Status status = Status::infeasible;
  double cost = no_cost;
  double bound = 0;
  Mapping mapping;
  std::uint64_t nodes = 0;
};

Answer finish(EmbeddedMapper& mapper, std::uint64_t slice) {
  while (!mapper.step(slice)) EXPECT_LE(mapper.bound(), mapper.cost());
  return {mapper.status(), mapper.cost(), mapper.bound(), mapper.mapping(), mapper.nodes()};
}

Answer solve(const CimProblem& problem, std::size_t bytes, std::uint64_t slice = unlimited) {
  std::vector<std::byte> memory(bytes);
  EmbeddedMapper mapper(problem, memory);
  return finish(mapper, slice);
}

// Returns the optimum of the desktop search; nullopt if its proof would take too long.
std::optional<double> desktop_optimum(const RandomCase& sample, const CimObjective& objective,
                                      std::uint64_t most_labels) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  mapper::CimRequest request;
  request.objective = objective;
  request.work_limit = most_labels;
  const auto map =
      mapper::map_layer(sample.layer, sample.architecture.machine, request, {*executor, memory}, nullptr);
  EXPECT_EQ(map.fault, mapper::Fault::none);
  if (map.status == Status::memory_limit || map.status == Status::work_limit) return std::nullopt;
  EXPECT_TRUE(map.status == Status::optimal || map.status == Status::infeasible);
  return map.best.empty() ? no_cost : map.best.front().objective;
}

double real_cost(const CimProblem& problem, const Mapping& mapping) {
  return objective_value(problem.objective, evaluate(problem.layer, problem.machine, mapping),
                         problem.machine);
}

bool equal(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::abs(b); }

TEST(EmbeddedMapper, FindsTheDesktopOptimum) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 10);
  std::uint64_t long_searches = 0;
  std::uint64_t left_out = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase sample = small_case(seed);
    for (std::size_t i = 0; i < objectives().size(); ++i) {
      SCOPED_TRACE(sample.describe() + " objective " + std::to_string(i));
      const CimProblem problem = make_problem(sample.layer, sample.architecture.machine, objectives()[i]);
      const auto proved = desktop_optimum(sample, objectives()[i], 100'000);
      left_out += static_cast<std::uint64_t>(!proved);
      if (!proved) continue;
      const double optimum = *proved;
      const Answer answer = solve(problem, plenty);
      ASSERT_TRUE(equal(answer.cost, optimum)) << answer.cost << " against " << optimum;
      if (optimum == no_cost) continue;
      ASSERT_EQ(answer.status, Status::optimal);
      ASSERT_TRUE(equal(answer.bound, optimum));
      ASSERT_FALSE(find_violation(problem.layer, problem.machine, answer.mapping));
      ASSERT_TRUE(equal(real_cost(problem, answer.mapping), optimum));
      long_searches += static_cast<std::uint64_t>(answer.nodes > 100);
    }
  }
  std::printf("%d searches of more than 100 nodes, %d left out as the desktop did not prove them\n",
              static_cast<int>(long_searches), static_cast<int>(left_out));
  EXPECT_GT(long_searches, cases);
  EXPECT_LE(left_out, cases / 4);  // out of eight searches for each case
}

constexpr std::size_t sliced_bytes = 1 << 15U;

// Returns the first problem whose search takes between one and two thousand labels.
CimProblem sliced_problem(const CimObjective& objective) {
  for (std::uint64_t seed = 0;; ++seed) {
    const RandomCase sample = small_case(seed);
    const CimProblem problem = make_problem(sample.layer, sample.architecture.machine, objective);
    std::vector<std::byte> memory(sliced_bytes);
    EmbeddedMapper mapper(problem, memory);
    if (mapper.step(unlimited, nullptr, 2000) && mapper.found() && mapper.nodes() > 1000) return problem;
  }
}

void expect_same(const Answer& answer, const Answer& whole) {
  EXPECT_EQ(answer.mapping, whole.mapping);
  EXPECT_EQ(answer.cost, whole.cost);
  EXPECT_EQ(answer.bound, whole.bound);
  EXPECT_EQ(answer.nodes, whole.nodes);
  EXPECT_EQ(answer.status, whole.status);
}

TEST(EmbeddedMapper, FindsTheSameMappingInSlicesOfAnyLength) {
  const CimProblem problem = sliced_problem(objectives()[4]);  // latency, `stall`
  const Answer whole = solve(problem, sliced_bytes);
  ASSERT_GT(whole.nodes, 1000U);
  for (std::uint64_t slice = 1; slice <= 100000; slice += slice < 100 ? 1 : slice / 10) {
    SCOPED_TRACE(slice);
    expect_same(solve(problem, sliced_bytes, slice), whole);
  }
}

// Requests a stop from the n-th query on.
class StopsAt final : public StopSignal {
 public:
  explicit StopsAt(std::uint64_t n) : left_(n) {}
  bool requested() const override {
    if (left_ > 0) --left_;
    return left_ == 0;
  }

 private:
  mutable std::uint64_t left_;
};

TEST(EmbeddedMapper, FindsTheSameMappingCancelledAnywhere) {
  const CimProblem problem = sliced_problem(objectives()[4]);
  const Answer whole = solve(problem, sliced_bytes);
  std::uint64_t cancelled = 0;
  for (std::uint64_t n = 1; n <= 1000; ++n) {
    SCOPED_TRACE(n);
    std::vector<std::byte> memory(sliced_bytes);
    EmbeddedMapper after_nodes(problem, memory);
    EXPECT_FALSE(after_nodes.step(unlimited, nullptr, n));
    EXPECT_EQ(after_nodes.nodes(), n);
    StopsAt now(1);
    EXPECT_FALSE(after_nodes.step(unlimited, &now));
    expect_same(finish(after_nodes, unlimited), whole);
    if (n > 100) continue;

    EmbeddedMapper at_question(problem, memory);
    StopsAt then(n * n);
    cancelled += static_cast<std::uint64_t>(!at_question.step(unlimited, &then));
    expect_same(finish(at_question, unlimited), whole);
  }
  EXPECT_GT(cancelled, 20U);
}

TEST(EmbeddedMapper, IsCorrectIfAnyAllocationFails) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 10);
  std::uint64_t injected = 0;
  std::uint64_t noticed = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase sample = small_case(seed);
    const CimProblem problem =
        make_problem(sample.layer, sample.architecture.machine, objectives()[seed % 8]);
    std::vector<std::byte> memory(plenty);
    const Answer best = solve(problem, plenty);
    if (best.nodes > 2000) continue;  // longer searches would test nothing new
    for (std::uint32_t n = 1; n <= 100; ++n) {
      SCOPED_TRACE(sample.describe() + " allocation " + std::to_string(n));
      Arena arena(memory);
      arena.fail_at(n);
      EmbeddedMapper mapper(problem, arena);
      const Answer answer = finish(mapper, unlimited);
      ++injected;
      noticed += static_cast<std::uint64_t>(answer.status == Status::memory_limit);
      ASSERT_LE(answer.bound, best.cost * (1 + 1e-9));
      ASSERT_GE(answer.cost, best.cost * (1 - 1e-9));
      if (answer.status != Status::memory_limit) {
        ASSERT_TRUE(equal(answer.cost, best.cost));
      }
      if (answer.cost == no_cost) continue;
      ASSERT_FALSE(find_violation(problem.layer, problem.machine, answer.mapping));
      ASSERT_TRUE(equal(real_cost(problem, answer.mapping), answer.cost));
    }
  }
  EXPECT_GT(noticed, injected / 20);
}

TEST(EmbeddedMapper, IsCorrectInAnyAmountOfMemory) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 10) / 6;
  std::uint64_t short_of_it = 0;
  std::uint64_t short_with_mapping = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase sample = small_case(seed);
    const CimProblem problem =
        make_problem(sample.layer, sample.architecture.machine, objectives()[seed % 8]);
    const Answer best = solve(problem, plenty);
    for (std::size_t bytes = 0; bytes < 1 << 15U; bytes += 512 + bytes / 4) {
      SCOPED_TRACE(sample.describe() + " bytes " + std::to_string(bytes));
      const Answer answer = solve(problem, bytes);
      ASSERT_LE(answer.bound, best.cost * (1 + 1e-9));
      ASSERT_GE(answer.cost, best.cost * (1 - 1e-9));
      if (answer.status == Status::memory_limit) {
        ++short_of_it;
        short_with_mapping += static_cast<std::uint64_t>(answer.cost < no_cost);
      } else {
        ASSERT_TRUE(equal(answer.cost, best.cost));
      }
      if (answer.cost == no_cost) continue;
      ASSERT_FALSE(find_violation(problem.layer, problem.machine, answer.mapping));
      ASSERT_TRUE(equal(real_cost(problem, answer.mapping), answer.cost));
    }
  }
  EXPECT_GT(short_of_it, cases);
  EXPECT_GT(short_with_mapping, 0U);
}

// Without any memory, the mapper finds a mapping if one exists, and its cost is close to the optimum.
TEST(EmbeddedMapper, FindsAMappingWithoutMemory) {
  const std::uint64_t cases = 5 * setting("NESTOR_EXACTNESS_CASES", 10);
  std::uint64_t mapped = 0;
  std::uint64_t left_out = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t optimal = 0;
  std::uint64_t doubled = 0;
  double excess = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    const CimProblem problem =
        make_problem(sample.layer, sample.architecture.machine, objectives()[seed % 8]);
    const auto proved = desktop_optimum(sample, problem.objective, 100'000);
    left_out += static_cast<std::uint64_t>(!proved);
    if (!proved) continue;
    const double best = *proved;
    const Answer answer = solve(problem, 0);
    expect_same(solve(problem, 0, 1 + seed % 7), answer);
    ASSERT_EQ(answer.cost < no_cost, best < no_cost);
    ASSERT_LE(answer.bound, best * (1 + 1e-9));
    if (answer.cost == no_cost) {
      ++infeasible;
      continue;
    }
    ++mapped;
    ASSERT_GE(answer.cost, best * (1 - 1e-9));
    ASSERT_FALSE(find_violation(problem.layer, problem.machine, answer.mapping));
    ASSERT_TRUE(equal(real_cost(problem, answer.mapping), answer.cost));
    optimal += static_cast<std::uint64_t>(equal(answer.cost, best));
    excess += answer.cost / best - 1;
    for (const OperandSet operands : answer.mapping.double_buffered)
      doubled += static_cast<std::uint64_t>(operands.bits() != 0);
  }
  excess /= static_cast<double>(std::max<std::uint64_t>(mapped, 1));
  std::printf("%d mapped, %d optimal, mean excess %.1f %%, %d infeasible, %d not proved by the desktop\n",
              static_cast<int>(mapped), static_cast<int>(optimal), 100 * excess, static_cast<int>(infeasible),
              static_cast<int>(left_out));
  EXPECT_LE(left_out, cases / 10);
  EXPECT_GT(mapped, cases / 2);
  EXPECT_GT(doubled, cases / 4);
  EXPECT_LT(excess, 0.2);
}

// If the memory holds the lattices but no table, the bound comes from single operands or simpler arguments.
// It never exceeds the optimum and is close to it on average.
TEST(EmbeddedMapper, BoundsTheOptimumWithoutTables) {
  const std::uint64_t cases = 5 * setting("NESTOR_EXACTNESS_CASES", 10);
  double share = 0;
  std::uint64_t bounded = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    const CimProblem problem =
        make_problem(sample.layer, sample.architecture.machine, objectives()[seed % 8]);
    const auto proved = desktop_optimum(sample, problem.objective, 100'000);
    if (!proved || *proved == no_cost || *proved <= 0) continue;
    const Answer answer = solve(problem, 4096);
    ASSERT_LE(answer.bound, *proved * (1 + 1e-9));
    share += std::max(answer.bound, 0.0) / *proved;
    ++bounded;
  }
  share /= static_cast<double>(std::max<std::uint64_t>(bounded, 1));
  std::printf("%d bounded, at %.0f %% of the optimum on average\n", static_cast<int>(bounded), 100 * share);
  EXPECT_GT(bounded, cases / 2);
  EXPECT_GT(share, 0.6);
}

// If axes are outside the home of an operand, its instances share the transfers of the operand. Bounds and
// optima with and without memory are right on such machines.
TEST(EmbeddedMapper, SharesTransfersAmongTheInstancesOfAHome) {
  const std::uint64_t wanted = 4 * setting("NESTOR_EXACTNESS_CASES", 10);
  std::uint64_t shared = 0;
  for (std::uint64_t seed = 1224; shared < wanted; ++seed) {  // the bound of the first case was wrong once
    const RandomCase sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    const auto& machine = sample.architecture.machine;
    if (std::none_of(all_operands.begin(), all_operands.end(),
                     [&](Operand operand) { return machine.memories[machine.home(operand)].axes_above > 0; }))
      continue;
    const CimProblem problem = make_problem(sample.layer, machine, objectives()[seed % 8]);
    const auto proved = desktop_optimum(sample, problem.objective, 100'000);
    if (!proved || *proved == no_cost) continue;
    ++shared;
    ASSERT_LE(solve(problem, 4096).bound, *proved * (1 + 1e-9));
    const Answer answer = solve(problem, plenty);
    ASSERT_TRUE(equal(answer.cost, *proved)) << answer.cost << " against " << *proved;
  }
}

// The bound of a finished search never falls with more memory. The sizes include all thresholds at which
// another part fits: lattices, a content, the tables of one or all operands, the frames of a search.
TEST(EmbeddedMapper, BoundNeverFallsWithMoreMemory) {
  const std::uint64_t cases = 4 * setting("NESTOR_EXACTNESS_CASES", 10);
  std::uint64_t raised = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase sample = small_case(seed);
    const CimProblem problem =
        make_problem(sample.layer, sample.architecture.machine, objectives()[seed % 8]);
    double before = no_bound;
    for (std::size_t bytes = 0; bytes <= plenty; bytes += std::max<std::size_t>(256, bytes / 8)) {
      SCOPED_TRACE(sample.describe() + " in bytes: " + std::to_string(bytes));
      const Answer answer = solve(problem, bytes);
      if (before > no_bound) {
        ASSERT_GE(answer.bound, before - 1e-9 * std::abs(before));
      }
      raised += static_cast<std::uint64_t>(answer.bound > before && before > no_bound);
      before = answer.bound;
      if (answer.status != Status::memory_limit) break;
    }
  }
  EXPECT_GT(raised, cases);
}

}  // namespace
}  // namespace nestor::cim::embedded_mapper_test
