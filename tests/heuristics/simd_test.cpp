#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/random.h"
#include "heuristics/simd/annealer.h"
#include "heuristics/simd/crossings.h"
#include "heuristics/simd/masim_machine.h"
#include "heuristics/simd/nestor_worker.h"
#include "heuristics/simd/order_cuts.h"
#include "heuristics/simd/orders.h"
#include "io/netlist/generate.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/emit.h"
#include "model/simd/occupancy.h"
#include "model/simd/recompute.h"
#include "model/simd/reorder.h"
#include "model/simd/verify_schedule.h"

namespace nestor::simd {
namespace {

Netlist circuit(std::string_view name, io::GeneratorSize size) {
  auto netlist = io::generate(name, size);
  EXPECT_TRUE(netlist.ok());
  return std::move(*netlist);
}

void expect_valid(const Netlist& netlist, const Schedule& schedule, std::uint32_t copies) {
  const ScheduleVerdict verdict = verify_schedule(netlist, netlist, schedule);
  ASSERT_FALSE(verdict.fault) << verdict.fault->message;
  EXPECT_EQ(verdict.figures.copies, copies);
}

bool topological(const Problem& problem, const Order& order) {
  std::vector<std::uint8_t> done(problem.gate_count(), 0);
  for (const std::uint32_t gate : order) {
    for (const Value value : problem.fanins(gate))
      if (value != no_value && !problem.is_input(value) && done[problem.gate_of(value)] == 0) return false;
    if (done[gate]++ != 0) return false;
  }
  return order.size() == problem.gate_count();
}

std::uint32_t peak(const std::vector<std::uint32_t>& profile) {
  return *std::max_element(profile.begin(), profile.end());
}

TEST(NestorWorker, LosesNothingByStartingAfresh) {
  constexpr std::uint64_t work = 30'000'000;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE(seed);
    const Netlist netlist = circuit("random", {.width = 8, .count = 30, .seed = seed});
    const Problem problem(netlist, 10, 0);
    NestorWorker worker(problem, 1, seed, {.work = work});
    Copies before = impossible;
    int back = 0;  // rounds with the best of all starts in hand again
    while (worker.work() < work) {
      worker.round();
      ASSERT_LE(worker.best().copies, before);
      before = worker.best().copies;
      back += worker.starts() > 1 && worker.at_cycle_start() ? 1 : 0;
    }
    EXPECT_GT(worker.starts(), 1);
    EXPECT_GT(back, 0);
    const Found& best = worker.best();
    Sequence sequence(problem, best.order);
    sequence.assign(best.order, best.arrays);
    expect_valid(netlist, emit(netlist, sequence, best.working, best.transfers), best.copies);
  }
}

TEST(Evaluator, CountsWhatTheVerifierCountsOnRandomMachines) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    nestor::Random random(seed);
    const Netlist netlist = circuit("random", {.width = static_cast<std::uint32_t>(random.between(3, 12)),
                                               .count = static_cast<std::uint32_t>(random.between(5, 80)),
                                               .seed = seed});
    const Problem problem(netlist, static_cast<std::uint32_t>(random.between(4, 14)), 0);
    const Order order = random_order(problem, random);
    const std::uint32_t homes = problem.home_arrays();
    WorkingArrays working;
    for (std::uint32_t array = 0; array < homes + 2; ++array)
      if (problem.free_rows(array) >= 3) working.physical.push_back(array);
    Sequence sequence(problem, order);
    for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
      sequence.set_array(gate, static_cast<std::uint8_t>(random.below(working.count())));
    Evaluator evaluator(problem, working, false);
    const Copies copies = evaluator.evaluate(sequence);
    ASSERT_NE(copies, impossible);
    const Crossings crossings(sequence, working);
    std::uint32_t crossed = 0;
    for (Value value = 0; value < problem.value_count(); ++value) crossed += crossings.of(value);
    EXPECT_LE(crossed, copies);
    expect_valid(netlist, emit(netlist, sequence, working, evaluator.transfers()), copies);
  }
}

