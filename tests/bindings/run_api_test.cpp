// SPDX-License-Identifier: Apache-2.0
// Tests of the C++ API in nestor_run.hpp. A result object returns the figures of its JSON. A stop request or
// an exception in a callback ends a run. Missing arguments are rejected.
#include <gtest/gtest.h>

#include <nestor_run.hpp>
#include <thread>

namespace {

const nestor::Input network = nestor::in_memory(
    "<network>.yaml", "name: net\nlayers: [{name: head, dims: {K: 10, C: 64}, repeat: 2}]\n");

// Returns a run that computes the Pareto front of large layers. It takes far longer than any of these tests
// waits.
nestor::Run long_run() { return {"map", {"vgg16"}, {{"arch", "miredo-default"}, {"objective", "pareto"}}}; }

TEST(RunApi, FiguresEqualTheJson) {
  const auto result = nestor::map(network, "miredo-table4", {{"no-times", "true"}});
  EXPECT_EQ(result.status(), "optimal");
  EXPECT_EQ(result.objective(), result.number("/totals/latency_cycles"));
  EXPECT_EQ(result.bound(), result.objective());
  EXPECT_EQ(result.gap(), 0);
  ASSERT_EQ(result.layers().size(), 1U);
  const auto& layer = result.layers().front();
  EXPECT_EQ(layer.name, "head");
  EXPECT_EQ(layer.repeat, 2);
  EXPECT_EQ(layer.objective * 2, result.objective());
  EXPECT_FALSE(layer.mapping.empty());
  double cycles = 0;
  for (const auto& [cause, share] : result.latency_by()) cycles += share;
  EXPECT_EQ(cycles, result.objective());
  const auto costs = nestor::evaluate(result);
  double energy = 0;
  for (const auto& [place, share] : costs.energy_by()) energy += share;
  EXPECT_NEAR(energy / result.number("/totals/energy_pj"), 1, 1e-9);
  EXPECT_TRUE(nestor::verify(result).confirmed());
  EXPECT_EQ(result.value("/no/such"), "");
  EXPECT_EQ(result.value("no pointer"), "");
  EXPECT_TRUE(std::isnan(result.number("/space")));
}

TEST(RunApi, ErrorsHaveAPositionAndAKind) {
  const auto failure = [](const auto& action) -> nestor::RunError {
    try {
      action();
    } catch (const nestor::RunError& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return {"", "", "", 0, 0};
  };
  const auto bad = failure([] {
    nestor::map(nestor::in_memory("<network>.yaml", "name: net\nlayers:\n  - {name: a, dims: {K: -1}}\n"),
                "miredo-table4");
  });
  EXPECT_EQ(bad.kind, "input");
  EXPECT_EQ(bad.file, "<network>.yaml");
  EXPECT_EQ(bad.line, 3);
  EXPECT_EQ(failure([] { nestor::map(network, "miredo-table4", {{"objectve", "edp"}}); }).kind, "usage");
  EXPECT_EQ(failure([] { nestor::map("-", "miredo-table4"); }).kind, "usage");
  EXPECT_EQ(failure([] { nestor::run("no-verb", {}); }).kind, "usage");
  EXPECT_EQ(failure([] { nestor::map(network, nestor::in_memory("<network>.yaml", "other")); }).kind,
            "usage");
  auto once = nestor::Run("map", {network}, {{"arch", "miredo-table4"}});
  once.execute();
  EXPECT_EQ(failure([&] { once.execute(); }).kind, "usage");
}

TEST(RunApi, StopsReturnTheBestSoFar) {
  auto run = long_run();
  const auto stopped = run.execute([](const nestor::Progress& progress) { return progress.text.empty(); });
  EXPECT_TRUE(stopped.stopped());
  EXPECT_EQ(stopped.status(), "interrupted");
  EXPECT_EQ(stopped.layers().size(), 16U);

  auto other = long_run();
  std::thread thread([&] { other.stop(); });
  const auto result = other.execute();
  thread.join();
  EXPECT_EQ(result.status(), "interrupted");
}

TEST(RunApi, ExceptionsOfCallbacksPropagate) {
  const auto caller = std::this_thread::get_id();
  auto run = long_run();
  EXPECT_THROW(run.execute([&](const nestor::Progress&) -> bool {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    throw std::logic_error("of the callback");
  }),
               std::logic_error);
}

TEST(RunApi, RunsDoNotShareFiles) {
  std::vector<double> macs(3);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < macs.size(); ++i)
    threads.emplace_back([&macs, i] {
      const auto text =
          "name: n\nlayers: [{name: a, dims: {K: " + std::to_string(10 * (i + 1)) + ", C: 64}}]\n";
      macs[i] = nestor::map(nestor::in_memory("<network>.yaml", text), "miredo-table4", {{"threads", "1"}})
                    .number("/totals/macs");
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(macs, (std::vector<double>{640, 1280, 1920}));
}

TEST(RunApi, MissingArgumentsAreRefused) {
  EXPECT_EQ(nestor_run_open(nullptr, "map"), NESTOR_BAD_ARGUMENT);
  nestor_run* run = nullptr;
  EXPECT_EQ(nestor_run_open(&run, nullptr), NESTOR_BAD_ARGUMENT);
  EXPECT_EQ(nestor_run_open_for(0, &run, "map"), NESTOR_ABI_MISMATCH);
  EXPECT_EQ(nestor_run_add_input(run, "x"), NESTOR_BAD_ARGUMENT);
  EXPECT_EQ(nestor_run_execute(run, nullptr, nullptr), NESTOR_BAD_ARGUMENT);
  EXPECT_EQ(nestor_run_whole(run), nullptr);
  EXPECT_EQ(nestor_run_layer(run, 0), nullptr);
  EXPECT_EQ(nestor_run_failure(run), nullptr);
  EXPECT_STREQ(nestor_run_json(run), "");
  EXPECT_EQ(nestor_run_exit(run), -1);
  nestor_run_stop(run);
  nestor_run_close(run);
  const char* const text = "{}";
  char message[64] = "";
  EXPECT_EQ(nestor_run_page(&text, 1, message, sizeof message), nullptr);
  EXPECT_STRNE(message, "");
}

}  // namespace
