// Tests of the whole scheduler: every method on any number of threads, machines that are too large or too
// small, and limits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>

#include "heuristics/simd/nestor_worker.h"
#include "heuristics/simd_cases.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/reorder.h"

namespace nestor::simd::simd_scheduler_test {
namespace {

void expect_same(const ScheduleResult& one, const ScheduleResult& other) {
  EXPECT_EQ(one.copies, other.copies);
  EXPECT_EQ(one.work, other.work);
  EXPECT_EQ(one.planned_work, other.planned_work);
  EXPECT_EQ(one.bound.copies, other.bound.copies);
  EXPECT_TRUE(one.schedule.instructions == other.schedule.instructions);
}

constexpr std::array all_methods = {
    ScheduleMethod::nestor,  ScheduleMethod::masim, ScheduleMethod::masim_paper, ScheduleMethod::gppic,
    ScheduleMethod::simpler, ScheduleMethod::star,  ScheduleMethod::date24,      ScheduleMethod::exact};

/// Returns a request for a machine on which every method can save copies. For the exact method, the machine
/// is smaller, so that it searches few arrays.
ScheduleRequest tight_request(ScheduleMethod method, std::uint32_t rows, std::uint32_t rows_of_exact,
                              std::uint32_t arrays_of_exact) {
  ScheduleRequest request;
  request.method = method;
  request.rows = method == ScheduleMethod::exact ? rows_of_exact : rows;
  request.array_limit = method == ScheduleMethod::exact ? arrays_of_exact : 0;
  return request;
}

TEST(Scheduler, SameScheduleOnAnyNumberOfThreads) {
  const Netlist multiplier = circuit("multiplier", {.width = 8});
  const Netlist tiny = circuit("random", {.width = 4, .count = 9, .seed = 4});
  const std::vector<std::pair<ScheduleMethod, int>> subjects = {
      {ScheduleMethod::nestor, 2}, {ScheduleMethod::nestor, 5},      {ScheduleMethod::masim, 1},
      {ScheduleMethod::masim, 3},  {ScheduleMethod::masim_paper, 4}, {ScheduleMethod::gppic, 3},
      {ScheduleMethod::star, 2},   {ScheduleMethod::simpler, 4},     {ScheduleMethod::exact, 2}};
  for (const auto& [method, workers] : subjects) {
    SCOPED_TRACE(std::string(to_string(method)) + " " + std::to_string(workers));
    const Netlist& netlist = method == ScheduleMethod::exact ? tiny : multiplier;
    ScheduleRequest request = tight_request(method, 24, 5, 2);
    request.work_limit = 3'000'000;
    request.restarts = 4;
    request.workers = workers;
    request.threads = 1;
    const auto expected = make_schedule(netlist, request);
    ASSERT_TRUE(expected);
    expect_valid(netlist, expected->schedule, expected->copies);
    EXPECT_EQ(expected->status == Status::work_limit, method == ScheduleMethod::nestor);
    for (const int threads : {1, 2, 4}) {
      SCOPED_TRACE(threads);
      request.threads = threads;
      const auto result = make_schedule(netlist, request);
      ASSERT_TRUE(result);
      EXPECT_EQ(result->status, expected->status);
      expect_same(*result, *expected);
    }
  }
}

/// Records the progress of every round.
class Rounds final : public EngineObserver {
 public:
  void round_ended(const EngineProgress& progress) override { told.push_back(progress); }
  std::vector<EngineProgress> told;
};

TEST(Scheduler, NotifiesOneObserverOfConstructionsAndSearch) {
  const Netlist multiplier = circuit("multiplier", {.width = 8});
  const Netlist tiny = circuit("random", {.width = 4, .count = 9, .seed = 4});
  for (const ScheduleMethod method : all_methods) {
    SCOPED_TRACE(to_string(method));
    const bool searches = method == ScheduleMethod::exact;
    ScheduleRequest request = tight_request(method, 24, 5, 2);
    request.work_limit = 3'000'000;
    request.restarts = 4;
    Rounds rounds;
    request.observer = &rounds;
    const auto result = make_schedule(searches ? tiny : multiplier, request);
    ASSERT_TRUE(result);
    ASSERT_FALSE(rounds.told.empty());
    EXPECT_EQ(rounds.told.back().incumbent, result->copies);
    EXPECT_LE(rounds.told.back().work, result->work);
    EXPECT_TRUE(std::ranges::is_sorted(rounds.told, std::less<>(), &EngineProgress::work));
    EXPECT_TRUE(std::ranges::is_sorted(rounds.told, std::greater<>(), &EngineProgress::incumbent));
    // Only the exact method proves a bound. The work of its search includes that of the preceding
    // construction.
    EXPECT_EQ(std::ceil(rounds.told.back().bound), searches ? result->copies : 0);
  }
}

TEST(Scheduler, ReportsALimitInsteadOfGivingUp) {
  ScheduleRequest request;
  request.method = ScheduleMethod::exact;
  request.rows = 4;
  request.array_limit = 3;
  request.memory_limit = std::size_t{1} << 20U;
  const auto result = make_schedule(circuit("multiplier", {.width = 3}), request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.status(), Status::memory_limit);
  EXPECT_FALSE(result.gave_up());
}

/// The heuristic runs a second time if its brief first run suggests that more arrays may help than the search
/// supports.
TEST(Scheduler, ExactKeepsTheBetterOfTwoHeuristicSchedules) {
  int twice = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const Netlist netlist = circuit("random", {.width = 8, .count = 50, .seed = seed});
    ScheduleRequest request;
    request.method = ScheduleMethod::exact;
    request.rows = 12;
    request.work_limit = 1'300'000;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result);
    expect_valid(netlist, result->schedule, result->copies);
    EXPECT_EQ(result->copies, result->milestones.back().copies);
    EXPECT_LE(result->milestones.back().work, result->work);
    twice += result->planned_work != 0 ? 1 : 0;
  }
  EXPECT_GT(twice, 1);
}

