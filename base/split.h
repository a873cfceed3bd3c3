// String splitting for all readers and options. The result is a range of pieces that point into the text.
// Abseil's StrSplit, as packaged, works on Abseil's own string_view and not on the standard one.
//
//     for (const std::string_view word : split("a,b,,", ','))       "a", "b", "", ""
//     for (const std::string_view word : split_list("a,b,,", ','))  "a", "b", ""
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace nestor {

class Pieces {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    constexpr Iterator(std::string_view text, std::size_t begin, char separator)
        : text_(text), begin_(begin), separator_(separator) {}
    constexpr std::string_view operator*() const { return text_.substr(begin_, end() - begin_); }
    constexpr Iterator& operator++() {
      begin_ = end() + 1;
      return *this;
    }
    friend constexpr bool operator==(const Iterator& a, const Iterator& b) { return a.begin_ == b.begin_; }

   private:
    constexpr std::size_t end() const { return std::min(text_.find(separator_, begin_), text_.size()); }

    std::string_view text_;
    std::size_t begin_;
    char separator_;
  };

  constexpr Pieces(std::string_view text, std::size_t past_last, char separator)
      : text_(text), past_last_(past_last), separator_(separator) {}
  constexpr Iterator begin() const { return {text_, 0, separator_}; }
  constexpr Iterator end() const { return {text_, past_last_, separator_}; }

 private:
  std::string_view text_;
  std::size_t past_last_;
  char separator_;
};

/// Returns the pieces between separators. Their number is the number of separators plus 1, and any piece may
/// be empty.
constexpr Pieces split(std::string_view text, char separator) { return {text, text.size() + 1, separator}; }

/// Splits a list whose items may each be followed by a separator: an empty text has no items, and a separator
/// at the end of the text does not start another item.
constexpr Pieces split_list(std::string_view text, char separator) {
  const bool ends_a_piece = !text.empty() && text.back() != separator;
  return {text, text.size() + static_cast<std::size_t>(ends_a_piece), separator};
}

}  // namespace nestor
