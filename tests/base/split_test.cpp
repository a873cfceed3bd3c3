// Tests of split() and split_list(), which divide a text at a separator.
#include "base/split.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace nestor::split_test {
namespace {

using Words = std::vector<std::string>;

Words words_of(const Pieces& pieces) {
  Words words;
  for (const std::string_view piece : pieces) words.emplace_back(piece);
  return words;
}

TEST(Split, GivesOnePieceMoreThanThereAreSeparators) {
  EXPECT_EQ(words_of(split("a,b", ',')), (Words{"a", "b"}));
  EXPECT_EQ(words_of(split("a", ',')), (Words{"a"}));
  EXPECT_EQ(words_of(split("", ',')), (Words{""}));
  EXPECT_EQ(words_of(split(",a,,", ',')), (Words{"", "a", "", ""}));
  EXPECT_EQ(words_of(split("a,b;c", ';')), (Words{"a,b", "c"}));
}

TEST(Split, GivesNoEmptyPieceAtTheEndOfAList) {
  EXPECT_EQ(words_of(split_list("a,b", ',')), (Words{"a", "b"}));
  EXPECT_EQ(words_of(split_list("", ',')), Words{});
  EXPECT_EQ(words_of(split_list("a,", ',')), (Words{"a"}));
  EXPECT_EQ(words_of(split_list(",", ',')), (Words{""}));
  EXPECT_EQ(words_of(split_list(",a,,", ',')), (Words{"", "a", ""}));
}

// The joined pieces equal the text, and each piece refers to its original position.
TEST(Split, PreservesAllText) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    std::string text;
    for (std::uint64_t i = random.below(12); i > 0; --i) text += ",ab"[random.below(3)];
    std::string joined;
    std::size_t at = 0;
    for (const std::string_view piece : split(text, ',')) {
      EXPECT_EQ(piece.data(), text.data() + at);
      at += piece.size() + 1;
      joined += std::string(joined.empty() && at == piece.size() + 1 ? "" : ",") + std::string(piece);
    }
    EXPECT_EQ(joined, text);
    Words list = words_of(split_list(text, ','));
    if (text.empty() || text.back() == ',') list.emplace_back();
    EXPECT_EQ(list, words_of(split(text, ',')));
  }
}

}  // namespace
}  // namespace nestor::split_test
