// Tests of gzip data: round trips, concatenated members, and damaged or oversized data.
#include "io/lp/gzip.h"

#include <gtest/gtest.h>

namespace nestor::io::gzip_test {
namespace {

TEST(Gzip, UnpacksWhatItPacks) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 1000);
  const auto back = gunzip(gzip(text), "x.gz");
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, text);
  EXPECT_EQ(gunzip(gzip(""), "x.gz").value(), "");
}

TEST(Gzip, JoinsMembersThatWereConcatenated) {
  EXPECT_EQ(gunzip(gzip("one ") + gzip("two"), "x.gz").value(), "one two");
}

TEST(Gzip, RefusesDamagedTruncatedAndOversizedData) {
  const std::string packed = gzip(std::string(100000, 'a'));
  EXPECT_EQ(gunzip(packed.substr(0, packed.size() - 9), "x.gz").error().to_string(),
            "x.gz: damaged or truncated gzip data");
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x5a);
  EXPECT_FALSE(gunzip(damaged, "x.gz"));
  EXPECT_EQ(gunzip(packed, "x.gz", 50000).error().to_string(), "x.gz: unpacks to more than 50000 bytes");
}

}  // namespace
}  // namespace nestor::io::gzip_test
