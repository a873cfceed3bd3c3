// Tests that compare the contract of the cnm space on UPMEM with the estimate: on random kernels under random
// maps, on library calls and on random programs. Both give the same verdict on legality and the same figures.
// NESTOR_CNM_READINGS sets the number of cases.
#include "check/cnm/contract.h"

#include <gtest/gtest.h>

#include "check/kernel_contract.h"
#include "cnm_results.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "model/cnm/random_programs.h"

namespace nestor::cnm_contract_test {
namespace {

using namespace tests;  // NOLINT(google-build-using-namespace): helpers of this folder
using report::KernelTask;

// Cuts a dim of the kernel in two and returns a random map of each part.
cnm::CnmMapping random_mapping(const cnm::Kernel& kernel, Random& random) {
  const std::size_t d = random.below(kernel.dim_count());
  const Int extent = kernel.extents[d];
  if (extent < 2 || random.chance(0.7)) return {random_map(kernel, random)};
  auto first = kernel, second = kernel;
  first.extents[d] = random.between(1, extent - 1);
  second.extents[d] = extent - first.extents[d];
  cnm::CnmMapping mapping = {random_map(first, random), random_map(second, random)};
  mapping[0].name = random.chance(0.8) ? "M1" : "M3";
  mapping[1].name = "M2";
  return mapping;
}

// Changes a map such that it may cover other points, use other units, or have an invalid block or order.
void corrupt(cnm::CnmMap& map, Random& random) {
  const std::size_t d = random.below(map.order.size());
  switch (random.below(8)) {
    case 0:
      map.tuples[random.below(map.tuples.size())][d] += random.between(-1, 3);
      break;
    case 1:
      map.order[d] = random.below(map.order.size() + 1);
      break;
    case 2:
      map.tuples.pop_back();
      break;
    case 3:
      map.pim.grf = 8;
      break;
    default:
      map.block[d] = random.between(0, map.local()[d] + 1);
  }
}

TEST(CnmContract, AgreesWithTheEstimateOfMaps) {
  const auto upmem = *io::read_cnm_system("upmem", {});
  std::size_t legal = 0, illegal = 0, corrupted = 0, several = 0, collected = 0, moved = 0, shared = 0,
              revisited = 0;
  for (std::uint64_t i = 0; legal < contract_cases(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed_of_tests() + i));
    auto of = check_cases::cnm_case(seed_of_tests() + i);
    Random random(seed_of_tests() + i);
    KernelTask task;
    task.mapping = random_mapping(of.kernel, random);
    if (auto drawn = random.chance(0.3) ? random_listed_map(random, upmem) : std::nullopt) {
      check_cases::name_operations(drawn->kernel);
      if (random.chance(0.5)) drawn->map.collect = random.between(1, 8);
      of = {std::move(drawn->kernel), upmem};
      task.mapping = {std::move(drawn->map)};
    }
    task.input.kernel = of.kernel;
    const bool is_corrupted = random.chance(0.2);
    if (is_corrupted) corrupt(task.mapping[random.below(task.mapping.size())], random);
    const auto estimate = report::estimate_task(task, of.system).estimate;
    const bool is_replayed = estimate.refusal.empty() && random.chance(0.2);
    const auto found = contract_of(task, of.system, is_replayed);
    if (!found.faults.empty() && found.faults[0].find("index by itself") != std::string::npos) continue;
    ASSERT_EQ(found.faults.empty(), estimate.refusal.empty())
        << estimate.refusal << (found.faults.empty() ? "" : found.faults[0]);
    corrupted += is_corrupted && !estimate.refusal.empty() ? 1U : 0U;
    illegal += estimate.refusal.empty() ? 0U : 1U;
    if (!estimate.refusal.empty()) continue;
    ++legal;
    expect_figures(task, of.system, estimate, found, is_replayed);
    ASSERT_FALSE(HasFailure());
    // Operands must leave a byte of MRAM free.
    auto full = of.system;
    full.mram_capacity = estimate.maps[0].estimate.memory.mram;
    ASSERT_FALSE(contract_of(task, full, false).faults.empty());
    several += task.mapping.size() > 1 ? 1U : 0U;
    for (const auto& [map, figures] : estimate.maps) {
      collected += map.collect ? 1U : 0U;
      moved += figures.host.transfer_ms > 0 ? 1U : 0U;
      // Without block and order, the bytes of a rank are a lower bound.
      auto cut = map;
      cut.block.clear();
      const Int least = cnm::bytes_of_rank(of.kernel, cut, of.system).in,
                bytes = cnm::bytes_of_rank(of.kernel, map, of.system).in;
      ASSERT_LE(least, bytes);
      revisited += least < bytes ? 1U : 0U;
      for (std::size_t d = 0; d < of.kernel.dim_count(); ++d)
        shared += of.kernel.reduction[d] && map.tuples[2][d] > 1 ? 1U : 0U;
    }
  }
  for (const auto covered : {illegal, corrupted, several, collected, moved, shared, revisited})
    EXPECT_GE(covered, contract_cases() / 50);
}

// Cuts the extents into boxes, in the order in which maps fill the iteration space, and returns a map with
// one unit for each box.
cnm::CnmMapping random_boxes(const std::vector<Int>& extents, Random& random) {
  cnm::CnmMapping mapping;
  for (Int row = 0; row < extents[1];) {
    const Int rows = random.between(1, extents[1] - row);
    for (Int column = 0; column < extents[0];) {
      const Int columns = random.between(1, extents[0] - column);
      cnm::CnmMap map;
      map.name = "M" + std::to_string(mapping.size() + 1);
      map.tuples = {{1, 1}, {1, 1}, {1, 1}, {columns, rows}};
      map.block = {1, 1};
      map.order = {0, 1};
      mapping.push_back(std::move(map));
      column += columns;
    }
    row += rows;
  }
  return mapping;
}

TEST(CnmContract, RefusesMapsThatDoNotCoverEveryPointOnce) {
  const auto upmem = *io::read_cnm_system("upmem", {});
  std::size_t covered = 0, refused = 0;
  for (std::uint64_t i = 0; i < contract_cases() / 2; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed_of_tests() + i));
    Random random(seed_of_tests() + i);
    const std::vector<Int> extents = {random.between(2, 5), random.between(2, 5)};
    const auto shape = "memref<" + std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "xi64>";
    KernelTask task;
    task.input.kernel = *io::parse_mlir("func.func @f(%a: " + shape + ", %b: " + shape + ", %c: " + shape +
                                            ") {\n linalg.add ins(%a, %b : " + shape + ", " + shape +
                                            ") outs(%c : " + shape + ")\n return\n}\n",
                                        "kernel");
    task.mapping = random_boxes(extents, random);
    auto& changed = task.mapping[random.below(task.mapping.size())];
    const auto kind = random.below(6);
    if (kind == 0) changed.tuples[3][random.below(2)] += random.chance(0.5) ? 1 : -1;
    if (kind == 1) std::swap(changed, task.mapping[0]);
    if (kind == 2) task.mapping.push_back(changed);
    if (kind == 3)
      task.mapping.erase(task.mapping.begin() + static_cast<std::ptrdiff_t>(task.mapping.size()) - 1);
    if (kind == 4) std::swap(changed.tuples[3][0], changed.tuples[3][1]);
    if (task.mapping.empty()) continue;
    const auto refusal = report::estimate_task(task, upmem).estimate.refusal;
    const auto faults = contract_of(task, upmem, false).faults;
    ASSERT_EQ(faults.empty(), refusal.empty()) << refusal << (faults.empty() ? "" : faults[0]);
    (refusal.empty() ? covered : refused) += 1;
  }
  EXPECT_GT(covered, contract_cases() / 20);
  EXPECT_GT(refused, contract_cases() / 20);
}

