// Tests of the HTML report. Its tables agree with the JSON, text from results is escaped, and elements are
// properly nested.
#include <gmock/gmock.h>

#include <array>

#include "html_results.h"
#include "report/html/figures.h"
#include "report/html/markup.h"

namespace nestor::report::html::html_page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(HtmlPage, ShowsEveryFigureOfALayerAsInTheJson) {
  const auto json = cim_result("net");
  const auto text = page_of(json);
  const auto& layer = json["layers"][0];
  for (const auto* const key : {"repeat", "objective", "lower_bound", "gap", "latency_cycles", "energy_pj"})
    EXPECT_THAT(text, HasSubstr("<data value=\"" + layer[key].dump() + "\">")) << key;
  for (const auto& cycles : layer["spent_cycles"])
    EXPECT_THAT(text, HasSubstr("<data value=\"" + cycles.dump() + "\">"));
  for (const auto* const key : {"nodes", "labels", "seconds"})
    EXPECT_THAT(text, HasSubstr("<data value=\"" + layer["search"][key].dump() + "\">")) << key;
  for (const auto* const key : {"latency_cycles", "energy_pj", "edp"})
    EXPECT_THAT(text, HasSubstr("<data value=\"" + json["totals"][key].dump() + "\">")) << key;
  EXPECT_THAT(text, HasSubstr(">1,234<"));
  EXPECT_THAT(text, HasSubstr(">2.346 nJ<"));
}

TEST(HtmlPage, TilesOfAMappingEqualTheModel) {
  // The sizes are those of each operand's tiles in the memories that it uses, except its home.
  const auto reported = take_reported("r.json", cim_result("net"));
  ASSERT_TRUE(reported);
  const auto& sizes = reported->json["layers"][0]["evaluation"]["sizes_bits"];
  EXPECT_TRUE(sizes.contains("buf/O")) << sizes.dump();
  EXPECT_TRUE(sizes.contains("macro/W")) << sizes.dump();
  EXPECT_FALSE(sizes.contains("dram/I")) << sizes.dump();
}

TEST(HtmlPage, HostileNamesAreInert) {
  const std::string hostile = "</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">'&";
  // The reader checks the names of layers, but not the names of netlists.
  const Json netlist = {{"schema", "nestor.result/2"},
                        {"verb", "schedule"},
                        {"space", "simd"},
                        {"netlist", {{"name", hostile + "\x1b[31m\u202e"}}},
                        {"method", hostile}};
  for (const auto& json : {cim_result(hostile), netlist}) {
    const auto text = page_of(json);
    EXPECT_THAT(text, HasSubstr("&lt;/script&gt;"));
    EXPECT_THAT(text, Not(HasSubstr("<img")));
    EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\u202e")));
    EXPECT_EQ(fault_of_nesting(text), "");
  }
}

TEST(HtmlPage, ElementsNest) {
  const auto one = take_reported("a.json", cim_result("a"));
  const auto two = take_reported("b.json", cim_result("b"));
  ASSERT_TRUE(one && two);
  EXPECT_EQ(fault_of_nesting(page(std::array{*one})), "");
  EXPECT_EQ(fault_of_nesting(page(std::array{*one, *two})), "");
  EXPECT_EQ(fault_of_nesting("<p><b></p></b>"), "/p");
}

TEST(HtmlPage, ResultsSideBySideAreComparedWithTheFirst) {
  auto faster = cim_result("net");
  faster["layers"][0]["latency_cycles"] = 617;
  const auto one = take_reported("a.json", cim_result("net"));
  const auto two = take_reported("b.json", faster);
  ASSERT_TRUE(one && two);
  const auto text = page(std::array{*one, *two});
  EXPECT_THAT(text, HasSubstr("<data value=\"617\">617</data></td><td class=\"figure\">-50.0 %</td>"));
}

TEST(HtmlPage, GroupsCountAsRepeats) {
  auto json = cim_result("net");
  auto grouped = mapped_layer("grouped");
  grouped["groups"] = 4;  // with 3 repeats, 12 runs of 1,234 cycles; the other layer has 3
  json["layers"].push_back(grouped);
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("<data value=\"12\">"));
  EXPECT_THAT(text, HasSubstr(">80.0 %<"));
  EXPECT_THAT(text, HasSubstr(">20.0 %<"));
}

