// Tests of the engine on spaces whose branches can be enumerated: optima, the best of several branches, the
// bounds that remain at limits, and equal outcomes on every executor.
#include "solver/engine/engine.h"

#include <gtest/gtest.h>

#include "layered_graph.h"

namespace nestor::engine_test {
namespace {

using tests::GraphSpace;
using GraphEngine = Engine<GraphSpace>;

constexpr std::uint64_t cases = 150;

// Returns a space with few branches, or with more branches than one round processes.
GraphSpace space_of(std::uint64_t seed) {
  return {seed, seed % 5 == 0 ? 70U : 1U + seed % 6, static_cast<double>(seed % 3) / 2};
}

struct Setting {
  EngineOptions options{};
  std::size_t bytes = std::size_t{1} << 26U;
  std::vector<GraphEngine::Found> known{};
  bool interrupted = false;
  EngineObserver* observer = nullptr;
  ExecutorKind executor = ExecutorKind::serial;
  int threads = 1;
};

GraphEngine::Outcome solve(GraphSpace& space, const Setting& setting) {
  const auto executor = make_executor(setting.executor, setting.threads);
  MemoryBudget memory(setting.bytes);
  StopSource stop;
  if (setting.interrupted) stop.interrupt();
  return GraphEngine(space, *executor, memory, setting.options, stop, setting.observer).run(setting.known);
}

// Checks every outcome, even of stopped runs. Solutions have the costs they claim, and no path costs less
// than the bound.
void expect_valid(const GraphSpace& space, const GraphEngine::Outcome& outcome) {
  const auto all = space.cheapest();
  for (const auto& found : outcome.best)
    ASSERT_EQ(space.graph(found.branch).cost(found.solution), found.cost);
  if (!all.empty()) {
    ASSERT_LE(outcome.bound, all.front());
  }
}

TEST(Engine, FindsTheOptimumAndProvesIt) {
  std::uint64_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    GraphSpace space = space_of(seed);
    const auto outcome = solve(space, {});
    expect_valid(space, outcome);
    const auto all = space.cheapest();
    if (all.empty()) {
      ++infeasible;
      EXPECT_EQ(outcome.status, Status::infeasible);
      EXPECT_EQ(outcome.bound, no_cost);
      continue;
    }
    ASSERT_EQ(outcome.status, Status::optimal);
    ASSERT_EQ(outcome.best.size(), 1U);
    EXPECT_EQ(outcome.best.front().cost, all.front());
    EXPECT_EQ(outcome.bound, all.front());
    EXPECT_EQ(outcome.counts.expanded, space.work());
  }
  EXPECT_GT(infeasible, 0U);
}

TEST(Engine, ProvesTheBestOfSeveralBranches) {
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    GraphSpace space = space_of(seed);
    const auto outcome = solve(space, {.options = {.keep_best = 3}});
    expect_valid(space, outcome);
    const auto all = space.cheapest();
    ASSERT_EQ(outcome.best.size(), std::min<std::size_t>(3, all.size()));
    for (std::size_t i = 0; i < outcome.best.size(); ++i) EXPECT_EQ(outcome.best[i].cost, all[i]);
  }
}

TEST(Engine, GivesTheSameResultOnEveryExecutor) {
  for (std::uint64_t seed = 0; seed < cases; seed += 3) {
    for (const std::uint64_t limit : {~std::uint64_t{0}, std::uint64_t{40}}) {
      SCOPED_TRACE(seed);
      GraphSpace space = space_of(seed);
      const EngineOptions options{.work_limit = limit, .keep_best = 1 + seed % 2};
      const auto one = solve(space, {.options = options});
      for (const auto kind : {ExecutorKind::tbb, ExecutorKind::std_thread}) {
        const auto other = solve(space, {.options = options, .executor = kind, .threads = 3});
        EXPECT_EQ(one.status, other.status);
        EXPECT_EQ(one.bound, other.bound);
        EXPECT_EQ(one.counts.expanded, other.counts.expanded);
        EXPECT_EQ(one.counts.generated, other.counts.generated);
        EXPECT_EQ(one.rounds, other.rounds);
        EXPECT_EQ(one.incumbents, other.incumbents);
        ASSERT_EQ(one.best.size(), other.best.size());
        for (std::size_t i = 0; i < one.best.size(); ++i) {
          EXPECT_EQ(one.best[i].branch, other.best[i].branch);
          EXPECT_EQ(one.best[i].solution, other.best[i].solution);
        }
      }
    }
  }
}

