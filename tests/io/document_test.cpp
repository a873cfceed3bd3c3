// Tests of the YAML and JSON reader: positions of nodes, refused files, aliases and templates of other tools,
// and numbers.
#include "io/document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "io/checked_reader.h"

namespace nestor::io::document_test {
namespace {

std::string error_of(std::string_view text, const std::string& file = "in.yaml",
                     const DocumentLimits& limits = {}) {
  const auto document = Document::parse(text, file, limits);
  return document ? "" : document.error().to_string();
}

std::string place(const Node& node) {
  const auto where = node.where();
  return std::to_string(where.line) + ":" + std::to_string(where.column);
}

TEST(Document, MarksEveryNodeOfYaml) {
  const auto document = Document::parse("a: 1\nlist:\n  - x\n  - {k: v}\n", "in.yaml");
  ASSERT_TRUE(document);
  const auto root = document->root();
  EXPECT_EQ(place(root), "1:1");
  EXPECT_EQ(place(*root.find("a")), "1:4");
  EXPECT_EQ(place(root.key(1)), "2:1");
  const auto list = *root.find("list");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(place(list.item(0)), "3:5");
  EXPECT_EQ(place(*list.item(1).find("k")), "4:9");
}

TEST(Document, MarksEveryNodeOfJson) {
  const auto document =
      Document::parse("{\"a\": 12,\n \"list\": [true , {\"k\"\n: \"v\"}, null]}", "in.json");
  ASSERT_TRUE(document);
  const auto root = document->root();
  EXPECT_EQ(place(root), "1:1");
  EXPECT_EQ(place(root.key(0)), "1:2");
  EXPECT_EQ(place(*root.find("a")), "1:7");
  const auto list = *root.find("list");
  EXPECT_EQ(place(list), "2:10");
  EXPECT_EQ(place(list.item(0)), "2:11");
  EXPECT_EQ(place(list.item(1)), "2:18");
  EXPECT_EQ(place(*list.item(1).find("k")), "3:3");
  EXPECT_EQ(list.item(2).kind(), NodeKind::nothing);
  EXPECT_EQ(place(list.item(2)), "3:9");
}

TEST(Document, AcceptsAllOfJson) {
  const auto document = Document::parse(
      R"({"text": "\u00e9\ud83d\ude00\/\n\t\"", "numbers": [1e-5, -1.5E+10, 0, -0, 18446744073709551615],
          "":[ ], "o":{ }, ")" +
          std::string(3000, 'k') + R"(": false})",
      "in.json");
  ASSERT_TRUE(document) << document.error().to_string();
  EXPECT_EQ(document->root().find("text")->text(), "\u00e9\U0001F600/\n\t\"");
  EXPECT_EQ(document->root().find("numbers")->item(1).text(), "-1.5E+10");
  EXPECT_TRUE(document->root().find(std::string(3000, 'k')));
}

TEST(Document, JsonAndYamlGiveTheSameTree) {
  const auto yaml = Document::parse("name: x\nsizes: [1, 2.5, true, null]\n", "a.yaml");
  const auto json = Document::parse(R"({"name": "x", "sizes": [1, 2.5, true, null]})", "a.json");
  ASSERT_TRUE(yaml && json);
  EXPECT_EQ(yaml->root().find("name")->text(), json->root().find("name")->text());
  for (std::size_t i = 0; i < 4; ++i) {
    const auto a = yaml->root().find("sizes")->item(i);
    const auto b = json->root().find("sizes")->item(i);
    EXPECT_EQ(a.kind(), b.kind());
    EXPECT_EQ(a.text(), b.text());
    EXPECT_EQ(a.is_quoted(), b.is_quoted());
  }
}

TEST(Document, ColumnsCountCharactersNotBytes) {
  const auto document = Document::parse("{é: [ü, x]}", "in.yaml");
  ASSERT_TRUE(document);
  EXPECT_EQ(place(document->root().value(0).item(1)), "1:9");
}

