// Tests of the search by priorities on two toy problems: construction, improvement, ties, dead ends, stops
// and repeatability.
#include "heuristics/priority/priority.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace nestor::priority::priority_test {
namespace {

/// Toy problem 1: jobs on two machines. The cost is the later of the two end times. In a derivation from a
/// given sequence, only the machines may change.
struct TwoMachines {
  struct Choice {
    int job = 0, machine = 0;
  };
  using Cost = int;
  struct Priority {
    int end = 0, length = 0;  ///< earliest end first, then longest job
    bool operator<(const Priority& other) const {
      return end != other.end ? end > other.end : length < other.length;
    }
  };

  std::vector<int> length;
  std::vector<bool> done;
  std::array<int, 2> load{};
  std::size_t placed = 0;

  explicit TwoMachines(std::vector<int> lengths) : length(std::move(lengths)) { reset(); }
  void reset() {
    done.assign(length.size(), false);
    load = {};
    placed = 0;
  }
  bool complete() const { return placed == length.size(); }
  Cost cost() const { return std::max(load[0], load[1]); }
  void apply(const Choice& choice) {
    done[static_cast<std::size_t>(choice.job)] = true;
    load[static_cast<std::size_t>(choice.machine)] += length[static_cast<std::size_t>(choice.job)];
    ++placed;
  }
  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit) const {
    const int duration = length[static_cast<std::size_t>(choice.job)];
    for (int machine = 0; machine < 2; ++machine)
      visit(Choice{choice.job, machine},
            Priority{load[static_cast<std::size_t>(machine)] + duration, duration});
  }
  template <typename Visit>
  void for_each_choice(Visit&& visit) const {
    for (int job = 0; job < static_cast<int>(length.size()); ++job)
      if (!done[static_cast<std::size_t>(job)]) for_each_variant(Choice{job, 0}, visit);
  }
  std::size_t perturb(std::span<Choice> sequence, Random& random) const {
    if (sequence.size() < 2) return sequence.size();
    const auto at = static_cast<std::size_t>(random.below(sequence.size() - 1));
    const auto from = at + 1 + static_cast<std::size_t>(random.below(sequence.size() - at - 1));
    std::rotate(sequence.begin() + static_cast<std::ptrdiff_t>(at),
                sequence.begin() + static_cast<std::ptrdiff_t>(from),
                sequence.begin() + static_cast<std::ptrdiff_t>(from) + 1);
    return at;
  }
};

/// Toy problem 2: colouring of a graph. The cost is the number of colours. Vertices whose neighbours have the
/// most colours come first. The problem supports rewinding, and a limit on the colours causes dead ends.
struct Colouring {
  struct Choice {
    std::size_t vertex = 0;
    int colour = -1;
  };
  using Cost = int;
  using Priority = int;

  std::vector<std::vector<std::size_t>> neighbours;
  std::vector<int> colour;
  std::size_t coloured = 0;
  int used = 0;
  int colour_limit;
  int rewinds = 0;

  Colouring(std::vector<std::vector<std::size_t>> graph, int limit)
      : neighbours(std::move(graph)), colour_limit(limit) {
    reset();
  }
  void reset() {
    colour.assign(neighbours.size(), -1);
    coloured = 0;
    used = 0;
  }
  void rewind(std::span<const Choice> prefix) {
    ++rewinds;
    reset();
    for (const Choice& choice : prefix) apply(choice);
  }
  bool complete() const { return coloured == neighbours.size(); }
  Cost cost() const { return used; }
  void apply(const Choice& choice) {
    colour[choice.vertex] = choice.colour;
    used = std::max(used, choice.colour + 1);
    ++coloured;
  }
  std::set<int> seen(std::size_t vertex) const {
    std::set<int> result;
    for (const std::size_t other : neighbours[vertex])
      if (colour[other] >= 0) result.insert(colour[other]);
    return result;
  }
  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit) const {
    const auto taken = seen(choice.vertex);
    int next = 0;
    while (taken.count(next) != 0) ++next;
    if (next < colour_limit) visit(Choice{choice.vertex, next}, static_cast<int>(taken.size()));
  }
  template <typename Visit>
  void for_each_choice(Visit&& visit) const {
    for (std::size_t vertex = 0; vertex < neighbours.size(); ++vertex)
      if (colour[vertex] < 0) for_each_variant(Choice{vertex, -1}, visit);
  }
  std::size_t perturb(std::span<Choice> sequence, Random& random) const {
    const auto a = static_cast<std::size_t>(random.below(sequence.size()));
    const auto b = static_cast<std::size_t>(random.below(sequence.size()));
    std::swap(sequence[a], sequence[b]);
    return a == b ? sequence.size() : std::min(a, b);
  }
};

