// Tests of the verification of resources in results of map --explain on PIM machines: those that the mapper
// reports are confirmed, and a changed number is not.
#include <gtest/gtest.h>

#include "report/pim/map_record.h"
#include "report/pim/result_check.h"
#include "support/pim_cases.h"

namespace nestor::report::pim_resources_test {
namespace {

using io::Json;
using io::pim::PimRun;

io::Result<Network> no_network(const std::string&, const io::OptionTexts&) {
  return io::usage_error("not available");
}

// Returns the run of map --explain over a layer, without layers if it has no mapping.
PimRun explained_run(std::uint64_t seed) {
  const tests::PimCase tiny = tests::random_pim_case(seed, 30);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  const mapper::pim::PimRequest request;
  PimRun run;
  run.version = "test";
  run.verb = "map";
  run.options = {{"explain", "true"}};
  run.inputs = {{"architecture", "no such machine", ""}, {"layers", "no such network", ""}};
  run.objective = {"latency", ""};
  run.complete = true;
  run.machine.machine = tiny.machine;
  run.machine.name = "tiny";
  for (std::size_t m = 0; m < tiny.machine.memories.size(); ++m)
    run.machine.memory_names.push_back("m" + std::to_string(m));
  for (std::size_t a = 0; a < tiny.machine.axes.size(); ++a)
    run.machine.axis_names.push_back("a" + std::to_string(a));
  const auto map = map_layer(tiny.layer, tiny.machine, request, {*executor, memory});
  if (map.best.empty()) return run;
  auto& record = run.layers.emplace_back();
  record.layer.name = "layer";
  record.layer.shape = tiny.layer;
  set_result(run, record, map);
  explain(run, record, explain_layer(tiny.layer, tiny.machine, request, map, {*executor, memory}));
  return run;
}

std::vector<std::string> findings_in(const PimRun& run, const Json& claims) {
  return check_pim_result(run, claims, no_network).findings;
}

TEST(PimResources, AreConfirmedUnlessANumberIsChanged) {
  std::map<std::string, int> kinds;
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto run = explained_run(seed);
    if (run.layers.empty()) continue;
    const Json valid = run_to_json(run);
    ASSERT_EQ(findings_in(run, valid), std::vector<std::string>()) << "seed " << seed;
    const Json& resources = valid["layers"][0]["resources"];
    for (std::size_t i = 0; i < resources.size(); ++i) {
      ++kinds[resources[i]["resource"]];
      for (const char* const place : {"/used", "/amount", "/step/objective", "/step/gain", "/most/objective",
                                      "/most/gain", "/most/latency_cycles", "/most/energy_pj"}) {
        const Json::json_pointer at(place);
        if (!resources[i].contains(at)) continue;
        Json forged = valid;
        Json& number = forged["layers"][0]["resources"][i][at];
        number = number.is_number_integer() ? Json(number.get<Int>() + 1)
                                            : Json(number.get<double>() * (1 + 1e-6) + 1e-6);
        EXPECT_FALSE(findings_in(run, forged).empty()) << "seed " << seed << ", resource " << i << place;
        ++changed;
      }
    }
  }
  EXPECT_EQ(kinds.size(), 6U);
  EXPECT_GT(changed, 100);
}

}  // namespace
}  // namespace nestor::report::pim_resources_test
