// The fields of a record in a file, declared once for its reader, its writer and its JSON Schema.
//
//   void describe(Fields& fields, chip::LocalBuffer& l1) {
//     fields.quantity("size", l1.size, size_units, buffer_range, left_out, "Bits; default: unlimited.");
//     fields.flag("shared", l1.shared, false, "True if ...");
//   }
//
//   read_fields(node, "l1", reading, [&](Fields& fields) { describe(fields, l1); });
//   const Json json = write_fields([&](Fields& fields) { describe(fields, l1); });
//   const Json schema = schema_of([&](Fields& fields) { describe(fields, l1); });
//
// A function that describes a record is called more than once, also without a file. It may therefore change
// the record only by what `fields` reads.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/enum_words.h"
#include "base/function_ref.h"
#include "io/checked_reader.h"
#include "io/files.h"
#include "io/schema.h"

namespace nestor::io {

/// required_here: required because of other fields of this record, so that the schema cannot require it.
/// always: always written, but not required in a file that is read.
enum class Presence : std::uint8_t { required, required_here, always, optional };
inline constexpr Presence required = Presence::required;
inline constexpr Presence required_here = Presence::required_here;
inline constexpr Presence always = Presence::always;
inline constexpr Presence optional = Presence::optional;

/// The value of a field that a file omits; none for a required field.
template <typename T>
struct Default {
  Default(T otherwise) : value(std::move(otherwise)) {}
  Default(Presence of) : presence(of) {}

  std::optional<T> value;
  Presence presence = optional;
  bool is_constant = true;  ///< false if it depends on other fields, so that the schema cannot state it
  bool is_written = false;  ///< true if the writer does not omit it
};
/// A default that depends on other fields.
template <typename T>
Default<T> derived(T value) {
  Default<T> otherwise(std::move(value));
  otherwise.is_constant = false;
  return otherwise;
}
/// A default that the writer does not omit.
template <typename T>
Default<T> written(T value) {
  Default<T> otherwise(std::move(value));
  otherwise.is_written = true;
  return otherwise;
}

/// pJ per bit, operation or cycle. The limit keeps products of energies and cycles finite.
inline constexpr NumberRange energy_range = {0, 1e30};

/// What each use of a description needs to know about a field.
struct Field {
  std::string_view key;
  Presence presence;
  FunctionRef<void(const Node& node, const std::string& label, Reading& reading)> read;
  FunctionRef<void()> omit;   ///< sets the default
  FunctionRef<Json()> write;  ///< null if the field is not written, unless it is always written
  FunctionRef<Json()> schema;
  std::string_view meaning;
};

class Fields;
using Description = FunctionRef<void(Fields&)>;

double read_number(const Node& node, std::string_view what, NumberRange range, Reading& reading);

/// Reads a map. `what` names it in messages.
void read_fields(const Node& node, const std::string& what, Reading& reading, Description describe);
Json write_fields(Description describe);
/// The schema of an output requires all keys that are always written.
enum class SchemaKind : std::uint8_t { input, output };
/// Returns the schema of a map: its keys with their types, ranges, defaults and meanings.
Json schema_of(Description describe, SchemaKind kind = SchemaKind::input);

class Fields {
 public:
  virtual ~Fields() = default;

  virtual void field(const Field& field) = 0;
  /// Returns the node of a key if a file is read and has this key.
  virtual std::optional<Node> find(std::string_view key) const;
  /// The kind of the schema that is written.
  virtual SchemaKind schema_kind() const { return SchemaKind::input; }
  /// Requires all keys of at least one set.
  virtual void require_one(std::span<const Words> sets);
  /// The following fields are allowed only beside `key`; an empty key ends this.
  virtual void only_with(std::string_view key);

