// Tests of the DPU machine and its clock: worked examples with exact cycles, and a run that skips whole
// rotations compared with a run that executes all of them.
#include "model/cnm/dpu_machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "model/cnm/dpu_clock.h"
#include "model/cnm/engine.h"
#include "model/cnm/estimate_batch.h"
#include "places.h"
#include "random_programs.h"
#include "sim/cnm/dpu_stepper.h"
#include "support/setting.h"

namespace nestor::cnm::dpu_machine_test {
namespace {

using nlohmann::json;

Program program_from(const json& items) {
  Program program;
  for (const auto& item : items) {
    const std::string kind = item[0];
    if (kind == "slots") program.push_back(slots(item[1]));
    if (kind == "read") program.push_back(read(item[1]));
    if (kind == "write") program.push_back(write(item[1]));
    if (kind == "barrier") program.push_back(barrier());
    if (kind == "loop") program.push_back(loop(item[1], program_from(item[2])));
  }
  return program;
}

std::optional<DpuRun> simulate_whole(const System& system, const Program& program, Int tasklets, Int budget) {
  const FlatProgram flat = flatten(*simplify(program));
  return DpuMachine(system, tasklets).run(flat, flat.trips, budget);
}

TEST(DpuMachine, ReproducesTheWorkedExamplesToTheCycle) {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/examples.json");
  if (!file) GTEST_SKIP() << "no reference data";
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok()) << upmem.error().to_string();
  int cases = 0;
  const json examples = json::parse(file);
  for (const auto& example : examples["machine"]) {
    std::vector<std::string> settings;
    for (const auto& [path, value] : example["set"].items()) settings.push_back(path + "=" + value.dump());
    const auto changed = io::with_settings(*upmem, settings);
    ASSERT_TRUE(changed) << changed.error().to_string();
    const System& system = *changed;
    const Program program = program_from(example["program"]);
    const Int tasklets = example["tasklets"];
    const auto run = simulate_whole(system, program, tasklets, 1'000'000);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->cycles, example["cycles"]) << "example " << cases;
    EXPECT_EQ(sim::cnm::step_dpu(system, program, tasklets)->cycles, example["cycles"])
        << "example " << cases;
    ++cases;
  }
  EXPECT_GE(cases, 60);
}

// Expects the estimate of each example kernel to agree with the file's cycles within 0.1 %, and returns the
// number of examples.
int count_estimates(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  if (!file) return 0;
  const json examples = json::parse(file);
  int cases = 0;
  for (const auto& example : examples[key]) {
    auto system = *io::read_cnm_system("upmem", {});
    system.dma.ports = example.value("ports", 1);
    const auto& row = example["row"];
    const auto figure = [&](const char* name) {
      return row[name].is_string() ? std::stoll(row[name].get<std::string>()) : row[name].get<Int>();
    };
    const io::KernelDims dims{*io::data_type_named(row["dtype"].get<std::string>()), figure("tasklets"),
                              figure("iterations"), figure("cols"), figure("buffer_elems")};
    const auto program = program_of(*io::built_in_kernel(row["kernel"], dims), system);
    EXPECT_EQ(program.error, "");
    const auto estimate = estimate_program(system, program.program, dims.tasklets);
    const double cycles = example["cycles"];
    EXPECT_NEAR(estimate->cycles, cycles, 0.001 * cycles) << row;
    ++cases;
  }
  return cases;
}

TEST(Engine, ReproducesTheWorkedEstimates) {
  const std::string file = NESTOR_SHARED_DIR "/data/cnm/examples.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no reference data";
  EXPECT_GE(count_estimates(file, "estimate"), 40);
}

TEST(Engine, ReproducesTheWorkedEstimatesOfSeveralPorts) {
  const std::string file = NESTOR_SHARED_DIR "/data/cnm/examples2.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no reference data";
  EXPECT_GE(count_estimates(file, "ports"), 3);
}

