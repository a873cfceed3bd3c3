// Tests of the depth-first search on graphs that can be enumerated. It finds the cheapest path with any
// number of remembered labels, and takes the same steps in slices of any length.
#include "solver/search/depth_first.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "layered_graph.h"

namespace nestor::depth_first_test {
namespace {

using tests::LayeredGraph;
using tests::Path;

constexpr std::uint64_t cases = 1000;

// A graph with the interface of the depth-first search. An expansion can be interrupted before any child.
class PacedGraph : public LayeredGraph {
 public:
  struct Lists {
    int* room = nullptr;
  };
  using LayeredGraph::expand;
  using LayeredGraph::LayeredGraph;

  bool allocate_lists(Arena& arena, Lists& lists) const {
    lists.room = arena.allocate<int>(1);
    return lists.room != nullptr;
  }
  template <typename Emit>
  void expand(const Label& label, double from, double below, double cut, Emit emit, Lists& /*lists*/,
              PacedExpansion& pace) const {
    const std::size_t first = pace.first(0);
    std::size_t number = 0;
    expand(label, from, below, cut, [&](const Label& child, double bound) {
      const std::size_t at = number++;
      if (at < first || pace.leaves({at, 0, 0, 0, 0})) return;
      pace.charge(1);
      emit(child, bound);
    });
  }
};

struct Answer {
  double cost = no_cost;
  Path path;
  SearchCounts counts;
};

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// Finds the cheapest path. Each call of advance() may use `labels` labels and `work` units of work.
Answer solve(const PacedGraph& graph, std::size_t remembered, std::uint64_t labels,
             std::uint64_t work = unlimited) {
  std::array<std::byte, 1 << 16> memory{};
  Arena arena(memory);
  DepthFirst<PacedGraph> search;
  EXPECT_TRUE(search.start(graph, arena, remembered));
  Answer answer;
  const auto found = [&](double cost) {
    answer.cost = cost;
    answer.path = tests::path_of(search);
  };
  for (SearchEnd end = SearchEnd::stopped; end != SearchEnd::reached;) {
    Slice slice(work);
    end = search.advance(answer.cost, labels, slice, found);
  }
  answer.counts = search.counts();
  return answer;
}

TEST(DepthFirst, FindsTheCheapestPathForAnyMemoSize) {
  std::uint64_t dominated = 0;
  std::uint64_t without = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    const PacedGraph graph(seed, static_cast<double>(seed % 3) / 2);
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
    const PacedGraph graph(seed, 0.5);
    const Answer whole = solve(graph, 16, 1000000);
    for (const std::uint64_t slice : {1U, 2U, 3U, 7U, 50U}) {
      SCOPED_TRACE(slice);
      for (const Answer& answer :
           {solve(graph, 16, slice), solve(graph, 16, unlimited, slice), solve(graph, 16, 2, slice)}) {
        EXPECT_EQ(answer.path, whole.path);
        EXPECT_EQ(answer.counts.expanded, whole.counts.expanded);
        EXPECT_EQ(answer.counts.dominated, whole.counts.dominated);
      }
    }
  }
}

TEST(DepthFirst, ReportsThatNoPathFits) {
  const PacedGraph graph(1, 0.5);
  std::array<std::byte, 256> memory{};
  Arena arena(memory);
  DepthFirst<PacedGraph> search;
  EXPECT_FALSE(search.start(graph, arena, 0));
}

}  // namespace
}  // namespace nestor::depth_first_test