TEST(Evaluator, TrialsDescribeTheSchedulesTheyCount) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  const Problem problem(netlist, 24, 0);
  nestor::Random random(3);
  Annealer annealer(problem, {{0, 1, 2}},
                    depth_first_order(problem, RootRule::random, FaninRule::random, random),
                    std::vector<std::uint8_t>(problem.gate_count(), 1));
  for (int stretch = 0; stretch < 20; ++stretch) {
    annealer.run(500, 2.0 / (1 + stretch), random);
    const Found& best = annealer.best();
    Sequence sequence(problem, best.order);
    sequence.assign(best.order, best.arrays);
    ASSERT_TRUE(topological(problem, best.order));
    expect_valid(netlist, emit(netlist, sequence, best.working, best.transfers), best.copies);
  }
}

TEST(Evaluator, RespectsALimitOnArrays) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  for (const std::uint32_t arrays : {2U, 3U, 4U}) {
    const Problem problem(netlist, 20, arrays);
    nestor::Random random(1);
    const Sequence sequence(problem, greedy_order(problem, random));
    Evaluator evaluator(problem, {{0}}, false);
    const Copies copies = evaluator.evaluate(sequence);
    if (copies == impossible) continue;
    const Schedule schedule = emit(netlist, sequence, {{0}}, evaluator.transfers());
    for (const Instruction& instruction : schedule.instructions) EXPECT_LT(instruction.to.array, arrays);
    expect_valid(netlist, schedule, copies);
  }
}

TEST(Orders, AreTopological) {
  const Netlist netlist = circuit("divider", {.width = 8});
  const Problem problem(netlist, 256, 0);
  nestor::Random random(1);
  for (const RootRule roots :
       {RootRule::given, RootRule::smallest_cone, RootRule::shallowest, RootRule::widest, RootRule::random})
    for (const FaninRule fanins :
         {FaninRule::random, FaninRule::deepest, FaninRule::widest, FaninRule::widest_by_index})
      EXPECT_TRUE(topological(problem, depth_first_order(problem, roots, fanins, random)));
  EXPECT_TRUE(topological(problem, greedy_order(problem, random)));
  EXPECT_TRUE(topological(problem, sweep_order(problem, false, random)));
  EXPECT_TRUE(topological(problem, random_order(problem, random)));
}

TEST(OrderCuts, NeverRaiseThePeak) {
  const Netlist netlist = circuit("multiplier", {.width = 12});
  const Problem problem(netlist, 256, 0);
  for (const bool travel : {false, true}) {
    nestor::Random random(7);
    OrderCuts cuts(problem, random_order(problem, random), travel);
    std::uint32_t before = peak(cuts.profile());
    const std::uint32_t first = before;
    for (int pass = 0; pass < 4; ++pass) {
      cuts.bisect(0, problem.gate_count(), {4, 100'000}, random, [] { return false; });
      ASSERT_TRUE(topological(problem, cuts.order()));
      EXPECT_LE(peak(cuts.profile()), before);
      before = peak(cuts.profile());
    }
    EXPECT_LT(before, first * 9 / 10);
  }
}

TEST(MasimMachine, RecordsTheScheduleItCounted) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    nestor::Random random(seed);
    const Netlist netlist = circuit(
        "random", {.width = 9, .count = static_cast<std::uint32_t>(random.between(10, 120)), .seed = seed});
    ScheduleRequest request;
    request.method = Method::masim;
    request.rows = static_cast<std::uint32_t>(random.between(6, 20));
    request.restarts = 8;
    request.seed = seed;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result);
    expect_valid(netlist, result->schedule, result->copies);
  }
}

void expect_same(const ScheduleResult& one, const ScheduleResult& other) {
  EXPECT_EQ(one.copies, other.copies);
  EXPECT_EQ(one.work, other.work);
  EXPECT_EQ(one.planned_work, other.planned_work);
  EXPECT_EQ(one.bound.copies, other.bound.copies);
  EXPECT_TRUE(one.schedule.instructions == other.schedule.instructions);
}