TEST(Engine, KeepsAValidBoundAtTheWorkLimit) {
  std::uint64_t limited = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    for (const std::uint64_t limit : {1U, 5U, 20U, 60U}) {
      SCOPED_TRACE(seed);
      GraphSpace space = space_of(seed);
      const auto outcome = solve(space, {.options = {.work_limit = limit}});
      expect_valid(space, outcome);
      if (outcome.status != Status::work_limit) continue;
      ++limited;
      EXPECT_EQ(outcome.counts.expanded, limit);
    }
  }
  EXPECT_GT(limited, cases);
}

TEST(Engine, KeepsAValidBoundAtTheMemoryLimit) {
  std::uint64_t limited = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    for (std::size_t bytes = 1024; bytes < (std::size_t{1} << 18U); bytes = bytes * 3 / 2) {
      SCOPED_TRACE(seed);
      GraphSpace space = space_of(seed);
      const auto outcome = solve(space, {.options = {.dominance = false}, .bytes = bytes});
      expect_valid(space, outcome);
      if (outcome.status == Status::memory_limit)
        ++limited;
      else
        ASSERT_EQ(outcome.status, space.cheapest().empty() ? Status::infeasible : Status::optimal);
    }
  }
  EXPECT_GT(limited, cases);
}

TEST(Engine, StopsWithinTheGapAndReportsIt) {
  std::uint64_t within = 0;
  for (std::uint64_t seed = 0; seed < 4 * cases; ++seed) {
    SCOPED_TRACE(seed);
    GraphSpace space = space_of(seed);
    const bool relative = seed % 2 == 0;
    const EngineOptions options{.relative_gap = relative ? 0.2 : 0, .absolute_gap = relative ? 0.0 : 6.0};
    const auto outcome = solve(space, {.options = options});
    expect_valid(space, outcome);
    if (outcome.status != Status::gap_reached) continue;
    ++within;
    const double cost = outcome.best.front().cost;
    EXPECT_LT(outcome.bound, cost);
    EXPECT_LE(cost - outcome.bound, relative ? 0.2 * cost : 6.0);
  }
  EXPECT_GT(within, cases / 4);
}

TEST(Engine, ReportsInterruption) {
  GraphSpace space = space_of(1);
  const auto outcome = solve(space, {.interrupted = true});
  expect_valid(space, outcome);
  EXPECT_EQ(outcome.status, Status::interrupted);
  EXPECT_TRUE(outcome.best.empty());
}

/// Interrupts a run after a number of rounds.
class Interrupter final : public EngineObserver {
 public:
  Interrupter(StopSource& stop, std::uint64_t rounds) : stop_(stop), left_(rounds) {}
  void round_ended(const EngineProgress&) override {
    if (--left_ == 0) stop_.interrupt();
  }

 private:
  StopSource& stop_;
  std::uint64_t left_;
};

TEST(Engine, WorkLimitReproducesAnInterruption) {
  std::uint64_t interrupted = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    for (const std::uint64_t rounds : {2U, 3U, 4U, 6U}) {
      SCOPED_TRACE(seed);
      GraphSpace space = space_of(seed);
      const auto executor = make_executor(ExecutorKind::serial, 1);
      MemoryBudget memory(std::size_t{1} << 26U);
      StopSource stop;
      Interrupter interrupter(stop, rounds);
      const auto cut = GraphEngine(space, *executor, memory, {.keep_best = 2}, stop, &interrupter).run({});
      if (cut.status != Status::interrupted || cut.counts.expanded == 0 || cut.best.empty()) continue;
      ++interrupted;
      const auto again = solve(space, {.options = {.work_limit = cut.counts.expanded, .keep_best = 2}});
      EXPECT_EQ(again.counts.expanded, cut.counts.expanded);
      EXPECT_EQ(again.bound, cut.bound);
      EXPECT_EQ(again.rounds, cut.rounds);
      EXPECT_EQ(again.branches_opened, cut.branches_opened);
      EXPECT_EQ(again.left_open, cut.left_open);
      ASSERT_EQ(again.best.size(), cut.best.size());
      for (std::size_t i = 0; i < cut.best.size(); ++i)
        EXPECT_EQ(again.best[i].solution, cut.best[i].solution);
    }
  }
  EXPECT_GT(interrupted, cases);
}

