#include "io/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace nestor::io {
namespace {

class FieldReader final : public Fields {
 public:
  FieldReader(const MapReader& map, Reading& reading) : map_(map), reading_(reading) {}

  void field(const Field& field) override {
    const bool may_be_missing = field.presence == optional || field.presence == always;
    const auto node = may_be_missing ? map_.find(field.key) : map_.require(field.key);
    if (!node) return field.omit();
    ++found_;
    if (!only_with_.empty() && !map_.find(only_with_))
      reading_.fail(*node, fmt::format("{} needs the key '{}', which is missing", field.key, only_with_));
    field.read(*node, map_.label(field.key), reading_);
  }
  std::optional<Node> find(std::string_view key) const override { return map_.find(key); }
  void require_one(std::span<const Words> sets) override {
    const auto is_complete = [&](Words keys) {
      return std::all_of(keys.begin(), keys.end(), [&](std::string_view key) { return map_.find(key); });
    };
    if (std::none_of(sets.begin(), sets.end(), is_complete)) map_.require(sets.front().front());
  }
  void only_with(std::string_view key) override { only_with_ = key; }
  std::size_t found() const { return found_; }

 private:
  const MapReader& map_;
  Reading& reading_;
  std::string_view only_with_;
  std::size_t found_ = 0;
};

class KeyCollector final : public Fields {
 public:
  void field(const Field& field) override { keys.push_back(field.key); }
  std::vector<std::string_view> keys;
};

// Sets the fields of an omitted part to their defaults.
class DefaultSetter final : public Fields {
 public:
  void field(const Field& field) override { field.omit(); }
};

class FieldWriter final : public Fields {
 public:
  void field(const Field& field) override {
    auto value = field.write();
    if (!value.is_null() || field.presence == always) json[std::string(field.key)] = std::move(value);
  }
  Json json = Json::object();
};

class SchemaWriter final : public Fields {
 public:
  explicit SchemaWriter(SchemaKind kind) : kind_(kind) {}

  SchemaKind schema_kind() const override { return kind_; }
  void field(const Field& field) override {
    const std::string key(field.key);
    auto& property = properties_[key] = field.schema();
    if (!field.meaning.empty()) property["description"] = field.meaning;
    if (field.presence == required || (field.presence == always && kind_ == SchemaKind::output))
      required_.push_back(key);
    if (!only_with_.empty()) dependent_[key] = Json::array({only_with_});
  }
  void require_one(std::span<const Words> sets) override {
    for (const Words keys : sets) any_of_.push_back({{"required", keys}});
  }
  void only_with(std::string_view key) override { only_with_ = key; }

