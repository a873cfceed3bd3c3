// Tests of the texts in which tables show counts, sizes, energies, shares and changes.
#include <gtest/gtest.h>

#include "report/tables/units.h"

namespace nestor::io::units_test {
namespace {

TEST(Units, CountsHaveSeparatorsAndKeepTheirSign) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(-1234567), "-1,234,567");
}

TEST(Units, SizesAreInBitsUntilAKibibyte) {
  EXPECT_EQ(size_text(2048), "2,048 b");
  EXPECT_EQ(size_text(8192), "1 KiB");
  EXPECT_EQ(size_text(26624), "3.25 KiB");
  EXPECT_EQ(size_text(Int{256} * 8192 * 1024), "256 MiB");
  EXPECT_EQ(size_text(unlimited_capacity), "unlimited");
}

TEST(Units, EnergiesAreScaled) {
  EXPECT_EQ(energy_text(0), "0.000 pJ");
  EXPECT_EQ(energy_text(999.4), "999.4 pJ");
  EXPECT_EQ(energy_text(16802660.0557696), "16.80 uJ");
  EXPECT_EQ(energy_text(3e15), "3000 J");
  EXPECT_EQ(part_energy_text(576, 23488), "0.58 nJ");
  EXPECT_EQ(part_energy_text(0, 2.3e9), "0.000 mJ");
}

TEST(Units, SmallSharesAndChangesAreMarked) {
  EXPECT_EQ(percent_text(0), "0.0 %");
  EXPECT_EQ(percent_text(0.0001), "<0.1 %");
  EXPECT_EQ(percent_text(0.875), "87.5 %");
  EXPECT_EQ(change_text(0), "0");
  EXPECT_EQ(change_text(-0.18), "-18.0 %");
  EXPECT_EQ(change_text(0.0118), "+1.2 %");
  EXPECT_EQ(change_text(-0.00001), ">-0.1 %");
  EXPECT_EQ(change_text(0.00001), "<+0.1 %");
}

}  // namespace
}  // namespace nestor::io::units_test
