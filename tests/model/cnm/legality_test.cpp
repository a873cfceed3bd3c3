// Tests of the legality rules for kernels near memory. Kernels that the real machine refused are refused,
// kernels that it ran are estimated, and rules are tested at their limits.
#include "model/cnm/legality.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/estimate.h"
#include "places.h"

namespace nestor::cnm::legality_test {
namespace {

std::string refusal_of(const System& system, const std::string& kernel, const io::KernelDims& dims) {
  const auto listing = io::built_in_kernel(kernel, dims);
  if (!listing) return listing.error().to_string();
  const auto outcome = estimate_listing(system, *listing, dims.tasklets);
  return outcome.estimate ? std::string() : outcome.refusal;
}

// The dimensions of a kernel are tasklets, iterations, columns and elements of a buffer.
TEST(Legality, AgreesWithTheRealMachine) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  using enum Type;
  EXPECT_EQ(
      refusal_of(*upmem, "va", {i32, 16, 256, 0, 256}),
      "16 tasklets with 4096 bytes each and 1024 reserved take 66560 bytes of WRAM, expected at most 65536");
  EXPECT_EQ(refusal_of(*upmem, "red2in", {i32, 16, 256, 0, 256}), "");
  EXPECT_EQ(
      refusal_of(*upmem, "red2in", {i64, 16, 256, 0, 256}),
      "16 tasklets with 5120 bytes each and 1024 reserved take 82944 bytes of WRAM, expected at most 65536");
  EXPECT_EQ(refusal_of(*upmem, "gemv", {i32, 8, 64, 512, 512}), "");
  EXPECT_EQ(refusal_of(*upmem, "red2in", {i32, 8, 16384, 0, 64}),
            "the operands take 67108992 bytes in a DPU, expected less than 67108864");
}

TEST(Legality, AcceptsEveryMeasuredRow) {
  std::ifstream file(NESTOR_SHARED_DIR "/data/cnm/upmem_hw.csv");
  if (!file) GTEST_SKIP() << "no reference data";
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  std::string line;
  std::getline(file, line);
  int rows = 0;
  for (; std::getline(file, line); ++rows) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    const auto type = io::data_type_named(row[1]);
    ASSERT_TRUE(type.ok()) << line;
    EXPECT_EQ(
        refusal_of(*upmem, row[0],
                   {*type, std::stoll(row[2]), std::stoll(row[3]), std::stoll(row[4]), std::stoll(row[5])}),
        "")
        << line;
  }
  EXPECT_GT(rows, 100);
}

// Checks one transfer of `bytes` bytes by each of `tasklets` tasklets, with a buffer of `buffer` bytes.
Legality check(const System& system, Int tasklets, Int bytes, Int buffer) {
  Listing listing;
  listing.operands.push_back({"a", Type::i8, {4096}, Direction::in, true});
  listing.buffers.push_back({"b", Type::i8, buffer});
  listing.lines.push_back({.kind = LineKind::dma_read, .name = "b", .target = "a", .amount = bytes});
  return check_listing(system, listing, tasklets);
}

TEST(Legality, IsExactAtTheLimitsOfItsRules) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  EXPECT_TRUE(check(*upmem, 1, 8, 8).legal());
  EXPECT_TRUE(check(*upmem, 24, 2048, 8).legal());
  for (const Int bytes : {0, 4, 12, 2052, 2056}) EXPECT_FALSE(check(*upmem, 1, bytes, 8).legal()) << bytes;
  for (const Int tasklets : {0, 25}) EXPECT_FALSE(check(*upmem, tasklets, 8, 8).legal()) << tasklets;
  // 16 tasklets share 63 KiB: each has 4032 bytes, and the stack takes 1024 of them.
  EXPECT_TRUE(check(*upmem, 16, 8, 3008).legal());
  EXPECT_FALSE(check(*upmem, 16, 8, 3009).legal());
  System machine = *upmem;
  machine.wram.capacity += 4;
  EXPECT_TRUE(check(machine, 1, 8, 63488).legal());
  EXPECT_FALSE(check(machine, 1, 8, 63489).legal());  // rounded up to a multiple of 8
  machine = *upmem;
  machine.mram_capacity = 4097;
  EXPECT_TRUE(check(machine, 4, 8, 8).legal());  // shared, so counted once
  machine.mram_capacity = 4096;
  EXPECT_FALSE(check(machine, 4, 8, 8).legal());
  machine = *upmem;
  machine.iram_capacity = 6;
  EXPECT_TRUE(check(machine, 4, 8, 8).legal());
  machine.iram_capacity = 5;
  EXPECT_FALSE(check(machine, 4, 8, 8).legal());
}

}  // namespace
}  // namespace nestor::cnm::legality_test