TEST(Scheduler, ExactFallsBackToNestorOnLargeNetlists) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  ScheduleRequest request;
  request.rows = 24;
  request.work_limit = 1'000'000;
  const auto nestor = make_schedule(netlist, request);
  request.method = ScheduleMethod::exact;
  const auto exact = make_schedule(netlist, request);
  ASSERT_TRUE(nestor && exact);
  EXPECT_EQ(exact->status, Status::work_limit);
  expect_same(*exact, *nestor);
}

TEST(Scheduler, HugeMachinesTakeLittleTimeAndMemory) {
  const Netlist netlist = circuit("adder", {.width = 4});
  for (const ScheduleMethod method : all_methods)
    for (const auto& [rows, arrays] : {std::pair{1U << 30U, 0U}, {6U, 1U << 20U}}) {
      SCOPED_TRACE(std::string(to_string(method)) + " " + std::to_string(rows));
      ScheduleRequest request;
      request.method = method;
      request.rows = rows;
      request.array_limit = arrays;
      request.time_limit = 0.05;
      request.restarts = 1;
      const auto result = make_schedule(netlist, request);
      ASSERT_TRUE(result);
      EXPECT_EQ(result->schedule.rows, rows);
      EXPECT_EQ(result->copies == 0, rows > 6);
      expect_valid(netlist, result->schedule, result->copies);
    }
}

TEST(Scheduler, ManyWorkersKeepTheTimeLimit) {
  const Netlist netlist = circuit("multiplier", {.width = 16});
  ScheduleRequest request;
  request.rows = 40;
  request.time_limit = 0;
  request.workers = 1;
  const auto one = make_schedule(netlist, request);
  request.workers = 1024;
  const auto many = make_schedule(netlist, request);
  ASSERT_TRUE(one && many);
  EXPECT_LT(many->work, 100 * one->work);  // a thousand times as much if each worker did the whole work
}