TEST(CnmContract, AgreesWithTheEstimateOfLibraryCalls) {
  auto upmem = *io::read_cnm_system("upmem", {});
  upmem.host.to_gbs = 4;
  std::size_t legal = 0;
  for (const char* name : {"hst", "sel", "scan"})
    for (const cnm::Type type : {cnm::Type::i32, cnm::Type::i64})
      for (Int n = 1; n <= 9; ++n)
        for (const Int iterations : {1, 2, 17}) {
          SCOPED_TRACE(std::string(name) + ' ' + std::to_string(n) + ' ' + std::to_string(iterations));
          const Int tasklets = 1 + (n * iterations) % 24, buffer = type == cnm::Type::i32 ? 2 * n : n;
          const Int all = 3 * tasklets * iterations * buffer;
          auto kernel = cnm::matrix_product("call", all, 1, 1, type);
          kernel.extents = {all};
          kernel.reduction = {false};
          kernel.operands.erase(kernel.operands.begin() + 1);
          for (auto& operand : kernel.operands) {
            operand.dims = {all};
            operand.map = {sum_of(1, {0})};
          }
          kernel.region.clear();
          kernel.yields = {0};
          kernel.library_call = name;
          kernel.multiply_k = n % 2 == 0 ? 8 : n;
          cnm::CnmMap map;
          map.tuples = {{1}, {3}, {tasklets}, {iterations * buffer}};
          map.block = {buffer};
          KernelTask task;
          task.input.kernel = kernel;
          task.mapping = {map};
          const auto estimate = report::estimate_task(task, upmem).estimate;
          const auto found = contract_of(task, upmem, n == 3);
          ASSERT_EQ(found.faults.empty(), estimate.refusal.empty()) << estimate.refusal;
          if (!found.faults.empty()) continue;
          ++legal;
          EXPECT_EQ(found.open, std::vector<std::string>());
          expect_figures(task, upmem, estimate, found, n == 3);
          ASSERT_FALSE(HasFailure());
          auto slower = upmem;
          slower.cost(cnm::Op::add, cnm::Type::index).base = 2;
          if (report::estimate_task(task, slower).estimate.refusal.empty()) {
            const auto open = contract_of(task, slower, false).open;
            EXPECT_EQ(open.size(), 1U);  // the table does not apply
          }
        }
  EXPECT_GT(legal, 140U);
}

