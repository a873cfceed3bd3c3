// Tests of the verification of correct results, and of results with one changed number, loop or word.
#include "report/cim/verify/result_check.h"
#include "support/parse_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/results/cim/evaluation_json.h"
#include "report/verify/claims.h"
#include "sim/cim/replay.h"
#include "support/random_cases.h"

namespace nestor::io::result_check_test {
namespace {

using tests::RandomCase;

double cost_of(const CimPoint& point, std::string_view objective) {
  return objective == "latency"  ? static_cast<double>(*point.latency_cycles)
         : objective == "energy" ? *point.energy_pj
                                 : *point.energy_pj * static_cast<double>(*point.latency_cycles);
}

/// Returns records of two resources, the port of the outermost memory and the array. The record of the array
/// states the costs of the same mapping if an MVM takes one cycle.
std::vector<ResourceRecord> resources_of(const RandomCase& random, std::string_view objective, double least,
                                         const cim::CimEvaluation& evaluation, cim::LatencyModel model) {
  const Architecture& machine = random.architecture.machine;
  const auto cycles = static_cast<double>(evaluation.cycles(model));
  std::vector<ResourceRecord> records(2);
  auto& port = records[0];
  port.resource.kind = Resource::Kind::bandwidth;
  port.resource.name = random.architecture.memory_names[0];
  port.amount = machine.memories[0].bandwidth;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    if (machine.innermost(operand) == 0) continue;
    const auto bits = static_cast<double>(evaluation.read_bits[0][x] + evaluation.write_bits[0][x]);
    if (port.used.busiest && bits / (static_cast<double>(port.amount) * cycles) <= port.used.share) continue;
    port.used.busiest = operand;
    port.used.share = bits / (static_cast<double>(port.amount) * cycles);
  }
  port.binding = Binding::no;
  auto& array = records[1];
  array.resource.kind = Resource::Kind::compute;
  array.amount = machine.mvm_cycles;
  array.used.share = static_cast<double>(evaluation.steps * machine.mvm_cycles) / cycles;
  array.binding = Binding::no;
  if (machine.mvm_cycles == 1) return records;
  Architecture faster = machine;
  faster.mvm_cycles = 1;
  const auto quick = cim::evaluate(random.layer, faster, random.mapping);
  ResourceChange<CimPoint> change;
  change.amount = 1;
  change.best.mapping = random.mapping;
  set_cost(change.best, quick, faster, model);
  change.best.objective = cost_of(change.best, objective);
  change.lower_bound = change.best.objective;
  change.gain = (least - *change.best.objective) / least;
  array.step = array.most = change;
  array.binding = change.gain > 0 ? Binding::yes : Binding::no;
  return records;
}

/// Returns a mapping that costs no less than `best`, if there is one among a few random mappings.
std::vector<CimPoint> alternatives_of(const RandomCase& random, std::string_view objective,
                                      cim::LatencyModel model, double best) {
  constexpr std::size_t count = 30;
  const Architecture& machine = random.architecture.machine;
  for (const auto& mapping : tests::random_mappings(random.layer, random.architecture, count, random.seed)) {
    const auto evaluation = cim::evaluate(random.layer, machine, mapping);
    CimRecord layer;
    layer.layer.shape = random.layer;
    layer.best.mapping = mapping;
    set_figures(layer, evaluation, random.architecture, model);
    layer.best.objective = cost_of(layer.best, objective);
    if (mapping != random.mapping && *layer.best.objective >= best) return {layer.best};
  }
  return {};
}

/// Returns a finished run over one random layer that occurs three times, as `map` would write it with all
/// options.
CimRun run_over(const RandomCase& random, std::string_view objective, std::string_view model) {
  CimRun run;
  run.version = "test";
  run.options = {{"objective", std::string(objective)},
                 {"latency-model", std::string(model)},
                 {"explain", "true"},
                 {"top", "2"}};
  run.inputs = {{"architecture", "no such machine", ""}, {"layers", "no such network", ""}};
  run.objective = {std::string(objective), std::string(model)};
  run.machine = random.architecture;
  const auto latency_model = model == "stall" ? cim::LatencyModel::stall : cim::LatencyModel::miredo;
  const Architecture& machine = random.architecture.machine;
  const auto evaluation = cim::evaluate(random.layer, machine, random.mapping);
  const auto replayed = sim::cim::replay(random.layer, machine, random.mapping);

  CimRecord layer;
  layer.layer.name = "first";
  layer.layer.shape = random.layer;
  layer.layer.repeat = 2;
  layer.status = Status::optimal;
  layer.best.mapping = random.mapping;
  set_figures(layer, evaluation, random.architecture, latency_model);
  layer.best.objective = cost_of(layer.best, objective);
  layer.lower_bound = layer.best.objective;
  layer.search = SearchStatistics();
  layer.evaluation = evaluation_to_json(evaluation, random.architecture);
  layer.replay_cycles = replayed.cycles;
  layer.stalls = Json::object();
  for (std::size_t cause = 0; cause < sim::cim::stall_cause_count; ++cause)
    layer.stalls[std::string(sim::cim::name_of(static_cast<sim::cim::StallCause>(cause)))] =
        replayed.stalls[cause];
  set_spent_cycles(layer, cim::spent_cycles(random.layer, machine, random.mapping, latency_model),
                   random.architecture);
  layer.resources = resources_of(random, objective, *layer.best.objective, evaluation, latency_model);
  layer.alternatives = alternatives_of(random, objective, latency_model, *layer.best.objective);
  layer.front = {layer.best};
  run.layers.push_back(layer);
  layer.layer.name = "second";
  layer.same_as = "first";
  layer.layer.repeat = 1;
  run.layers.push_back(layer);
  return run;
}

Result<Network> no_network(const std::string&, const OptionTexts&) { return usage_error("not available"); }

ResultCheck check_run(const CimRun& run) { return check_cim_result(run, run_to_json(run), no_network); }

ResultCheck check_text(const Json& json) {
  const auto run = tests::parse_run(to_text(json), "run.json");
  if (!run) return {.findings = {run.error().to_string()}, .not_checked = {}};  // refused by the reader
  return check_cim_result(*run, json, no_network);
}

/// Returns all figures that the file claims for its mappings, computed by the evaluator. verify can detect a
/// changed mapping only if one of these figures changes. Alternatives and points of a front claim only the
/// cost under the selected model.
std::string figures_of(const Json& json) {
  const auto parsed = tests::parse_run(to_text(json), "run.json");
  if (!parsed) return "";
  const Architecture& machine = parsed->machine.machine;
  std::string text;
  for (const CimRecord& layer : parsed->layers) {
    const auto cost = [&](const CimPoint& point) {
      return cim::evaluate(layer.layer.shape, machine, *point.mapping);
    };
    text += to_text(evaluation_to_json(cost(layer.best), parsed->machine));
    text += std::to_string(sim::cim::replay(layer.layer.shape, machine, *layer.best.mapping).cycles);
    for (const auto* points : {&layer.alternatives, &layer.front})
      for (const CimPoint& point : *points)
        text += to_text({cost(point).stall_cycles, cost(point).energy_pj});
  }
  return text;
}

TEST(ResultCheck, ConfirmsCorrectResults) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomCase random = tests::random_case(seed);
    SCOPED_TRACE(random.describe());
    for (const char* objective : {"latency", "energy", "edp"})
      for (const char* model : {"stall", "miredo"}) {
        const auto check = check_text(run_to_json(run_over(random, objective, model)));
        EXPECT_EQ(check.findings, std::vector<std::string>{});
        EXPECT_GE(check.mappings, 6);
        EXPECT_GT(check.figures, 100);
      }
  }
}

