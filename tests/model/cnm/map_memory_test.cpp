// Tests of the memory limit of a search. The search accounts for the memory that it uses. If memory is short,
// the search stops with a valid bound.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "io/cnm/kernel_template.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::cnm::map_memory_test {
namespace {

const Library no_library = [](const LibraryRequest&) { return std::optional<Listing>(); };

TEST(MapKernel, BoundIsValidUnderAnyMemoryLimit) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  System system = *upmem;
  system.levels[0].size = 2;
  system.levels[1].size = 8;
  int optimal = 0, unlisted = 0, ended = 0, ended_with_map = 0;
  for (const Kernel& kernel :
       {matrix_product("mv", 48, 1, 64, Type::i32), matrix_product("mm", 12, 8, 16, Type::i32)}) {
    MapRequest request;
    request.threads = 1;
    const MapResult whole = map_kernel(kernel, system, no_library, request);
    ASSERT_EQ(whole.status, Status::optimal);
    for (std::size_t bytes = std::size_t{1} << 22U; bytes >= 2048; bytes = bytes * 3 / 4) {
      request.memory_bytes = bytes;
      const MapResult result = map_kernel(kernel, system, no_library, request);
      if (result.status == Status::optimal) {
        ++optimal;
        EXPECT_EQ(result.time_ms, whole.time_ms) << bytes << " bytes";
        EXPECT_EQ(result.work, whole.work) << bytes << " bytes";
        continue;
      }
      ASSERT_EQ(result.status, Status::memory_limit) << bytes << " bytes";
      EXPECT_LE(result.bound_ms, whole.time_ms) << bytes << " bytes";
      EXPECT_EQ(result.refusal, "") << bytes << " bytes";
      ++(result.branches > 0 ? ended : unlisted);
      if (result.time_ms <= 0) continue;
      ++ended_with_map;
      EXPECT_GE(result.time_ms, whole.time_ms) << bytes << " bytes";
    }
  }
  EXPECT_GT(optimal, 2);
  EXPECT_GT(ended, 2);
  EXPECT_GT(ended_with_map, 0);
  EXPECT_GT(unlisted, 0);
}

TEST(MapSpace, ChargesBranchesAndProgramsUntilDestroyed) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const Kernel kernel = matrix_product("mv", 16, 1, 16, Type::i32);
  MemoryBudget memory(std::size_t{1} << 24U);
  {
    MapSpace space(kernel, *upmem, no_library, {SplitsKept::all}, &memory);
    ASSERT_TRUE(space.complete());
    const std::size_t of_branches = memory.used();
    EXPECT_GE(of_branches, space.branch_count());
    for (std::size_t branch = 0; branch < space.branch_count() && space.estimates() < 100; ++branch)
      space.each_member(branch, no_cost, [](const CnmMap&, double) { return true; });
    EXPECT_GE(space.estimates(), 100U);
    EXPECT_GE(memory.used(), of_branches + 100 * sizeof(CnmMap));
    EXPECT_FALSE(space.short_of_memory());
  }
  EXPECT_EQ(memory.used(), 0U);
}

// Lets calls from two threads begin at the same time. A call without a partner continues after some time.
class Meeting {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    const auto pair = calls_++ / 2;
    met_.notify_all();
    met_.wait_for(lock, std::chrono::milliseconds(100), [&] { return calls_ >= 2 * (pair + 1); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable met_;
  std::size_t calls_ = 0;
};

// Regression case: two threads that estimated the same program at the same time counted it twice.
TEST(MapSpace, CountsAProgramOnceThatTwoThreadsEstimate) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  constexpr Int elements = 1 << 8;
  Kernel kernel;
  kernel.name = kernel.library_call = "sel";
  kernel.extents = {elements};
  kernel.reduction = {false};
  kernel.operands = {{"a", Type::i32, {elements}, {AffineExpr{{1}, 0}}, false, false}};
  const auto estimates_by = [&](int threads) {
    Meeting meeting;
    const Library library = [&](const LibraryRequest& request) {
      if (threads > 1) meeting.wait();
      const auto listing = io::built_in_kernel(
          request.name, {request.type, request.tasklets, request.iterations, 0, request.buffer_elems});
      return listing ? std::optional(*listing) : std::nullopt;
    };
    MapSpace space(kernel, *upmem, library, {SplitsKept::all}, nullptr);
    std::vector<std::thread> team;
    for (int thread = 0; thread < threads; ++thread)
      team.emplace_back([&] { space.each_member(0, no_cost, [](const CnmMap&, double) { return true; }); });
    for (auto& thread : team) thread.join();
    return space.estimates();
  };
  const auto alone = estimates_by(1);
  EXPECT_GT(alone, 0U);
  EXPECT_EQ(estimates_by(2), alone);
}

}  // namespace
}  // namespace nestor::cnm::map_memory_test