TEST(DpuMachine, SkipsRotationsWithoutLosingACycle) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_PROGRAMS", 400);
  int with_refresh = 0, with_barrier = 0, crowded = 0, with_leave = 0, deep = 0, clocked = 0, of_one_port = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const System system = tests::random_dpu(random);
    const Program program = tests::random_program(random, 3, false);
    const Int tasklets = random.between(1, 24);
    const auto stepped = sim::cnm::step_dpu(system, program, tasklets);
    const auto skipped = simulate_whole(system, program, tasklets, Int{1} << 40);
    ASSERT_TRUE(stepped && skipped);
    ASSERT_EQ(skipped->cycles, stepped->cycles) << "seed " << seed + i;
    ASSERT_EQ(skipped->causes, stepped->causes) << "seed " << seed + i;
    ASSERT_EQ(skipped->causes.total(), skipped->cycles) << "seed " << seed + i;
    const auto bounds = program_bounds(system, program, tasklets);
    ASSERT_TRUE(bounds);
    ASSERT_LE(bounds->largest(), static_cast<double>(skipped->cycles)) << "seed " << seed + i;
    const auto flat = flatten(*simplify(program));
    if (DpuClock clock(system, tasklets);
        DpuClock::covers(system, tasklets) && clock.lists().read(flat, flat.trips)) {
      std::vector<Int> cycles;
      clock.run(cycles);
      ASSERT_EQ(cycles, std::vector<Int>{stepped->cycles}) << "seed " << seed + i;
      ++clocked;
    }
    of_one_port += static_cast<int>(system.dma.ports == 1);
    with_refresh += static_cast<int>(system.dma.refresh.every > 0);
    with_barrier += static_cast<int>(count_if(flat.steps.begin(), flat.steps.end(), [](const Step& step) {
                                       return step.kind == ItemKind::barrier;
                                     }) > 0);
    crowded += static_cast<int>(tasklets > system.gap);
    with_leave += static_cast<int>(!program.empty() && program.size() > 2 &&
                                   program[program.size() - 3].kind == ItemKind::leave);
    deep += static_cast<int>(flat.trips.size() > 2);
  }
  EXPECT_GT(with_refresh, static_cast<int>(count) / 4);
  EXPECT_GT(with_barrier, static_cast<int>(count) / 4);
  EXPECT_GT(crowded, static_cast<int>(count) / 4);
  EXPECT_GT(with_leave, static_cast<int>(count) / 40);
  EXPECT_GT(deep, static_cast<int>(count) / 40);
  EXPECT_GT(of_one_port, static_cast<int>(count) / 2);
  EXPECT_GT(clocked, of_one_port * 9 / 10);
}

TEST(DpuClock, CountsRequestsLikeTheMachine) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const Program program = {
      barrier(), loop(5, {slots(9), read(64), slots(0), write(8)}), {ItemKind::leave}, slots(4), write(16)};
  const FlatProgram flat = flatten(*simplify(program));
  Int by_machine = 1000;
  DpuClock clock(*upmem, 7);
  ASSERT_TRUE(clock.lists().read(flat, flat.trips));
  ASSERT_TRUE(DpuMachine(*upmem, 7).run(flat, flat.trips, by_machine));
  EXPECT_EQ(clock.lists().requests(0, 7), 1000 - by_machine);
}