  Json take() {
    Json schema = {{"type", "object"}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = std::move(required_);
    if (!any_of_.empty()) schema["anyOf"] = std::move(any_of_);
    schema["properties"] = std::move(properties_);
    if (!dependent_.empty()) schema["dependentRequired"] = std::move(dependent_);
    return schema;
  }

 private:
  SchemaKind kind_;
  Json properties_ = Json::object();
  Json required_ = Json::array();
  Json any_of_ = Json::array();
  Json dependent_ = Json::object();
  std::string_view only_with_;
};

template <typename T>
Presence presence_of(const Default<T>& otherwise) {
  return otherwise.presence == optional && otherwise.is_written ? always : otherwise.presence;
}

// Adds a field whose value is a number, a text or a flag.
template <typename T, typename Read, typename Schema>
void add_scalar(Fields& fields, std::string_view key, T& value, const Default<T>& otherwise,
                std::string_view meaning, const Read& read, const Schema& schema) {
  const auto omit = [&] {
    if (otherwise.value) value = *otherwise.value;
  };
  const auto write = [&] {
    return !otherwise.is_written && otherwise.value && *otherwise.value == value ? Json() : Json(value);
  };
  const auto schema_with_default = [&] {
    Json json = schema();
    if (otherwise.value && otherwise.is_constant) json["default"] = shortest_json(*otherwise.value);
    return json;
  };
  fields.field({key, presence_of(otherwise), read, omit, write, schema_with_default, meaning});
}

// Defaults outside the range stand for "not given".
template <typename T, typename Range>
Default<T> shown_in(Default<T> otherwise, Range range) {
  if (otherwise.value && (*otherwise.value < range.low || *otherwise.value > range.high))
    otherwise.is_constant = false;
  return otherwise;
}

}  // namespace

double read_number(const Node& node, std::string_view what, NumberRange range, Reading& reading) {
  if (range.high >= energy_range.high) {
    const double value = read_number(node, what, range.low, reading);
    if (value > range.high)
      reading.fail(node, fmt::format("{} is {}, expected at most {}", what, value, range.high));
    return value;
  }
  const auto value = node.is_scalar() && !node.is_quoted() ? to_number(node.text()) : std::nullopt;
  if (value && *value >= range.low && *value <= range.high && (*value == range.low || *value >= range.least))
    return *value;
  const auto numbers = range.least > 0 ? fmt::format("{} or a number from {}", range.low, range.least)
                                       : fmt::format("a number from {}", range.low);
  reading.fail(node, fmt::format("{} is {}, expected {} to {}", what, node.describe(), numbers, range.high));
  return range.low;
}

std::optional<Node> Fields::find(std::string_view /*key*/) const { return std::nullopt; }
void Fields::require_one(std::span<const Words> /*sets*/) {}
void Fields::only_with(std::string_view /*key*/) {}

void Fields::name(std::string_view key, std::string& value, std::string_view meaning) {
  name(key, value, required, meaning);
}

void Fields::name(std::string_view key, std::string& value, const Default<std::string>& otherwise,
                  std::string_view meaning) {
  add_scalar(
      *this, key, value, otherwise, meaning,
      [&](const Node& node, const std::string& label, Reading& reading) {
        value = read_name(node, label, reading);
      },
      name_schema);
}

void Fields::title(std::string_view key, std::string& value, const Default<std::string>& otherwise,
                   std::string_view meaning) {
  add_scalar(
      *this, key, value, otherwise, meaning,
      [&](const Node& node, const std::string& label, Reading& reading) {
        value = read_title(node, label, reading);
      },
      title_schema);
}

void Fields::text(std::string_view key, std::string& value, std::string_view meaning) {
  add_scalar(
      *this, key, value, derived(std::string()), meaning,
      [&](const Node& node, const std::string& label, Reading& reading) {
        value = read_text(node, label, reading);
      },
      [] { return text_schema(); });
}

void Fields::flag(std::string_view key, bool& value, Default<bool> otherwise, std::string_view meaning) {
  add_scalar(
      *this, key, value, otherwise, meaning,
      [&](const Node& node, const std::string& label, Reading& reading) {
        value = read_flag(node, label, reading);
      },
      [] { return flag_schema(); });
}

void Fields::integer(std::string_view key, Int& value, IntRange range, Default<Int> otherwise,
                     std::string_view meaning) {
  add_scalar(
      *this, key, value, shown_in(otherwise, range), meaning,
      [&](const Node& node, const std::string& label, Reading& reading) {
        value = read_integer(node, label, range, reading);
      },
      [&] { return integer_schema(range); });
}

void Fields::quantity(std::string_view key, Int& value, std::span<const Unit> units, IntRange range,
                      Default<Int> otherwise, std::string_view meaning) {
  add_scalar(
      *this, key, value, shown_in(otherwise, range), meaning,
      [&](const Node& node, const std::string& label, Reading& reading) {
        value = read_quantity(node, label, units, range, reading);
      },
      [&] {
        std::string names;
        for (const Unit& unit : units) names.append(names.empty() ? "" : "|").append(unit.name);
        const Json text = {{"type", "string"}, {"pattern", fmt::format("^[0-9][0-9.eE+-]* *({})?$", names)}};
        return Json{{"oneOf", Json::array({integer_schema(range), text})}};
      });
}

void Fields::number(std::string_view key, double& value, NumberRange range, Default<double> otherwise,
                    std::string_view meaning) {
  add_scalar(
      *this, key, value, shown_in(otherwise, range), meaning,
      [&](const Node& node, const std::string& label, Reading& reading) {
        value = read_number(node, label, range, reading);
      },
      [&] { return number_schema(range); });
}

void Fields::integers(std::string_view key, std::span<Int> values, IntRange range, Default<Int> otherwise,
                      std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    std::ranges::copy(read_integers(node, label, values.size(), values.size(), range, reading),
                      values.begin());
  };
  const auto omit = [&] {
    if (otherwise.value) std::fill(values.begin(), values.end(), *otherwise.value);
  };
  const auto write = [&] {
    const auto is_default = [&](Int value) { return otherwise.value == value; };
    return !otherwise.is_written && std::all_of(values.begin(), values.end(), is_default) ? Json()
                                                                                          : Json(values);
  };
  const auto schema = [&] {
    Json json = list_schema({values.size(), values.size()}, integer_schema(range));
    if (otherwise.value && otherwise.is_constant)
      json["default"] = std::vector<Int>(values.size(), *otherwise.value);
    return json;
  };
  field({key, presence_of(otherwise), read, omit, write, schema, meaning});
}

