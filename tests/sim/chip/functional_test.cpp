// Tests that execute programs on actual values. All results equal those of the network's integer reference.
// The random networks cover all modes, split operators and several segments.
#include "sim/chip/functional.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>

#include "io/chip/program/program_file.h"
#include "model/chip/program/generate.h"
#include "sim/chip/reference.h"
#include "support/chip_cases.h"
#include "support/chip_execution.h"
#include "support/setting.h"

namespace nestor::tests::functional_test {
namespace {

// Checks random networks as drawn or, if `streams`, with most pipelined segments as streams.
void expect_reference(bool streams) {
  const std::uint64_t wanted = tests::setting("NESTOR_CHIP_FUNCTIONAL_CASES", 500);
  Coverage coverage;
  Int compared = 0;
  std::uint64_t done = 0;
  std::map<Int, int> values;
  for (std::uint64_t seed = 1; done < wanted; ++seed) {
    ASSERT_LT(seed, wanted * 10 + 1000) << "too few drawn networks fit their machine";
    const auto drawn = random_chip_case(seed);
    if (!drawn) continue;
    if (streams) {
      Random random(seed);
      make_streams(drawn->machine.mode, drawn->decisions, random);
      if (!chip::has_stream(drawn->decisions)) continue;
    }
    ++done;
    const auto evaluation = chip::evaluate(*drawn->problem, drawn->decisions);
    const auto program =
        chip_program::generate(*drawn->problem, drawn->decisions, evaluation, {.blocks = seed % 2 == 0});
    const auto difference = execution_difference(drawn->whole, program, drawn->machine, compared);
    ASSERT_EQ(difference, "") << "seed " << seed << "\n" << io::to_text(program);
    const auto results = sim::chip::reference_results(drawn->whole);
    for (const auto& result : std::get<0>(results)) {
      for (const Int value : result) ++values[value];
    }
    add_coverage(*drawn, coverage);
  }
  for (const auto& [feature, count] : coverage) {
    std::cout << feature << ": " << count << "\n";
    EXPECT_TRUE(wanted < 100 || count > 0 || streams) << feature;
  }
  std::cout << compared << " elements, " << values.size() << " different values, " << values[0] << " zeros\n";
  EXPECT_GT(values.size(), 200U) << "results that are nearly all the same show nothing";
}

TEST(ChipFunctional, EqualsTheReferenceOnRandomNetworks) { expect_reference(false); }

TEST(ChipFunctional, EqualsTheReferenceOnStreams) { expect_reference(true); }

}  // namespace
}  // namespace nestor::tests::functional_test
