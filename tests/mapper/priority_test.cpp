// Tests that compare `--method priority` with brute force on random tiny cases. Mappings are legal and cost
// no less than the optimum, and bounds do not exceed it. If no mapping is left out, the result is the
// optimum. Results are equal for any number of threads.
#include <gtest/gtest.h>

#include <atomic>
#include <iostream>

#include "mapper/cim/map_layer.h"
#include "mapper/loopnest/map_network.h"
#include "model/cim/evaluate.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "support/brute_force.h"
#include "support/constraint_cases.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::tests::priority_test {
namespace {

std::vector<cim::CimObjective> objectives() {
  using cim::LatencyModel;
  using cim::ObjectiveKind;
  std::vector<cim::CimObjective> list;
  for (const auto model : {LatencyModel::miredo, LatencyModel::stall})
    for (const auto kind : {ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::edp,
                            ObjectiveKind::eq14, ObjectiveKind::blended}) {
      auto& objective = list.emplace_back();
      objective.kind = kind;
      objective.latency_model = model;
      objective.latency_weight = 1;
      objective.additive_weight = kind == ObjectiveKind::eq14 ? -1 : 0.5;
    }
  return list;
}

class Priority : public ::testing::Test {
 protected:
  struct Tally {
    std::uint64_t compared = 0, proved = 0, above = 0, empty = 0;
  };

  // Maps with a limit of `work` expanded nodes and opened branches, and compares the result with the optimum
  // `best`. Without a limit, the beams leave out no mapping of a tiny case.
  void expect_agreement(const RandomCase& sample, mapper::CimRequest request, double best,
                        std::uint64_t work) {
    request.method = MapMethod::priority;
    request.work_limit = work;
    const auto map = map_layer(sample.layer, sample.architecture.machine, request, {*executor_, memory_});
    ++tally_.compared;
    const double tolerance = 1e-9 * std::max(std::abs(best), 1e-3);  // eq14 may have optimum 0
    ASSERT_EQ(map.fault, mapper::Fault::none);
    ASSERT_FALSE(map.heuristic);
    const bool whole = work == std::numeric_limits<std::uint64_t>::max();
    if (best == no_cost) {
      ASSERT_TRUE(map.best.empty());
      ASSERT_EQ(map.status, whole ? Status::infeasible : map.status);
      ASSERT_NE(map.status, Status::optimal);
      tally_.empty += 1;
      return;
    }
    if (map.bound) {
      ASSERT_LE(*map.bound, best + tolerance);
    }
    if (map.best.empty()) {
      ASSERT_EQ(map.status, Status::work_limit);
      return;
    }
    const double cost = map.best.front().objective;
    ASSERT_GE(cost, best - tolerance);
    ASSERT_TRUE(map.status == Status::optimal || (!whole && map.status == Status::heuristic));
    if (map.status == Status::optimal) {
      ASSERT_NEAR(cost, best, tolerance);
    }
    tally_.proved += map.status == Status::optimal ? 1U : 0U;
    tally_.above += cost > best + tolerance ? 1U : 0U;
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory_{std::size_t{1} << 30U};
  Tally tally_;
};

TEST_F(Priority, AgreesWithBruteForceWithAndWithoutConstraints) {
  const auto cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t done = 0;
  for (std::uint64_t seed = 77000; done < cases; ++seed) {
    const auto sample = random_case(
        seed, {.max_steps = 24, .max_loops = 4, .graded = seed % 4 != 0, .any_relevance = seed % 8 == 7});
    const Architecture& machine = sample.architecture.machine;
    if (!has_at_most(20000, sample.layer, machine)) continue;
    ++done;
    SCOPED_TRACE(sample.describe());
    mapper::CimRequest request;
    request.seed = seed;
    if (seed % 2 == 1)
      request.constraints = random_constraints(seed, sample.layer, machine, sample.mapping.loops);
    const auto list = objectives();
    std::vector<cim::CimObjective> resolved;
    for (const auto& objective : list)
      resolved.push_back(cim::make_problem(sample.layer, machine, objective).objective);
    std::vector<double> best(list.size(), no_cost);
    for_each_mapping(sample.layer, machine, ~std::uint64_t{0}, [&](const Mapping& mapping) {
      if (!satisfies_constraints(request.constraints, sample.layer, machine, mapping)) return;
      const auto evaluation = cim::evaluate(sample.layer, machine, mapping);
      for (std::size_t i = 0; i < list.size(); ++i)
        best[i] = std::min(best[i], objective_value(resolved[i], evaluation, machine));
    });
    for (std::size_t i = 0; i < list.size(); ++i) {
      SCOPED_TRACE(i);
      request.objective = list[i];
      for (const std::uint64_t work : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{12},
                                       std::numeric_limits<std::uint64_t>::max()}) {
        expect_agreement(sample, request, best[i], work);
        if (HasFatalFailure()) return;
      }
    }
  }
  std::cout << tally_.compared << " runs: " << tally_.proved << " proved, " << tally_.above
            << " above the optimum, " << tally_.empty << " of empty spaces\n";
  EXPECT_GE(tally_.above, tally_.compared / 50);
  EXPECT_GE(tally_.empty, tally_.compared / 50);
}

// Larger layers, for which a limit leaves out many mappings.
class PriorityOfNetworks : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::uint64_t seed = 5; layers_.size() < 6; ++seed) {
      const auto sample = random_case(seed, {.max_steps = 2000, .max_loops = 9, .graded = true});
      if (layers_.empty()) machine_ = sample.architecture.machine;
      Layer layer;
      layer.shape = sample.layer;
      for (Int& bound : layer.shape.bounds) bound *= 2;
      layers_.push_back(layer);
    }
    request_.method = MapMethod::priority;
    request_.objective.kind = cim::ObjectiveKind::edp;
  }

  std::vector<mapper::CimLayerMap> map(int threads) {
    const auto executor = make_executor(ExecutorKind::std_thread, threads);
    MemoryBudget memory(std::size_t{1} << 30U);
    const auto shapes = unique_shapes(layers_);
    return mapper::map_network(layers_, shapes->shapes, machine_, request_, {*executor, memory});
  }
  static void expect_equal(const mapper::CimLayerMap& a, const mapper::CimLayerMap& b) {
    ASSERT_EQ(a.fault, mapper::Fault::none);
    ASSERT_EQ(a.best.size(), b.best.size());
    ASSERT_EQ(a.search.nodes(), b.search.nodes());
    if (a.best.empty()) return;
    ASSERT_EQ(a.best.front().mapping, b.best.front().mapping);
    ASSERT_EQ(a.best.front().objective, b.best.front().objective);
  }

  std::vector<Layer> layers_;
  Architecture machine_;
  mapper::CimRequest request_;
};

