// Tests of the search of one branch on graphs that can be enumerated: its solutions, its bound on open nodes,
// and interruptions at any point.
#include "solver/search/label_search.h"

#include <gtest/gtest.h>

#include <functional>

#include "layered_graph.h"
#include "solver/search/label_beam.h"

namespace nestor::label_search_test {
namespace {

using tests::LayeredGraph;
using Search = LabelSearch<LayeredGraph, HostStorage>;

constexpr std::uint64_t cases = 1000;

struct Switch final : StopSignal {
  bool on = true;
  bool requested() const override { return on; }
};

class LabelSearches : public ::testing::Test {
 protected:
  // Calls check(graph, search, cost of the cheapest path) for many graphs, with tight and with loose bounds.
  void on_graphs(const std::function<void(const LayeredGraph&, Search&, double)>& check) {
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
      SCOPED_TRACE(seed);
      const LayeredGraph graph(seed, static_cast<double>(seed % 3) / 2);
      Search search(graph, HostStorage(memory_));
      check(graph, search, graph.cheapest());
      if (HasFatalFailure()) return;
    }
  }

  static void expect_solved(const LayeredGraph& graph, const Search& search, double cheapest) {
    ASSERT_EQ(search.best_cost(), cheapest);
    EXPECT_EQ(search.least_open(), no_cost);
    EXPECT_EQ(search.found(), cheapest < no_cost);
    if (search.found()) {
      EXPECT_EQ(graph.cost(path_of(search)), cheapest);
    }
  }

  SearchEnd beam(Search& search, std::uint32_t width, const SearchBudget& budget) {
    return LabelBeam(search, HostStorage(memory_)).run(width, no_cost, budget);
  }

  MemoryBudget memory_{std::size_t{1} << 26U};
};

TEST_F(LabelSearches, FindTheCheapestPathInOneCall) {
  std::uint64_t without = 0;
  std::uint64_t dominated = 0;
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    ASSERT_EQ(search.advance(no_cost, no_cost, {}), SearchEnd::reached);
    expect_solved(graph, search, cheapest);
    without += static_cast<std::uint64_t>(cheapest == no_cost);
    dominated += search.counts().dominated;
  });
  EXPECT_GT(without, cases / 50);
  EXPECT_GT(dominated, cases);
}

TEST_F(LabelSearches, FindTheCheapestPathWithoutDominance) {
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    search.advance(no_cost, no_cost, {.dominance = false});
    expect_solved(graph, search, cheapest);
    EXPECT_EQ(search.counts().dominated, 0);
  });
}

TEST_F(LabelSearches, AdvanceInStepsWithoutRepeatingWork) {
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    for (double target = 1; search.least_open() < no_cost; target += 3) {
      ASSERT_LT(target, 1000);
      ASSERT_EQ(search.advance(target, no_cost, {}), SearchEnd::reached);
      ASSERT_LE(std::min(search.least_open(), search.best_cost()), cheapest);
      if (search.least_open() < no_cost) {
        ASSERT_GE(search.least_open(), target);
      }
    }
    expect_solved(graph, search, cheapest);
    EXPECT_LE(graph.most_repeated(), 1);
  });
}

TEST_F(LabelSearches, FindTheOptimumAfterADive) {
  std::uint64_t found = 0;
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    ASSERT_EQ(search.dive(no_cost, {}), SearchEnd::reached);
    found += static_cast<std::uint64_t>(search.found());
    ASSERT_LE(std::min(search.least_open(), search.best_cost()), cheapest);
    ASSERT_LE(search.counts().expanded, LayeredGraph::layers);
    ASSERT_EQ(search.advance(no_cost, no_cost, {}), SearchEnd::reached);
    expect_solved(graph, search, cheapest);
    EXPECT_LE(graph.most_repeated(), 1);
  });
  EXPECT_GT(found, cases / 4);
}