TEST(CnmContract, ReadsNegationsAndSumsOfSlots) {
  const std::vector<std::string> settings = {"ops.sub.f32=16 + k + bytes/4"};
  const auto system = *io::read_cnm_system("upmem", settings);
  KernelTask task;
  task.input.kernel = *io::parse_mlir(
      "func.func @f(%a: memref<64xf32>, %c: memref<64xf32>) {\n"
      "  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],\n"
      "    iterator_types = [\"parallel\"]} ins(%a : memref<64xf32>) outs(%c : memref<64xf32>) {\n"
      "  ^bb0(%x: f32, %y: f32):\n    %n = arith.negf %x : f32\n    linalg.yield %n : f32\n  }\n  "
      "return\n}\n",
      "kernel");
  cnm::CnmMap map;
  map.tuples = {{1}, {1}, {2}, {32}};
  map.block = {8};
  map.order = {0};
  task.mapping = {map};
  const auto estimate = report::estimate_task(task, system).estimate;
  ASSERT_EQ(estimate.refusal, "");
  const auto found = contract_of(task, system, false);
  ASSERT_EQ(found.faults, std::vector<std::string>());
  expect_figures(task, system, estimate, found, false);
}

TEST(CnmContract, CausesOfFewCyclesMayBeNegative) {
  const auto upmem = *io::read_cnm_system("upmem", {});
  KernelTask task;
  task.input.tasklets = 11;
  task.input.listing = *io::built_in_kernel("va", {cnm::Type::i32, 11, 128, 0, 16});
  const auto estimate = report::estimate_task(task, upmem).estimate;
  const auto found = contract_of(task, upmem, false);
  expect_figures(task, upmem, estimate, found, false);
  const auto& causes = found.figures["maps"][0]["causes"];
  EXPECT_LT(causes["gap"], -1);
  double sum = 0;
  for (const auto& cause : causes) sum += cause.get<double>();
  EXPECT_NEAR(sum, estimate.cycles, 1e-6);
}