/// Trials keep what was decided before the stretch they change, so what they find need not be found by a
/// fresh evaluation, and never is where arrays to spare leave the pool too small. Rounds went on for ever
/// then.
TEST(NestorWorker, GoesOnWhereItsBestCannotBeEvaluatedAfresh) {
  int lost = 0;
  for (const std::uint64_t seed : {9U, 31U, 33U}) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto width = static_cast<std::uint32_t>(random.between(3, 6));
    const auto count = static_cast<std::uint32_t>(random.between(10, 60));
    const Netlist netlist = circuit("random", {.width = width, .count = count, .seed = seed});
    const Problem problem(netlist, static_cast<std::uint32_t>(random.between(5, 9)), 2);
    for (const std::uint32_t index : {0U, 1U}) {
      NestorPlan plan;
      plan.work = 2'500'000;
      NestorWorker worker(problem, index, 1, plan);
      while (!worker.finished() && worker.work() < plan.work) worker.round();
      const Found& best = worker.best();
      if (best.copies == impossible) continue;
      lost += Annealer(problem, {{0, 1}}, best.order, best.arrays).current() == impossible ? 1 : 0;
    }
  }
  EXPECT_GT(lost, 0);
}

constexpr std::array all_methods = {Method::nestor, Method::masim,  Method::gppic, Method::simpler,
                                    Method::star,   Method::date24, Method::exact};

/// A machine on which every method has copies to save, and the exact one few arrays to search.
ScheduleRequest tight_request(Method method, std::uint32_t rows, std::uint32_t rows_of_exact,
                              std::uint32_t arrays_of_exact) {
  ScheduleRequest request;
  request.method = method;
  request.rows = method == Method::exact ? rows_of_exact : rows;
  request.array_limit = method == Method::exact ? arrays_of_exact : 0;
  return request;
}

TEST(Scheduler, SameScheduleOnAnyNumberOfThreads) {
  const Netlist multiplier = circuit("multiplier", {.width = 8});
  const Netlist tiny = circuit("random", {.width = 4, .count = 9, .seed = 4});
  const std::vector<std::pair<Method, int>> subjects = {
      {Method::nestor, 2}, {Method::nestor, 5}, {Method::masim, 2}, {Method::exact, 2}};
  for (const auto& [method, workers] : subjects) {
    SCOPED_TRACE(std::string(to_string(method)) + " " + std::to_string(workers));
    const Netlist& netlist = method == Method::exact ? tiny : multiplier;
    ScheduleRequest request = tight_request(method, 24, 5, 2);
    request.work_limit = 3'000'000;
    request.restarts = 4;
    request.workers = workers;
    request.threads = 1;
    const auto expected = make_schedule(netlist, request);
    ASSERT_TRUE(expected);
    expect_valid(netlist, expected->schedule, expected->copies);
    EXPECT_EQ(expected->status == Status::work_limit, method == Method::nestor);
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

/// Where the brief heuristic says that too many arrays may be worth having for a search, a second run
/// follows.
TEST(Scheduler, ExactKeepsTheBetterOfTwoHeuristicSchedules) {
  int twice = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const Netlist netlist = circuit("random", {.width = 8, .count = 50, .seed = seed});
    ScheduleRequest request;
    request.method = Method::exact;
    request.rows = 12;
    request.work_limit = 1'300'000;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result);
    expect_valid(netlist, result->schedule, result->copies);
    EXPECT_EQ(result->copies, result->milestones.back().copies);
    EXPECT_LE(result->milestones.back().work, result->work);
    twice += result->planned_work != 0 ? 1 : 0;
  }
  EXPECT_GT(twice, 5);
}

TEST(Scheduler, ExactLeavesToNestorWhatIsTooLargeForIt) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  ScheduleRequest request;
  request.rows = 24;
  request.work_limit = 1'000'000;
  const auto nestor = make_schedule(netlist, request);
  request.method = Method::exact;
  const auto exact = make_schedule(netlist, request);
  ASSERT_TRUE(nestor && exact);
  EXPECT_EQ(exact->status, Status::work_limit);
  expect_same(*exact, *nestor);
}

TEST(Scheduler, MachinesFarTooLargeTakeNeitherTimeNorMemory) {
  const Netlist netlist = circuit("adder", {.width = 4});
  for (const Method method : all_methods)
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
  EXPECT_LT(many->work, 100 * one->work);  // of all together: a thousand times
}

