// Tests that compare the independent checker with the reference files. Every figure is equal, and no rule is
// broken.
#include <gtest/gtest.h>

#include <cmath>

#include "model/cim/second_reading/figures.h"
#include "model/cim/second_reading/rules.h"
#include "support/reference_data.h"

namespace nestor::verify::verify_reference_test {
namespace {

using nestor::tests::ReferenceCase;

double as_double(Wide value) { return static_cast<double>(value); }

void expect_near_relative(double expected, long double found, const std::string& what) {
  EXPECT_LE(std::fabs(expected - static_cast<double>(found)), 1e-9 * std::fabs(expected)) << what;
}

/// Compares figures that are keyed by memory/operand. Figures missing from the file are zero.
template <typename T, typename Read>
void expect_table(const ReferenceCase& reference, const PerMemoryOperand<T>& found, const Read& read,
                  const char* what) {
  const auto& names = reference.architecture.memory_names;
  for (std::size_t m = 0; m < names.size(); ++m)
    for (const Operand operand : all_operands) {
      const std::string key = names[m] + "/" + letter(operand);
      expect_near_relative(read(key), static_cast<long double>(found[m][index_of(operand)]),
                           what + (" " + key));
    }
}

class VerifyReference : public ::testing::TestWithParam<const char*> {};

TEST_P(VerifyReference, EveryFigureIsReproduced) {
  const auto cases = nestor::tests::load_reference_cases(GetParam());
  if (cases.empty()) GTEST_SKIP() << "reference file " << GetParam() << " is not on this machine";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const ReferenceCase& reference = cases[i];
    const auto& expected = reference.evaluation;
    const auto number = [&](const char* key) { return expected.at(key).get<double>(); };
    const auto broken = broken_rules(reference.layer, reference.architecture, reference.mapping);
    ASSERT_TRUE(broken.empty()) << broken.front();
    const CimFigures found = recompute(reference.layer, reference.architecture.machine, reference.mapping);

    EXPECT_EQ(number("latency_cycles"), as_double(found.miredo_cycles));
    EXPECT_EQ(number("stall_cycles"), as_double(found.stall_cycles));
    EXPECT_EQ(number("fill"), as_double(found.fill_cycles));
    EXPECT_EQ(number("drain"), as_double(found.drain_cycles));
    expect_near_relative(number("energy_pj"), found.energy_pj, "energy_pj");
    expect_near_relative(number("edp"), found.edp(reference.architecture.machine, found.miredo_cycles),
                         "edp");
    expect_near_relative(number("stall_edp"), found.edp(reference.architecture.machine, found.stall_cycles),
                         "stall_edp");
    expect_near_relative(expected.at("energy").at("compute").get<double>(), found.compute_energy_pj,
                         "compute");
    expect_table(
        reference, found.memory_energy_pj,
        [&](const std::string& key) { return expected.at("energy").value(key, 0.0); }, "energy");
    expect_table(
        reference, found.size_bits,
        [&](const std::string& key) { return expected.at("sizes_bits").value(key, 0.0); }, "size");
    const auto traffic = [&](const char* direction) {
      return [&expected, direction](const std::string& key) {
        const auto& table = expected.at("traffic_bits");
        return table.contains(key) ? table.at(key).value(direction, 0.0) : 0.0;
      };
    };
    expect_table(reference, found.read_bits, traffic("read"), "read");
    expect_table(reference, found.write_bits, traffic("write"), "write");
    for (std::size_t m = 0; m < reference.architecture.memory_names.size(); ++m) {
      const std::string& name = reference.architecture.memory_names[m];
      EXPECT_EQ(expected.at("usage_bits").value(name, 0.0), as_double(found.usage_bits[m])) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cim, VerifyReference,
                         ::testing::Values("examples.json", "mappings.json", "tiny.json"));

}  // namespace
}  // namespace nestor::verify::verify_reference_test