TEST(Document, RefusesDangerousDocuments) {
  EXPECT_EQ(error_of("a: &x [1]\nb: *x\n"), "in.yaml:1:4: anchors and aliases are not accepted");
  EXPECT_EQ(error_of("a: *x\n"), "in.yaml:1:4: not valid YAML: the referenced anchor is not defined");
  EXPECT_EQ(error_of("a: !!binary x\n"), "in.yaml:1:4: tag 'tag:yaml.org,2002:binary' is not accepted");
  EXPECT_EQ(error_of("a: 1\nb: 2\na: 3\n"), "in.yaml:3:1: key 'a' is already given at line 1, column 1");
  EXPECT_EQ(error_of(R"({"a": 1, "a": 2})", "in.json"),
            "in.json:1:10: key 'a' is already given at line 1, column 2");
  EXPECT_EQ(error_of("? [1, 2]\n: 3\n"), "in.yaml:1:3: a key of a map must be text");
  EXPECT_EQ(error_of("a: 1\n--- \nb: 2\n"),
            "in.yaml:2:1: a second document starts here, expected only one per file");
  EXPECT_EQ(error_of(std::string("a: \0b", 5)), "in.yaml:1:4: control character 0x00, expected a text file");
  EXPECT_EQ(error_of("a: \xff"), "in.yaml:1:4: byte 0xff is not valid UTF-8, expected a UTF-8 text file");
  EXPECT_EQ(error_of(std::string(70, '[')), "in.yaml:1:65: nested deeper than 64 levels");
  EXPECT_EQ(error_of(std::string(1'000'000, '[')), "in.yaml:1:65: nested deeper than 64 levels");
  EXPECT_EQ(error_of(std::string(1'000'000, '['), "in.json"), "in.json:1:65: nested deeper than 64 levels");
  EXPECT_EQ(error_of("[1, 2, 3]", "in.yaml", {.nodes = 3}), "in.yaml:1:8: more than 3 values in one file");
  EXPECT_EQ(error_of("[1, 2, 3]", "in.yaml", {.bytes = 8}), "in.yaml:1:1: larger than 8 bytes");
  EXPECT_EQ(error_of("- 1\n- 2\n", "in.yaml", {.yaml_bytes = 4}),
            "in.yaml:1:1: larger than 4 bytes, expected JSON or a smaller file");
  EXPECT_EQ(error_of("[1, 2]", "in.yaml", {.yaml_bytes = 4}), "") << "JSON may be larger";
  EXPECT_EQ(error_of("[1, a]", "in.yaml", {.yaml_bytes = 4}), "in.yaml:1:5: not valid JSON: invalid literal");
}

constexpr DocumentLimits foreign = {.foreign = true};

// Returns maps as {k: v} and lists as [v], in the order of the file.
std::string flat(const Node& node) {
  std::string text;
  for (std::size_t i = 0; i < node.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += node.is_map() ? std::string(node.key(i).text()) + ": " + flat(node.value(i)) : flat(node.item(i));
  }
  if (node.is_map()) return std::string(node.tag()) + "{" + text + "}";
  return node.is_list() ? "[" + text + "]" : std::string(node.text());
}

std::string expanded(std::string_view text, const DocumentLimits& limits = foreign) {
  const auto document = Document::parse(text, "in.yaml", limits);
  return document ? flat(document->root()) : document.error().to_string();
}

TEST(Document, ExpandsAliasesInFilesOfOtherTools) {
  EXPECT_EQ(expanded("a: &x [1, &y two, {k: *y}]\nb: *x\n"),
            "{a: [1, two, {k: two}], b: [1, two, {k: two}]}");
  EXPECT_EQ(expanded("a: &x !Memory {s: 1}\nb: *x\n"), "{a: !Memory{s: 1}, b: !Memory{s: 1}}");
  EXPECT_EQ(expanded("a: &x 1\nb: &x 2\nc: *x\n"), "{a: 1, b: 2, c: 2}");  // the last anchor applies
  EXPECT_EQ(expanded("&k a: 1\nb: {*k : 2}\n"), "{a: 1, b: {a: 2}}");
  EXPECT_EQ(expanded("a: &x\nb: *x\n"), "{a: , b: }");
  const auto document = Document::parse("a: &x {k: 1}\nb: *x\n", "in.yaml", foreign);
  ASSERT_TRUE(document);
  EXPECT_EQ(place(*document->root().find("b")->find("k")), "1:11");  // the position of the value itself
}

TEST(Document, MergesMapsInFilesOfOtherTools) {
  EXPECT_EQ(expanded("a: &x {k: 1, l: 2}\nb: {l: 3, <<: *x, m: 4}\n"),
            "{a: {k: 1, l: 2}, b: {l: 3, m: 4, k: 1}}");
  EXPECT_EQ(expanded("a: &x {k: 1}\nb: &y {k: 2, l: 3}\nc: {<<: [*x, *y]}\n"),
            "{a: {k: 1}, b: {k: 2, l: 3}, c: {k: 1, l: 3}}");
  EXPECT_EQ(expanded("a: &x {n: {k: 1, l: 2}}\nb: {<<: *x, n: {k: 3}}\nc: {<<<: *x, n: {k: 3}}\n"),
            "{a: {n: {k: 1, l: 2}}, b: {n: {k: 3}}, c: {n: {k: 3, l: 2}}}");
  EXPECT_EQ(expanded("a: &x {n: {k: 1}}\nb: {<<<: *x, n: 2}\n"), "{a: {n: {k: 1}}, b: {n: 2}}");
  EXPECT_EQ(expanded("a: &x {k: 1}\nb: &y {<<: *x, l: 2}\nc: {<<: *y}\n"),
            "{a: {k: 1}, b: {l: 2, k: 1}, c: {l: 2, k: 1}}");
  EXPECT_EQ(expanded("a: {'<<': {k: 1}}\n"), "{a: {<<: {k: 1}}}");  // a quoted << is an ordinary key
}

