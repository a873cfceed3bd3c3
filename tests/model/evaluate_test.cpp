// Tests that compare the evaluator of the cim space with every figure of the reference cases.
#include "model/cim/evaluate.h"

#include <gtest/gtest.h>

#include "model/cim/search/admission.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"
#include "support/reference_data.h"

namespace nestor::cim::evaluate_test {
namespace {

using nestor::tests::ReferenceCase;

void expect_near_relative(double expected, double found, const std::string& what) {
  EXPECT_NEAR(expected, found, 1e-9 * std::max(1.0, std::abs(expected))) << what;
}

// Compares every figure of the reference, by its key, with the evaluation.
void expect_figures(const ReferenceCase& reference, const CimEvaluation& found) {
  const auto& expected = reference.evaluation;
  const auto number = [&](const char* key) { return expected.at(key).get<double>(); };
  EXPECT_EQ(number("latency_cycles"), static_cast<double>(found.miredo_cycles));
  EXPECT_EQ(number("stall_cycles"), static_cast<double>(found.stall_cycles));
  EXPECT_EQ(number("fill"), static_cast<double>(found.fill_cycles));
  EXPECT_EQ(number("drain"), static_cast<double>(found.drain_cycles));
  expect_near_relative(number("energy_pj"), found.energy_pj, "energy_pj");
  const Architecture& machine = reference.architecture.machine;
  expect_near_relative(number("edp"), found.edp(machine, LatencyModel::miredo), "edp");
  expect_near_relative(number("stall_edp"), found.edp(machine, LatencyModel::stall), "stall_edp");
  expect_near_relative(expected.at("energy").at("compute").get<double>(), found.compute_energy_pj, "compute");

  const auto& names = reference.architecture.memory_names;
  std::size_t sizes = 0;
  std::size_t traffic = 0;
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (expected.at("usage_bits").contains(names[m]))
      EXPECT_EQ(expected.at("usage_bits").at(names[m]).get<Int>(), found.usage_bits[m]) << names[m];
    else
      EXPECT_EQ(found.usage_bits[m], 0) << names[m];
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      const std::string key = names[m] + "/" + letter(operand);
      if (expected.at("sizes_bits").contains(key)) {
        ++sizes;
        EXPECT_EQ(expected.at("sizes_bits").at(key).get<Int>(), found.size_bits[m][x]) << key;
      }
      if (expected.at("traffic_bits").contains(key)) {
        ++traffic;
        EXPECT_EQ(expected.at("traffic_bits").at(key).value("read", Int{0}), found.read_bits[m][x]) << key;
        EXPECT_EQ(expected.at("traffic_bits").at(key).value("write", Int{0}), found.write_bits[m][x]) << key;
      }
      expect_near_relative(expected.at("energy").value(key, 0.0), found.memory_energy_pj[m][x], key);
    }
  }
  EXPECT_EQ(sizes, expected.at("sizes_bits").size());
  EXPECT_EQ(traffic, expected.at("traffic_bits").size());
}

class ReferenceFile : public ::testing::TestWithParam<const char*> {};

TEST_P(ReferenceFile, IsReproducedFigureByFigure) {
  const auto cases = nestor::tests::load_reference_cases(GetParam());
  if (cases.empty()) GTEST_SKIP() << "reference file " << GetParam() << " is not on this machine";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const ReferenceCase& reference = cases[i];
    const Architecture& machine = reference.architecture.machine;
    ASSERT_EQ(admit(reference.layer, machine), Refusal::none);
    ASSERT_FALSE(find_violation(reference.layer, machine, reference.mapping));
    Mapping normalised = reference.mapping;
    normalise(normalised, reference.layer, machine);
    EXPECT_EQ(normalised, reference.mapping);
    expect_figures(reference, evaluate(reference.layer, machine, reference.mapping));
  }
}

INSTANTIATE_TEST_SUITE_P(Cim, ReferenceFile,
                         ::testing::Values("examples.json", "mappings.json", "tiny.json"));

}  // namespace
}  // namespace nestor::cim::evaluate_test
