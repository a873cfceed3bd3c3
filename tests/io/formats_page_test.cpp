// Tests that read every example in docs/formats.md with the reader of its format, so that the page and the
// code cannot diverge.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/constraint_file.h"
#include "io/layer_file.h"
#include "places.h"
#include "report/results/cim/result_file.h"
#include "report/results/node_json.h"
#include "support/parse_run.h"
#include "support/schema_check.h"

namespace nestor::io::formats_page_test {
namespace {

// Returns the fenced blocks of a page, keyed by the second word of their opening line ("```yaml layers").
std::map<std::string, std::vector<std::string>> examples_of(const std::string& page) {
  std::map<std::string, std::vector<std::string>> examples;
  std::istringstream lines(page);
  std::string kind;
  std::string content;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("```")) {
      content += line + "\n";
    } else if (kind.empty()) {
      const auto space = line.find(' ');
      kind = space == std::string::npos ? "unnamed" : line.substr(space + 1);
      content.clear();
    } else {
      examples[kind].push_back(content);
      kind.clear();
    }
  }
  return examples;
}

template <typename T>
std::string error_of(const Result<T>& result) {
  return result ? "" : result.error().to_string();
}

TEST(FormatsPage, ShowsExamplesThatParse) {
  const auto page = read_file(std::string(NESTOR_SOURCE_DIR) + "/docs/formats.md");
  ASSERT_TRUE(page);
  const auto examples = examples_of(*page);
  EXPECT_EQ(examples.count("unnamed"), 0U) << "an example without its format";
  ASSERT_EQ(examples.size(), 5U);

  const auto architecture = parse_architecture(examples.at("architecture").at(0), "architecture");
  ASSERT_TRUE(architecture) << error_of(architecture);
  EXPECT_EQ(architecture->machine.clock, 200e6);
  const auto network = parse_layers(examples.at("layers").at(0), "layers");
  ASSERT_TRUE(network) << error_of(network);
  EXPECT_EQ(network->layers.size(), 5U);
  const auto mappings = parse_mappings(examples.at("mapping").at(0), "mapping", *architecture,
                                       std::span(network->layers).first(1));
  EXPECT_TRUE(mappings) << error_of(mappings);
  const auto constraints = parse_constraints(examples.at("constraints").at(0), "constraints",
                                             architecture->machine, *architecture);
  ASSERT_TRUE(constraints) << error_of(constraints);
  EXPECT_EQ(constraints->outer_loops.size(), 1U);
  const auto fixed = Document::parse(examples.at("constraints").at(0), "constraints");
  EXPECT_EQ(tests::check_schema("constraints.schema.json", node_to_json(fixed->root())), "");
  const auto result = tests::parse_run(examples.at("result").at(0), "result");
  ASSERT_TRUE(result) << error_of(result);
  EXPECT_EQ(run_to_json(*result)["totals"], Json::parse(examples.at("result").at(0))["totals"]);
}

}  // namespace
}  // namespace nestor::io::formats_page_test