TEST(Document, RefusesDangerousAliases) {
  EXPECT_EQ(expanded("a: &x [*x]\n"), "in.yaml:1:8: an alias of a value that contains it");
  EXPECT_EQ(expanded("a: {<<: 3}\n"), "in.yaml:1:9: << merges maps, expected a map or a list of maps");
  EXPECT_EQ(expanded("a: {<<: {}, <<: {}}\n"), "in.yaml:1:13: key '<<' is already given at line 1, column 5");
  std::string bomb = "a: &a0 [x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i)
    bomb += fmt::format("b{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  EXPECT_THAT(expanded(bomb), ::testing::HasSubstr("more than 4194304 values in one file"));
  EXPECT_EQ(Document::head(bomb, "in.yaml").root().is_map(), true);
  std::string deep = "a: &a0 {k: 1}\n";
  for (int i = 1; i < 70; ++i) deep += fmt::format("b{0}: &a{0} {{k: *a{1}}}\n", i, i - 1);
  EXPECT_THAT(expanded(deep), ::testing::HasSubstr("nested deeper than 64 levels"));
  std::string many = "a: &x {k: 1}\nb: {<<: [*x";
  for (int i = 0; i < 16; ++i) many += ", *x";
  EXPECT_EQ(expanded(many + "]}\n"), "in.yaml:2:9: more than 16 maps to merge");
}

TEST(Document, ExpandsTemplatesInFilesOfOtherTools) {
  EXPECT_EQ(
      expanded("{% set N = N | default(4) %}\n{%- set M = N -%}\na: {{N}}\nb: x{{ M | default(\"y\") }}z\n"),
      "{a: 4, b: x4z}");
  EXPECT_EQ(expanded("{# one\ntwo #}\n{% set E=1e-9 %}\na: {{ E }}\nb: {{ F | default('inf') }}\n"),
            "{a: 1e-9, b: inf}");
  EXPECT_EQ(expanded("{% set N = N | default(7*1024) %}\na: {{ 2 * (N + 1) - 4 }}\nb: {{ 1e-9/4 }}\n"),
            "{a: 14334, b: 2.5e-10}");
  EXPECT_EQ(
      expanded("{% for i in range(2) %}\n- {a: {{i}}, b: {{i+1}}}\n{% endfor %}\n{% for x in ['y'] %}\n- "
               "{{x}}\n{% endfor %}\n{% for i in range(0) %}\n- {{i}}\n{% endfor %}\n"),
      "[{a: 0, b: 1}, {a: 1, b: 2}, y]");
  EXPECT_EQ(expanded("{% for i in range(3) %}\nk{{i}}: 1\n{% endfor %}\na: b: c\n"),
            "in.yaml:4:5: not valid YAML: illegal map value");
  EXPECT_EQ(expanded("{% for i in [2, 2] %}\nk{{i}}: 1\n{% endfor %}\n"),
            "in.yaml:1:1: key 'k2' is already given at line 2, column 1");
  EXPECT_EQ(expanded("a: 1\n {% for i in [2, 2, 3] %}\nk{{i}}: 1{% endfor %}\n"),
            "in.yaml:2:2: key 'k2' is already given at line 3, column 1");
  EXPECT_EQ(expanded("{% for i in [1, 2, 3, 2] %}k{{i}}: 1\n{% endfor %}\n"),
            "in.yaml:1:1: key 'k2' is already given at line 1, column 1");
  EXPECT_EQ(expanded("a: [{% for i in [1, 2] %}{{i}}, {% endfor %}]\nb: c: d\n"),
            "in.yaml:2:5: not valid YAML: illegal map value");
  EXPECT_EQ(expanded("\n{% for i in [2] %}\n"), "in.yaml:2:1: 'for' without 'endfor'");
  EXPECT_EQ(expanded("{% for i in range(9000) %}{% endfor %}"),
            "in.yaml:1:1: more than 1024 passes of loops");
  const auto document = Document::parse("{# one\n#}{% set N = 1 %}\nb: {{N}}\nc: 2\n", "in.yaml", foreign);
  ASSERT_TRUE(document);
  EXPECT_EQ(place(*document->root().find("c")), "4:4");
  EXPECT_EQ(Document::head("{% set N = 1 %}\nworkload: {{N}}\n", "").root().find("workload")->text(), "1");

  EXPECT_EQ(expanded("a: 1\nb: {{N}}\n"),
            "in.yaml:2:4: nothing is set for the name in 'N': put {% set NAME = VALUE %} before it");
  EXPECT_EQ(expanded("a: {{N\n"), "in.yaml:1:4: '{{' without '}}'");
  EXPECT_EQ(expanded("a: {{N + 1}}\n"),
            "in.yaml:1:4: nothing is set for the name in 'N + 1': put {% set NAME = "
            "VALUE %} before it");
  for (const auto* const text :
       {"{% for i in x %}{% endfor %}", "{% for i in [1] %}{% set N = 1 %}{% endfor %}", "{% endfor %}",
        "{{ include_text(a) }}", "{{ include('a.yaml') }}", "{% set N %}", "{{ N.a }}", "{{ (1 }}",
        "{{ 1 / 0 }}", "{{ }}", "{{ N | upper }}", "{{ N | default(1 }}", "{{ 'a }}"})
    EXPECT_THAT(expanded(text), ::testing::HasSubstr("is not accepted, expected {% set NAME = VALUE %}"))
        << text;
  EXPECT_THAT(expanded("{% set N = '" + std::string(300, 'x') + "' %}"),
              ::testing::HasSubstr("longer than 256 bytes"));
  std::string bomb = "{% set N = '" + std::string(250, 'x') + "' %}";
  for (int i = 0; i < 10000; ++i) bomb += "{{N}}\n";
  EXPECT_THAT(expanded(bomb), ::testing::HasSubstr("the expanded template is larger than 2097152 bytes"));
  EXPECT_THAT(expanded("a: {{N}}\n", {}),
              ::testing::HasSubstr("in.yaml:1:"));  // Nestor's own files are not templates
}

TEST(Document, ReportsThePositionOfSyntaxErrors) {
  EXPECT_EQ(error_of("{\"a\": 1,}", "in.json"),
            "in.json:1:9: not valid JSON: unexpected '}'; expected string literal");
  EXPECT_EQ(error_of("{\"a\": [1, 2}", "in.json"),
            "in.json:1:12: not valid JSON: unexpected '}'; expected ']'");
  EXPECT_EQ(error_of("a: [1, 2\n"), "in.yaml:2:1: not valid YAML: end of sequence flow not found");
}

TEST(CheckedReader, ReadsNumbersInCommonNotations) {
  const auto document = Document::parse("[8, 8.0, 1e3, 256 KiB, 0.5 KiB, 3 B, 7b, 2MiB, 2048]", "in.yaml");
  ASSERT_TRUE(document);
  Reading reading;
  std::vector<Int> values;
  for (std::size_t i = 0; i < document->root().size(); ++i)
    values.push_back(read_quantity(document->root().item(i), "x", size_units, {1}, reading));
  EXPECT_FALSE(reading.failed());
  EXPECT_THAT(values, ::testing::ElementsAre(8, 8, 1000, 2097152, 4096, 24, 7, 16777216, 2048));
}

TEST(CheckedReader, RefusesInvalidNumbers) {
  for (const char* text : {"0x10", "1_000", ".inf", ".nan", "nan", "inf", "1e999", "8.5",
                           "99999999999999999999", "\"8\"", "[8]", "~", "1 8"}) {
    const auto document = Document::parse(std::string("v: ") + text, "in.yaml");
    ASSERT_TRUE(document) << text;
    Reading reading;
    read_integer(*document->root().find("v"), "v", {0}, reading);
    EXPECT_TRUE(reading.failed()) << text;
  }
}

TEST(CheckedReader, KeepsTheFirstError) {
  const auto document = Document::parse("a: x\nb: y\n", "in.yaml");
  ASSERT_TRUE(document);
  constexpr std::string_view keys[] = {"a", "b"};
  Reading reading;
  const MapReader map(document->root(), "thing", keys, reading);
  map.integer("a", {1, 9});
  map.integer("b", {1, 9});
  ASSERT_TRUE(reading.failed());
  EXPECT_EQ(reading.error().to_string(),
            "in.yaml:1:4: thing a is 'x', expected a whole number of at least 1");
}

}  // namespace
}  // namespace nestor::io::document_test