TEST(ResultCheck, RejectsEveryChangedNumber) {
  std::size_t changed = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomCase random = tests::random_case(seed);
    const Json valid = run_to_json(run_over(random, seed % 2 == 0 ? "edp" : "latency", "stall"));
    const Json leaves = valid.flatten();
    for (const auto& [path, value] : leaves.items()) {
      const bool is_claim = path.starts_with("/layers/") || path.starts_with("/totals/");
      // Skips values that only sometimes affect a figure (such as a stride of a layer without rows), and the
      // statistics of the search, which are listed as not checked.
      const bool is_shape =
          path.find("/search/") != std::string::npos || path.find("/stride") != std::string::npos ||
          path.find("/dilation") != std::string::npos || path.find("/bits/") != std::string::npos;
      if (!is_claim || is_shape || !value.is_number()) continue;
      Json corrupted = valid;
      Json& number = corrupted[Json::json_pointer(path)];
      // Counts change by one. Amounts change by a millionth, which is well above the tolerance.
      const bool is_amount = path.ends_with("edp") || path.ends_with("edp_sum") ||
                             path.ends_with("energy_pj") || path.ends_with("objective") ||
                             path.ends_with("bound") || path.find("/energy/") != std::string::npos;
      if (!is_amount && number.is_number_integer())
        number = number.get<Int>() + 1;
      else
        number = number == 0 ? 1 : number.get<double>() * (1 + 1e-6);
      EXPECT_FALSE(check_text(corrupted).findings.empty()) << path << " " << value << "\n"
                                                           << random.describe();
      ++changed;
    }
  }
  EXPECT_GT(changed, 1000U);
}

