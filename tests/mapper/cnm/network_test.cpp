// Tests of the mapper for the kernels of a network near memory. Equal kernels are searched once, each result
// equals that of a separate search, and the run continues after a kernel without a mapping. Other tests cover
// the time limit and searches on changed systems.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/cnm/system_file.h"
#include "mapper/cnm/explain.h"
#include "mapper/cnm/layer_kernel.h"
#include "mapper/cnm/map_network.h"

namespace nestor::cnm::network_test {
namespace {

using ::testing::ElementsAre;

const Library no_library = [](const LibraryRequest&) { return std::optional<Listing>(); };

class CnmNetwork : public ::testing::Test {
 protected:
  std::vector<MapResult> map(const std::vector<Kernel>& kernels, double time_limit = 1000) {
    begun_.clear();
    return map_network(kernels, first_alike(kernels), system_, no_library, {}, time_limit,
                       [&](std::size_t i) { begun_.push_back(i); });
  }

  System system_ = *io::read_cnm_system("upmem", {});
  const Kernel wide_ = matrix_product("wide", 8, 4, 6, Type::i32);
  const Kernel again_ = matrix_product("again", 8, 4, 6, Type::i32);
  const Kernel narrow_ = matrix_product("narrow", 8, 4, 6, Type::i8);  // has the extents of wide_
  const Kernel tall_ = matrix_product("tall", 12, 4, 6, Type::i32);
  std::vector<std::size_t> begun_;
};

TEST_F(CnmNetwork, KernelsThatDifferOnlyByNameAreEqual) {
  EXPECT_THAT(first_alike(std::vector{wide_, narrow_, again_, tall_, narrow_, again_}),
              ElementsAre(0, 1, 0, 3, 1, 0));
}

TEST_F(CnmNetwork, EveryKernelEqualsItsSeparateSearch) {
  const std::vector kernels = {wide_, narrow_, again_, tall_};
  const auto maps = map(kernels);
  ASSERT_EQ(maps.size(), kernels.size());
  EXPECT_THAT(begun_, ElementsAre(0, 1, 2, 3));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    SCOPED_TRACE(kernels[i].name);
    const auto alone = map_kernel(kernels[i], system_, no_library, {});
    ASSERT_EQ(maps[i].status, Status::optimal);
    EXPECT_EQ(maps[i].time_ms, alone.time_ms);
    EXPECT_EQ(maps[i].mapping, alone.mapping);
    EXPECT_EQ(maps[i].kernel, kernels[i]);
  }
  EXPECT_EQ(maps[2].seconds, maps[0].seconds) << "searched again";
}

TEST_F(CnmNetwork, TimeLimitAppliesToAllKernels) {
  for (const auto& map : map({tall_, wide_}, 0)) EXPECT_EQ(map.status, Status::time_limit);
}

TEST_F(CnmNetwork, ContinuesAfterAKernelWithoutMapping) {
  system_.levels[0].size = system_.levels[1].size = 1;
  system_.mram_capacity = 2048;
  const auto maps = map({wide_, matrix_product("large", 64, 64, 64, Type::i32), tall_});
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].status, Status::optimal);
  EXPECT_EQ(maps[1].status, Status::infeasible);
  EXPECT_THAT(maps[1].refusal,
              ::testing::HasSubstr("the operands take 49152 bytes in a DPU, expected less than 2048"));
  EXPECT_EQ(maps[2].status, Status::optimal);
}

TEST_F(CnmNetwork, ExplainOmitsChangedSystemsWithoutMapping) {
  System slow = system_;
  slow.dma.read.setup *= 10;
  System small = system_;
  small.mram_capacity = 8;
  const std::vector<ChangedSystem> systems = {
      {"dma.read.setup", 770, slow}, {"mram.capacity", 8, small}, {"same", 0, system_}};
  const auto found = explain(wide_, systems, no_library, {});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "dma.read.setup");
  EXPECT_EQ(found[0].value, 770);
  EXPECT_EQ(found[0].time_ms, map_kernel(wide_, slow, no_library, {}).time_ms);
  EXPECT_EQ(found[1].path, "same");
  EXPECT_EQ(found[1].time_ms, map_kernel(wide_, system_, no_library, {}).time_ms);
  EXPECT_GT(found[0].time_ms, found[1].time_ms);
}

}  // namespace
}  // namespace nestor::cnm::network_test
