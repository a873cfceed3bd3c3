// Tests of the engine with a source of incumbents: which attempts are made, what they cost, and which results
// of them are used.
#include "solver/engine/incumbent_source.h"

#include <gtest/gtest.h>

#include "layered_graph.h"
#include "solver/engine/engine.h"

namespace nestor::incumbent_source_test {
namespace {

using tests::GraphSpace;
using GraphEngine = Engine<GraphSpace>;

constexpr std::uint64_t cases = 150;
constexpr auto any_work = ~std::uint64_t{0};

GraphEngine::Outcome solve(GraphSpace& space, IncumbentSource<GraphEngine::Found>* source = nullptr,
                           std::uint64_t work_limit = any_work, ExecutorKind kind = ExecutorKind::serial) {
  const auto executor = make_executor(kind, 3);
  MemoryBudget memory(std::size_t{1} << 26U);
  StopSource stop;
  return GraphEngine(space, *executor, memory, {.work_limit = work_limit}, stop).run({}, source);
}

// Answers every attempt with the same solution, and interrupts the run during the attempt if `stop` is set.
class Answer final : public IncumbentSource<GraphEngine::Found> {
 public:
  explicit Answer(GraphEngine::Found found) : found_(std::move(found)) {}
  std::optional<GraphEngine::Found> improve(const GraphEngine::Found* best, std::uint64_t work) override {
    improves = best == nullptr || best->cost > found_.cost;
    budget += work;
    if (stop != nullptr) stop->interrupt();
    return found_;
  }
  std::uint64_t budget = 0;
  bool improves = false;
  StopSource* stop = nullptr;

 private:
  GraphEngine::Found found_;
};

// Returns a space whose branches, once open, are enough work for an attempt of a source.
GraphSpace large_space(std::uint64_t seed) { return {seed, 105 + seed, static_cast<double>(seed % 3) / 2}; }

TEST(Source, AcceptsSolutionsAndCountsTheWork) {
  std::uint64_t asked = 0;
  for (std::uint64_t seed = 0; seed < cases; seed += 5) {
    SCOPED_TRACE(seed);
    GraphSpace space = large_space(seed);
    const auto plain = solve(space);
    if (plain.best.empty()) continue;
    Answer answer(plain.best.front());
    const auto helped = solve(space, &answer);
    EXPECT_EQ(helped.status, Status::optimal);
    EXPECT_EQ(helped.best.front().cost, plain.best.front().cost);
    if (!answer.improves) continue;
    ++asked;
    EXPECT_GE(helped.counts.expanded, answer.budget);
    EXPECT_LE(helped.counts.expanded, plain.counts.expanded + answer.budget);
    for (const auto kind : {ExecutorKind::tbb, ExecutorKind::std_thread}) {
      Answer again(plain.best.front());
      const auto other = solve(space, &again, any_work, kind);
      EXPECT_EQ(other.counts.expanded, helped.counts.expanded);
      EXPECT_EQ(other.incumbents, helped.incumbents);
    }
    // A work limit that allows the attempt ends the run after it; a lower limit leaves the attempt out.
    const std::uint64_t before = helped.incumbents.back().first - answer.budget;
    Answer last(plain.best.front());
    const auto at_limit = solve(space, &last, before + answer.budget);
    EXPECT_EQ(last.budget, answer.budget);
    EXPECT_EQ(at_limit.counts.expanded, before + answer.budget);
    EXPECT_LE(at_limit.bound, plain.best.front().cost);
    Answer never(plain.best.front());
    solve(space, &never, before + answer.budget - 1);
    EXPECT_EQ(never.budget, 0U);
  }
  EXPECT_GT(asked, 3U);
}

TEST(Source, DiscardsAnAttemptThatWasInterrupted) {
  std::uint64_t interrupted = 0;
  for (std::uint64_t seed = 0; seed < cases; seed += 5) {
    SCOPED_TRACE(seed);
    GraphSpace space = large_space(seed);
    const auto plain = solve(space);
    if (plain.best.empty()) continue;
    const auto executor = make_executor(ExecutorKind::serial, 1);
    MemoryBudget memory(std::size_t{1} << 26U);
    StopSource stop;
    Answer answer(plain.best.front());
    answer.stop = &stop;
    const auto cut = GraphEngine(space, *executor, memory, {}, stop).run({}, &answer);
    if (cut.status != Status::interrupted || cut.counts.expanded == 0 || cut.best.empty()) continue;
    ++interrupted;
    Answer complete(plain.best.front());
    const auto again = solve(space, &complete, cut.counts.expanded);
    EXPECT_EQ(complete.budget, 0U);
    EXPECT_EQ(again.counts.expanded, cut.counts.expanded);
    EXPECT_EQ(again.bound, cut.bound);
    EXPECT_EQ(again.branches_opened, cut.branches_opened);
    EXPECT_EQ(again.best.front().solution, cut.best.front().solution);
  }
  EXPECT_GT(interrupted, 0U);
}

// Interrupts a run when its work is first counted after an attempt of the source.
class InterrupterAfterAttempt final : public EngineObserver {
 public:
  InterrupterAfterAttempt(StopSource& stop, const Answer& answer) : stop_(stop), answer_(answer) {}
  void round_ended(const EngineProgress& /*progress*/) override {
    if (answer_.budget > 0) stop_.interrupt();
  }

 private:
  StopSource& stop_;
  const Answer& answer_;
};

TEST(Source, WorkLimitReproducesAnInterruptionAfterAnAttempt) {
  std::uint64_t interrupted = 0;
  for (std::uint64_t seed = 0; seed < cases; seed += 5) {
    SCOPED_TRACE(seed);
    GraphSpace space = large_space(seed);
    const auto plain = solve(space);
    if (plain.best.empty()) continue;
    const auto executor = make_executor(ExecutorKind::serial, 1);
    MemoryBudget memory(std::size_t{1} << 26U);
    StopSource stop;
    Answer answer(plain.best.front());
    InterrupterAfterAttempt interrupter(stop, answer);
    const auto cut = GraphEngine(space, *executor, memory, {}, stop, &interrupter).run({}, &answer);
    if (cut.status != Status::interrupted || answer.budget == 0) continue;
    ++interrupted;
    Answer other(plain.best.front());
    const auto again = solve(space, &other, cut.counts.expanded);
    EXPECT_EQ(other.budget, answer.budget);
    EXPECT_EQ(again.counts.expanded, cut.counts.expanded);
    EXPECT_EQ(again.bound, cut.bound);
    EXPECT_EQ(again.rounds, cut.rounds);
    EXPECT_EQ(again.branches_opened, cut.branches_opened);
    EXPECT_EQ(again.left_open, cut.left_open);
    EXPECT_EQ(again.best.front().solution, cut.best.front().solution);
  }
  EXPECT_GT(interrupted, 3U);
}

}  // namespace
}  // namespace nestor::incumbent_source_test
