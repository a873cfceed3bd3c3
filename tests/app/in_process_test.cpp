// Tests of verbs that run inside another program: they return JSON, read inputs from memory, stop on request,
// report errors with their position, and print nothing.
#include "app/in_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace nestor::app::in_process_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* network = "name: net\nlayers: [{name: head, dims: {K: 10, C: 64}}]\n";

io::RunOptions map_options(const std::string& input) {
  io::RunOptions options;
  options.inputs = {input};
  EXPECT_FALSE(io::set_option(options, io::Verb::map, "arch", "miredo-table4"));
  return options;
}

class InProcess : public ::testing::Test {
 protected:
  HostedResult run(const io::RunOptions& options, io::Verb verb = io::Verb::map) {
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    auto result =
        run_in_process(verb, options, {stop, {{"<net>.yaml", network}}, progress}, shipped_spaces());
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    return result;
  }

  std::atomic<bool> stop = false;
  io::ProgressSink progress;
};

TEST_F(InProcess, JsonIsReturnedAndInputsAreReadFromMemory) {
  const auto result = run(map_options("<net>.yaml"));
  ASSERT_TRUE(result.end) << result.end.error().to_string();
  const auto json = nlohmann::json::parse(result.json);
  EXPECT_EQ(json["network"], "net");
  EXPECT_EQ(json["inputs"][1]["name"], "<net>.yaml");
  EXPECT_EQ(json["layers"][0]["status"], "optimal");
  EXPECT_FALSE(io::find_memory_file("<net>.yaml")) << "outside of a run there are no files in memory";
}

TEST_F(InProcess, StopReturnsPartialResultsAndARemark) {
  stop = true;
  const auto result = run(map_options("resnet18"));
  ASSERT_TRUE(result.end) << result.end.error().to_string();
  EXPECT_EQ(*result.end, ExitStatus::limited);
  EXPECT_EQ(nlohmann::json::parse(result.json)["layers"].size(), 21U);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_THAT(result.remarks[0], HasSubstr("interrupted"));
  stop = false;
  EXPECT_EQ(*run(map_options("<net>.yaml")).end, ExitStatus::solved) << "a stop affects only one run";
}

TEST_F(InProcess, ProgressReachesTheHost) {
  std::atomic<int> calls = 0;
  progress = [&](const std::string& text, const io::ProgressFigures& figures) {
    EXPECT_THAT(text, HasSubstr(figures.part));
    EXPECT_EQ(figures.all, 1U);
    ++calls;
    stop = true;
  };
  auto options = map_options("vgg16");
  for (const auto& [name, value] : {std::pair("objective", "pareto"), {"layer", "conv4_2"}})
    EXPECT_FALSE(io::set_option(options, io::Verb::map, name, value));
  EXPECT_EQ(*run(options).end, ExitStatus::limited);
  EXPECT_GE(calls.load(), 1);
}

TEST_F(InProcess, StandardStreamsAreRefused) {
  const auto input = run(map_options("-"));
  ASSERT_FALSE(input.end);
  EXPECT_EQ(input.end.error().kind, io::ErrorKind::usage);
  auto options = map_options("<net>.yaml");
  EXPECT_FALSE(io::set_option(options, io::Verb::map, "report", "-"));
  const auto output = run(options);
  ASSERT_FALSE(output.end);
  EXPECT_THAT(output.end.error().message, HasSubstr("--report is '-'"));
}

TEST_F(InProcess, ErrorsHaveAPosition) {
  auto options = map_options("<net>.yaml");
  options.arch = "<net>.yaml";
  const auto result = run(options);
  ASSERT_FALSE(result.end);
  EXPECT_EQ(result.end.error().kind, io::ErrorKind::input);
  EXPECT_EQ(result.end.error().where.file, "<net>.yaml");
  EXPECT_EQ(result.end.error().where.line, 2);
}

}  // namespace
}  // namespace nestor::app::in_process_test