// DpuClock runs lists of programs that differ in their numbers of trips and sometimes in a step. The lists
// are sorted or unsorted, and some contain programs that the clock refuses.
TEST(DpuClock, SplitsDivergingProgramsWithoutLosingACycle) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_PROGRAMS", 400);
  int runs = 0, refused = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const System system = tests::random_dpu(random);
    const Program program =
        random.chance(0.5) ? tests::random_tiles(random) : tests::random_program(random, 3, false);
    const Int tasklets = random.between(1, 24);
    FlatProgram flat = flatten(*simplify(program));
    if (flat.trips.empty() || !DpuClock::covers(system, tasklets)) continue;
    DpuClock clock(system, tasklets);
    const FlatProgram early =
        flatten(*simplify({slots(7), read(8), loop(2, {read(8), Item{ItemKind::leave}})}));
    for (int round = 0; round < 2; ++round) {
      std::vector<std::vector<Int>> trips(8, flat.trips);
      for (auto& of_list : trips)
        for (Int& number : of_list)
          if (random.chance(0.5)) number = random.between(1, 9);
      if (random.chance(0.7)) std::sort(trips.begin(), trips.end());
      std::vector<Int> machine, cycles;
      for (const auto& of_list : trips) {
        Step& step = flat.steps[random.below(flat.steps.size())];
        if (random.chance(0.2) && step.kind == ItemKind::slots) step.amount = random.between(1, 50);
        if (random.chance(0.2)) refused += static_cast<int>(!clock.lists().read(early, early.trips));
        if (!clock.lists().read(flat, of_list)) break;
        Int budget = Int{1} << 40;
        const auto run = DpuMachine(system, tasklets).run(flat, of_list, budget);
        ASSERT_TRUE(run);
        machine.push_back(run->cycles);
      }
      clock.run(cycles);
      ASSERT_EQ(cycles, machine) << "seed " << seed + i;
      runs += static_cast<int>(cycles.size());
    }
  }
  EXPECT_GT(runs, static_cast<int>(count));
  EXPECT_GT(refused, static_cast<int>(count) / 20);
}

// Estimates batches of programs that have the same steps, but other numbers of trips, other amounts or
// another number of tasklets.
TEST(EstimateBatch, EstimatesEachProgramAsIfItWereAlone) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_PROGRAMS", 400) / 16;
  int known = 0, whole = 0, not_linear = 0;
  constexpr std::array<double, 4> no_causes{-1};
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    System system = tests::random_dpu(random);
    if (random.chance(0.2)) system.gap = 60;  // too large for DpuClock: DpuMachine runs these
    EstimateBatch batch(system);
    RunMemory memory;
    for (int round = 0; round < 2; ++round) {
      std::vector<std::optional<double>> alone;
      FlatProgram flat = flatten(*simplify(random.chance(0.5) ? tests::random_tiles(random)
                                                              : tests::random_program(random, 3, false)));
      Int tasklets = random.between(1, 24);
      const int programs = random.chance(0.5) ? 1 : 12;
      const Int most_trips = random.chance(0.5) ? 30 : 300;
      for (int program = 0; program < programs; ++program) {
        if (random.chance(0.1)) tasklets = random.between(1, 24);
        for (Int& trips : flat.trips)
          if (random.chance(0.5)) trips = random.between(1, most_trips);
        for (Step& step : flat.steps) {
          const bool request = step.kind == ItemKind::read || step.kind == ItemKind::write;
          if (step.kind == ItemKind::slots && random.chance(0.1)) step.amount = random.between(1, 60);
          if (request && random.chance(0.1)) step.amount = 8 * random.between(1, 64);
        }
        const Program tree = tests::tree_of(flat);
        const auto bounds = program_bounds(system, tree, tasklets);
        if (!bounds) continue;
        const auto estimate = estimate_program(system, tree, tasklets);
        alone.push_back(estimate ? std::optional(estimate->cycles) : std::nullopt);
        const auto shared = estimate_program(system, tree, tasklets, &memory);
        ASSERT_EQ(shared ? shared->causes : no_causes, estimate ? estimate->causes : no_causes);
        batch.add(flatten(*simplify(tree)), *bounds, tasklets);
        known += static_cast<int>(estimate.has_value());
        whole += static_cast<int>(estimate && estimate->k == 0);
        not_linear += static_cast<int>(estimate && estimate->k > system.engine.k);
      }
      ASSERT_EQ(batch.estimate(), alone) << "seed " << seed + i;
    }
  }
  EXPECT_GT(known, static_cast<int>(count) * 5);
  EXPECT_GT(whole, static_cast<int>(count) / 2);
  EXPECT_GT(not_linear, static_cast<int>(count) / 4);
}