// Programs that would take too long if a contract executed every refresh, run or pass.
TEST(CnmContract, EndsSoonForLongPrograms) {
  const auto upmem = *io::read_cnm_system("upmem", {});
  const auto architecture = io::system_to_json(upmem);
  const auto faults_of = [&](const io::Json& program) {
    const io::Json source = {{"language", "program"}, {"name", "p"}, {"tasklets", 1}, {"program", program}};
    return check::cnm::contract_of({.architecture = architecture,
                                    .source = source,
                                    .maps = io::Json::array(),
                                    .is_replayed = true})
        .faults;
  };
  const auto list = [](const auto&... items) { return io::Json::array({items...}); };
  const auto read = list("read", 8), leave = list("leave", 0);
  const Int long_time = 40'000'000'000'000;
  EXPECT_EQ(faults_of(list(list("slots", long_time))), std::vector<std::string>());
  EXPECT_EQ(faults_of(list(list("loop", 10, list(list("slots", long_time / 10), read)))),
            std::vector<std::string>());
  auto barriers = io::Json::array(), loops = io::Json::array(), deep = list(read);
  for (int i = 0; i < 50'000; ++i) barriers.push_back(list("loop", 1, list(list("barrier", 0))));
  EXPECT_EQ(faults_of(barriers), std::vector<std::string>());
  for (int i = 0; i < 20'000; ++i) loops.push_back(list("loop", 1000, list(read)));
  EXPECT_NE(faults_of(loops), std::vector<std::string>());
  EXPECT_NE(faults_of(list(list("loop", Int{1} << 50, list(leave)))), std::vector<std::string>());
  for (int i = 0; i < 17; ++i) deep = list(list("loop", 2, deep));
  EXPECT_NE(faults_of(deep), std::vector<std::string>());
}

TEST(CnmContract, AgreesWithTheEstimateOfPrograms) {
  const auto upmem = *io::read_cnm_system("upmem", {});
  const auto wanted = contract_cases();
  std::size_t extrapolated = 0, raised = 0, exact = 0, bent = 0, barriers = 0, alone = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed_of_tests() + i));
    Random random(seed_of_tests() + i);
    const auto drawn = random_dpu(random);
    auto system = upmem;
    system.gap = drawn.gap;
    system.dma.read = drawn.dma.read;
    system.dma.write = drawn.dma.write;
    system.dma.ports = drawn.dma.ports;
    system.dma.refresh = drawn.dma.refresh;
    system.barrier = drawn.barrier;
    system.engine.whole = 8;
    system.engine.alpha = static_cast<double>(random.between(1, 20)) / 1000;
    if (random.chance(0.2)) system.engine = {.alpha = 1, .k = 1, .k_max = 1, .whole = 0};  // coarse estimates
    if (random.chance(0.3)) {  // decimal figures, which are not exact as doubles
      system.dma.write.setup = static_cast<double>(random.below(300)) / 10;
      system.dma.write.per_byte = static_cast<double>(random.below(2000)) / 1000;
    }
    KernelTask task;
    task.input.name = "random";
    task.input.program = random_program(random, 2, false);
    const bool is_long = random.chance(0.1);
    const auto lengthen = [&](const auto& self, cnm::Program& items) -> void {
      for (cnm::Item& item : items) {
        if (item.kind == cnm::ItemKind::slots && is_long) item.amount *= random.between(1, 100'000);
        if (item.kind != cnm::ItemKind::loop) continue;
        if (random.chance(0.5)) item.amount *= random.between(1, 20);
        self(self, item.body);
      }
    };
    lengthen(lengthen, *task.input.program);
    task.input.tasklets = random.between(1, 12);
    const auto estimate = report::estimate_task(task, system).estimate;
    ASSERT_EQ(estimate.refusal, "");
    const auto found = contract_of(task, system, !is_long);
    ASSERT_EQ(found.faults, std::vector<std::string>());
    expect_figures(task, system, estimate, found, !is_long);
    ASSERT_FALSE(HasFailure());
    // The number of slots grows with the trips of every loop. The cause `issue` accounts for all slots,
    // unless a bound raises the estimate.
    const auto& figures = estimate.maps[0].estimate;
    if (figures.k > 0 && figures.cycles > figures.bounds.largest()) {
      ASSERT_NEAR(figures.causes[0].cycles, figures.bounds.issue, 1e-9 * figures.bounds.issue);
      ++exact;
    }
    raised += figures.k > 0 && figures.cycles == figures.bounds.largest() ? 1U : 0U;
    extrapolated += estimate.maps[0].estimate.k > 0 ? 1U : 0U;
    bent += estimate.maps[0].estimate.k > system.engine.k ? 1U : 0U;
    barriers += estimate.maps[0].estimate.causes[1].cycles > 0 ? 1U : 0U;
    alone += task.input.program->back().kind == cnm::ItemKind::write ? 1U : 0U;
  }
  EXPECT_GE(extrapolated, wanted / 5);
  EXPECT_GE(exact, wanted / 20);
  EXPECT_GE(raised, wanted / 500);
  EXPECT_GE(bent, wanted / 50);
  EXPECT_GE(barriers, wanted / 5);
  EXPECT_GE(alone, wanted / 50);
}

}  // namespace
}  // namespace nestor::cnm_contract_test