TEST(HtmlPage, MappingsOfTwoResultsAreDiffed) {
  auto other = cim_result("net");
  auto& mapping = other["layers"][0]["mapping"];
  mapping["spatial"]["row"] = {{"C", 2}};
  mapping["temporal"].push_back(loop("C", 2, "dram", "macro", "buf"));
  const auto one = take_reported("a.json", cim_result("net"));
  const auto two = take_reported("b.json", other);
  ASSERT_TRUE(one && two);
  const auto text = page(std::array{*one, *two});
  const auto row = [](const char* name, const char* first, const char* second, const char* mark) {
    return HasSubstr(std::string("<th scope=\"row\">") + name + "</th><td>" + first + "</td><td>" + second +
                     "</td><td>" + mark + "</td>");
  };
  constexpr auto differs = "<span class=\"open\">differs</span>";
  EXPECT_THAT(text, row("axis row", "C 4", "C 2", differs));
  EXPECT_THAT(text, row("loop 1", "K 8 (I in dram, W in macro, O in buf)",
                        "K 8 (I in dram, W in macro, O in buf)", ""));
  EXPECT_THAT(text, row("loop 2", "", "C 2 (I in dram, W in macro, O in buf)", differs));
  EXPECT_EQ(fault_of_nesting(text), "");
}

Json swept_row(const char* size, double latency, double energy) {
  return {{"machine", std::string("m size=") + size},
          {"parameters", {{"axis.core.size", size}}},
          {"network", "<net>"},
          {"run", {{"objective", "edp"}}},
          {"status", "optimal"},
          {"latency_cycles", latency},
          {"energy_pj", energy},
          {"edp", latency * energy},
          {"seconds", 0.5}};
}

TEST(HtmlPage, SweepsAreTablesAndPlots) {
  Json json = {
      {"schema", "nestor.sweep/1"},
      {"plan", "<plan>"},
      {"rows", Json::array({swept_row("2", 811, 31), swept_row("4", 409, 37), swept_row("8", 419, 53)})}};
  const auto text = page_of(json);
  for (const auto& row : json["rows"])
    for (const auto* const key : {"latency_cycles", "energy_pj", "edp"})
      EXPECT_THAT(text, HasSubstr("<data value=\"" + row[key].dump() + "\">")) << key;
  EXPECT_THAT(text, HasSubstr("latency (cycles)"));                          // the axis of a plot
  EXPECT_THAT(text, HasSubstr("r=\"3\" fill=\"#bbbbbb\"><title>m size=8"));  // dominated by the second row
  EXPECT_THAT(text, HasSubstr("r=\"5\" fill=\"#0072b2\"><title>m size=4"));
  EXPECT_THAT(text, HasSubstr("&lt;plan&gt;"));
  EXPECT_THAT(text, Not(HasSubstr("<net>")));
  EXPECT_EQ(fault_of_nesting(text), "");
  for (const Json& rows :
       {Json(7), Json("x"), Json::array({1, "x", nullptr}), Json::array({{{"parameters", 1}}})}) {
    json["rows"] = rows;
    EXPECT_EQ(fault_of_nesting(page_of(json)), "");
  }
}

TEST(HtmlPage, ComparisonsOfSolversShowTheirMappings) {
  const auto result = cim_result("net");
  Json own = {{"layer", "a"}, {"solver", "nestor"}, {"state", "optimal"}, {"evaluated", 1234}};
  own["mapping"] = result["layers"][0]["mapping"];
  auto theirs = own;
  theirs["solver"] = "<cbc>";
  theirs["ratio"] = 1.25;
  theirs["mapping"]["spatial"]["row"] = {{"C", 2}};
  Json json = {{"schema", "nestor.comparison/1"},
               {"network", "net"},
               {"architecture", result["architecture"]},
               {"rows", Json::array({own, theirs})}};
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("net on m"));
  EXPECT_THAT(text, HasSubstr("<data value=\"1.25\">"));
  EXPECT_THAT(text, HasSubstr("<td>C 4</td><td>C 2</td>"));
  EXPECT_THAT(text, HasSubstr("Loops of &lt;cbc&gt;"));
  EXPECT_EQ(fault_of_nesting(text), "");
  json["rows"] = Json::array({3, Json::object(), own});
  EXPECT_EQ(fault_of_nesting(page_of(json)), "");
}

