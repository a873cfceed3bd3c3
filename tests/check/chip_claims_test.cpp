// Tests of the checker of compiled networks against brute force and the evaluator, on random small networks.
// A proof is a list of runs: ranges of consecutive operators with a lower bound on their latency. The checker
// verifies true claims with the search's proof, and with lists of runs derived by the checker's own rules. No
// list makes it verify a lower bound that is one cycle too high.
#include <gtest/gtest.h>

#include "base/random.h"
#include "check/chip/rules.h"
#include "chip_results.h"
#include "support/chip_decisions.h"
#include "support/setting.h"

namespace nestor::chip_claims_test {
namespace {

using check::chip::Choices;
using check::chip::Mix;
using check_cases::Json;
using check_cases::Runs;
using Coverage = std::map<std::string, int>;

const std::uint64_t cases = tests::setting("NESTOR_CHIP_CASES", 150);
const std::uint64_t first_seed = tests::setting("NESTOR_CHIP_SEED", 1);

void expect_all(const Coverage& coverage, const std::vector<const char*>& features) {
  for (const auto* feature : features) {
    EXPECT_GT(coverage.count(feature) > 0 ? coverage.at(feature) : 0, 0) << feature;
  }
  for (const auto& [feature, count] : coverage) ::testing::Test::RecordProperty(feature, count);
}

// Changes one decision; the result may be illegal.
void corrupt(chip::Decisions& decisions, Random& random) {
  auto& op = decisions.operators[random.below(decisions.operators.size())];
  const Int by = random.between(-1, 2);
  switch (random.below(4)) {
    case 0:
      op.copies = std::max<Int>(1, op.copies + by);
      break;
    case 1:
      op.parts = std::max<Int>(0, op.parts + by);
      break;
    case 2:
      op.phases = std::max<Int>(1, op.phases + by);
      break;
    default:
      op.on_array = !op.on_array;
  }
}

TEST(ChipChecker, CostsEqualTheEvaluator) {
  Coverage coverage;
  for (std::uint64_t seed = first_seed, done = 0; done < 4 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto of = check_cases::chip_case(seed);
    Random random(seed);
    auto drawn = of ? tests::random_chip_decisions(*of->problem, random) : std::nullopt;
    if (!drawn) continue;
    ++done;
    if (random.chance(0.5)) tests::make_streams(of->machine.mode, *drawn, random);
    auto decisions = *drawn;
    const bool is_corrupted = random.chance(0.5);
    if (is_corrupted) corrupt(decisions, random);
    for (std::size_t i = 0; i < of->network.operators.size(); ++i)
      if (of->network.operators[i].kind != chip::OperatorKind::product)
        decisions.operators[i].on_array = false;
    const auto said = [&]() -> std::string {
      try {
        const Json result = check_cases::result_json(*of, *drawn, "optimal", 0);
        const auto problem = check_cases::problem_of(result);
        const auto schedule =
            check::chip::read_schedule(io::chip_decisions_to_json(decisions, of->network), problem);
        check::chip::require_rules(problem, schedule);
        return check::chip::broken_rules(schedule, problem).empty()
                   ? std::to_string(check::chip::TimedSchedule(problem, schedule).latency())
                   : "none";
      } catch (const check::chip::NotChecked&) {
        return "not checked";
      }
    }();
    if (said == "not checked") {
      EXPECT_FALSE(check_cases::is_by_cuts(*of));
      ++coverage[said];
      continue;
    }
    EXPECT_TRUE(check_cases::is_by_cuts(*of));
    // A result file does not record copies, parts or phases of operators on the digital unit, so such changes
    // are lost.
    bool is_lost = false;
    for (std::size_t i = 0; i < of->network.operators.size(); ++i)
      is_lost |= of->network.operators[i].kind != chip::OperatorKind::array &&
                 !decisions.operators[i].on_array &&
                 (decisions.operators[i].copies != 1 || decisions.operators[i].parts != 0 ||
                  decisions.operators[i].phases != 1);
    if (is_lost) continue;
    const bool is_legal = !chip::find_violation(*of->problem, decisions);
    EXPECT_EQ(said,
              is_legal ? std::to_string(chip::evaluate(*of->problem, decisions).latency_cycles) : "none");
    ++coverage[is_legal ? is_corrupted ? "changed, legal" : "legal" : "illegal"];
    coverage["several segments"] += static_cast<int>(decisions.segments.size() > 1);
    coverage["streams"] += static_cast<int>(is_legal && chip::has_stream(decisions));
  }
  expect_all(coverage, {"legal", "changed, legal", "illegal", "not checked", "several segments", "streams"});
}

// Returns a random proof of a run. It has random paths and random steps. A step mixes some of the paths, and
// may split the choices of an operator at a random value of one of their figures.
Json random_run(const check::chip::CheckedChipProblem& problem, std::size_t first, std::size_t last,
                Int bound, Random& random) {
  const check::chip::Segment segment(problem, first, last);
  Json run = {{"from", problem.operators[first].name},
              {"to", problem.operators[last].name},
              {"bound", bound},
              {"paths", Json::array()},
              {"steps", Json::array()}};
  const auto paths = random.below(4);
  for (std::uint64_t p = 0; p < paths; ++p) run["paths"].push_back(check_cases::random_path(segment, random));
  std::size_t steps = 1;
  for (std::size_t s = 0; s < steps; ++s) {
    Json step = Json::object();
    for (std::uint64_t p = 0; p < paths; ++p)
      if (random.chance(0.7)) {
        step["mix"].push_back(p);
        step["mix"].push_back(random.between(1, 1000));
      }
    if (steps < 9 && random.chance(0.6)) {
      const char* const figures[] = {"cores", "row", "lanes", "in", "out", "gate"};
      step["split"] = {random.below(segment.size()), figures[random.below(6)], random.between(0, 20)};
      step["then"] = steps;
      steps += 2;
    }
    run["steps"].push_back(std::move(step));
  }
  return run;
}

// Returns the length of the shortest schedule of every run, computed by the checker's own rules.
std::map<std::pair<std::size_t, std::size_t>, Int> least_schedules(
    const check::chip::CheckedChipProblem& problem) {
  std::map<std::pair<std::size_t, std::size_t>, Int> least;
  const std::size_t count = problem.operators.size();
  for (std::size_t first = 0; first < count; ++first)
    for (std::size_t last = first; last < count; ++last) {
      Choices choices;
      for (std::size_t i = first; i <= last; ++i) choices.push_back(problem.paces(i));
      const check::chip::Segment segment(problem, first, last);
      const Mix none;
      check::chip::ProofNode node(segment, none, std::move(choices), check::chip::longest_time);
      std::size_t kept = 0;
      if (node.is_closed_by_bounds()) break;  // longer runs need even more cores
      if (const auto shortest = node.shortest_schedule(kept)) least[{first, last}] = *shortest;
    }
  return least;
}

std::string failure_of(const check::chip::CheckedChipProblem& problem, Int least, const Runs& runs) {
  try {
    return check::chip::follow(problem, least, check_cases::source_of(runs)).failure;
  } catch (const check::Unreadable& error) {
    return std::string("unreadable: ") + error.what();
  }
}

TEST(ChipChecker, AgreesWithBruteForceInBothDirections) {
  Coverage coverage;
  for (std::uint64_t seed = first_seed, done = 0; done < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto of = check_cases::chip_case(seed);
    if (!of || !check_cases::is_by_cuts(*of)) continue;
    std::optional<chip::Decisions> best;
    Int least = std::numeric_limits<Int>::max();
    const bool is_listed =
        tests::each_chip_decision(*of->problem, of->levels, [&](const auto& decisions, const auto& figures) {
          if (figures.latency_cycles >= least) return;
          least = figures.latency_cycles;
          best = decisions;
        });
    if (!is_listed || !best) continue;
    ++done;
    const Json result = check_cases::result_json(*of, *best, "optimal", static_cast<double>(least));
    const auto problem = check_cases::problem_of(result);

    // Lists derived by the checker's own rules.
    Runs exact;
    const auto schedules = least_schedules(problem);
    const auto list = [&](Int more) {
      exact.clear();
      for (const auto& [run, schedule] : schedules)
        exact.push_back({{"from", problem.operators[run.first].name},
                         {"to", problem.operators[run.second].name},
                         {"bound", schedule + more},
                         {"paths", Json::array()},
                         {"steps", {Json::object()}}});
    };
    list(0);
    EXPECT_EQ(failure_of(problem, least, exact), "");
    EXPECT_NE(failure_of(problem, least + 1, exact), "");
    EXPECT_EQ(check_cases::verdict_on(result, exact).word, "verified");
    list(1);
    EXPECT_NE(failure_of(problem, least + 1, exact), "");

    // The search's proof.
    const auto found = check_cases::compiled(*of, {});
    const auto runs = check_cases::runs_of(found, of->network);
    EXPECT_EQ(found.bound, static_cast<double>(least));
    EXPECT_EQ(failure_of(problem, least, runs), "");
    EXPECT_NE(failure_of(problem, least + 1, runs), "");

    // Random lists.
    Random random(seed);
    for (int t = 0; t < 20; ++t) {
      Runs any;
      for (const auto& [run, schedule] : schedules)
        if (random.chance(0.7))
          any.push_back(random_run(problem, run.first, run.second, schedule + random.between(-2, 1), random));
      const auto failure = failure_of(problem, least + 1, any);
      EXPECT_NE(failure, "");
      ++coverage[failure.starts_with("unreadable") ? "any list, unreadable" : "any list, not proved"];
      if (failure_of(problem, least, any).empty()) ++coverage["any list, true"];
    }
    ++coverage[of->machine.mode == chip::Mode::CM ? "mode CM"
               : of->levels.vvm                   ? "level vvm"
                                                  : "other levels"];
    coverage["several segments"] += static_cast<int>(best->segments.size() > 1);
    coverage["several operators"] += static_cast<int>(problem.operators.size() > 1);
    for (const auto& op : problem.operators) {
      coverage["waits for a factor"] += static_cast<int>(op.is_gated());
      coverage["product that waits for none"] +=
          static_cast<int>(op.kind == check::chip::Kind::product && !op.is_gated());
    }
    if (::testing::Test::HasFailure()) return;
  }
  expect_all(coverage, {"mode CM", "level vvm", "other levels", "several segments", "several operators",
                        "waits for a factor", "product that waits for none", "any list, unreadable",
                        "any list, not proved", "any list, true"});
}

// The proof of this case uses a path through a gate that an operator inside the segment opens immediately.
TEST(ChipChecker, FollowsAPathThroughAnImmediatelyOpenGate) {
  const auto of = check_cases::chip_case(100380);
  ASSERT_TRUE(of);
  const auto found = check_cases::compiled(*of, {});
  ASSERT_TRUE(found.best);
  const Json result = check_cases::result_json(*of, *found.best, to_string(found.status), found.bound);
  const auto verdict = check_cases::verdict_on(result, check_cases::runs_of(found, of->network));
  EXPECT_EQ(verdict.word, "verified") << verdict.sentence;
}

// The bound of this claim is true and equals its objective, but no schedule is as fast.
TEST(ChipChecker, RefutesAnObjectiveThatTheScheduleDoesNotHave) {
  const auto of = check_cases::chip_case(100380);
  ASSERT_TRUE(of);
  const auto found = check_cases::compiled(*of, {});
  ASSERT_TRUE(found.best);
  Json result = check_cases::result_json(*of, *found.best, to_string(found.status), found.bound);
  result["lower_bound"] = result["objective"]["value"] = found.bound - 1;
  const auto verdict = check_cases::verdict_on(result, check_cases::runs_of(found, of->network));
  EXPECT_EQ(verdict.word, "REFUTED") << verdict.sentence;
}

// Checks proofs for networks that are too large to enumerate. Parts of the search are disabled, so that the
// other parts have more effect.
TEST(ChipChecker, FollowsSearchesWithDisabledParts) {
  Coverage coverage;
  for (std::uint64_t seed = first_seed, done = 0; done < 2 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto of = check_cases::chip_case(seed);
    if (!of || !check_cases::is_by_cuts(*of)) continue;
    ++done;
    Random random(seed);
    chip::SegmentOptions options;
    options.linear_program = random.chance(0.7);
    if (random.chance(0.7)) options.root_label_effort = options.label_effort = random.below(200);
    options.root_steps = static_cast<int>(random.between(1, 6));
    options.dual_steps = static_cast<int>(random.between(1, 4));
    options.width = static_cast<std::size_t>(random.between(1, 8));
    options.trial_splits = static_cast<std::size_t>(random.between(0, 4));
    const auto found =
        check_cases::compiled(*of, options, random.chance(0.3) ? random.below(20) : UINT64_MAX);
    if (!found.best) continue;
    const auto runs = check_cases::runs_of(found, of->network);
    for (const Json& run : runs)
      for (const Json& step : run["steps"]) {
        if (!step.contains("split")) continue;
        ++coverage["split by " + step["split"][1].get<std::string>()];
      }
    const Json result = check_cases::result_json(*of, *found.best, to_string(found.status), found.bound);
    const auto verdict = check_cases::verdict_on(result, runs);
    EXPECT_EQ(verdict.word, "verified") << verdict.sentence;
    ++coverage[found.status == Status::optimal ? "optimal" : "stopped"];
    if (::testing::Test::HasFailure()) return;
  }
  expect_all(coverage, {"optimal", "stopped", "split by cores"});
}

// Results and proofs with changed numbers and words. Every verified claim must be true.
class ChipMutants : public ::testing::Test {
 protected:
  static void change(Json& json, Random& random) {
    if (json.is_structured() && !json.empty()) {
      auto at = json.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(random.below(json.size())));
      if (random.chance(0.05)) {
        json.erase(at);
        return;
      }
      change(*at, random);
    } else if (json.is_boolean()) {
      json = !json.get<bool>();
    } else if (json.is_number_integer()) {
      const Int old = json.get<Int>();
      json = random.chance(0.3) ? old * 2 : std::max<Int>(0, old + (random.chance(0.5) ? 1 : -1));
    } else if (json.is_number()) {
      json = json.get<double>() + (random.chance(0.5) ? 1 : -1);
    } else if (json.is_string()) {
      const std::array words = {"mvm", "vvm", "cg", "WLM", "CM", "XBM", "array", "alu", "product", "optimal"};
      json = words[random.below(words.size())];
    }
  }

