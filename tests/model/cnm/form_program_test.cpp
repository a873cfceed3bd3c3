// Test that compares two ways to derive a program from a map, on random kernels under random maps: the direct
// translation to steps, with which the search ranks mappings, and the lowering through the languages.
#include "model/cnm/form_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/estimate_kernel.h"
#include "random_kernels.h"
#include "support/setting.h"

namespace nestor::cnm::form_program_test {
namespace {

bool same(const Step& a, const Step& b) {
  return a.kind == b.kind && a.amount == b.amount && a.target == b.target && a.loop == b.loop;
}

TEST(FormWriter, EqualsTheLowering) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = tests::setting("NESTOR_CNM_READINGS", 3000);
  std::size_t legal = 0, refused = 0, unknown = 0, summed = 0, looped = 0;
  for (std::uint64_t i = 0; legal < wanted && i < 60 * wanted; ++i) {
    Random random(seed + i);
    constexpr std::array<Int, 8> extents = {4, 8, 12, 16, 24, 48, 128, 1024};
    const Kernel kernel = tests::random_kernel(random, extents);
    System system = *upmem;
    if (random.chance(0.3)) system.wram.capacity = random.between(4, 64) * 1024;
    if (random.chance(0.3)) system.iram_capacity = random.between(40, 400) * 6;
    if (random.chance(0.1)) system.mram_capacity = random.between(1, 64) * 1024;
    if (random.chance(0.3)) system.dma.ports = random.between(0, 3);
    const CnmMap map = tests::random_map(kernel, random);
    if (!find_shape_fault(map, kernel.dim_count(), system).empty()) continue;
    const MapListing listing = list_map(kernel, map, system);
    FormWriter writer(kernel, system);
    const FormProgram& form = writer.write(map);
    if (form.verdict == FormProgram::Verdict::unknown) {
      ++unknown;
      continue;
    }
    ASSERT_EQ(form.verdict == FormProgram::Verdict::legal, listing.fault.empty())
        << "seed " << seed + i << " " << listing.fault;
    refused += listing.fault.empty() ? 0U : 1U;
    if (!listing.fault.empty()) continue;
    ++legal;
    const auto program = program_of(listing.listing, system).program;
    const FlatProgram flat = flatten(*simplify(program));
    ASSERT_TRUE(std::ranges::equal(form.steps.steps, flat.steps, same)) << "seed " << seed + i;
    ASSERT_EQ(form.steps.trips, flat.trips) << "seed " << seed + i;
    const auto bounds = program_bounds(system, program, tasklets_of(map));
    ASSERT_TRUE(bounds);
    EXPECT_EQ(form.bounds.issue, bounds->issue) << "seed " << seed + i;
    EXPECT_EQ(form.bounds.dma, bounds->dma) << "seed " << seed + i;
    EXPECT_EQ(form.bounds.tasklet, bounds->tasklet) << "seed " << seed + i;
    looped += flat.trips.empty() ? 0U : 1U;
    for (const Step& step : flat.steps) summed += step.kind == ItemKind::leave ? 1U : 0U;
  }
  EXPECT_GE(legal, wanted);
  EXPECT_GE(refused, wanted / 10);
  EXPECT_LE(unknown, wanted / 2);
  EXPECT_GE(summed, wanted / 50);
  EXPECT_GE(looped, wanted / 4);
}

}  // namespace
}  // namespace nestor::cnm::form_program_test
