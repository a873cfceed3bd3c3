// Tests of the table of options: values and defaults, suggestions for unknown names, and options that exclude
// each other.
#include "io/options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "io/files.h"
#include "places.h"

namespace nestor::io::options_test {
namespace {

TEST(Options, CommittedPageMatchesTheTable) {
  const auto* const page = NESTOR_SOURCE_DIR "/docs/options.md";
  if (std::getenv("NESTOR_UPDATE_EXPECTED") != nullptr) {
    ASSERT_FALSE(write_file(page, options_page()));
  }
  const auto committed = read_file(page);
  ASSERT_TRUE(committed) << committed.error().to_string();
  EXPECT_EQ(committed.value(), options_page()) << "run `make expected`";
}

TEST(Options, EveryDefaultIsAValidValue) {
  for (const auto& option : option_table()) {
    const RunOptions defaults;
    RunOptions options;
    const auto text = option.get(defaults);
    if (text.empty() || text == "none") continue;
    EXPECT_FALSE(option.set(options, text)) << option.name;
    EXPECT_EQ(option.get(options), text);
  }
}

TEST(Options, NoVerbHasTwoOptionsOfOneName) {
  std::set<std::pair<std::string_view, int>> seen;
  for (const auto& option : option_table())
    for (int verb = 0; verb < 32; ++verb)
      if (option.verbs.contains(static_cast<Verb>(verb))) {
        EXPECT_TRUE(seen.insert({option.name, verb}).second) << option.name;
      }
}

// A misspelt name in an exclusion would exclude nothing.
TEST(Options, ExclusionsNameOptionsOfTheirVerbs) {
  for (const auto& row : exclusions())
    for (std::size_t v = 0; v < verb_count; ++v) {
      const auto verb = static_cast<Verb>(v);
      if (!row.verbs.contains(verb)) continue;
      EXPECT_NE(find_option(verb, row.name), nullptr) << to_string(verb) << ' ' << row.name;
      for (const auto excluded : row.excluded)
        EXPECT_NE(find_option(verb, excluded.substr(0, excluded.find('='))), nullptr)
            << to_string(verb) << ' ' << excluded;
    }
}

TEST(Options, ABadValueIsAnErrorThatNamesTheRangeAndLeavesTheOptionAlone) {
  RunOptions options;
  const auto error = set_option(options, Verb::evaluate, "latency-model", "stal");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "--latency-model is 'stal', expected miredo or stall (did you mean 'stall'?)");
  EXPECT_EQ(error->kind, ErrorKind::usage);
  EXPECT_EQ(options.latency_model, cim::LatencyModel::stall);
}

TEST(Options, DimensionsAreNamesAndPositiveValues) {
  RunOptions options;
  ASSERT_FALSE(set_option(options, Verb::show, "dim", "height=224,x[2]=7,a=b=3"));
  EXPECT_EQ(options.dims,
            (std::vector<std::pair<std::string, Int>>{{"height", 224}, {"x[2]", 7}, {"a=b", 3}}));
  for (const auto* bad : {"height", "height=", "=3", "height=0", "height=3x", "height=3,,"}) {
    const auto error = set_option(options, Verb::show, "dim", bad);
    ASSERT_TRUE(error) << bad;
    EXPECT_NE(error->message.find("expected NAME=VALUE"), std::string::npos) << error->message;
  }
  EXPECT_EQ(options.dims.size(), 3U);
}

TEST(Options, UnknownNamesSuggestTheNearest) {
  RunOptions options;
  const auto error = set_option(options, Verb::evaluate, "latencymodel", "stall");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "'latencymodel' is not an option of evaluate (did you mean 'latency-model'?)");
}

TEST(Options, ExclusionsMayApplyToOneSpaceOnly) {
  RunOptions options;
  ASSERT_FALSE(set_option(options, Verb::map, "objective", "eq14"));
  EXPECT_FALSE(check_exclusions(options, Verb::map));
  EXPECT_FALSE(check_exclusions(options, Verb::map, "cim"));
  const auto error = check_exclusions(options, Verb::map, "pim");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "--objective eq14 cannot be used with kind 'pim'");
  ASSERT_FALSE(set_option(options, Verb::map, "alpha", "2"));
  EXPECT_TRUE(check_exclusions(options, Verb::map));
  EXPECT_FALSE(check_exclusions(options, Verb::map, "cim"));  // a kind selects only its own rows
}

TEST(Options, OptionsThatAResultFileContainsAreRefusedWithIt) {
  RunOptions options;
  ASSERT_FALSE(set_option(options, Verb::verify, "layer", "conv1"));
  EXPECT_FALSE(check_result_exclusions(options, Verb::evaluate, "cim"));
  EXPECT_FALSE(check_result_exclusions(options, Verb::evaluate, "cnm"));
  EXPECT_TRUE(check_result_exclusions(options, Verb::verify, "cnm"));
  const auto error = check_result_exclusions(options, Verb::verify, "pim");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "--layer cannot be used with a result file, which is confirmed as a whole");
}

TEST(Options, ListsOfAnyWordsReadBack) {
  const std::vector<std::string> words = {"conv1", "conv 2", "a \"b\" \\ c", "", "\"", "x"};
  EXPECT_EQ(split_words(join_words(words)), words);
  EXPECT_EQ(join_words({"conv1", "conv2"}), "conv1 conv2");
  EXPECT_EQ(join_words({"conv 1"}), "\"conv 1\"");
  EXPECT_TRUE(split_words("").empty());
}

TEST(Options, EveryWordOfAChoiceIsReadBack) {
  for (const auto& option : option_table()) {
    const auto* const choice = std::get_if<ChoiceValue>(&option.value);
    if (choice == nullptr) continue;
    for (const auto word : choice->words) {
      RunOptions options;
      ASSERT_FALSE(option.set(options, word)) << option.name;
      EXPECT_EQ(option.get(options), word) << option.name;
    }
  }
}

}  // namespace
}  // namespace nestor::io::options_test
