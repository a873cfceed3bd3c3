// Tests of the labels of the cim space on random cases. A complete label yields a legal mapping that costs no
// more than the label, no bound exceeds the best completion, and no dominated label has a better completion
// than its dominator. Uses as many cases as search_exactness_test.cpp.
#include <gtest/gtest.h>

#include "model/loopnest/rules/legality.h"
#include "search_cases.h"
#include "support/case_features.h"
#include "support/setting.h"

namespace nestor::cim::search_labels_test {
namespace {

using nestor::tests::setting;

constexpr std::size_t search_bytes = std::size_t{1} << 30U;

// The labels on a path from the root, in a form that a branch can convert to a mapping.
template <typename AnyBranch>
struct Walk {
  std::vector<typename AnyBranch::Label> labels;
  double cost = 0;
  template <typename Visit>
  void walk_back(Visit visit) const {
    for (std::size_t i = labels.size(); i-- > 1;) visit(labels[i - 1], labels[i]);
  }
};

// Goes to a complete label by random steps. Returns nullopt at a dead end.
template <typename AnyBranch>
std::optional<Walk<AnyBranch>> random_walk(const AnyBranch& branch, Random& random) {
  using Label = typename AnyBranch::Label;
  Walk<AnyBranch> walk{{branch.root()}, branch.root_bound()};
  while (branch.depth(walk.labels.back()) < branch.max_depth()) {
    std::vector<std::pair<Label, double>> children;
    branch.expand(walk.labels.back(), no_bound, no_cost, no_cost,
                  [&](const Label& child, double bound) { children.emplace_back(child, bound); });
    if (children.empty()) return std::nullopt;
    walk.labels.emplace_back();
    std::tie(walk.labels.back(), walk.cost) = children[random.below(children.size())];
  }
  return walk;
}

// Checks the mappings at the ends of random paths in one branch of a problem.
template <typename AnyBranch>
void check_walks(const CimProblem& problem, Direction direction, Random& random,
                 std::vector<Mapping>& mappings) {
  MemoryBudget memory(search_bytes);
  SpaceOf<AnyBranch> space(problem, RulesOf());
  const auto run = space.open_branch(random.below(space.branch_count()), HostStorage(memory));
  if (run->least_open() == no_cost) return;
  for (int walks = 0; walks < 20; ++walks) {
    const auto walk = random_walk(run->branch(), random);
    if (!walk) continue;
    const Mapping mapping = run->branch().solution(*walk);
    const auto violation = find_violation(problem.layer, problem.machine, mapping);
    ASSERT_FALSE(violation) << "rule " << static_cast<int>(violation->rule);
    const double real = objective_value(problem.objective, evaluate(problem.layer, problem.machine, mapping),
                                        problem.machine);
    // The mapping merges loops of one dimension, so it may cost less than the separate loops.
    ASSERT_LE(real, walk->cost + 1e-9 * std::max(1.0, std::abs(walk->cost)));
    if (direction == Direction::inward) {
      ASSERT_NEAR(real, walk->cost, 1e-9 * walk->cost);
    }
    mappings.push_back(mapping);
  }
}

// Covers situations that are rare in optima, such as two double-buffered operands that leave a shared memory
// in one step.
TEST(SearchLabels, EveryCompleteLabelIsALegalMappingAtItsCostOrLess) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) * 5;
  nestor::tests::FeatureCount features;
  std::uint64_t full = 0;  // mappings that fill a memory shared by several operands to three quarters
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    RandomCase sample = nestor::tests::random_case(
        seed + 6000000, {.max_steps = 300, .max_loops = 7, .graded = seed % 2 == 0});
    Random random(seed);
    tighten(sample, random);
    const Architecture& machine = sample.architecture.machine;
    SCOPED_TRACE(sample.describe());
    std::vector<Mapping> mappings;
    for (const CimObjective& objective : objectives()) {
      const CimProblem problem = make_problem(sample.layer, machine, objective);
      with_outward_branch(problem, [&]<typename Branch>(std::type_identity<Branch>) {
        check_walks<Branch>(problem, Direction::outward, random, mappings);
      });
      if (InwardBranch::answers(problem))
        check_walks<InwardBranch>(problem, Direction::inward, random, mappings);
      if (::testing::Test::HasFatalFailure()) return;
    }
    for (const Mapping& mapping : mappings)
      for (std::size_t m = 0; m < machine.memories.size(); ++m)
        full += static_cast<std::uint64_t>(is_shared(machine.memories[m]) &&
                                           evaluate(sample.layer, machine, mapping).usage_bits[m] >
                                               machine.memories[m].capacity / 4 * 3);
    if (!mappings.empty()) features.add(machine, sample.layer, mappings);
  }
  std::printf("%llu cases, %llu full shared memories; %s\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(full), features.to_string().c_str());
  EXPECT_EQ(features.below_five_per_cent(), "");
  EXPECT_GT(full, cases * 5);
}

