#include "io/lp/mps_words.h"

#include <array>

namespace nestor::io::mps {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::vector<Word> free_words(std::string_view line) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < line.size();) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && !is_blank(line[end])) ++end;
    words.push_back({line.substr(i, end - i), static_cast<int>(i) + 1});
    i = end;
  }
  return words;
}

std::vector<Word> fixed_words(std::string_view line) {
  constexpr std::array<std::size_t, 7> starts{1, 4, 14, 24, 39, 49, 61};
  std::vector<Word> words;
  for (std::size_t field = 0; field < 6; ++field) {
    if (line.size() <= starts[field]) break;
    std::string_view text = line.substr(starts[field], starts[field + 1] - starts[field]);
    std::size_t skipped = 0;
    while (!text.empty() && is_blank(text.front())) {
      text.remove_prefix(1);
      ++skipped;
    }
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    if (field == 0 && text.empty()) continue;  // only ROWS and BOUNDS use the type field
    words.push_back({text, static_cast<int>(starts[field] + skipped) + 1});
  }
  while (!words.empty() && words.back().text.empty()) words.pop_back();
  return words;
}

}  // namespace nestor::io::mps
