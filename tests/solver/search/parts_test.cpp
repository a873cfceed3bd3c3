// Tests of claims that combine several searches with random limits. Either a second search of a problem
// starts with the bound and solutions of the first, or alternative problems are searched and the better
// solution is used. The combined claim is compared with all paths of small graphs.
#include "solver/engine/parts.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>

#include "layered_graph.h"

namespace nestor::parts_test {
namespace {

using tests::GraphSpace;
using GraphEngine = Engine<GraphSpace>;

constexpr std::uint64_t cases = 400;

GraphEngine::Outcome solve(GraphSpace& space, const EngineOptions& options,
                           std::vector<GraphEngine::Found> known = {}) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 26U);
  StopSource stop;
  return GraphEngine(space, *executor, memory, options, stop).run(std::move(known));
}

double cheapest_of(const GraphSpace& space) {
  const auto all = space.cheapest();
  return all.empty() ? no_cost : all.front();
}

// Returns a work limit that allows very little work, some work, or all of it.
std::uint64_t work_for(Random& random) {
  const std::uint64_t kind = random.below(3);
  return kind == 0 ? 1 + random.below(5) : kind == 1 ? 1 + random.below(200) : 1'000'000;
}

// Expects each kind of case in at least one of fifty cases.
void expect_all(const std::map<std::string, std::uint64_t>& seen) {
  for (const auto& [kind, count] : seen) EXPECT_GE(count, cases / 50) << kind;
}

TEST(Parts, SecondContinuesWhereTheFirstStopped) {
  std::map<std::string, std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    GraphSpace space(seed, 1 + random.below(5), static_cast<double>(seed % 3) / 2);
    EngineOptions options;
    options.work_limit = work_for(random);
    options.known_bound = seed % 4 == 0 ? 0 : no_bound;
    EngineOptions first_options = options;
    first_options.work_limit = std::min(options.work_limit, 1 + random.below(60));
    const auto first = solve(space, first_options);
    if (first.status != Status::work_limit) continue;
    const auto rest = with_bound_known(first, options);
    EXPECT_LE(rest.work_limit + first.counts.expanded, std::max(options.work_limit, first.counts.expanded));
    EXPECT_EQ(rest.known_bound, std::max(options.known_bound, first.bound));
    auto whole = solve(space, rest, first.best);
    const std::uint64_t second_work = whole.counts.expanded;
    const std::uint64_t rounds = whole.rounds + first.rounds,
                        opened = whole.branches_opened + first.branches_opened;
    add_history(first, whole);
    EXPECT_EQ(whole.counts.expanded, first.counts.expanded + second_work);
    EXPECT_EQ(whole.rounds, rounds);
    EXPECT_EQ(whole.branches_opened, opened);
    EXPECT_TRUE(std::is_sorted(whole.incumbents.begin(), whole.incumbents.end(),
                               [](const auto& a, const auto& b) { return a.first < b.first; }));
    for (std::size_t i = first.incumbents.size(); i < whole.incumbents.size(); ++i)
      EXPECT_GE(whole.incumbents[i].first, first.counts.expanded);
    EXPECT_GE(whole.bound, first.bound);
    EXPECT_LE(whole.bound, cheapest_of(space));
    if (whole.status == Status::optimal) {
      EXPECT_EQ(best_cost(whole), cheapest_of(space));
    }
    seen["first part found a solution"] += static_cast<std::uint64_t>(!first.best.empty());
    seen["second part found a better one"] += static_cast<std::uint64_t>(best_cost(whole) < best_cost(first));
    seen["optimal"] += static_cast<std::uint64_t>(whole.status == Status::optimal);
    seen["stopped again"] += static_cast<std::uint64_t>(whole.status == Status::work_limit);
  }
  expect_all(seen);
}

struct Alternatives {
  Proof proof;
  double best = no_cost;
};

// Searches in the same way as a mapper with several paddings. Each space must improve on the previous spaces,
// and spaces after a limit are not searched.
Alternatives best_of(std::deque<GraphSpace>& spaces, EngineOptions options) {
  Alternatives whole;
  for (GraphSpace& space : spaces) {
    if (is_cut_short(whole.proof.status)) {
      double known = no_cost;
      for (std::size_t b = 0; b < space.branch_count(); ++b) known = std::min(known, space.branch_bound(b));
      whole.proof = merge_alternatives(whole.proof, {whole.proof.status, known});
      continue;
    }
    std::vector<GraphEngine::Found> bar;
    if (whole.best < no_cost) bar.push_back({whole.best, ~std::size_t{0}, {}});
    const auto outcome = solve(space, options, bar);
    whole.proof = merge_alternatives(whole.proof, {outcome.status, outcome.bound});
    whole.best = std::min(whole.best, best_cost(outcome));
    options = with_work_left(outcome, options);
  }
  return whole;
}

TEST(Parts, BoundNeverExceedsAnyAlternative) {
  std::map<std::string, std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::deque<GraphSpace> spaces;
    double cheapest = no_cost;
    for (std::uint64_t i = random.below(4); i < 4; ++i) {
      spaces.emplace_back(seed * 7 + i, random.below(3), static_cast<double>(random.below(3)) / 2);
      cheapest = std::min(cheapest, cheapest_of(spaces.back()));
    }
    EngineOptions options;
    options.work_limit = work_for(random);
    options.relative_gap = seed % 3 == 0 ? 0.3 : 0;
    const Alternatives whole = best_of(spaces, options);
    EXPECT_LE(whole.proof.bound, cheapest);
    EXPECT_GE(whole.best, cheapest);
    switch (whole.proof.status) {
      case Status::optimal:
        EXPECT_EQ(whole.best, cheapest);
        EXPECT_EQ(whole.proof.bound, cheapest);
        break;
      case Status::gap_reached:
        EXPECT_LE(whole.best - whole.proof.bound, options.relative_gap * std::abs(whole.best));
        break;
      case Status::infeasible:
        EXPECT_EQ(cheapest, no_cost);
        break;
      default:
        EXPECT_EQ(whole.proof.status, Status::work_limit);
    }
    seen["optimal"] += static_cast<std::uint64_t>(whole.proof.status == Status::optimal);
    seen["within a gap"] += static_cast<std::uint64_t>(whole.proof.status == Status::gap_reached);
    seen["infeasible"] += static_cast<std::uint64_t>(whole.proof.status == Status::infeasible);
    seen["cut short"] += static_cast<std::uint64_t>(whole.proof.status == Status::work_limit);
    seen["cut short, and one not searched is the cheapest"] +=
        static_cast<std::uint64_t>(whole.proof.status == Status::work_limit && whole.best > cheapest);
  }
  expect_all(seen);
}

}  // namespace
}  // namespace nestor::parts_test
