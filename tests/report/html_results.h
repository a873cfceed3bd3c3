// Results for tests of the HTML report, and a check of a page's elements.
#pragma once

#include <gtest/gtest.h>

#include "report/html/page.h"

namespace nestor::report::html {

using io::Json;

inline Json loop(const char* dim, int factor, const char* i, const char* w, const char* o) {
  return {{"dim", dim}, {"factor", factor}, {"at", {{"I", i}, {"W", w}, {"O", o}}}};
}

inline Json mapped_layer(const std::string& name) {
  return {{"name", name},
          {"dims", {{"N", 1}, {"K", 8}, {"C", 4}, {"P", 1}, {"Q", 1}, {"R", 1}, {"S", 1}}},
          {"repeat", 3},
          {"status", "optimal"},
          {"objective", 1234},
          {"lower_bound", 1234},
          {"gap", 0},
          {"latency_cycles", 1234},
          {"energy_pj", 2345.678},
          {"edp", 2894566.652},
          {"mapping",
           {{"spatial", {{"row", {{"C", 4}}}}},
            {"temporal", Json::array({loop("K", 8, "dram", "macro", "buf")})},
            {"double_buffer", Json::array({{{"memory", "buf"}, {"operand", "O"}}})}}},
          {"usage_bits", {{"buf", 512}}},
          {"spent_cycles", {{"compute", 1000}, {"dram/W", 234}}},
          {"search",
           {{"nodes", 77}, {"labels", 99}, {"pruned", {{"bound", 1}, {"dominated", 2}}}, {"seconds", 0.25}}}};
}

inline Json cim_result(const std::string& name) {
  const auto memory = [](const char* called, Json operands) {
    return Json{
        {"memory",
         {{"name", called}, {"operands", std::move(operands)}, {"bandwidth", 64}, {"double_buffer", true}}}};
  };
  Json machine = {
      {"name", "m"},
      {"hierarchy", Json::array({memory("dram", {"I", "W", "O"}),
                                 memory("buf", {"I", "O"}),
                                 memory("macro", Json::array({"W"})),
                                 {{"spatial", {{"name", "row"}, {"size", 4}, {"dims", {"C"}}}}}})},
      {"compute", {{"mvm_cycles", 1}}}};
  machine["hierarchy"][0]["memory"].erase("double_buffer");
  machine["hierarchy"][2]["memory"].erase("double_buffer");
  return {{"schema", "nestor.result/2"},
          {"version", "0.1.0"},
          {"verb", "map"},
          {"space", "cim"},
          {"network", name},
          {"objective", {{"name", "latency"}, {"latency_model", "stall"}}},
          {"architecture", machine},
          {"layers", Json::array({mapped_layer(name)})},
          {"totals",
           {{"layers", 1},
            {"mapped", 1},
            {"macs", 96},
            {"latency_cycles", 3702},
            {"energy_pj", 7037.034},
            {"edp", 26051100.0}}}};
}

inline std::string page_of(const Json& json) {
  const auto reported = take_reported("r.json", json);
  EXPECT_TRUE(reported) << reported.error().to_string();
  return page(std::span(&*reported, 1));
}

// Returns the first tag that is not opened and closed in order; empty if all tags are.
inline std::string fault_of_nesting(std::string_view page) {
  std::vector<std::string> open;
  for (std::size_t i = page.find('<'); i != std::string_view::npos; i = page.find('<', i + 1)) {
    if (page.substr(i).starts_with("<!")) continue;
    const auto end = page.find('>', i);
    auto tag = std::string(page.substr(i + 1, page.find_first_of(" >", i) - i - 1));
    if (tag == "meta" || page[end - 1] == '/') continue;
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return tag;
      open.pop_back();
      continue;
    }
    open.push_back(tag);
    if (tag == "style" || tag == "script") i = page.find("</" + tag, end) - 1;
  }
  return open.empty() ? "" : open.back();
}

}  // namespace nestor::report::html