  // True if an enumeration of all decisions confirms a result's claim, as nestor reads it. Returns nullopt if
  // there are too many decisions, or if nestor rejects a file that the checker may accept.
  static std::optional<bool> is_true(const Json& result) {
    const auto machine = io::parse_chip_machine(result["architecture"].dump(), "machine");
    const auto network = io::parse_chip_network(result["network"].dump(), "network");
    if (!machine || !network || chip::admit(*machine, *network)) return std::nullopt;
    const auto problem = chip::make_problem(*machine, *network);
    io::Reading reading;
    const auto document = io::Document::parse(result["decisions"].dump(), "decisions");
    const auto decisions = io::read_chip_decisions_node(document->root(), *network, machine->mode, reading);
    if (reading.failed()) return std::nullopt;
    if (chip::find_violation(problem, decisions)) return false;
    const double latency = static_cast<double>(chip::evaluate(problem, decisions).latency_cycles);
    const double bound = result["lower_bound"];
    if (latency != result["objective"]["value"] || bound > latency) return false;
    if (result["status"] == "optimal" && bound != latency) return false;
    double least = latency;
    const bool is_listed = tests::each_chip_decision(
        problem, decisions.levels, [&](const auto&, const chip::ChipEvaluation& figures) {
          least = std::min(least, static_cast<double>(figures.latency_cycles));
        });
    if (!is_listed) return std::nullopt;
    return least >= bound;
  }
};

TEST_F(ChipMutants, VerifiesOnlyTrueClaims) {
  Coverage coverage;
  const auto mutants = tests::setting("NESTOR_MUTANTS", 800);
  std::uint64_t done = 0;
  for (std::uint64_t seed = first_seed; done < mutants; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto of = check_cases::chip_case(seed);
    if (!of || !check_cases::is_by_cuts(*of)) continue;
    if (!tests::each_chip_decision(*of->problem, of->levels, [](const auto&, const auto&) {})) continue;
    const auto found = check_cases::compiled(*of, {});
    if (!found.best) continue;
    const auto runs = check_cases::runs_of(found, of->network);
    const Json result = check_cases::result_json(*of, *found.best, "optimal", found.bound);
    ASSERT_EQ(check_cases::verdict_on(result, runs).word, "verified");
    Random random(seed);
    for (int t = 0; t < 40; ++t, ++done) {
      Json mutant = result;
      Runs changed = runs;
      const bool is_of_proof = !runs.empty() && random.chance(0.3);
      if (is_of_proof) change(changed[random.below(changed.size())], random);
      if (!is_of_proof || random.chance(0.3)) change(mutant, random);
      // In half of the cases, the figures are recomputed, so that only optimality can be wrong.
      if (random.chance(0.5)) {
        try {
          const auto problem = check_cases::problem_of(mutant);
          const auto schedule = check::chip::read_schedule(mutant.at("decisions"), problem);
          if (check::chip::broken_rules(schedule, problem).empty()) {
            const Int latency = check::chip::TimedSchedule(problem, schedule).latency();
            mutant["objective"]["value"] = mutant["lower_bound"] = latency;
            mutant["evaluation"]["latency_cycles"] = latency;
          }
        } catch (const std::exception&) {
          ++coverage["cannot be worked out"];
        }
      }
      if (mutant == result && changed == runs) continue;
      const auto verdict = check_cases::verdict_on(mutant, changed);
      ++coverage[verdict.word];
      if (verdict.word != "verified") continue;
      const auto truth = is_true(mutant);
      if (!truth) {
        ++coverage["cannot tell"];
        continue;
      }
      EXPECT_TRUE(*truth) << Json::diff(result, mutant).dump();
    }
    if (::testing::Test::HasFailure()) return;
  }
  expect_all(coverage, {"verified", "REFUTED", "not proved", "unreadable"});
}

}  // namespace
}  // namespace nestor::chip_claims_test