TEST(HtmlPage, LoadsNothingFromOutside) {
  const auto text = page_of(cim_result("net"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, Not(HasSubstr("unsafe-inline")));
  EXPECT_THAT(text, Not(HasSubstr("http://")));
  EXPECT_THAT(text, Not(HasSubstr("https://")));
  EXPECT_THAT(text, Not(HasSubstr(" style=")));  // the content security policy would block it
}

TEST(HtmlPage, AcceptsOnlyResults) {
  const auto refused = [](const Json& json) { return take_reported("r.json", json).error().to_string(); };
  EXPECT_THAT(refused({{"name", "x"}}), HasSubstr("is not a nestor result"));
  auto json = cim_result("net");
  json["verb"] = "lp";
  EXPECT_THAT(refused(json), HasSubstr("verb is 'lp', expected a result of map"));
  json["verb"] = "map";
  json["space"] = "optical";
  EXPECT_THAT(refused(json), HasSubstr("space is 'optical'"));
}

TEST(HtmlPage, PlacementsShowTheTimeOfEveryOperationOnEverySystem) {
  Json json = {{"schema", "nestor.result/2"},
               {"verb", "map"},
               {"space", "cnm"},
               {"systems", Json::array({{{"name", "upmem"}}, {{"name", "host"}}})}};
  json["offload"] = {{"status", "optimal"},
                     {"time_ms", 1.625},
                     {"lower_bound_ms", 1.625},
                     {"placement", {"upmem", "host"}},
                     {"transfers", 2},
                     {"alone_ms", {{"host", 5.125}}},
                     {"link", {{"host", Json::object()}, {"upmem", Json::object()}}},
                     {"kernels", Json::array({{{"name", "<first>"}, {"system", "upmem"}, {"cycles", 7}}})}};
  json["offload"]["program"] = {
      {"program", "chain"},
      {"ops", Json::array({{{"name", "<first>"}, {"time_ms", {{"host", 3.5}, {"upmem", 0.5}}}},
                           {{"name", "second"}, {"time_ms", {{"host", 1.125}}}}})}};
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("chain on upmem, host"));
  EXPECT_THAT(text, HasSubstr("&lt;first&gt; on upmem"));
  for (const auto* const value : {"1.625", "0.5", "3.5", "1.125", "5.125", "2"})
    EXPECT_THAT(text, HasSubstr(std::string("<data value=\"") + value + "\">")) << value;
  EXPECT_EQ(fault_of_nesting(text), "");
  for (const auto* const key : {"placement", "link", "kernels", "program", "alone_ms"}) {
    auto other = json;
    other["offload"][key] = 7;
    EXPECT_EQ(fault_of_nesting(page_of(other)), "") << key;
  }
}

TEST(HtmlPage, ValuesOfOtherTypesLeaveACellEmpty) {
  Json json = {{"schema", "nestor.result/2"},
               {"verb", "schedule"},
               {"space", "simd"},
               {"netlist", Json::array()},
               {"schedule", 7},
               {"occupancy", "x"},
               {"copies", {{"a", 1}}},
               {"copies_by_cause", Json::array({1})}};
  EXPECT_EQ(fault_of_nesting(page_of(json)), "");
  json["space"] = "cnm";
  json["layers"] = {1, "x", nullptr};
  json["maps"] = {{"a", 1}};
  EXPECT_EQ(fault_of_nesting(page_of(json)), "");
  json["space"] = "pim";
  json["layers"] = Json::array({{{"mapping", {{"temporal", 3}, {"spatial", Json::array()}}}}, 5});
  json["architecture"] = {{"hierarchy", Json::array({1, {{"memory", 1}}, {{"spatial", {{"size", 1e18}}}}})}};
  EXPECT_EQ(fault_of_nesting(page_of(json)), "");
}

TEST(HtmlFigures, AreReadableAndExact) {
  EXPECT_EQ(figure(Json(1234567), Style::count), "<data value=\"1234567\">1,234,567</data>");
  EXPECT_EQ(figure(Json(42336.0), Style::count), "<data value=\"42336.0\">42,336</data>");
  EXPECT_EQ(figure(Json("<n>"), Style::count), "&lt;n&gt;");
  EXPECT_EQ(figure(Json(), Style::count), "");
  EXPECT_EQ(shortened("\u00e9\u00e9\u00e9\u00e9", 3), "\u00e9\u00e9\u2026");
}

}  // namespace
}  // namespace nestor::report::html::html_page_test
