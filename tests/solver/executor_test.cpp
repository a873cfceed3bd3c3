// Test that every executor runs each task exactly once.
#include "solver/engine/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace nestor::executor_test {
namespace {

TEST(Executor, RunsEveryTaskOnceOnEveryImplementation) {
  for (const auto kind : {ExecutorKind::tbb, ExecutorKind::std_thread, ExecutorKind::serial}) {
    for (const int threads : {1, 2, 4}) {
      const auto executor = make_executor(kind, threads);
      std::vector<std::atomic<int>> calls(1000);
      executor->run(calls.size(), [&](std::size_t i) { ++calls[i]; });
      for (const auto& count : calls) EXPECT_EQ(count.load(), 1);
      executor->run(0, [](std::size_t) { FAIL(); });
    }
  }
}

}  // namespace
}  // namespace nestor::executor_test