TEST(EstimateBatch, RefusesProgramsBeyondItsBudgetAndStopsOnRequest) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  Program deep = {slots(3), read(8)};
  for (int depth = 0; depth < 14; ++depth) deep = {loop(3, deep), write(8)};
  const Program small = {barrier(), loop(200, {slots(9), read(64)})};
  EstimateBatch batch(*upmem);
  for (const Program& program : {deep, small}) {
    const auto bounds = program_bounds(*upmem, program, 11);
    ASSERT_TRUE(bounds);
    const auto alone = estimate_program(*upmem, program, 11);
    batch.add(flatten(*simplify(program)), *bounds, 11);
    batch.add(flatten(*simplify(program)), *bounds, 10);
    EXPECT_EQ(batch.estimate()[0], alone ? std::optional(alone->cycles) : std::nullopt);
    EXPECT_EQ(alone.has_value(), program == small);
    batch.add(flatten(*simplify(program)), *bounds, 11);
    EXPECT_FALSE(batch.estimate([] { return true; })[0]);
  }
}

TEST(EstimateBatch, DistinguishesTilesOfFewRows) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  EstimateBatch batch(*upmem);
  std::vector<std::optional<double>> alone;
  for (int rows = 1; rows < 6; ++rows) {
    Program tile;
    for (int row = 0; row < rows; ++row) {
      tile.push_back(slots(1));
      tile.push_back(read(64));
    }
    const Program program = {loop(200, tile)};
    batch.add(flatten(*simplify(program)), *program_bounds(*upmem, program, 11), 11);
    alone.emplace_back(estimate_program(*upmem, program, 11)->cycles);
  }
  EXPECT_EQ(batch.estimate(), alone);
}

TEST(DpuClock, ReadsTilesOfManyRowsWithoutLosingACycle) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_PROGRAMS", 400);
  std::uint64_t clocked = 0, full = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    System system = tests::random_dpu(random);
    system.dma.ports = 1;
    const Program program = tests::random_tiles(random);
    const Int tasklets = random.between(1, 24);
    if (!DpuClock::covers(system, tasklets)) continue;
    const FlatProgram flat = flatten(*simplify(program));
    DpuClock clock(system, tasklets);
    ASSERT_TRUE(clock.lists().read(flat, flat.trips));
    std::vector<Int> cycles;
    clock.run(cycles);
    ASSERT_EQ(cycles, std::vector<Int>{sim::cnm::step_dpu(system, program, tasklets)->cycles})
        << "seed " << seed + i;
    ++clocked;
    full += static_cast<std::uint64_t>(tasklets > system.gap);
  }
  EXPECT_GT(clocked, count * 9 / 10);
  EXPECT_GT(full, count / 4);
}

TEST(DpuMachine, LongRunsOfSlotsTakeNoTime) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const Program program = {loop(1'000'000'000, {slots(7)}), read(64), loop(1'000'000, {slots(1'000'000)})};
  const auto run = simulate_whole(*upmem, program, 16, 10'000);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->causes.issue, 16 * (7'000'000'001 + 1'000'000'000'000));
  EXPECT_EQ(run->causes.total(), run->cycles);
}

TEST(DpuMachine, TooLongAProgramIsRefused) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  Program program = {read(8)};
  for (int depth = 0; depth < 4; ++depth) program = {loop(100'000'000'000, program)};
  EXPECT_FALSE(estimate_program(*upmem, program, 4));
  Program deep = {read(8)};
  for (int depth = 0; depth < 40; ++depth) deep = {loop(1, deep)};
  EXPECT_FALSE(estimate_program(*upmem, deep, 4));
}

}  // namespace
}  // namespace nestor::cnm::dpu_machine_test
