// Names of the values of an enumeration, each written once and used both to print values and to parse them in
// readers and options.
//
//     inline constexpr auto colours = enum_words<Colour>({{Colour::red, "red"}, {Colour::blue, "blue"}});
//     colours.word(Colour::red);    // "red"
//     colours.find("blue");         // Colour::blue
//     colours.values[i];            // the value that colours.words[i] names
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace nestor {

template <typename Enum, std::size_t N>
struct EnumWords {
  std::array<Enum, N> values{};
  std::array<std::string_view, N> words{};

  /// Returns the index of a value, or N if the table does not contain it.
  constexpr std::size_t place(Enum value) const {
    std::size_t i = 0;
    while (i < N && values[i] != value) ++i;
    return i;
  }
  constexpr std::string_view word(Enum value) const {
    const std::size_t i = place(value);
    return i < N ? words[i] : std::string_view("?");
  }
  constexpr std::optional<Enum> find(std::string_view word) const {
    for (std::size_t i = 0; i < N; ++i)
      if (words[i] == word) return values[i];
    return std::nullopt;
  }
};

template <typename Enum>
struct EnumWord {
  Enum value;
  std::string_view word;
};

template <typename Enum, std::size_t N>
constexpr EnumWords<Enum, N> enum_words(const EnumWord<Enum> (&rows)[N]) {
  EnumWords<Enum, N> table;
  for (std::size_t i = 0; i < N; ++i) {
    table.values[i] = rows[i].value;
    table.words[i] = rows[i].word;
  }
  return table;
}

}  // namespace nestor