TEST_F(PriorityOfNetworks, IsTheSameForAnyNumberOfThreads) {
  request_.work_limit = 3000;
  const auto one = map(1);
  std::size_t mapped = 0;
  for (const int threads : {2, 4}) {
    const auto more = map(threads);
    ASSERT_EQ(more.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      expect_equal(one[i], more[i]);
      ASSERT_EQ(one[i].bound, more[i].bound);
      mapped += one[i].best.size();
    }
  }
  EXPECT_GE(mapped, 2U);
}

// Interrupts a run at its n-th improvement.
class Interrupter final : public EngineObserver {
 public:
  explicit Interrupter(int left) : left_(left) {}
  void round_ended(const EngineProgress& /*progress*/) override { interrupted = --left_ <= 0; }
  std::atomic<bool> interrupted = false;

 private:
  int left_;
};

TEST_F(PriorityOfNetworks, AnInterruptedRunEqualsTheRunWithItsWorkAsLimit) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  int interrupted = 0;
  for (const Layer& layer : layers_)
    for (const int improvements : {1, 2, 3, 5, 8}) {
      SCOPED_TRACE(improvements);
      Interrupter interrupter(improvements);
      mapper::CimRequest request = request_;
      mapper::Resources resources{*executor, memory};
      resources.interrupted = &interrupter.interrupted;
      const auto stopped = mapper::map_layer(layer.shape, machine_, request, resources, &interrupter);
      if (!interrupter.interrupted) continue;
      request.work_limit = static_cast<std::uint64_t>(stopped.search.nodes());
      expect_equal(stopped, mapper::map_layer(layer.shape, machine_, request, {*executor, memory}));
      ++interrupted;
    }
  EXPECT_GE(interrupted, 15);
}

TEST_F(PriorityOfNetworks, WorkLimitReproducesARunStoppedByTime) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  for (const double milliseconds : {1.0, 2.0, 5.0}) {
    request_.layer_seconds = milliseconds / 1000;
    request_.work_limit = std::numeric_limits<std::uint64_t>::max();
    const auto timed = map_layer(layers_.front().shape, machine_, request_, {*executor, memory});
    if (timed.search.nodes() == 0) continue;
    request_.layer_seconds = std::numeric_limits<double>::infinity();
    request_.work_limit = timed.search.counts.expanded;
    expect_equal(timed, map_layer(layers_.front().shape, machine_, request_, {*executor, memory}));
  }
}

}  // namespace
}  // namespace nestor::tests::priority_test
