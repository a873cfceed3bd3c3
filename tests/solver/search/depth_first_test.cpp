// The depth-first search on graphs that can be enumerated: it finds what the best-first one finds, in any
// amount of memory and in slices of any length.
#include "solver/search/depth_first.h"

#include <gtest/gtest.h>

#include <array>

#include "layered_graph.h"

namespace nestor {
namespace {

using testing::LayeredGraph;
using testing::Path;

constexpr std::uint64_t cases = 1000;

struct Answer {
  double cost = no_cost;
  Path path;
  SearchCounts counts;
};

// The cheapest path, found in slices of `slice` labels.
Answer solve(const LayeredGraph& graph, std::size_t remembered, std::uint64_t slice) {
  std::array<std::byte, 1 << 16> memory{};
  Arena arena(memory);
  DepthFirst<LayeredGraph> search;
  EXPECT_TRUE(search.start(graph, arena, remembered));
  Answer answer;
  while (search.advance(answer.cost, {.work = slice}, [&](double cost) {
    answer.cost = cost;
    answer.path = testing::path_of(search);
  }) == SearchEnd::out_of_work) {
  }
  answer.counts = search.counts();
  return answer;
}

TEST(DepthFirst, FindsTheCheapestPathWhateverItRemembers) {
  std::uint64_t dominated = 0;
  std::uint64_t without = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    const LayeredGraph graph(seed, static_cast<double>(seed % 3) / 2);
    const double cheapest = graph.cheapest();
    without += static_cast<std::uint64_t>(cheapest == no_cost);
    for (const std::size_t remembered : {0U, 2U, 8U, 64U}) {
      const Answer answer = solve(graph, remembered, 1000000);
      ASSERT_EQ(answer.cost, cheapest);
      if (cheapest < no_cost) {
        EXPECT_EQ(graph.cost(answer.path), cheapest);
      }
      dominated += answer.counts.dominated;
    }
  }
  EXPECT_GT(dominated, cases);
  EXPECT_GT(without, cases / 50);
}

TEST(DepthFirst, TakesTheSameStepsInSlicesOfAnyLength) {
  for (std::uint64_t seed = 0; seed < cases / 10; ++seed) {
    const LayeredGraph graph(seed, 0.5);
    const Answer whole = solve(graph, 16, 1000000);
    for (const std::uint64_t slice : {1U, 2U, 3U, 7U, 50U}) {
      SCOPED_TRACE(slice);
      const Answer answer = solve(graph, 16, slice);
      EXPECT_EQ(answer.path, whole.path);
      EXPECT_EQ(answer.counts.expanded, whole.counts.expanded);
      EXPECT_EQ(answer.counts.dominated, whole.counts.dominated);
    }
  }
}

TEST(DepthFirst, SaysWhenNotEvenAPathFits) {
  const LayeredGraph graph(1, 0.5);
  std::array<std::byte, 256> memory{};
  Arena arena(memory);
  DepthFirst<LayeredGraph> search;
  EXPECT_FALSE(search.start(graph, arena, 0));
}

}  // namespace
}  // namespace nestor
