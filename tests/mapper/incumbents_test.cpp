// Tests of the heuristics beside the exact search, on random tiny cases: their mappings are legal, have the
// cost that they claim and a choice of the space, and cost no less than the optimum by brute force.
#include "mapper/cim/incumbents.h"

#include <gtest/gtest.h>

#include "heuristics/cim/annealing/nest_annealer.h"
#include "heuristics/cim/greedy_nest.h"
#include "heuristics/nest/neighbours.h"
#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"
#include "model/cim/evaluate.h"
#include "model/loopnest/rules/legality.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "support/brute_force.h"
#include "support/case_features.h"
#include "support/constraint_cases.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::tests::incumbents_test {
namespace {

using mapper::CimEngine;

constexpr std::array kinds = {ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::edp,
                              ObjectiveKind::blended, ObjectiveKind::eq14};

class Incumbents : public ::testing::Test {
 protected:
  void expect_valid(const cim::CimProblem& problem, const ChoiceList& choices,
                    const CimEngine::Found& found) {
    mapper::MappedCimLayer mapped;
    ASSERT_EQ(mapper::check_found(problem, found.solution, found.cost, mapped), mapper::Fault::none);
    ASSERT_EQ(nest::find_choice(choices, found.solution.spatial), found.branch);
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::std_thread, 2);
  MemoryBudget memory_{std::size_t{1} << 30U};
  StopSource stop_;
};

TEST_F(Incumbents, AreLegalAndCostNoLessThanTheOptimum) {
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t found = 0;
  std::uint64_t optimal = 0;
  std::uint64_t done = 0;
  for (std::uint64_t seed = 91000; done < cases; ++seed) {
    const auto sample = random_case(seed, {.max_steps = 24, .max_loops = 4, .graded = seed % 4 != 0});
    const Architecture& machine = sample.architecture.machine;
    if (!has_at_most(20000, sample.layer, machine)) continue;
    ++done;
    SCOPED_TRACE(sample.describe());
    mapper::CimRequest request;
    if (seed % 2 == 1)
      request.constraints = random_constraints(seed, sample.layer, machine, sample.mapping.loops);
    if (is_contradictory(request.constraints, machine)) continue;
    request.objective.kind = kinds[seed % kinds.size()];
    request.objective.latency_model = seed % 3 == 0 ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
    if (request.objective.kind == ObjectiveKind::eq14) request.objective.additive_weight = -1;
    const auto problem = mapper::problem_of(sample.layer, machine, request);
    double best = no_cost;
    for_each_mapping(sample.layer, machine, ~std::uint64_t{0}, [&](const Mapping& mapping) {
      if (!satisfies_constraints(request.constraints, sample.layer, machine, mapping)) return;
      const auto evaluation = cim::evaluate(sample.layer, machine, mapping);
      best = std::min(best, objective_value(problem.objective, evaluation, machine));
    });
    const auto space = cim::make_space<HostStorage>(problem, cim::Direction::outward);
    mapper::CimIncumbents source(*space, {*executor_, memory_, stop_});
    const double tolerance = 1e-9 * std::max(std::abs(best), 1e-3);
    std::optional<CimEngine::Found> last;
    for (const std::uint64_t work : {1U, 20U, 300U, 3000U}) {
      const auto next = source.improve(last ? &*last : nullptr, work);
      if (!next) continue;
      ++found;
      ASSERT_LT(next->cost, last ? last->cost : no_cost);
      ASSERT_GE(next->cost, best - tolerance);
      expect_valid(problem, space->choices(), *next);
      if (HasFatalFailure()) return;
      last = next;
    }
    ASSERT_EQ(last.has_value(), best < no_cost);
    optimal += last && last->cost <= best + tolerance ? 1U : 0U;
    // Nothing costs less than the optimum, even if only its cost is known.
    const CimEngine::Found bar{best - 2 * tolerance, std::numeric_limits<std::size_t>::max(), {}};
    if (best < no_cost) {
      ASSERT_FALSE(source.improve(&bar, 300));
    }
  }
  if (cases < fewest_cases_that_tell) return;
  EXPECT_GT(found, cases / 2);
  EXPECT_GT(optimal, cases / 2);
}

TEST_F(Incumbents, AnnealingIsLegalOnLargerLayers) {
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t improved = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const auto sample = random_case(seed, {.max_steps = 4000, .max_loops = 9, .graded = seed % 2 == 0});
    SCOPED_TRACE(sample.describe());
    mapper::CimRequest request;
    request.objective.kind = kinds[seed % 4];
    const auto problem = mapper::problem_of(sample.layer, sample.architecture.machine, request);
    const auto greedy = cim::greedy_nest(problem, 1);
    if (!greedy || !cim::NestMoves::apply_to(problem)) continue;
    const cim::Annealing annealing{.evaluations = 2000, .seed = seed};
    Mapping mapping = greedy->mapping;
    Cost cost = greedy->cost;
    if (!cim::anneal(problem, annealing, mapping, cost)) continue;
    ++improved;
    ASSERT_LT(cost, greedy->cost);
    mapper::MappedCimLayer mapped;
    ASSERT_EQ(mapper::check_found(problem, mapping, cost, mapped), mapper::Fault::none);
    Mapping again = greedy->mapping;
    Cost same = greedy->cost;
    cim::anneal(problem, annealing, again, same);
    ASSERT_EQ(same, cost);

    const auto space = cim::make_space<HostStorage>(problem, cim::Direction::outward);
    const auto choice = nest::find_choice(space->choices(), greedy->mapping.spatial);
    ASSERT_TRUE(choice);
    const CimEngine::Found start{greedy->cost, *choice, greedy->mapping};
    mapper::CimIncumbents source(*space, {*executor_, memory_, stop_});
    const auto found = source.improve(&start, 100);
    if (found) expect_valid(problem, space->choices(), *found);
    if (HasFatalFailure()) return;
  }
  if (cases < fewest_cases_that_tell) return;
  EXPECT_GT(improved, cases / 4);
}

}  // namespace
}  // namespace nestor::tests::incumbents_test