struct Completion {
  double cost = no_cost;
  bool known = true;  // false if there were too many labels to follow
};

// Returns the cost of the best completion. Follows every child, without bounds, dominance or cuts, until
// `left` labels are used up.
template <typename AnyBranch>
double least_below(const AnyBranch& branch, const typename AnyBranch::Label& label, std::uint64_t& left) {
  double best = no_cost;
  if (left == 0) return best;
  --left;
  branch.expand(label, no_bound, no_cost, no_cost, [&](const typename AnyBranch::Label& child, double bound) {
    best =
        std::min(best, branch.depth(child) == branch.max_depth() ? bound : least_below(branch, child, left));
  });
  return best;
}

template <typename AnyBranch>
Completion best_completion(const AnyBranch& branch, const typename AnyBranch::Label& label,
                           std::uint64_t left) {
  const double cost = least_below(branch, label, left);
  return {cost, left > 0};
}

// Returns incomplete labels of a branch, at most 3 deep. Stops when there are `most` labels or more.
template <typename AnyBranch>
std::vector<typename AnyBranch::Label> some_labels(const AnyBranch& branch, Random& random,
                                                   std::size_t most) {
  using Label = typename AnyBranch::Label;
  std::vector<Label> labels;
  std::vector<Label> open = {branch.root()};
  while (!open.empty() && labels.size() < most) {
    std::swap(open.back(), open[random.below(open.size())]);
    const Label label = open.back();
    open.pop_back();
    branch.expand(label, no_bound, no_cost, no_cost, [&](const Label& child, double) {
      if (branch.depth(child) == branch.max_depth()) return;
      labels.push_back(child);
      if (branch.depth(child) < 3) open.push_back(child);
    });
  }
  return labels;
}

// Checks pairs of labels of one branch. In each pair, one label dominates the other.
template <typename AnyBranch>
void check_dominance(SpaceOf<AnyBranch>& space, MemoryBudget& memory, Random& random, std::uint64_t& pairs) {
  const auto run = space.open_branch(random.below(space.branch_count()), HostStorage(memory));
  if (run->least_open() == no_cost) return;
  const AnyBranch& branch = run->branch();
  const double cut = 3 * std::abs(branch.root_bound());
  const auto labels = some_labels(branch, random, 150);
  std::vector<std::optional<Completion>> completions(labels.size());
  const auto completion = [&](std::size_t i) {
    // Five times this effort would take three times as long and give only 4 % more pairs.
    if (!completions[i]) completions[i] = best_completion(branch, labels[i], 1000);
    return *completions[i];
  };
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (i == j || branch.key(labels[i]) != branch.key(labels[j])) continue;
      if (!branch.dominates(labels[i], labels[j], cut)) continue;
      const Completion dominated = completion(j);
      if (!dominated.known || dominated.cost >= cut || !completion(i).known) continue;
      ASSERT_LE(completion(i).cost, dominated.cost + 1e-9 * std::abs(dominated.cost));
      ++pairs;
    }
}

TEST(SearchLabels, ADominatedLabelHasNoBetterCompletionThanItsDominator) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  std::uint64_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    RandomCase sample = nestor::tests::random_case(seed + 8500000, {.max_steps = 200, .max_loops = 5});
    Random random(seed);
    if (seed % 4 != 0) tighten(sample, random);
    SCOPED_TRACE(sample.describe());
    for (const CimObjective& objective : objectives()) {
      const CimProblem problem = make_problem(sample.layer, sample.architecture.machine, objective);
      with_outward_branch(problem, [&]<typename Branch>(std::type_identity<Branch>) {
        MemoryBudget memory(search_bytes);
        SpaceOf<Branch> space(problem, RulesOf());
        check_dominance<Branch>(space, memory, random, pairs);
      });
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  std::printf("%llu pairs\n", static_cast<unsigned long long>(pairs));
  EXPECT_GT(pairs, cases * 5);
}

// True for a buffer that holds only O and is neither its home nor its innermost memory.
bool is_buffer_of_sums(const Architecture& machine, std::size_t m) {
  return machine.memories[m].operands == OperandSet::of(Operand::O) && machine.home(Operand::O) != m &&
         machine.innermost(Operand::O) != m;
}