TEST(Scheduler, GoesOnUntilAnOrderFits) {
  const Netlist netlist = shuffled(circuit("multiplier", {.width = 10}), 3, true);
  ScheduleRequest request;
  request.rows = 44;
  request.array_limit = 1;
  request.threads = 1;
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
  for (const Method method : {Method::nestor, Method::masim, Method::star, Method::exact}) {
    request.method = method;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result) << to_string(method);
    EXPECT_EQ(result->copies, 0U);
    EXPECT_EQ(result->status, Status::optimal);
  }
}

TEST(Scheduler, ARunStoppedByTimeCanBeHadAgainByItsWork) {
  const Netlist netlist = circuit("multiplier", {.width = 12});
  const Netlist small = circuit("random", {.width = 8, .count = 50, .seed = 6});
  int stopped = 0;
  for (const Method method : all_methods) {
    SCOPED_TRACE(to_string(method));
    ScheduleRequest request = tight_request(method, 32, 10, 3);
    request.restarts = 1'000'000;
    request.workers = 3;
    const Netlist& subject = method == Method::exact ? small : netlist;
    for (const double seconds : {0.0, 0.2}) {
      SCOPED_TRACE(seconds);
      request.time_limit = seconds;
      request.work_limit = request.planned_work = 0;
      const auto timed = make_schedule(subject, request);
      ASSERT_TRUE(timed);
      stopped += timed->status == Status::time_limit && !timed->completed ? 1 : 0;
      request.time_limit = 1000;
      request.work_limit = timed->work;
      request.planned_work = timed->planned_work;
      const auto again = make_schedule(subject, request);
      ASSERT_TRUE(again);
      expect_same(*again, *timed);
    }
  }
  EXPECT_GE(stopped, 11);  // all but DATE24, which has one order only, and a lucky one
}

TEST(Recompute, IsValidAndNeverWorse) {
  int fewer = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Netlist netlist = circuit("random", {.width = 8, .count = 90, .seed = seed});
    ScheduleRequest request;
    request.method = Method::masim;
    request.rows = 12;
    request.restarts = 4;
    const auto result = make_schedule(netlist, request);
    ASSERT_TRUE(result);
    const Schedule schedule = recompute_instead_of_copies(netlist, result->schedule, 1.0, 1.87);
    const auto before = verify_schedule(netlist, netlist, result->schedule);
    const auto after = verify_schedule(netlist, netlist, schedule);
    ASSERT_FALSE(after.fault) << after.fault->message;
    EXPECT_LE(after.figures.energy(1.0, 1.87), before.figures.energy(1.0, 1.87));
    fewer += after.figures.copies < before.figures.copies ? 1 : 0;
  }
  EXPECT_GT(fewer, 10);
}

TEST(Bounds, AnAdderBesideItsFullArrayIsOptimal) {
  const Netlist netlist = circuit("adder", {.width = 16});
  ScheduleRequest request;
  request.rows = static_cast<std::uint32_t>(netlist.input_names.size());
  request.time_limit = 5;
  const auto result = make_schedule(netlist, request);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->bound.copies, netlist.input_names.size());
  EXPECT_EQ(result->copies, netlist.input_names.size());
  EXPECT_EQ(result->status, Status::optimal);
}

TEST(Occupancy, CountsRowsHeldBetweenWriteAndLastRead) {
  // Copy a row away, read it twice, keep nothing.
  Schedule schedule;
  schedule.rows = 4;
  schedule.instructions = {
      Instruction::copy({0, 0}, {1, 0}, 1, CopyCause::fanin),
      Instruction::copy({0, 1}, {1, 1}, 2, CopyCause::fanin),
      Instruction::compute(GateKind::xor3, {1, 2},
                           {Operand::stored(0, false), Operand::stored(1, false), Operand::constant(false)},
                           3),
      Instruction::compute(GateKind::xor3, {1, 1},
                           {Operand::stored(0, false), Operand::stored(2, false), Operand::constant(false)},
                           4)};
  schedule.outputs = {{OutputPlace::Kind::stored, false, {1, 1}, 0}};
  const Occupancy result = occupancy(schedule, 5);
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_EQ(result.rows[1], (std::vector<std::uint32_t>{0, 1, 2, 2, 1}));
}

}  // namespace
}  // namespace nestor::simd
