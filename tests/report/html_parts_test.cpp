// Tests of the parts of the HTML report's layers, chips and netlists: every figure that a picture shows is in
// a table, and figures of unexpected types leave cells empty.
#include <gmock/gmock.h>

#include <array>

#include "html_results.h"

namespace nestor::report::html::html_parts_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

auto has_figure(const std::string& json, const std::string& text) {
  return HasSubstr("<data value=\"" + json + "\">" + text + "</data>");
}

// Replaces each value in `json`, one at a time, by values of other types, and checks the pages.
void expect_nesting(const Json& json, const Json::json_pointer& place) {
  const auto& whole = json.at(place);
  std::vector<Json::json_pointer> places;
  const auto collect = [&](const auto& self, const Json& value, const Json::json_pointer& at) -> void {
    places.push_back(at);
    if (value.is_object())
      for (const auto& [key, entry] : value.items()) self(self, entry, at / key);
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i) self(self, value[i], at / i);
  };
  collect(collect, whole, place);
  for (const auto& at : places)
    for (const Json& odd :
         {Json(), Json("<b>"), Json(-1e300), Json::array({1, nullptr}), Json{{"<b>", -7}}}) {
      auto spoilt = json;
      spoilt[at] = odd;
      const ReportedResult result{"r.json", spoilt};
      const auto text = page(std::span(&result, 1));
      EXPECT_EQ(fault_of_nesting(text), "") << at.to_string() << " = " << odd.dump();
      EXPECT_THAT(text, Not(HasSubstr("<b>"))) << at.to_string() << " = " << odd.dump();
    }
}

TEST(HtmlParts, PortsAreBusyForTheirBitsAtTheBandwidth) {
  auto json = cim_result("net");
  auto& layer = json["layers"][0];
  layer["traffic_bits"] = {{"dram/W", {{"read", 6400}}}, {"buf/O", {{"read", 32}, {"write", 64}}}};
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("Parts at work"));
  EXPECT_THAT(text, has_figure("6400", "6,400"));
  EXPECT_THAT(text, has_figure("100", "100"));  // 6,400 bits at 64 bits per cycle
  EXPECT_THAT(text, has_figure("96", "96"));
  EXPECT_THAT(text, has_figure("1.5", "1.5"));
  EXPECT_THAT(text, HasSubstr("1,000 (81.0 %)"));  // compute, of 1,234 cycles
  // Without the breakdown of a search, the cycles of the array are those of the temporal loops.
  layer.erase("spent_cycles");
  EXPECT_THAT(page_of(json), HasSubstr("compute: 8 cycles"));
  expect_nesting(json, Json::json_pointer("/layers/0/traffic_bits"));
  expect_nesting(json, Json::json_pointer("/architecture"));
}

TEST(HtmlParts, PimPartsHaveTheEvaluatorsCycles) {
  Json json = cim_result("net");
  json["space"] = "pim";
  json["layers"][0]["evaluation"] = {{"compute_cycles", 617},
                                     {"memory_cycles", {{"dram", {{"per_operand", 501}, {"shared", 733}}}}},
                                     {"bits", {{"dram/I", 1000}, {"dram/W", 2000}}},
                                     {"energy", {{"compute", 8.5}, {"dram/I", 1.5}}}};
  const auto text = page_of(json);
  for (const auto* const figure : {"617", "501", "733"}) EXPECT_THAT(text, has_figure(figure, figure));
  EXPECT_THAT(text, has_figure("3000", "3,000"));
  EXPECT_THAT(text, has_figure("8.5", "8.500 pJ"));
  EXPECT_THAT(text, HasSubstr("617 (50.0 %)"));
  expect_nesting(json, Json::json_pointer("/layers/0/evaluation"));
}

TEST(HtmlParts, ConvergenceShowsNodesAndBounds) {
  auto json = cim_result("net");
  json["layers"][0]["search"]["incumbents"] =
      Json::array({{{"seconds", 0.001}, {"objective", 1801}, {"nodes", 0}},
                   {{"seconds", 0.125}, {"objective", 1234}, {"nodes", 71}, {"lower_bound", 1107}}});
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("Convergence"));
  EXPECT_THAT(text, has_figure("1801", "1,801"));
  EXPECT_THAT(text, has_figure("71", "71"));
  EXPECT_THAT(text, has_figure("1107", "1,107"));
  EXPECT_THAT(text, HasSubstr("class=\"limit dashed\""));
  EXPECT_THAT(text, HasSubstr("0.125 s: objective 1,234, 71 nodes"));
  expect_nesting(json, Json::json_pointer("/layers/0/search"));
  // A file of an earlier version has neither nodes nor bounds.
  for (auto& incumbent : json["layers"][0]["search"]["incumbents"]) {
    incumbent.erase("nodes");
    incumbent.erase("lower_bound");
  }
  EXPECT_THAT(page_of(json), has_figure("1801", "1,801"));
}

