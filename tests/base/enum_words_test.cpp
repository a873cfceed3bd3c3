// Tests of the tables that convert between enumerators and words. An enumerator may have no word.
#include "base/enum_words.h"

#include <gtest/gtest.h>

namespace nestor::enum_words_test {
namespace {

enum class Colour { red, green, blue };
constexpr auto colours = enum_words<Colour>({{Colour::blue, "blue"}, {Colour::red, "red"}});

// The table may list the values in a different order than the enumeration, and need not list all of them.
TEST(EnumWords, ConvertInBothDirections) {
  for (std::size_t i = 0; i < colours.values.size(); ++i) {
    EXPECT_EQ(colours.place(colours.values[i]), i);
    EXPECT_EQ(colours.word(colours.values[i]), colours.words[i]);
    EXPECT_EQ(colours.find(colours.words[i]), colours.values[i]);
  }
  EXPECT_EQ(colours.word(Colour::red), "red");
  EXPECT_EQ(colours.find("blue"), Colour::blue);
}

TEST(EnumWords, ReportMissingValuesAndWords) {
  EXPECT_EQ(colours.place(Colour::green), colours.values.size());
  EXPECT_EQ(colours.word(Colour::green), "?");
  EXPECT_FALSE(colours.find("green"));
}

}  // namespace
}  // namespace nestor::enum_words_test