TEST(Engine, KeepsKnownSolutionsUnlessImproved) {
  std::uint64_t kept = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    GraphSpace space = space_of(seed);
    const auto all = space.cheapest();
    if (all.empty()) continue;
    const GraphEngine::Found best{.cost = all.front(), .branch = 0, .solution = {-1}};
    const auto outcome = solve(space, {.known = {best}});
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.best.front().solution, best.solution);
    const GraphEngine::Found worse{.cost = all.front() + 1, .branch = 0, .solution = {-1}};
    EXPECT_EQ(solve(space, {.known = {worse}}).best.front().cost, all.front());

    // The known solutions come from a search that was cut short. They belong to different branches.
    const std::uint64_t work_limit = 1 + seed % 40;
    const auto begun = solve(space, {.options = {.work_limit = work_limit, .keep_best = 3}});
    const auto ended = solve(space, {.options = {.keep_best = 3}, .known = begun.best});
    const auto whole = solve(space, {.options = {.keep_best = 3}});
    ASSERT_EQ(ended.best.size(), whole.best.size());
    for (std::size_t i = 0; i < whole.best.size(); ++i) EXPECT_EQ(ended.best[i].cost, whole.best[i].cost);
    const auto at_once = solve(space, {.options = {.work_limit = 1, .keep_best = 3}, .known = begun.best});
    ASSERT_GE(at_once.best.size(), begun.best.size());
    for (std::size_t i = 0; i < begun.best.size(); ++i) EXPECT_LE(at_once.best[i].cost, begun.best[i].cost);
    kept += static_cast<std::uint64_t>(begun.best.size() > 1);
  }
  EXPECT_GT(kept, cases / 10);
}

TEST(Engine, UsesAKnownBound) {
  std::uint64_t saved = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    GraphSpace space = space_of(seed);
    const auto all = space.cheapest();
    if (all.empty()) continue;
    const auto plain = solve(space, {});
    const auto known = solve(space, {.options = {.known_bound = all.front()}});
    EXPECT_EQ(known.status, Status::optimal);
    EXPECT_EQ(known.best.front().cost, all.front());
    EXPECT_EQ(known.bound, all.front());
    EXPECT_LE(known.counts.expanded, plain.counts.expanded);
    saved += static_cast<std::uint64_t>(known.counts.expanded < plain.counts.expanded);
    const auto limited = solve(space, {.options = {.work_limit = 1, .known_bound = all.front() - 0.5}});
    EXPECT_GE(limited.bound, all.front() - 0.5);
    EXPECT_LE(limited.bound, all.front());
  }
  EXPECT_GT(saved, 0U);
}

// Checks that bounds only rise, incumbents only fall, and neither crosses the optimum.
class Witness final : public EngineObserver {
 public:
  explicit Witness(double optimum) : optimum_(optimum) {}
  void round_ended(const EngineProgress& progress) override {
    ++rounds_;
    EXPECT_GE(progress.bound, last_.bound);
    EXPECT_LE(progress.bound, optimum_);
    EXPECT_LE(progress.incumbent, last_.incumbent);
    EXPECT_GE(progress.incumbent, optimum_);
    EXPECT_EQ(progress.improved, progress.incumbent < last_.incumbent);
    EXPECT_GE(progress.work, last_.work);
    last_ = progress;
  }
  std::uint64_t rounds() const { return rounds_; }

 private:
  double optimum_;
  EngineProgress last_;
  std::uint64_t rounds_ = 0;
};

TEST(Engine, ReportsOnlyValidBoundsToItsObserver) {
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    GraphSpace space = space_of(seed);
    const auto all = space.cheapest();
    Witness witness(all.empty() ? no_cost : all.front());
    const auto outcome = solve(space, {.options = {.keep_best = 3}, .observer = &witness});
    EXPECT_EQ(witness.rounds(), outcome.rounds);
  }
}

}  // namespace
}  // namespace nestor::engine_test