static_assert(PriorityProblem<TwoMachines> && !Rewindable<TwoMachines>);
static_assert(PriorityProblem<Colouring> && Rewindable<Colouring>);

std::vector<std::vector<std::size_t>> odd_wheel(std::size_t rim) {
  std::vector<std::vector<std::size_t>> graph(rim + 1);
  const auto join = [&](std::size_t a, std::size_t b) {
    graph[a].push_back(b);
    graph[b].push_back(a);
  };
  for (std::size_t i = 0; i < rim; ++i) {
    join(i, (i + 1) % rim);
    join(i, rim);
  }
  return graph;
}

template <typename Problem>
struct Buffers {
  std::vector<typename Problem::Choice> work, best;
  explicit Buffers(std::size_t size) : work(size), best(size) {}
};

TEST(PrioritySearch, GreedyConstructionFollowsThePriority) {
  TwoMachines jobs({7, 5, 4, 3, 1});
  Buffers<TwoMachines> buffers(5);
  PrioritySearch search(jobs, std::span(buffers.work), std::span(buffers.best), 1);
  ASSERT_TRUE(search.construct());
  // Earliest end first: the jobs with lengths 1 and 3 come first, on separate machines.
  EXPECT_EQ(search.best()[0].job, 4);
  EXPECT_EQ(search.best()[1].job, 3);
}

TEST(PrioritySearch, ImprovementReachesAPerfectSplit) {
  std::vector<int> lengths(16);
  Random random(5);
  for (int& length : lengths) length = static_cast<int>(random.between(1, 40));
  lengths.push_back(std::accumulate(lengths.begin(), lengths.end(), 0) % 2 == 0 ? 2 : 1);
  const int total = std::accumulate(lengths.begin(), lengths.end(), 0);
  TwoMachines jobs(lengths);
  Buffers<TwoMachines> buffers(lengths.size());
  PrioritySearch search(jobs, std::span(buffers.work), std::span(buffers.best), 1);
  search.restart(1);
  const int first = search.best_cost();
  search.improve(2000);
  EXPECT_LT(search.best_cost(), first);
  EXPECT_EQ(search.best_cost(), (total + 1) / 2);
  // The stored sequence has the cost that was reported for it.
  jobs.reset();
  for (const auto& choice : search.best()) jobs.apply(choice);
  EXPECT_TRUE(jobs.complete());
  EXPECT_EQ(jobs.cost(), search.best_cost());
}

TEST(PrioritySearch, TiesAreBrokenEvenly) {
  TwoMachines jobs({1, 1, 1});
  Buffers<TwoMachines> buffers(3);
  std::array<std::array<int, 2>, 3> first{};
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    PrioritySearch search(jobs, std::span(buffers.work), std::span(buffers.best), seed);
    search.construct();
    const auto choice = search.best()[0];
    ++first[static_cast<std::size_t>(choice.job)][static_cast<std::size_t>(choice.machine)];
  }
  for (const auto& row : first)
    for (const int count : row) EXPECT_NEAR(count, 1000, 150);
}