TEST(Scheduler, AWorkerWithoutTimeDoesNothing) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  const ScheduleProblem problem(netlist, 24, 0);
  NestorWorker worker(problem, 1, 1, {.work = 10'000'000'000}, &netlist, [] { return true; });
  EXPECT_FALSE(worker.round());
  EXPECT_EQ(worker.work(), 0U);
}

TEST(Scheduler, AWorkerWhoseTimeIsOverBeginsNoRound) {
  const Netlist netlist = circuit("multiplier", {.width = 16});
  const ScheduleProblem problem(netlist, 40, 0);
  bool is_over = false;
  NestorWorker worker(problem, 1, 1, {.work = 100'000'000}, &netlist, [&] { return is_over; });
  while (!worker.endless()) ASSERT_TRUE(worker.round());
  is_over = true;
  const auto work = worker.work();
  EXPECT_FALSE(worker.round());
  EXPECT_EQ(worker.work(), work);
}

TEST(Scheduler, RetriesUntilAnOrderFits) {
  const Netlist netlist = shuffled(circuit("multiplier", {.width = 10}), 3, true);
  ScheduleRequest request;
  request.rows = 41;
  request.array_limit = 1;
  request.threads = 1;
  request.work_limit = 1;
  EXPECT_FALSE(make_schedule(netlist, request)) << "the first order fits";
  request.work_limit = 2'000'000;
  const auto result = make_schedule(netlist, request);
  ASSERT_TRUE(result);
  expect_valid(netlist, result->schedule, 0);
}

TEST(Scheduler, ANetlistWithoutGatesNeedsNoRow) {
  Netlist netlist;
  netlist.input_names = {"a", "b", "c", "d"};
  netlist.outputs = {{"y", Signal(1, false)}, {"z", Signal(2, true)}};
  ScheduleRequest request;
  request.rows = 4;
  request.array_limit = 1;
  for (const ScheduleMethod method :
       {ScheduleMethod::nestor, ScheduleMethod::masim, ScheduleMethod::star, ScheduleMethod::exact}) {
    request.method = method;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result) << to_string(method);
    EXPECT_EQ(result->copies, 0U);
    EXPECT_EQ(result->status, Status::optimal);
  }
}

TEST(Scheduler, ExactDoesNotSearchWithoutRemainingWork) {
  int searched = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const Netlist netlist = circuit("random", {.width = 4, .count = 8, .seed = seed});
    ScheduleRequest request = tight_request(ScheduleMethod::exact, 0, 4, 3);
    const auto whole = make_schedule(netlist, request);
    request.work_limit = 1;
    const auto brief = make_schedule(netlist, request);
    ASSERT_TRUE(whole && brief);
    searched += whole->labels.expanded > 0 ? 1 : 0;
    EXPECT_EQ(brief->labels.expanded, 0U);
  }
  EXPECT_GE(searched, 3);
}

TEST(Scheduler, WorkLimitReproducesARunStoppedByTime) {
  const Netlist netlist = circuit("multiplier", {.width = 12});
  const Netlist small = circuit("random", {.width = 8, .count = 50, .seed = 6});
  int stopped = 0;
  for (const ScheduleMethod method : all_methods) {
    SCOPED_TRACE(to_string(method));
    ScheduleRequest request = tight_request(method, 32, 10, 3);
    request.restarts = 1'000'000;
    request.workers = 3;
    const Netlist& subject = method == ScheduleMethod::exact ? small : netlist;
    for (const double seconds : {0.0, 0.2}) {
      SCOPED_TRACE(seconds);
      request.time_limit = seconds;
      request.work_limit = request.planned_work = 0;
      const auto timed = make_schedule(subject, request);
      if (!timed) {  // on a busy machine, the limit may stop all constructions
        EXPECT_EQ(timed.status(), Status::time_limit);
        ++stopped;
        continue;
      }
      stopped += timed->status == Status::time_limit && !timed->completed ? 1 : 0;
      request.time_limit = 1000;
      request.work_limit = timed->work;
      request.planned_work = timed->planned_work;
      const auto again = make_schedule(subject, request);
      ASSERT_TRUE(again);
      expect_same(*again, *timed);
    }
  }
  EXPECT_GE(stopped, 11);  // all but DATE24, which has only one order, and one method that ended by chance
}

}  // namespace
}  // namespace nestor::simd::simd_scheduler_test