// Shrinks buffers of O so that some tiles fit only with final sums. Returns false if there are no such
// buffers.
bool leave_no_room_for_partial_sums(RandomCase& sample) {
  Architecture& machine = sample.architecture.machine;
  const BitWidths& bits = sample.layer.bits;
  bool any = false;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    if (!is_buffer_of_sums(machine, m) || bits.output == bits.partial_sum) continue;
    Int& capacity = machine.memories[m].capacity;
    capacity = std::max<Int>(1, capacity * bits.output / bits.partial_sum);
    any = true;
  }
  return any;
}

// Memory contents of labels rarely matter, so the test uses many branches and memories that just hold their
// tiles.
TEST(SearchLabels, ADominatedLabelHasNoBetterCompletionFromTheOutsideIn) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40) * 5;
  std::uint64_t pairs = 0;
  std::uint64_t narrow = 0;  // cases in which a buffer was shrunk
  for (std::uint64_t seed = 1, done = 0; done < cases; ++seed) {
    RandomCase sample = nestor::tests::random_case(seed + 8600000, {.max_steps = 200, .max_loops = 5});
    Random random(seed);
    if (seed % 4 != 0) tighten(sample, random);
    const bool sums = leave_no_room_for_partial_sums(sample);
    if (2 * done >= cases && !sums) continue;
    ++done;
    narrow += static_cast<std::uint64_t>(sums);
    SCOPED_TRACE(sample.describe());
    const CimProblem problem =
        make_problem(sample.layer, sample.architecture.machine, {{.kind = ObjectiveKind::energy}});
    MemoryBudget memory(search_bytes);
    SpaceOf<InwardBranch> space(problem, RulesOf());
    for (int branches = 0; branches < 9; ++branches) {
      check_dominance<InwardBranch>(space, memory, random, pairs);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  std::printf("%llu pairs, %llu cases with narrow buffers of sums\n", static_cast<unsigned long long>(pairs),
              static_cast<unsigned long long>(narrow));
  EXPECT_GT(pairs, cases * 100);
  EXPECT_GT(narrow * 2, cases);
}

struct Tightness {
  std::uint64_t checked = 0;
  std::uint64_t positive = 0;
  double sum = 0;  // sum of bound / best completion, if positive
};

// Compares the bound of one random partial placement of a problem with its best completion.
template <typename AnyBranch>
void check_bound(const CimProblem& problem, std::uint64_t seed, Tightness& tightness) {
  using Label = typename AnyBranch::Label;
  MemoryBudget memory(search_bytes);
  SpaceOf<AnyBranch> space(problem, RulesOf());
  Random random(seed);
  const auto run = space.open_branch(random.below(space.branch_count()), HostStorage(memory));
  if (run->least_open() == no_cost) return;
  const AnyBranch& branch = run->branch();
  Label label = branch.root();
  double bound = branch.root_bound();
  for (std::uint64_t depth = random.below(4); depth > 0 && branch.depth(label) < branch.max_depth();
       --depth) {
    std::vector<std::pair<Label, double>> children;
    branch.expand(label, no_bound, no_cost, no_cost,
                  [&](const Label& child, double b) { children.emplace_back(child, b); });
    if (children.empty()) break;
    std::tie(label, bound) = children[random.below(children.size())];
  }
  if (branch.depth(label) == branch.max_depth()) return;
  const auto [best, known] = best_completion(branch, label, 5000);
  if (!known || best == no_cost) return;
  ASSERT_LE(bound, best + 1e-9 * std::abs(best));
  ++tightness.checked;
  if (best <= 0) return;  // eq14, if sizes outweigh cycles
  ++tightness.positive;
  tightness.sum += bound / best;
}

TEST(SearchLabels, NoBoundExceedsTheBestCompletionOfARandomPartialPlacement) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  Tightness outward;
  Tightness inward;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const RandomCase sample = nestor::tests::random_case(seed + 5000000, {.max_steps = 200, .max_loops = 5});
    SCOPED_TRACE(sample.describe());
    for (const CimObjective& objective : objectives()) {
      const CimProblem problem = make_problem(sample.layer, sample.architecture.machine, objective);
      with_outward_branch(problem, [&]<typename Branch>(std::type_identity<Branch>) {
        check_bound<Branch>(problem, seed, outward);
      });
      if (InwardBranch::answers(problem)) check_bound<InwardBranch>(problem, seed, inward);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  for (const auto& [name, tightness] : {std::pair{"outward", outward}, std::pair{"inward", inward}})
    std::printf("%s: %llu partial placements, mean bound / best completion %.3f\n", name,
                static_cast<unsigned long long>(tightness.checked),
                tightness.sum / static_cast<double>(tightness.positive));
  EXPECT_GT(outward.checked, cases * 3);
  EXPECT_GT(inward.checked, cases / 3);
}

}  // namespace
}  // namespace nestor::cim::search_labels_test
