// Typed, checked access to a Document, used by the project's readers of YAML and JSON. A reader requests the
// values that it expects. The first error is recorded with its position, the actual value and the expected
// value. Reads that fail return harmless defaults, as do all accesses to maps after the first error. Thus the
// code of a format only lists its values, and checks `reading.failed()` once before it uses the result.
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

/// The first error of a reader, if there is one.
class Reading {
 public:
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void fail(const Node& where, std::string message);
  void fail(Error error) { error_ = std::move(error); }

 private:
  std::optional<Error> error_;
};

struct IntRange {
  Int low = std::numeric_limits<Int>::min();
  Int high = std::numeric_limits<Int>::max();
};

/// A unit suffix of a quantity and the factor that it represents. A value without a suffix has the factor 1.
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

/// Parse the text as a number in the syntax that YAML and JSON share (no "inf", "nan" or hexadecimal digits).
/// Return nothing if it is not such a number.
std::optional<Int> to_integer(std::string_view text);
std::optional<double> to_number(std::string_view text);

using Words = std::span<const std::string_view>;

// Read single values. `what` names the value in messages ("bandwidth").
Int read_integer(const Node& node, std::string_view what, IntRange range, Reading& reading);
double read_number(const Node& node, std::string_view what, double low, Reading& reading);
bool read_flag(const Node& node, std::string_view what, Reading& reading);
std::string read_text(const Node& node, std::string_view what, Reading& reading);
/// Reads a name: 1 to 64 bytes of text without control characters and '/', and without blanks at either end.
std::string read_name(const Node& node, std::string_view what, Reading& reading);
/// Reads a less restricted name, such as that of an ONNX layer ("/layer1/conv1/Conv"): 1 to 1024 bytes of
/// text without control characters.
std::string read_title(const Node& node, std::string_view what, Reading& reading);
/// Reads a number, optionally with a unit. The number times the factor of its unit must be an integer in
/// `range`.
Int read_quantity(const Node& node, std::string_view what, std::span<const Unit> units, IntRange range,
                  Reading& reading);
/// Reads one of `words` and returns its index, or 0 on an error.
std::size_t read_word(const Node& node, std::string_view what, Words words, Reading& reading);
/// Reads a word of `table` and returns the enumerator for it, or the first enumerator on an error.
template <typename Enum, std::size_t N>
Enum read_word(const Node& node, std::string_view what, const EnumWords<Enum, N>& table, Reading& reading) {
  return table.values[read_word(node, what, Words(table.words), reading)];
}
/// Reads a list of `low` to `high` items. Returns the items, or an empty vector on an error.
std::vector<Node> read_list(const Node& node, std::string_view what, std::size_t low, std::size_t high,
                            Reading& reading);

/// Reads a list of `low` to `high` integers.
std::vector<Int> read_integers(const Node& node, std::string_view what, std::size_t low, std::size_t high,
                               IntRange range, Reading& reading);

/// Joins words into a phrase such as "a, b or c".
std::string join_words(Words words);

/// Typed access to the values of a map. The constructor rejects keys that are not in its list of known keys,
/// and only keys of this list may be requested. Accessors without a fallback require the key, except find().
class MapReader {
 public:
  MapReader(const Node& node, std::string what, Words keys, Reading& reading);
  /// Accepts any keys.
  MapReader(const Node& node, std::string what, Reading& reading)
      : node_(node), what_(std::move(what)), reading_(reading) {}

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
  /// Returns the key for messages. A single letter is unclear alone, so the name of the map precedes it:
  /// "dims Q", "bits W".
  std::string label(std::string_view key) const;

 private:
  Node node_;
  std::string what_;
  Reading& reading_;
};

}  // namespace nestor::io
