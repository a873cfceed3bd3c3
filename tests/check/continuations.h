// Checks of a checker's rules for single nests, with random continuations of the nests. If a nest dominates
// another, it must have every continuation of the dominated nest, at no more cost. No nest on the path to a
// mapping better than the claim may be closed. Each pair that fails here yields a forged proof that the rule
// would accept: a list with the dominating nest and without the dominated one.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/random.h"
#include "check_cases.h"

namespace nestor::check_cases {

using Path = std::vector<check::LoggedNest>;

inline bool is_same_loop(const check::LoggedNest& a, const check::LoggedNest& b) {
  return a.dim == b.dim && a.factor == b.factor && a.moves == b.moves;
}

/// Numbers of nests and continuations that the checks compared.
struct ContinuationsSeen {
  std::uint64_t nests = 0;
  std::uint64_t pairs = 0;  ///< pairs in which one nest dominates the other
  std::uint64_t ways = 0;   ///< complete continuations of such pairs
  std::uint64_t open = 0;   ///< nests on the path to a mapping better than a claim
};

/// The nests below one spatial choice, under a claim that closes none of them.
template <typename Rules>
class Continuations {
 public:
  using Node = decltype(std::declval<Rules>().root());
  /// A nest with all its numbers, and the same nest after forget_idle().
  struct Reached {
    Node whole;
    Node kept;
  };

  Continuations(const Rules& rules, Random& random) : rules_(rules), random_(random) {}

  /// Returns at most `most` random incomplete nests.
  std::vector<Reached> some_nests(std::size_t most) {
    std::vector<Reached> found;
    if (!rules_.is_possible()) return found;
    std::vector<Reached> open = {{rules_.root(), kept(rules_.root())}};
    while (!open.empty() && found.size() < most) {
      std::swap(open[random_.below(open.size())], open.back());
      found.push_back(std::move(open.back()));
      open.pop_back();
      const Reached from = found.back();
      rules_.each_child(from.kept, [&](const Node& child, const check::LoggedNest& loop) {
        const auto whole = rules_.after(from.whole, loop);
        ASSERT_TRUE(whole.has_value());
        if (child.rest != 1 && rules_.fits(*whole)) open.push_back({*whole, kept(child)});
      });
    }
    return found;
  }

  /// Returns a random complete continuation; empty if none is found.
  Path continuation(const Node& from) {
    Path path;
    std::size_t tries = 60;
    if (!descend(from, path, tries)) path.clear();
    return path;
  }

  /// Returns the nest at the end of a path; nullopt if the path is invalid or the nest is incomplete or does
  /// not fit.
  std::optional<Node> follow(Node node, const Path& path) const {
    for (const auto& loop : path) {
      const auto next = rules_.after(node, loop);
      if (!next) return std::nullopt;
      node = *next;
    }
    if (node.rest != 1 || !rules_.fits(node)) return std::nullopt;
    return node;
  }

  Node kept(Node node) const {
    rules_.forget_idle(node);
    return node;
  }

 private:
  bool descend(const Node& node, Path& path, std::size_t& tries) {
    if (node.rest == 1) return rules_.fits(node);
    Path loops;
    rules_.each_child(node, [&](const Node&, const check::LoggedNest& loop) { loops.push_back(loop); });
    while (!loops.empty() && tries-- > 0) {
      std::swap(loops[random_.below(loops.size())], loops.back());
      path.push_back(loops.back());
      loops.pop_back();
      const auto next = rules_.after(node, path.back());
      if (next && rules_.fits(*next) && descend(*next, path, tries)) return true;
      path.pop_back();
      if (tries == 0) return false;
    }
    return false;
  }