TEST(PrioritySearch, RewindsAndFindsTheColoursOfAnOddWheel) {
  Colouring wheel(odd_wheel(11), 9);
  Buffers<Colouring> buffers(12);
  PrioritySearch search(wheel, std::span(buffers.work), std::span(buffers.best), 3);
  search.restart(20);
  search.improve(200);
  EXPECT_EQ(search.best_cost(), 4);
  EXPECT_GT(wheel.rewinds, 0);
  EXPECT_GT(search.statistics().abandoned, 0U);
}

TEST(PrioritySearch, DeadEndsAreCountedAndLeaveNoResult) {
  Colouring wheel(odd_wheel(5), 3);
  Buffers<Colouring> buffers(6);
  PrioritySearch search(wheel, std::span(buffers.work), std::span(buffers.best), 3);
  search.restart(10);
  search.improve(10);
  EXPECT_FALSE(search.found());
  EXPECT_EQ(search.statistics().dead_ends, 10U);
  EXPECT_EQ(search.statistics().passes, 0U);
}

TEST(PrioritySearch, ConstructionCanBeStoppedButRestartsReachAFirstResult) {
  Colouring wheel(odd_wheel(301), 9);
  Buffers<Colouring> buffers(302);
  PrioritySearch search(wheel, std::span(buffers.work), std::span(buffers.best), 3);
  int asked = 0;
  const auto stop = [&] { return ++asked > 1; };
  EXPECT_FALSE(search.construct(stop));
  EXPECT_EQ(wheel.coloured, 127U);  // the stop is polled after 63 vertices and again after 64 more
  EXPECT_FALSE(search.found());
  asked = 0;
  search.restart(5, stop);
  EXPECT_TRUE(search.found());
  EXPECT_EQ(search.statistics().constructions, 2U);
}

TEST(PrioritySearch, TooSmallABufferIsADeadEnd) {
  TwoMachines jobs({3, 2, 1});
  Buffers<TwoMachines> buffers(2);
  PrioritySearch search(jobs, std::span(buffers.work), std::span(buffers.best), 1);
  EXPECT_FALSE(search.construct());
  EXPECT_EQ(search.statistics().dead_ends, 1U);
}

TEST(PrioritySearch, SameSeedSameSequence) {
  const auto run = [](std::uint64_t seed) {
    Colouring wheel(odd_wheel(21), 9);
    Buffers<Colouring> buffers(22);
    PrioritySearch search(wheel, std::span(buffers.work), std::span(buffers.best), seed);
    search.restart(3);
    search.improve(20);
    std::vector<std::pair<std::size_t, int>> result;
    for (const auto& choice : search.best()) result.emplace_back(choice.vertex, choice.colour);
    return result;
  };
  EXPECT_EQ(run(4), run(4));
  EXPECT_NE(run(4), run(5));
}

TEST(PrioritySearch, StopsWhenTold) {
  TwoMachines jobs({1, 2, 3, 4});
  Buffers<TwoMachines> buffers(4);
  PrioritySearch search(jobs, std::span(buffers.work), std::span(buffers.best), 1);
  int asked = 0;
  search.restart(100, [&] { return ++asked > 7; });
  EXPECT_EQ(search.statistics().constructions, 7U);
}

TEST(PrioritySearch, DerivesTheFreePartOfAGivenSequence) {
  TwoMachines jobs({4, 3, 2, 1});
  Buffers<TwoMachines> buffers(4);
  PrioritySearch search(jobs, std::span(buffers.work), std::span(buffers.best), 1);
  using C = TwoMachines::Choice;
  EXPECT_TRUE(search.derive(std::vector<C>{C{0, 0}, C{1, 0}, C{2, 0}, C{3, 0}}));
  EXPECT_EQ(search.best_cost(), 5);  // jobs in the given order, each on the machine where it ends earliest
  EXPECT_EQ(search.best()[1].job, 1);
  EXPECT_NE(search.best()[1].machine, search.best()[0].machine);
}

}  // namespace
}  // namespace nestor::priority::priority_test
