// Tests of checkpoints: they store the states of successive searches, and another run cannot use them. Other
// tests check that searches resume as if they had never stopped (tests/mapper/states_test.cpp, tests/cli).
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "report/checkpoint.h"

namespace nestor::report::kept_states_test {
namespace {

using io::Json;

Json identity() {
  return {{"version", "1"},
          {"verb", "map"},
          {"space", "cim"},
          {"network", "net"},
          {"objective", {{"name", "energy"}, {"latency_model", "stall"}}},
          {"options", {{"top", "3"}}},
          {"inputs", Json::array({{{"role", "layers"}, {"name", "net.yaml"}, {"sha256", "a"}}})},
          {"architecture", {{"name", "machine"}}},
          {"layers", Json::array({{{"name", "one"}}, {{"name", "two"}}})}};
}

class KeptStates : public ::testing::Test {
 protected:
  ~KeptStates() override { std::filesystem::remove(path_); }

  static void keep(StateKeeper& keeper, std::uint64_t value) {
    keeper.keep([&](StateWriter& state) { return state.values(value); });
  }
  // Begins the next search. Returns the value in its stored state; 0 if there is none.
  static std::uint64_t begin(StateKeeper& keeper) {
    std::uint64_t value = 0;
    return keeper.begin([&](StateReader& state) { return state.values(value); }) ? value : 0;
  }
  std::string refusal_of(const Json& run) {
    Checkpoint other("", std::chrono::seconds(0), 2, memory_);
    const auto error = other.begin([&] { return run; }, path_);
    return error ? error->message : "";
  }

  const std::string path_ =
      std::filesystem::temp_directory_path() / ("nestor-kept-states-" + std::to_string(::getpid()));
  MemoryBudget memory_{1U << 20U};
};

TEST_F(KeptStates, AreRestoredInTheOrderOfSearches) {
  {
    Checkpoint checkpoint(path_, std::chrono::seconds(0), 2, memory_);
    ASSERT_FALSE(checkpoint.begin(identity, ""));
    StateKeeper& first = *checkpoint.states(0);
    EXPECT_EQ(begin(first), 0U);
    keep(first, 11);
    keep(first, 12);
    EXPECT_EQ(begin(first), 0U);
    keep(first, 21);
    ASSERT_FALSE(checkpoint.catch_up(true));
  }
  EXPECT_EQ(memory_.used(), 0U);
  const auto file = io::read_checkpoint(path_);
  ASSERT_TRUE(file);
  ASSERT_EQ(file->shapes.size(), 2U);
  EXPECT_EQ(file->shapes[0].size(), 2U);
  EXPECT_TRUE(file->shapes[1].empty());

  Checkpoint resumed(path_, std::chrono::seconds(0), 2, memory_);
  ASSERT_FALSE(resumed.begin(identity, path_));
  StateKeeper& first = *resumed.states(0);
  EXPECT_EQ(begin(first), 12U);
  EXPECT_EQ(begin(first), 21U);
  EXPECT_EQ(begin(first), 0U);
  EXPECT_EQ(begin(*resumed.states(1)), 0U);
}

TEST_F(KeptStates, AreDiscardedAfterASearchThatStartsAgain) {
  Checkpoint checkpoint(path_, std::chrono::seconds(0), 2, memory_);
  ASSERT_FALSE(checkpoint.begin(identity, ""));
  StateKeeper& keeper = *checkpoint.states(1);
  begin(keeper);
  keep(keeper, 11);
  begin(keeper);
  keep(keeper, 21);
  ASSERT_FALSE(checkpoint.catch_up(true));
  Checkpoint resumed("", std::chrono::seconds(0), 2, memory_);
  ASSERT_FALSE(resumed.begin(identity, path_));
  EXPECT_FALSE(resumed.states(1)->begin([](StateReader& /*state*/) { return false; }));
  EXPECT_EQ(begin(*resumed.states(1)), 0U);
}

TEST_F(KeptStates, LeavePreviousStatesIfMemoryIsShort) {
  Checkpoint checkpoint(path_, std::chrono::seconds(0), 2, memory_);
  ASSERT_FALSE(checkpoint.begin(identity, ""));
  StateKeeper& keeper = *checkpoint.states(0);
  begin(keeper);
  keep(keeper, 11);
  ASSERT_TRUE(memory_.take(memory_.limit() - memory_.used()));
  keep(keeper, 12);
  memory_.give_back(memory_.limit() - 1024);
  ASSERT_FALSE(checkpoint.catch_up(true));
  Checkpoint resumed("", std::chrono::seconds(0), 2, memory_);
  ASSERT_FALSE(resumed.begin(identity, path_));
  EXPECT_EQ(begin(*resumed.states(0)), 11U);
}

TEST_F(KeptStates, AreRefusedForAnotherRunWithTheDifference) {
  Checkpoint checkpoint(path_, std::chrono::seconds(0), 2, memory_);
  ASSERT_FALSE(checkpoint.begin(identity, ""));
  ASSERT_FALSE(checkpoint.catch_up(true));
  EXPECT_EQ(refusal_of(identity()), "");
  const auto refused = [&](auto change, const std::string& words) {
    Json run = identity();
    change(run);
    EXPECT_EQ(refusal_of(run), "is a checkpoint of a different run: " + words);
  };
  refused([](Json& run) { run["version"] = "2"; }, "the version was '1', now '2'");
  refused([](Json& run) { run["objective"]["name"] = "edp"; }, "the objective was 'energy', now 'edp'");
  refused([](Json& run) { run["options"]["top"] = "4"; }, "--top was '3', now '4'");
  refused([](Json& run) { run["options"]["gap"] = "10"; }, "--gap was '0', now '10'");
  refused([](Json& run) { run["inputs"][0]["sha256"] = "b"; },
          "the content of layers 'net.yaml' was 'a', now 'b'");
  refused([](Json& run) { run["layers"][1]["name"] = "three"; }, "layer 2 differs from 'three' in this run");
  refused([](Json& run) { run["layers"].erase(0); }, "the number of layers was '2', now '1'");
  refused([](Json& run) { run["architecture"]["name"] = "other"; }, "the architecture differs");
  refused([](Json& run) { run["options"] = 5; }, "'options' has a different type");
  Json same = identity();
  same["options"]["threads"] = "4";
  same["inputs"][0]["name"] = "copy.yaml";
  EXPECT_EQ(refusal_of(same), "");
}

}  // namespace
}  // namespace nestor::report::kept_states_test
