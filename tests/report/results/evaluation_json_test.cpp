// Tests that the JSON of an evaluation has exactly the keys and the figures of the reference cases.
#include "report/results/cim/evaluation_json.h"

#include <gtest/gtest.h>

#include "model/loopnest/canonical.h"
#include "support/reference_data.h"

namespace nestor::evaluation_json_test {
namespace {

// Expects the same keys at every level, and numbers that agree within a relative 1e-9.
void expect_same(const nlohmann::json& expected, const nlohmann::json& found, const std::string& where) {
  if (expected.is_object()) {
    ASSERT_TRUE(found.is_object()) << where;
    for (const auto& [key, value] : expected.items()) {
      ASSERT_TRUE(found.contains(key)) << where << "/" << key << " is missing";
      expect_same(value, found.at(key), where + "/" + key);
    }
    for (const auto& [key, value] : found.items())
      EXPECT_TRUE(expected.contains(key)) << where << "/" << key << " is extra: " << value;
    return;
  }
  const auto number = expected.get<double>();
  EXPECT_NEAR(found.get<double>(), number, 1e-9 * std::abs(number)) << where;
}

class EvaluationJson : public ::testing::TestWithParam<const char*> {};

TEST_P(EvaluationJson, HasTheKeysAndFiguresOfTheReferenceCases) {
  const auto cases = tests::load_reference_cases(GetParam());
  if (cases.empty()) GTEST_SKIP() << "no reference data";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& reference = cases[i];
    auto mapping = reference.mapping;
    normalise(mapping, reference.layer, reference.architecture.machine);
    const auto evaluation = cim::evaluate(reference.layer, reference.architecture.machine, mapping);
    const auto json = io::evaluation_to_json(evaluation, reference.architecture);
    expect_same(reference.evaluation, nlohmann::json(json),
                std::string(GetParam()) + " case " + std::to_string(i));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, EvaluationJson,
                         ::testing::Values("examples.json", "mappings.json", "tiny.json"));

}  // namespace
}  // namespace nestor::evaluation_json_test