TEST(HtmlParts, EnergyIsThatOfTheModelIfItIsThatOfTheResult) {
  auto json = cim_result("net");
  json["architecture"]["compute"]["mac_energy"] = 0.25;
  json["layers"][0]["energy_pj"] = 8;  // of 32 products
  const auto reported = take_reported("r.json", json);
  ASSERT_TRUE(reported);
  EXPECT_EQ(reported->json["layers"][0]["evaluation"]["energy"]["compute"], 8);
  EXPECT_THAT(page_of(json), has_figure("8.0", "8.000 pJ"));
  json["layers"][0]["energy_pj"] = 9;  // not the energy of this mapping
  EXPECT_THAT(page_of(json), Not(HasSubstr("Energy by part")));
}

TEST(HtmlParts, LeakageIsAPartOfTheEnergy) {
  auto json = cim_result("net");
  json["architecture"]["leakage"] = 0.5;
  json["layers"][0]["evaluation"] = {{"energy", {{"compute", 8}}}};
  EXPECT_THAT(page_of(json), has_figure("617.0", "617.0 pJ"));  // 1,234 cycles
}

TEST(HtmlParts, ResourcesHaveUnitsAndCopiesOfALayerBindOnTheSame) {
  auto json = cim_result("net");
  json["layers"][0]["resources"] =
      Json::array({{{"resource", "capacity"},
                    {"name", "buf"},
                    {"amount", 65536},
                    {"used", 0.5},
                    {"binds", "yes"},
                    {"step", {{"amount", 131072}, {"status", "time_limit"}, {"gain", 0.25}}}},
                   {{"resource", "bandwidth"},
                    {"name", "dram"},
                    {"amount", 64},
                    {"used", 0.75},
                    {"operand", "W"},
                    {"binds", "no"},
                    {"step", {{"amount", 128}, {"status", "optimal"}, {"gain", 0}}}}});
  auto copy = mapped_layer("copy");
  copy["same_as"] = "net";
  json["layers"].push_back(copy);
  const ReportedResult result{"r.json", json};  // the typed reader would want mappings of the changes
  const auto text = page(std::span(&result, 1));
  EXPECT_THAT(text, HasSubstr("<th scope=\"row\">buf capacity</th><td>KiB</td><td class=\"figure\"><data "
                              "value=\"65536\">8</data>"));
  EXPECT_THAT(text, HasSubstr("<data value=\"131072\">16</data></td><td class=\"figure\"><data "
                              "value=\"0.25\">25.0 %</data> or more"));
  EXPECT_THAT(text, HasSubstr("<td>b/cycle</td>"));
  EXPECT_THAT(text, HasSubstr("W <data value=\"0.75\">"));
  // Both layers are bound by the buffer in the overview.
  const auto first = text.find("<td>buf capacity</td>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(text.find("<td>buf capacity</td>", first + 1), std::string::npos);
  expect_nesting(json, Json::json_pointer("/layers/0/resources"));
}

TEST(HtmlParts, FrontsShowTheMappingsOfTheirEnds) {
  auto json = cim_result("net");
  auto& layer = json["layers"][0];
  const Json point = {{"latency_cycles", 1234}, {"energy_pj", 7}, {"mapping", layer["mapping"]}};
  for (const auto* const key : {"mapping", "usage_bits", "spent_cycles", "objective", "lower_bound", "gap"})
    layer.erase(key);
  layer["front"] = Json::array({point, point, point});
  const auto reported = take_reported("r.json", json);
  ASSERT_TRUE(reported);
  const auto& front = reported->json["layers"][0]["front"];
  EXPECT_TRUE(front[0]["evaluation"]["sizes_bits"].contains("buf/O"));
  EXPECT_FALSE(front[1].contains("evaluation"));
  EXPECT_TRUE(front[2]["evaluation"]["usage_bits"].contains("buf"));
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("Fastest point"));
  EXPECT_THAT(text, HasSubstr("Point of least energy"));
  EXPECT_THAT(text, HasSubstr("for K in 0..7"));
  layer["front"] = Json::array({point});
  EXPECT_THAT(page_of(json), Not(HasSubstr("Point of least energy")));
}

