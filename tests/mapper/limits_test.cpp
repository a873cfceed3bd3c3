// Tests of limits on time, work and memory, and of interruption. A search that would take far longer stops
// with a legal mapping and a valid bound.
#include <gtest/gtest.h>

#include <thread>

#include "io/cim/architecture_file.h"
#include "mapper/cim/map_layer.h"
#include "model/loopnest/rules/legality.h"

namespace nestor::mapper::limits_test {
namespace {

// Returns a layer with highly composite bounds. The search for least energy takes minutes.
LayerShape stress_layer() {
  LayerShape layer;
  layer.bounds = {1, 720, 720, 60, 60, 3, 3, 1};
  return layer;
}

// Returns a layer whose search takes a few tenths of a second.
LayerShape usual_layer() {
  LayerShape layer;
  layer.bounds = {1, 64, 64, 56, 56, 3, 3, 1};
  return layer;
}

class Limits : public ::testing::Test {
 protected:
  Limits() { request_.objective.kind = cim::ObjectiveKind::energy; }

  CimLayerMap run(std::size_t bytes, const CimRequest& request, const std::atomic<bool>* flag = nullptr) {
    const auto executor = make_executor(ExecutorKind::tbb, 2);
    MemoryBudget memory(bytes);
    const auto begin = Resources::Clock::now();
    auto map = map_layer(layer_, machine_, request, {*executor, memory, std::nullopt, flag});
    seconds_ = std::chrono::duration<double>(Resources::Clock::now() - begin).count();
    return map;
  }

  void expect_usable(const CimLayerMap& map) const {
    EXPECT_EQ(map.fault, Fault::none);
    ASSERT_FALSE(map.best.empty());
    EXPECT_FALSE(find_violation(layer_, machine_, map.best.front().mapping));
    ASSERT_TRUE(map.bound);
    EXPECT_GT(*map.bound, 0);
    EXPECT_LE(*map.bound, map.best.front().objective);
  }

  Architecture machine_ = io::read_architecture("miredo-table4").value().machine;
  LayerShape layer_ = stress_layer();
  CimRequest request_;
  double seconds_ = 0;
  static constexpr std::size_t plenty = std::size_t{4} << 30;
  // Seconds within which a run must stop. The value is large because tests run in parallel on few cores.
  // tests/cli/stops_test.cpp measures the promised 100 ms.
  static constexpr double patience = 5;
};

TEST_F(Limits, TimeLimitStopsTheSearch) {
  request_.layer_seconds = 0.2;
  const auto map = run(plenty, request_);
  EXPECT_EQ(map.status, Status::time_limit);
  EXPECT_LT(seconds_, patience);
  expect_usable(map);
}

TEST_F(Limits, ZeroTimeGivesAUsableResult) {
  request_.layer_seconds = 0;
  const auto map = run(plenty, request_);
  EXPECT_EQ(map.status, Status::time_limit);
  expect_usable(map);
}

TEST_F(Limits, WorkLimitsAreReproducible) {
  layer_ = usual_layer();
  request_.work_limit = 200;
  const auto one = run(plenty, request_);
  const auto two = run(plenty, request_);
  EXPECT_EQ(one.status, Status::work_limit);
  expect_usable(one);
  EXPECT_EQ(one.best.front().mapping, two.best.front().mapping);
  EXPECT_EQ(one.bound, two.bound);
  EXPECT_EQ(one.search.counts.expanded, two.search.counts.expanded);
}

// If a limit stops the search of one padding, other paddings remain unsearched. The bound covers these
// paddings, too.
TEST_F(Limits, WorkLimitsKeepABoundOnAllPaddings) {
  request_.objective.kind = cim::ObjectiveKind::latency;
  layer_.bounds = {1, 61, 37, 7, 7, 1, 1, 1};
  const auto alone = run(plenty, request_);
  request_.padding.percent = 10;
  const auto best = run(plenty, request_);
  ASSERT_EQ(best.status, Status::optimal);
  ASSERT_LT(best.best.front().objective, *alone.bound);
  int limited = 0;
  for (std::uint64_t work = 1; work <= best.search.counts.expanded; work += 1 + work / 4) {
    request_.work_limit = work;
    const auto map = run(plenty, request_);
    if (map.status != Status::work_limit) continue;
    ++limited;
    ASSERT_TRUE(map.bound);
    EXPECT_LE(*map.bound, best.best.front().objective) << work;
  }
  EXPECT_GE(limited, 5);
}

TEST_F(Limits, MemoryLimitStopsTheSearch) {
  layer_ = usual_layer();
  const auto map = run(std::size_t{1} << 18, request_);
  EXPECT_EQ(map.status, Status::memory_limit);
  expect_usable(map);
}

TEST_F(Limits, InterruptionEndsTheSearch) {
  std::atomic<bool> flag{false};
  std::thread signal([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    flag = true;
  });
  const auto map = run(plenty, request_, &flag);
  signal.join();
  EXPECT_EQ(map.status, Status::interrupted);
  EXPECT_LT(seconds_, patience);
  expect_usable(map);
}

}  // namespace
}  // namespace nestor::mapper::limits_test