  const Rules& rules_;
  Random& random_;
};

/// Expects that a dominating nest has every continuation of the dominated nest at no more cost. `carried`
/// converts a continuation of the dominated nest to one of the dominating nest.
template <typename Rules, typename Carried>
void expect_dominance_holds(const Rules& rules, Random& random, ContinuationsSeen& seen, bool parts_count,
                            const Carried& carried) {
  constexpr std::size_t most_nests = 150;
  constexpr std::size_t most_pairs = 12;
  Continuations<Rules> tree(rules, random);
  const auto nests = tree.some_nests(most_nests);
  seen.nests += nests.size();
  std::map<decltype(rules.key(nests.front().kept)), std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < nests.size(); ++i) groups[rules.key(nests[i].kept)].push_back(i);
  const auto& claim = rules.problem.claim;
  for (const auto& [key, group] : groups) {
    if (group.size() < 2) continue;
    for (std::size_t pair = 0; pair < most_pairs; ++pair) {
      const auto& a = nests[group[random.below(group.size())]];
      const auto& b = nests[group[random.below(group.size())]];
      if (&a == &b || !rules.dominates(a.kept, b.kept)) continue;
      ++seen.pairs;
      const Path path = tree.continuation(b.whole);
      if (path.empty()) continue;
      ++seen.ways;
      const auto of_b = tree.follow(b.whole, path);
      ASSERT_TRUE(of_b.has_value());
      const auto of_a = tree.follow(a.whole, carried(path, a.kept, b.kept));
      EXPECT_TRUE(of_a.has_value()) << "the dominating nest lacks a continuation of the dominated nest";
      if (!of_a) return;
      const auto more = rules.least(*of_a);
      const auto less = rules.least(*of_b);
      const auto& objective = claim.objective();
      if (parts_count || objective.is_front || objective.is_product) {
        EXPECT_LE(more.latency, less.latency);
        EXPECT_TRUE(more.energy <= less.energy) << "it costs more energy";
      } else {
        EXPECT_TRUE(claim.cost(more) <= claim.cost(less)) << "it costs more";
      }
      const auto of_kept = tree.follow(b.kept, path);
      EXPECT_TRUE(of_kept && rules.least(*of_kept).latency == less.latency &&
                  rules.least(*of_kept).energy == less.energy)
          << "forget_idle() changes the cost of a continuation";
      if (::testing::Test::HasFailure()) return;
    }
  }
}

/// Expects that no nest on a path is closed, under a claim that the mapping at the end of the path refutes.
/// `is_offered_as` is true for loops that must be offered unchanged.
template <typename Rules>
void expect_path_is_open(const Rules& rules, const Path& path, ContinuationsSeen& seen,
                         const auto& is_offered_as) {
  ASSERT_TRUE(rules.is_possible());
  auto node = rules.root();
  for (const auto& loop : path) {
    ++seen.open;
    EXPECT_FALSE(rules.ends(node)) << "a nest that leads to a better mapping is closed";
    bool is_offered = !is_offered_as(loop);
    rules.each_child(node, [&](const auto&, const check::LoggedNest& next) {
      is_offered = is_offered || is_same_loop(next, loop);
    });
    EXPECT_TRUE(is_offered) << "the next loop of a better mapping is not offered";
    const auto next = rules.after(node, loop);
    ASSERT_TRUE(next.has_value());
    node = *next;
    rules.forget_idle(node);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_FALSE(rules.ends(node));
}

/// Returns claims that a cost refutes by a small margin: two for a front.
inline std::vector<check::Claim> claims_above(const check::Claim& none, const check::Cost& parts,
                                              check::Wide unit_of_energy) {
  if (!none.objective().is_front) {
    check::Claim claim = none;
    claim.nothing_is_below(decimal_above(none.cost(parts), none.objective().unit));
    return {claim};
  }
  const auto energy = none.with_leakage(parts);
  std::vector<check::Claim> claims(2, none);
  claims[0].is_covered_by(parts.latency + 1, decimal(0, unit_of_energy));
  claims[1].is_covered_by(0, decimal_above(energy, unit_of_energy));
  return claims;
}

}  // namespace nestor::check_cases
