// Functions that split a line of an MPS file into words. In the free format, blanks separate the words. In
// the fixed format, words have fixed columns, and names may contain blanks.
#pragma once

#include <string_view>
#include <vector>

namespace nestor::io::mps {

struct Word {
  std::string_view text;
  int column = 0;  ///< first column in the line, from 1
};

bool is_blank(char c);

std::vector<Word> free_words(std::string_view line);

/// Fields 1 to 6 start in columns 2, 5, 15, 25, 40 and 50. A missing set name (field 2) is an empty word.
std::vector<Word> fixed_words(std::string_view line);

}  // namespace nestor::io::mps
