// Tests of the rules by which the checker of compiled networks excludes schedules, on random networks. Each
// operator has a random set of timings, and a schedule chooses one timing for each operator. For every
// weighted mix of paths, the rules remove no timing of a schedule below the limit, and the listing of
// schedules finds the shortest one. Random timings distinguish partial schedules that the timings of real
// operators do not. A further test compares the keys of machines with their format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "check/chip/form.h"
#include "check/chip/rules.h"
#include "chip_results.h"
#include "io/chip/machine_file.h"
#include "support/setting.h"

namespace nestor::chip_rules_test {
namespace {

using check::chip::Choices;
using check::chip::Mix;
using check::chip::OperatorTiming;
using check::chip::Segment;

const std::uint64_t cases =
    tests::setting("NESTOR_CHIP_CASES", 10 * tests::setting("NESTOR_EXACTNESS_CASES", 60));
const std::uint64_t first_seed = tests::setting("NESTOR_CHIP_SEED", 1);

Choices random_choices(const check::chip::CheckedChipProblem& problem, const Segment& segment,
                       Random& random) {
  Choices choices;
  for (std::size_t k = 0; k < segment.size(); ++k) {
    auto& paces = choices.emplace_back();
    for (auto left = random.between(1, 4); left > 0; --left)
      paces.push_back({.cores = random.between(0, 4),
                       .row = random.between(1, 9),
                       .lanes = random.between(1, 4),
                       .in = random.between(0, 6),
                       .out = random.between(0, 6),
                       .gate = problem.operators[k].is_gated() ? random.between(0, 9) : 0});
  }
  return choices;
}

Int latency_of(const Segment& segment, const std::vector<OperatorTiming>& paces) {
  const auto heads = segment.heads(paces);
  Int latency = 0;
  for (std::size_t k = 0; k < segment.size(); ++k)
    latency = std::max(latency, heads[k].back() + paces[k].out);
  return latency;
}

/// Visits all schedules: one timing for each operator, within the available cores.
void each_schedule(const Segment& segment, const Choices& choices,
                   const std::function<void(const std::vector<OperatorTiming>&)>& visit) {
  std::vector<OperatorTiming> paces;
  const auto choose = [&](const auto& self, Int cores) -> void {
    if (cores < 0) return;
    if (paces.size() == choices.size()) return visit(paces);
    for (const OperatorTiming& pace : choices[paces.size()]) {
      paces.push_back(pace);
      self(self, cores - pace.cores);
      paces.pop_back();
    }
  };
  choose(choose, segment.cores());
}

std::vector<check::chip::Path> random_paths(const Segment& segment, Random& random) {
  std::vector<check::chip::Path> paths;
  for (auto left = random.below(4); left > 0; --left) try {
      paths.push_back(way_through(segment, check_cases::random_path(segment, random)));
    } catch (const check::Unreadable&) {
      continue;  // sometimes the path is invalid
    }
  return paths;
}

// A key that the format has and the checker does not know would make the checker refuse every result with it.
TEST(ChipRules, MachinesHaveTheKeysOfTheirFormat) {
  const auto schema = io::chip_machine_schema();
  const auto expect_keys = [&](check::Form form, const std::string& part) {
    std::vector<std::string> known, expected;
    for (const auto& field : form) known.emplace_back(field.key);
    for (const auto& [key, value] : schema.at(io::Json::json_pointer(part)).at("properties").items())
      expected.push_back(key);
    EXPECT_THAT(known, ::testing::UnorderedElementsAreArray(expected));
  };
  expect_keys(check::chip::machine_form, "");
  expect_keys(check::chip::chip_form, "/properties/chip");
  expect_keys(check::chip::l0_form, "/properties/chip/properties/l0");
  expect_keys(check::chip::off_chip_form, "/properties/chip/properties/off_chip");
  expect_keys(check::chip::noc_form, "/properties/chip/properties/noc");
  expect_keys(check::chip::core_form, "/properties/core");
  expect_keys(check::chip::l1_form, "/properties/core/properties/l1");
  expect_keys(check::chip::crossbar_form, "/properties/crossbar");
  expect_keys(check::chip::energy_form, "/properties/energy");
}

TEST(ChipRules, WaysAreTheLongestOfAllPairs) {
  using check::chip::Noc;
  Random random(first_seed);
  std::map<Noc::Kind, int> longer;
  for (std::uint64_t i = 0; i < 20 * cases; ++i) {
    Noc noc;
    noc.kind = random.chance(0.5) ? Noc::Kind::mesh : Noc::Kind::h_tree;
    noc.rows = random.between(1, 9);
    noc.columns = random.between(1, 9);
    noc.hop = random.between(0, 3);
    const auto range = [&] {
      const Int first = random.between(0, noc.rows * noc.columns - 1);
      return check::chip::Places{first, random.between(0, noc.rows * noc.columns - first)};
    };
    const auto from = range();
    const auto to = range();
    Int longest = 0;
    for (Int a = from.first; a < from.first + from.count; ++a)
      for (Int b = to.first; b < to.first + to.count; ++b) longest = std::max(longest, noc.between(a, b));
    ASSERT_EQ(noc.way(from, to), longest);
    longer[noc.kind] += longest > 0 ? 1 : 0;
  }
  EXPECT_GT(longer[Noc::Kind::mesh], 0);
  EXPECT_GT(longer[Noc::Kind::h_tree], 0);
}

TEST(ChipRules, NoScheduleBelowTheLimitIsLost) {
  std::map<std::string, int> coverage;
  for (std::uint64_t seed = first_seed, done = 0; done < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto of = check_cases::chip_case(seed);
    if (!of || !check_cases::is_by_cuts(*of)) continue;
    Random random(seed);
    auto problem = check::chip::read_problem(io::chip_machine_to_json(of->machine),
                                             io::chip_network_to_json(of->network), {{"levels", {"cg"}}});
    problem.machine.cores = random.between(2, 12);
    const Segment segment(problem, 0, problem.operators.size() - 1);
    const auto choices = random_choices(problem, segment, random);
    Int least = std::numeric_limits<Int>::max();
    std::uint64_t schedules = 0;
    each_schedule(segment, choices, [&](const auto& paces) {
      ++schedules;
      least = std::min(least, latency_of(segment, paces));
    });
    if (schedules == 0 || schedules > 5000) continue;
    ++done;
    const auto paths = random_paths(segment, random);
    Mix mix;
    for (const auto& path : paths) {
      mix.paths.push_back(&path);
      mix.shares.push_back(random.between(1, 20));
      mix.whole += mix.shares.back();
    }
    for (const Int above : {Int{0}, Int{1}, random.between(2, 30)}) {
      const Int limit = least + above;
      check::chip::ProofNode node(segment, mix, choices, limit);
      const bool is_closed = node.is_closed_by_bounds();
      std::size_t kept = 0;
      const auto shortest = is_closed ? std::nullopt : node.shortest_schedule(kept);
      // Lists the schedules with all timings, without applying the rules first.
      const auto listed = check::chip::ProofNode(segment, mix, choices, limit).shortest_schedule(kept);
      if (above == 0) {
        EXPECT_FALSE(shortest.has_value());
        EXPECT_FALSE(listed.has_value());
        ++coverage[is_closed ? "closed by bounds" : "closed by listing"];
        continue;
      }
      EXPECT_EQ(shortest.value_or(0), least);
      EXPECT_EQ(listed.value_or(0), least);
      each_schedule(segment, choices, [&](const auto& paces) {
        if (latency_of(segment, paces) >= limit) return;
        for (std::size_t k = 0; k < paces.size(); ++k) {
          const auto& left = node.choices()[k];
          EXPECT_NE(std::find(left.begin(), left.end(), paces[k]), left.end());
        }
      });
    }
    coverage["several operators"] += static_cast<int>(segment.size() > 1);
    coverage["several arrivals"] += static_cast<int>(segment.edges().size() > 1);
    coverage["a mix"] += static_cast<int>(mix.whole > 0);
    for (const auto& edge : segment.edges()) ++coverage[edge.is_gated ? "a gate" : "rows that wait"];
    if (::testing::Test::HasFailure()) return;
  }
  for (const auto* feature : {"several operators", "several arrivals", "a mix", "a gate", "rows that wait",
                              "closed by bounds", "closed by listing"}) {
    std::printf("  %s: %d\n", feature, coverage[feature]);
    EXPECT_GT(coverage[feature], 0) << feature;
  }
}

}  // namespace
}  // namespace nestor::chip_rules_test