TEST(HtmlParts, ReplaysHaveATimeline) {
  auto json = cim_result("net");
  json["verb"] = "simulate";
  json["layers"][0]["replay_cycles"] = 50;
  const auto reported = take_reported("r.json", json);
  ASSERT_TRUE(reported);
  EXPECT_TRUE(reported->json["layers"][0]["timeline"]["complete"].get<bool>());
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("8 MVMs: cycles"));
  EXPECT_THAT(text, HasSubstr("class=\"zoom\""));
  EXPECT_THAT(text, HasSubstr("of a replay of 50 cycles"));
  EXPECT_THAT(text, HasSubstr("<th scope=\"row\">array</th>"));
  EXPECT_THAT(text,
              HasSubstr("<th scope=\"row\">O: dram - buf</th><td class=\"figure\"><data value=\"1\">1<"));
  expect_nesting(reported->json, Json::json_pointer("/layers/0/timeline"));
}

TEST(HtmlParts, TimelinesEndAtALimit) {
  auto json = cim_result("net");
  json["verb"] = "simulate";
  auto& layer = json["layers"][0];
  layer["dims"]["K"] = 8192;
  layer["mapping"]["temporal"] = Json::array({loop("K", 8192, "dram", "dram", "buf")});  // W moves every step
  layer["replay_cycles"] = 50;
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("The first 2000 events, up to cycle"));
  EXPECT_LT(text.size(), 1U << 20U);
}

TEST(HtmlParts, CrossbarsOverCyclesAreATable) {
  Json json = {{"schema", "nestor.result/2"}, {"verb", "compile"}, {"space", "chip"}};
  json["evaluation"]["segments"] = Json::array(
      {{{"operators",
         Json::array({{{"name", "a"}, {"on", "array"}, {"start", 0}, {"end", 500}, {"crossbars", 7}},
                      {{"name", "b"}, {"on", "array"}, {"start", 300}, {"end", 900}, {"crossbars", 4}}})}}});
  const ReportedResult result{"r.json", json};
  const auto text = page(std::span(&result, 1));
  EXPECT_THAT(text, has_figure("300.0", "300"));
  EXPECT_THAT(text, has_figure("11.0", "11"));  // both run
  EXPECT_THAT(text, has_figure("4.0", "4"));
  expect_nesting(json, Json::json_pointer("/evaluation"));
}

TEST(HtmlParts, CurvesOfNetlistsAreTables) {
  Json json = {{"schema", "nestor.result/2"}, {"verb", "schedule"}, {"space", "simd"}, {"rows", 6}};
  json["schedule"] = Json::array({"copy a", "xor3 b", "copy c"});
  json["occupancy"] = {{"after_instructions", {0, 17, 23}},
                       {"arrays", Json::array({{{"array", 0}, {"rows", {1, 2, 5}}}})}};
  const auto text = page_of(json);
  EXPECT_THAT(text,
              HasSubstr("<data value=\"23\">23</data></th><td class=\"figure\"><data value=\"5.0\">5<"));
  EXPECT_THAT(text, HasSubstr("<data value=\"3\">3</data></th><td class=\"figure\"><data value=\"2.0\">2<"));
  expect_nesting(json, Json::json_pointer("/occupancy"));
  Json many = Json::array();
  for (int i = 0; i < 5000; ++i) many.push_back("copy a");
  json["schedule"] = many;
  EXPECT_LT(page_of(json).size(), 100'000U);
}

TEST(HtmlParts, NamesAndRolesSuitScreenReaders) {
  auto json = cim_result("net");
  json["layers"][0]["traffic_bits"] = {{"dram/W", {{"read", 6400}}}};
  const auto text = page_of(json);
  EXPECT_THAT(text, HasSubstr("aria-hidden=\"true\""));  // the swatches of legends
  EXPECT_THAT(text, Not(HasSubstr("aria-label=\"\"")));
  EXPECT_THAT(text, Not(HasSubstr("role=\"region\"")));  // every table would be a landmark
  EXPECT_THAT(text, Not(::testing::ContainsRegex("<th [^>]*></th>")));
}

}  // namespace
}  // namespace nestor::report::html::html_parts_test