  void name(std::string_view key, std::string& value, std::string_view meaning);
  void name(std::string_view key, std::string& value, const Default<std::string>& otherwise,
            std::string_view meaning);
  /// A name of a layer or an operator, which is less restricted.
  void title(std::string_view key, std::string& value, const Default<std::string>& otherwise,
             std::string_view meaning);
  void text(std::string_view key, std::string& value, std::string_view meaning);
  void flag(std::string_view key, bool& value, Default<bool> otherwise, std::string_view meaning);
  void integer(std::string_view key, Int& value, IntRange range, Default<Int> otherwise,
               std::string_view meaning);
  /// An integer with a unit, in the smallest of `units`.
  void quantity(std::string_view key, Int& value, std::span<const Unit> units, IntRange range,
                Default<Int> otherwise, std::string_view meaning);
  void number(std::string_view key, double& value, NumberRange range, Default<double> otherwise,
              std::string_view meaning);
  /// As many integers as `values` has, in a list. `otherwise` is the default of each; none if the list is
  /// required.
  void integers(std::string_view key, std::span<Int> values, IntRange range, Default<Int> otherwise,
                std::string_view meaning);
  /// Integers in a list of one of `sizes`. An optional list is written if it is not empty.
  void integers(std::string_view key, std::vector<Int>& values, SizeRange sizes, IntRange range,
                Presence presence, std::string_view meaning);
  /// `value` is an index of `words`.
  void word(std::string_view key, std::size_t& value, Words words, Default<std::size_t> otherwise,
            std::string_view meaning);
  template <typename Enum, std::size_t N>
  void word(std::string_view key, Enum& value, const EnumWords<Enum, N>& table, Presence presence,
            std::string_view meaning) {
    std::size_t index = table.place(value);
    word(key, index, Words(table.words), presence, meaning);
    value = table.values[index];
  }
  template <typename Enum, std::size_t N>
  void word(std::string_view key, Enum& value, const EnumWords<Enum, N>& table,
            const std::type_identity_t<Default<Enum>>& otherwise, std::string_view meaning) {
    Default<std::size_t> place(table.place(*otherwise.value));
    place.is_constant = otherwise.is_constant;
    place.is_written = otherwise.is_written;
    std::size_t index = table.place(value);
    word(key, index, Words(table.words), place, meaning);
    value = table.values[index];
  }
  /// A key with a single valid value, which the writer always writes.
  void constant(std::string_view key, std::string_view value, Presence presence, std::string_view meaning);
  /// A record inside this one. An optional one is written if it has a field to write.
  void part(std::string_view key, Presence presence, Description describe, std::string_view meaning);
  /// A list of records, each called `what` in messages. `describe` describes one; `accept` checks one that
  /// was read.
  template <typename T, typename Describe, typename Accept>
  void list(std::string_view key, Presence presence, SizeRange sizes, std::vector<T>& values,
            const std::string& what, const Describe& describe, const Accept& accept,
            std::string_view meaning) {
    const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
      for (const Node& item : read_list(node, label, sizes.low, sizes.high, reading)) {
        T value;
        read_fields(item, what, reading, [&](Fields& fields) { describe(fields, value); });
        if (!reading.failed()) accept(item, value, reading);
        if (reading.failed()) return;
        values.push_back(std::move(value));
      }
    };
    const auto write = [&] {
      Json json = Json::array();
      for (T& value : values) json.push_back(write_fields([&](Fields& fields) { describe(fields, value); }));
      return json.empty() && presence == optional ? Json() : json;
    };
    const auto schema = [&] {
      T value;
      return list_schema(sizes, schema_of([&](Fields& fields) { describe(fields, value); }, schema_kind()));
    };
    field({key, presence, read, [] {}, write, schema, meaning});
  }
  template <typename T, typename Describe>
  void list(std::string_view key, Presence presence, SizeRange sizes, std::vector<T>& values,
            const std::string& what, const Describe& describe, std::string_view meaning) {
    list(
        key, presence, sizes, values, what, describe, [](const Node&, const T&, Reading&) {}, meaning);
  }
};

}  // namespace nestor::io