TEST(ResultCheck, RejectsEveryChangedLoopThatMatters) {
  std::size_t mattered = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomCase random = tests::random_case(seed);
    const Json valid = run_to_json(run_over(random, "latency", "stall"));
    const auto expect_rejected = [&](const Json& corrupted, const char* how) {
      if (check_text(corrupted).findings.empty()) {
        EXPECT_EQ(figures_of(corrupted), figures_of(valid)) << how << "\n" << random.describe();
      } else {
        ++mattered;
      }
    };
    for (const char* place :
         {"/layers/0/mapping", "/layers/1/alternatives/0/mapping", "/layers/0/front/0/mapping"}) {
      const Json::json_pointer mapping(place);
      if (!valid.contains(mapping)) continue;
      const std::size_t loops = valid[mapping]["temporal"].size();
      for (std::size_t i = 0; i < loops; ++i) {
        Json without = valid;
        without[mapping]["temporal"].erase(i);
        EXPECT_FALSE(check_text(without).findings.empty()) << random.describe();
        if (i + 1 < loops) {
          Json swapped = valid;
          std::swap(swapped[mapping]["temporal"][i], swapped[mapping]["temporal"][i + 1]);
          expect_rejected(swapped, "swapped");
        }
        for (const char* operand : {"I", "W", "O"})
          for (const std::string& memory : random.architecture.memory_names) {
            Json moved = valid;
            if (moved[mapping]["temporal"][i]["at"][operand] == memory) continue;
            moved[mapping]["temporal"][i]["at"][operand] = memory;
            expect_rejected(moved, "moved");
          }
      }
      Json unbuffered = valid;
      unbuffered[mapping]["double_buffer"] = Json::array();
      expect_rejected(unbuffered, "unbuffered");
    }
  }
  EXPECT_GT(mattered, 500U);
}

TEST(ResultCheck, RejectsClaimsThatContradictEachOther) {
  const CimRun valid = run_over(tests::random_case(7), "latency", "stall");
  const auto rejects = [&](auto&& corrupt) {
    CimRun run = valid;
    corrupt(run);
    return !check_run(run).findings.empty();
  };
  EXPECT_FALSE(rejects([](CimRun&) {}));
  EXPECT_TRUE(rejects([](CimRun& run) { run.layers[0].status = Status::infeasible; }));
  EXPECT_TRUE(rejects([](CimRun& run) { *run.layers[0].lower_bound -= 1; }));
  EXPECT_TRUE(rejects([](CimRun& run) { *run.layers[0].lower_bound += 1; }));
  EXPECT_TRUE(rejects([](CimRun& run) { run.layers[0].lower_bound.reset(); }));
  EXPECT_TRUE(rejects([](CimRun& run) { run.layers[0].best.mapping.reset(); }));
  EXPECT_TRUE(rejects([](CimRun& run) { run.layers[1].same_as = "nobody"; }));
  EXPECT_TRUE(rejects([](CimRun& run) { run.layers[1].layer.shape.stride[0] += 1; }));
  EXPECT_TRUE(rejects([](CimRun& run) { run.layers[0].front.push_back(run.layers[0].front[0]); }));
  EXPECT_TRUE(rejects([](CimRun& run) { run.objective.latency_model = "miredo"; }));
  EXPECT_TRUE(rejects([](CimRun& run) { run.space = "pim"; }));
  const auto rejects_incumbents = [&](std::vector<SearchStatistics::Incumbent> incumbents) {
    return rejects([&](CimRun& run) {
      run.layers[0].search = SearchStatistics{.counts = {.expanded = 9}, .incumbents = std::move(incumbents)};
    });
  };
  const double least = *valid.layers[0].best.objective;
  EXPECT_FALSE(rejects_incumbents({{0, least + 1}, {0, least}}));
  EXPECT_FALSE(rejects_incumbents({{0, least + 1, 0}, {0, least, 9, least}}));
  EXPECT_TRUE(rejects_incumbents({{0, least - 1}}));                    // better than the result
  EXPECT_TRUE(rejects_incumbents({{0, least, 10}}));                    // more nodes than the search has
  EXPECT_TRUE(rejects_incumbents({{0, least + 1, 3}, {0, least, 2}}));  // counted backwards
  EXPECT_TRUE(rejects_incumbents({{0, least, 9, least + 1}}));          // a false bound
  // A search that stopped early has a bound below the objective and the corresponding gap.
  EXPECT_FALSE(rejects([](CimRun& run) {
    for (CimRecord& layer : run.layers) {
      layer.status = Status::time_limit;
      layer.lower_bound = *layer.best.objective / 2;
    }
  }));
}

TEST(ResultCheck, ReportsClaimedAndComputedFigures) {
  CimRun run = run_over(tests::random_case(7), "latency", "stall");
  const Int right = *run.layers[0].best.latency_cycles;
  run.layers[0].best.latency_cycles = right + 5;
  const auto check = check_run(run);
  ASSERT_FALSE(check.findings.empty());
  EXPECT_EQ(std::count(check.findings.begin(), check.findings.end(),
                       "layers[0].latency_cycles is claimed as " + std::to_string(right + 5) + ", found " +
                           std::to_string(right)),
            1);
}

}  // namespace
}  // namespace nestor::io::result_check_test
