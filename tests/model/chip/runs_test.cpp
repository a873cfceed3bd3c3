// Tests of networks that repeat a part. Bounds by longest paths are compared with the proved optimum of every
// run of operators, as are equal runs. The search of cuts, which shares the searches of equal runs, is
// compared with a dynamic program over the optima of all runs. NESTOR_CHIP_CASES and NESTOR_CHIP_SEED set the
// number of cases and the first seed.
#include "model/chip/search/runs.h"

#include <gtest/gtest.h>

#include "model/chip/search/compile.h"
#include "support/chip_cases.h"
#include "support/setting.h"

namespace nestor::tests::runs_test {
namespace {

constexpr std::size_t most_operators = 16;

// Returns the operators twice. Both parts read the inputs of the network.
chip::ChipNetwork repeated(const chip::ChipNetwork& once) {
  chip::ChipNetwork network = once;
  const std::size_t n = once.operators.size();
  for (chip::Operator op : once.operators) {
    op.name += "-again";
    for (auto& input : op.inputs)
      if (!once.is_input(input.tensor)) input.tensor += n;
    network.operators.push_back(std::move(op));
  }
  for (std::size_t i = 0; i < once.outputs.size(); ++i) network.outputs.push_back(once.outputs[i] + n);
  return network;
}

class ChipRuns : public ::testing::Test {
 protected:
  struct Run {
    Int schedule = chip::never;
    std::vector<chip::OperatorDecision> decisions;
  };

  Run best_of(const chip::ChipProblem& problem, std::size_t first, std::size_t last,
              const chip::OptionTable& options) {
    chip::SegmentSearch search(problem, first, last, options);
    while (search.feasible() && !search.done()) search.advance(*executor_, chip::never, StopSource());
    return {search.best(), search.decisions()};
  }

  // Returns the cycles of a run that is one of several segments.
  static Int cycles(const chip::ChipProblem& problem, chip::Levels levels, std::size_t first,
                    std::size_t last, const Run& run) {
    chip::Decisions decisions{levels, {}, std::vector<chip::OperatorDecision>(problem.size())};
    if (first > 0) decisions.segments.push_back({0, first - 1, true});
    const std::size_t s = decisions.segments.size();
    decisions.segments.push_back({first, last, true});
    if (last + 1 < problem.size()) decisions.segments.push_back({last + 1, problem.size() - 1, true});
    std::copy(run.decisions.begin(), run.decisions.end(),
              decisions.operators.begin() + static_cast<std::ptrdiff_t>(first));
    chip::Timetable times;
    return chip::cost_of_segment(problem, decisions, s, 0, times).latency;
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
};

TEST_F(ChipRuns, SearchesOfRepeatedNetworksEqualADynamicProgram) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 300);
  const auto begin = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = begin; checked < cases && seed < begin + 100 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto sample = random_chip_case(seed);
    if (!sample || 2 * sample->network.operators.size() > most_operators) continue;
    const auto network = repeated(sample->network);
    const auto problem = chip::make_problem(sample->machine, network);
    chip::CompileRequest request;
    request.levels = chip::allowed({random.chance(0.5), random.chance(0.5)}, sample->machine.mode);
    if (chip::why_not_by_cuts(problem, request)) continue;
    ++checked;
    const std::size_t n = problem.size();
    const auto options = chip::latency_options(problem, request.levels);
    const chip::EqualRuns equal(problem);
    std::vector<std::vector<Run>> best(n);
    std::vector<Int> least(n + 1, chip::never);
    least[0] = 0;
    for (std::size_t first = 0; first < n; ++first) {
      std::vector<Int> bounds;
      for (std::size_t last = first; last < n; ++last) {
        if (options[last].empty()) break;
        best[first].push_back(best_of(problem, first, last, options));
        const Run& run = best[first].back();
        if (run.schedule >= chip::never) break;
        bounds = chip::path_bounds(problem, options, first, last, false);
        ASSERT_EQ(bounds.size(), last - first + 1);
        for (std::size_t k = 0; k < bounds.size(); ++k)
          ASSERT_LE(bounds[k], best[first][k].schedule) << "operators " << first << " to " << first + k;
        coverage["tight path"] += static_cast<int>(last > first && bounds.back() == run.schedule);
        const std::size_t same = equal.earliest(first, last);
        ASSERT_LE(same, first);
        ASSERT_EQ(best[same][last - first].schedule, run.schedule) << "operators " << first << " to " << last;
        coverage["equal run"] += static_cast<int>(same < first && last > first);
        if (first == 0 && last + 1 == n) continue;
        const Int total = cycles(problem, request.levels, first, last, run);
        least[last + 1] = std::min(least[last + 1], least[first] + total);
      }
    }
    if (best[0].size() == n && best[0].back().schedule < chip::never) {
      const chip::Decisions whole{request.levels, {{0, n - 1, true}}, best[0].back().decisions};
      least[n] = std::min(least[n], chip::evaluate(problem, whole).latency_cycles);
    }
    const auto found = chip::compile(problem, request, {}, *executor_, StopSource());
    if (least[n] >= chip::never) {
      EXPECT_EQ(found.status, Status::infeasible);
      continue;
    }
    ASSERT_EQ(found.status, Status::optimal);
    EXPECT_EQ(found.objective, static_cast<double>(least[n]));
    EXPECT_EQ(found.bound, static_cast<double>(least[n]));
    ASSERT_FALSE(chip::find_violation(problem, *found.best));
    coverage["several segments"] += static_cast<int>(found.best->segments.size() > 1);
  }
  EXPECT_EQ(checked, cases);
  for (const auto& [feature, count] : coverage) RecordProperty(feature, count);
  if (cases < nestor::tests::fewest_cases_that_tell) return;
  for (const auto* feature : {"tight path", "equal run", "several segments"})
    EXPECT_GT(coverage[feature], 0) << feature;
}

}  // namespace
}  // namespace nestor::tests::runs_test
