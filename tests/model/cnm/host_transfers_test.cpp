// Tests of the host's transfers to and from the DPUs of a rank (docs/models/cnm.md, "Map"). The bytes that a
// program reads and writes are compared with manual counts.
#include <gtest/gtest.h>

#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::cnm::host_transfers_test {
namespace {

constexpr double bytes_a_ms = 8e6;  // at 8 GB/s

std::optional<Listing> shipped(const LibraryRequest& request) {
  const auto listing = io::built_in_kernel(
      request.name, {request.type, request.tasklets, request.iterations, 0, request.buffer_elems});
  return listing ? std::optional(*listing) : std::nullopt;
}

class HostTransfers : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto upmem = io::read_cnm_system("upmem", {});
    ASSERT_TRUE(upmem.ok());
    into_ = out_of_ = *upmem;
    into_.host.to_gbs = out_of_.host.from_gbs = 8;
  }

  void expect_moved(const Kernel& kernel, const CnmMap& map, Int in, Int out) const {
    for (const bool into : {true, false}) {
      const auto outcome = estimate_map(kernel, map, into ? into_ : out_of_, shipped);
      ASSERT_TRUE(outcome.estimate.has_value()) << outcome.refusal;
      EXPECT_DOUBLE_EQ(outcome.estimate->host.transfer_ms, static_cast<double>(into ? in : out) / bytes_a_ms);
    }
  }

  System into_, out_of_;
};

CnmMap map_of(std::vector<std::vector<Int>> tuples, std::vector<Int> block, std::vector<std::size_t> order) {
  CnmMap map;
  map.tuples = std::move(tuples);
  map.block = std::move(block);
  map.order = std::move(order);
  return map;
}

TEST_F(HostTransfers, ReducedOutputsStartFromZero) {
  const Kernel kernel = matrix_product("mv", 64, 1, 32, Type::i32);  // y = A x
  ASSERT_TRUE(kernel.operands.back().read);
  const Int matrix = 64 * 32 * 4, vector = 32 * 4, result = 64 * 4;
  expect_moved(kernel, map_of({{1, 1}, {1, 1}, {1, 1}, {64, 32}}, {1, 32}, {0, 1}), matrix + vector, result);
  // Two DPUs of a rank each hold a copy of the vector. Another rank is filled at the same time.
  expect_moved(kernel, map_of({{2, 1}, {2, 1}, {1, 1}, {16, 32}}, {1, 32}, {0, 1}), matrix / 2 + 2 * vector,
               result / 2);
  // Tasklets that share a sum keep it in their buffers over all of its steps.
  expect_moved(kernel, map_of({{1, 1}, {1, 1}, {1, 2}, {64, 16}}, {2, 8}, {1, 0}), matrix + vector, result);
}

TEST_F(HostTransfers, RevisitedOutputsAreReadFirst) {
  const Kernel kernel = matrix_product("mv", 64, 1, 32, Type::i32);
  expect_moved(kernel, map_of({{1, 1}, {1, 1}, {1, 1}, {64, 32}}, {2, 8}, {1, 0}),
               64 * 32 * 4 + 32 * 4 + 64 * 4, 64 * 4);
}

TEST_F(HostTransfers, LibraryCallsMoveTheDataOfTheirPrograms) {
  Kernel kernel;
  kernel.name = kernel.library_call = "sel";
  kernel.extents = {1 << 16};
  kernel.reduction = {false};
  kernel.operands = {{"a", Type::i32, {1 << 16}, {AffineExpr{{1}, 0}}, false, false}};
  // 4 DPUs of 16 tasklets in a rank, 16 buffers of 32 elements each, and 4 counts for each buffer.
  const CnmMap map = map_of({{2}, {4}, {16}, {512}}, {32}, {0});
  const Int elements = 4 * 16 * 512;
  expect_moved(kernel, map, elements * 4, elements * 4 + 4 * 16 * (4 * 16) * 4);
}

TEST_F(HostTransfers, AListingByItselfMovesTheOperandsOfOneDpu) {
  const auto listing = shipped({"va", Type::i32, 8, 64, 4});
  const auto scan = shipped({"scan", Type::i32, 8, 64, 4});
  ASSERT_TRUE(listing && scan);
  for (const Listing& one : {*listing, *scan}) {
    const auto moved = moved_bytes(one, 4);
    const auto outcome = estimate_listing(into_, one, 4);
    ASSERT_TRUE(moved && outcome.estimate) << outcome.refusal;
    EXPECT_DOUBLE_EQ(outcome.estimate->host.transfer_ms, static_cast<double>(moved->in) / bytes_a_ms);
  }
  EXPECT_EQ(moved_bytes(*scan, 4)->in, 4 * 64 * 8 * 4);  // inout: transferred both ways
  EXPECT_EQ(moved_bytes(*scan, 4)->out, 4 * 64 * 8 * 4);
}

// Maps that give a tasklet equal work share a remembered estimate of its program. The host's part is computed
// for each map.
TEST_F(HostTransfers, RememberedEstimatesEqualSeparateEstimates) {
  const Kernel kernel = matrix_product("mm", 32, 8, 64, Type::i32);
  System system = into_;
  system.host.from_gbs = 2;
  system.host.reduce_ns = 3;
  EstimateMemory memory;
  std::size_t maps = 0, legal = 0;
  for (const Int ranks : {1, 2})
    for (const Int dpus : {1, 2, 4})
      for (const Int sums : {1, 2})
        for (const Int tasklets : {1, 2, 4})
          for (const Int shared : {1, 2})
            for (const Int block : {2, 8}) {
              const Int rows = 32 / ranks / dpus / tasklets, depth = 64 / sums / shared;
              for (const auto& order : {std::vector<std::size_t>{0, 1, 2}, {2, 0, 1}}) {
                const CnmMapping mapping = {
                    map_of({{ranks, 1, 1}, {dpus, 1, sums}, {tasklets, 1, shared}, {rows, 8, depth}},
                           {1, 8, block}, order)};
                const auto alone = estimate_kernel(kernel, mapping, system, shipped);
                const auto again = estimate_kernel(kernel, mapping, system, shipped, &memory);
                ++maps;
                ASSERT_EQ(again.refusal, alone.refusal);
                if (!alone.refusal.empty()) continue;
                ++legal;
                ASSERT_EQ(again.time_ms, alone.time_ms);
                ASSERT_EQ(again.cycles, alone.cycles);
                ASSERT_EQ(again.maps[0].estimate.host.sum(), alone.maps[0].estimate.host.sum());
              }
            }
  EXPECT_GT(legal, maps / 4);
  EXPECT_LT(memory.outcomes.size(), legal);
}

}  // namespace
}  // namespace nestor::cnm::host_transfers_test
