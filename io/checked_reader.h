// Typed, checked access to a Document: what every file format of the project is read with. A reader asks for
// what it expects; the first thing that is not as expected is recorded once, with place, finding and
// expectation, and everything after it yields harmless defaults. So a format's code states the format and
// checks `reading.failed()` once before it trusts what it has.
//
//   Reading reading;
//   MapReader memory(node, "memory", memory_keys, reading);    // refuses unknown keys
//   const auto name = memory.name("name");
//   const Int capacity = memory.quantity("capacity", size_units, {1, largest}, unlimited);
//   if (reading.failed()) return reading.error();
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "base/enum_words.h"
#include "io/document.h"

namespace nestor::io {

/// The first thing found wrong.
class Reading {
 public:
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void fail(const Node& where, std::string message);

 private:
  std::optional<Error> error_;
};

struct IntRange {
  Int low = std::numeric_limits<Int>::min();
  Int high = std::numeric_limits<Int>::max();
};

/// A suffix and what it multiplies by; the entry without suffix is implied.
struct Unit {
  std::string_view name;
  Int factor;
};
inline constexpr Unit size_units[] = {{"b", 1},
                                      {"B", 8},
                                      {"KiB", Int{8} << 10},
                                      {"MiB", Int{8} << 20},
                                      {"GiB", Int{8} << 30},
                                      {"Kib", Int{1} << 10},
                                      {"Mib", Int{1} << 20},
                                      {"Gib", Int{1} << 30}};
inline constexpr Unit frequency_units[] = {
    {"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}};

/// The text as a number, if it is one as YAML and JSON share it (not "inf", "nan", hexadecimal).
std::optional<Int> to_integer(std::string_view text);
std::optional<double> to_number(std::string_view text);

using Words = std::span<const std::string_view>;

// Single values. `what` names the value in messages ("bandwidth").
Int read_integer(const Node& node, std::string_view what, IntRange range, Reading& reading);
double read_number(const Node& node, std::string_view what, double low, Reading& reading);
bool read_flag(const Node& node, std::string_view what, Reading& reading);
std::string read_text(const Node& node, std::string_view what, Reading& reading);
/// A name: 1 to 64 printable characters without '/' or blanks at the ends.
std::string read_name(const Node& node, std::string_view what, Reading& reading);
/// A looser name, as of a layer from an ONNX graph ("/layer1/conv1/Conv"): 1 to 1024 printable characters.
std::string read_title(const Node& node, std::string_view what, Reading& reading);
/// A number, or a text of a number and a unit; a whole number after the unit is applied.
Int read_quantity(const Node& node, std::string_view what, std::span<const Unit> units, IntRange range,
                  Reading& reading);
/// Position of a word among `words` (0 when it fails).
std::size_t read_word(const Node& node, std::string_view what, Words words, Reading& reading);
/// The value that a word of an enumeration says (its first one when it fails).
template <typename Enum, std::size_t N>
Enum read_word(const Node& node, std::string_view what, const EnumWords<Enum, N>& table, Reading& reading) {
  return table.values[read_word(node, what, Words(table.words), reading)];
}
/// The items of a list with between `low` and `high` items.
std::vector<Node> read_list(const Node& node, std::string_view what, std::size_t low, std::size_t high,
                            Reading& reading);

/// "a, b or c".
std::string join_words(Words words);

/// A map whose keys are known. The constructor refuses anything else, so every accessor below only asks for
/// keys of the list. Accessors without a fallback require the key.
class MapReader {
 public:
  MapReader(const Node& node, std::string what, Words keys, Reading& reading);

  std::optional<Node> find(std::string_view key) const;
  std::optional<Node> require(std::string_view key) const;

  Int integer(std::string_view key, IntRange range) const;
  Int integer(std::string_view key, IntRange range, Int fallback) const;
  double number(std::string_view key, double low, double fallback) const;
  bool flag(std::string_view key, bool fallback) const;
  std::string text(std::string_view key, const std::string& fallback) const;
  std::string name(std::string_view key) const;
  std::string title(std::string_view key) const;
  std::string title(std::string_view key, const std::string& fallback) const;
  Int quantity(std::string_view key, std::span<const Unit> units, IntRange range) const;
  Int quantity(std::string_view key, std::span<const Unit> units, IntRange range, Int fallback) const;
  std::size_t word(std::string_view key, Words words) const;
  template <typename Enum, std::size_t N>
  Enum word(std::string_view key, const EnumWords<Enum, N>& table) const {
    return table.values[word(key, Words(table.words))];
  }
  std::vector<Node> list(std::string_view key, std::size_t low, std::size_t high) const;

  const Node& node() const { return node_; }

 private:
  std::string label(std::string_view key) const;

  Node node_;
  std::string what_;
  Reading& reading_;
};

}  // namespace nestor::io