void Fields::integers(std::string_view key, std::vector<Int>& values, SizeRange sizes, IntRange range,
                      Presence presence, std::string_view meaning) {
  field({key, presence,
         [&](const Node& node, const std::string& label, Reading& reading) {
           values = read_integers(node, label, sizes.low, sizes.high, range, reading);
         },
         [] {}, [&] { return values.empty() && presence == optional ? Json() : Json(values); },
         [&] { return list_schema(sizes, integer_schema(range)); }, meaning});
}

void Fields::word(std::string_view key, std::size_t& value, Words words, Default<std::size_t> otherwise,
                  std::string_view meaning) {
  const auto omit = [&] {
    if (otherwise.value) value = *otherwise.value;
  };
  const auto write = [&] {
    return !otherwise.is_written && otherwise.value == value ? Json() : Json(words[value]);
  };
  const auto schema = [&] {
    Json json = words_schema(words);
    if (otherwise.value && otherwise.is_constant) json["default"] = words[*otherwise.value];
    return json;
  };
  field({key, presence_of(otherwise),
         [&](const Node& node, const std::string& label, Reading& reading) {
           value = read_word(node, label, words, reading);
         },
         omit, write, schema, meaning});
}

void Fields::constant(std::string_view key, std::string_view value, Presence presence,
                      std::string_view meaning) {
  field({key, presence,
         [&](const Node& node, const std::string& label, Reading& reading) {
           read_word(node, label, Words(&value, 1), reading);
         },
         [] {}, [&] { return Json(value); },
         [&] {
           return Json{{"const", value}};
         },
         meaning});
}

void Fields::part(std::string_view key, Presence presence, Description describe, std::string_view meaning) {
  field({key, presence,
         [&](const Node& node, const std::string& /*label*/, Reading& reading) {
           read_fields(node, std::string(key), reading, describe);
         },
         [&] {
           DefaultSetter setter;
           describe(setter);
         },
         [&] {
           auto json = write_fields(describe);
           return json.empty() && presence == optional ? Json() : json;
         },
         [&] { return schema_of(describe, schema_kind()); }, meaning});
}

void read_fields(const Node& node, const std::string& what, Reading& reading, Description describe) {
  if (reading.failed()) return;
  Reading of_fields;
  const MapReader map(node, what, of_fields);
  FieldReader reader(map, of_fields);
  if (node.is_map()) describe(reader);
  if (node.is_map() && reader.found() == node.size() && !of_fields.failed()) return;
  // An unknown key is reported before faults of known ones.
  KeyCollector known;
  describe(known);
  const MapReader check(node, what, known.keys, reading);
  if (!reading.failed() && of_fields.failed()) reading.fail(of_fields.error());
}

Json write_fields(Description describe) {
  FieldWriter writer;
  describe(writer);
  return std::move(writer.json);
}

Json schema_of(Description describe, SchemaKind kind) {
  SchemaWriter writer(kind);
  describe(writer);
  return writer.take();
}

}  // namespace nestor::io
