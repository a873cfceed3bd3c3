// Tests of descriptions of records: what a file omits, the ranges of values, and that written records are
// read again.
#include "io/fields.h"

#include <gtest/gtest.h>

namespace nestor::io::fields_test {
namespace {

struct Part {
  bool is_fast = true;
  std::array<Int, 2> sizes = {7, 7};
};

struct Record {
  std::string name = "old";
  Int rows = 7;
  double rate = 7;
  std::size_t kind = 1;
  Part part;
  std::vector<Part> parts;
};

constexpr std::array<std::string_view, 2> kinds = {"plain", "striped"};

void describe_part(Fields& fields, Part& part) {
  fields.flag("fast", part.is_fast, false, "");
  fields.integers("sizes", part.sizes, {1, 9}, 1, "");
}

void describe(Fields& fields, Record& record) {
  fields.name("name", record.name, "");
  fields.integer("rows", record.rows, {1, 64}, 2, "");
  fields.number("rate", record.rate, {0, 10, 0.5}, 1, "");
  fields.word("kind", record.kind, kinds, std::size_t{0}, "");
  fields.part(
      "part", optional, [&](Fields& part) { describe_part(part, record.part); }, "");
  fields.list("parts", optional, {0, 2}, record.parts, "part", describe_part, "");
}

// Returns the message of the first error, or nothing.
std::string read(const std::string& text, Record& record) {
  const auto document = Document::parse(text, "file");
  if (!document) return document.error().message;
  Reading reading;
  read_fields(document->root(), "record", reading, [&](Fields& fields) { describe(fields, record); });
  return reading.failed() ? reading.error().message : std::string();
}

Json written(Record record) {
  return write_fields([&](Fields& fields) { describe(fields, record); });
}

TEST(Fields, OmittedFieldsHaveTheirDefaults) {
  Record record;
  ASSERT_EQ(read("{name: a}", record), "");
  EXPECT_EQ(record.name, "a");
  EXPECT_EQ(record.rows, 2);
  EXPECT_EQ(record.rate, 1);
  EXPECT_EQ(record.kind, 0U);
  EXPECT_FALSE(record.part.is_fast);
  EXPECT_EQ(record.part.sizes, (std::array<Int, 2>{1, 1}));
  EXPECT_EQ(written(record), Json({{"name", "a"}}));
}

// A misspelt key explains the fault of a missing one.
TEST(Fields, UnknownKeysAreReportedBeforeOtherFaults) {
  Record record;
  EXPECT_EQ(
      read("{rows: 99, nmae: a}", record),
      "unknown key 'nmae' in record (did you mean 'name'?), expected name, rows, rate, kind, part or parts");
}

TEST(Fields, WrittenRecordsAreReadAgain) {
  const Json json = {{"name", "a"},
                     {"rows", 3},
                     {"rate", 0.5},
                     {"kind", "striped"},
                     {"part", {{"fast", true}, {"sizes", {2, 3}}}},
                     {"parts", {{{"fast", true}}, Json::object()}}};
  Record record;
  ASSERT_EQ(read(json.dump(), record), "");
  EXPECT_EQ(record.part.sizes, (std::array<Int, 2>{2, 3}));
  ASSERT_EQ(record.parts.size(), 2U);
  EXPECT_TRUE(record.parts[0].is_fast);
  EXPECT_FALSE(record.parts[1].is_fast);
  EXPECT_EQ(written(record), json);
}

TEST(Fields, ValuesOutsideTheirRangesAreRefused) {
  Record record;
  EXPECT_EQ(read("{rows: 3}", record), "record has no key 'name'");
  EXPECT_EQ(read("{name: a, rows: 65}", record), "rows is 65, expected a whole number of at most 64");
  EXPECT_EQ(read("{name: a, rate: 10.5}", record), "rate is 10.5, expected 0 or a number from 0.5 to 10");
  EXPECT_EQ(read("{name: a, rate: 0.25}", record), "rate is 0.25, expected 0 or a number from 0.5 to 10");
  EXPECT_EQ(read("{name: a, rate: 0}", record), "");
  EXPECT_EQ(read("{name: a, parts: [{}, {sizes: [1, 10]}]}", record),
            "an item of sizes is 10, expected a whole number of at most 9");
  EXPECT_EQ(read("{name: a, part: {slow: true}}", record),
            "unknown key 'slow' in part, expected fast or sizes");
}

TEST(Fields, SchemasStateRangesAndDefaults) {
  Record record;
  const auto schema = schema_of([&](Fields& fields) { describe(fields, record); });
  EXPECT_EQ(schema["required"], Json::array({"name"}));
  EXPECT_EQ(schema["properties"]["rows"],
            Json({{"type", "integer"}, {"minimum", 1}, {"maximum", 64}, {"default", 2}}));
  EXPECT_EQ(schema["properties"]["kind"], Json({{"enum", {"plain", "striped"}}, {"default", "plain"}}));
  EXPECT_EQ(schema["properties"]["parts"]["items"], schema["properties"]["part"]);
}

}  // namespace
}  // namespace nestor::io::fields_test