// Runs beams that widen until no node is open. Nodes that a beam leaves out stay open, and no node is
// expanded twice.
TEST_F(LabelSearches, FindTheOptimumWithBeams) {
  std::uint64_t found = 0;
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    ASSERT_EQ(beam(search, 1, {}), SearchEnd::reached);
    found += static_cast<std::uint64_t>(search.found());
    ASSERT_LE(search.counts().expanded, LayeredGraph::layers);
    for (std::uint32_t width = 1; search.least_open() < no_cost; ++width) {
      ASSERT_LE(std::min(search.least_open(), search.best_cost()), cheapest);
      const std::uint64_t expanded = search.counts().expanded;
      ASSERT_EQ(beam(search, width, {}), SearchEnd::reached);
      ASSERT_GT(search.counts().expanded, expanded);
    }
    expect_solved(graph, search, cheapest);
    EXPECT_LE(graph.most_repeated(), 1);
  });
  EXPECT_GT(found, cases / 4);
}

TEST_F(LabelSearches, ContinueAfterBeams) {
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    ASSERT_NE(beam(search, 2, {.work = 3}), SearchEnd::out_of_memory);
    ASSERT_LE(search.counts().expanded, 3);
    ASSERT_LE(std::min(search.least_open(), search.best_cost()), cheapest);
    ASSERT_EQ(beam(search, 2, {}), SearchEnd::reached);
    ASSERT_EQ(search.advance(no_cost, no_cost, {}), SearchEnd::reached);
    expect_solved(graph, search, cheapest);
    EXPECT_LE(graph.most_repeated(), 1);
  });
}

TEST_F(LabelSearches, ReportABoundForACut) {
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    if (cheapest == no_cost) return;
    const double cut = cheapest - static_cast<double>(graph.root_bound() < cheapest) * 0.5;
    if (cut <= graph.root_bound()) return;
    search.dive(cut, {});
    ASSERT_EQ(search.advance(no_cost, cut, {}), SearchEnd::reached);
    EXPECT_FALSE(search.found());
    EXPECT_GE(search.least_open(), cut);
    EXPECT_LE(search.least_open(), cheapest);
  });
}

TEST_F(LabelSearches, DoNotExpandNodesAtOrAboveTheTarget) {
  on_graphs([&](const LayeredGraph& graph, Search& search, double) {
    ASSERT_EQ(search.advance(graph.root_bound(), no_cost, {}), SearchEnd::reached);
    EXPECT_EQ(search.counts().expanded, 0);
    EXPECT_TRUE(search.untouched());
  });
}

TEST_F(LabelSearches, StopAfterExactlyTheirWorkAndContinue) {
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    std::uint64_t expanded = 0;
    while (search.advance(no_cost, no_cost, {.work = 3}) == SearchEnd::out_of_work) {
      expanded += 3;
      ASSERT_EQ(search.counts().expanded, expanded);
      ASSERT_LE(std::min(search.least_open(), search.best_cost()), cheapest);
    }
    expect_solved(graph, search, cheapest);
    EXPECT_LE(graph.most_repeated(), 1);
  });
}

TEST_F(LabelSearches, StopWhenAskedAndContinue) {
  std::uint64_t stopped = 0;
  on_graphs([&](const LayeredGraph& graph, Search& search, double cheapest) {
    Switch now;
    const SearchBudget budget{.stop = &now, .dominance = false};
    if (search.advance(no_cost, no_cost, budget) == SearchEnd::stopped) {
      ++stopped;
      EXPECT_LE(search.counts().expanded, 64);
      ASSERT_LE(std::min(search.least_open(), search.best_cost()), cheapest);
    }
    now.on = false;
    ASSERT_EQ(search.advance(no_cost, no_cost, budget), SearchEnd::reached);
    expect_solved(graph, search, cheapest);
  });
  EXPECT_GT(stopped, cases / 100);
}

TEST_F(LabelSearches, ReportAShortageOfMemory) {
  std::uint64_t short_of_it = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const LayeredGraph graph(seed, 0.5);
    for (std::size_t bytes = 64; bytes < 65536; bytes *= 2) {
      MemoryBudget memory(bytes);
      {
        Search search(graph, HostStorage(memory));
        const SearchEnd end = search.advance(no_cost, no_cost, {.dominance = false});
        EXPECT_LE(memory.used(), bytes);
        if (end == SearchEnd::out_of_memory)
          ++short_of_it;
        else
          expect_solved(graph, search, graph.cheapest());
      }
      EXPECT_EQ(memory.used(), 0);
    }
  }
  EXPECT_GT(short_of_it, cases);
}

}  // namespace
}  // namespace nestor::label_search_test
