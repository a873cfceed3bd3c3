// Tests of claim_faults(), which checks the claim of a result by the same rules for all spaces. An honest
// claim has no fault, and every kind of contradiction is detected in all spaces.
#include "check/claim.h"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "check/form.h"

namespace nestor::check::claim_test {
namespace {

Json layer_run(const char* space) {
  const auto point = [](int cycles, double energy, const char* factor) {
    return Json{{"objective", cycles},
                {"latency_cycles", cycles},
                {"energy_pj", energy},
                {"edp", cycles * energy},
                {"mapping", {{"temporal", {factor}}}}};
  };
  Json layer = point(10, 2.5, "a");
  layer.update({{"name", "conv"}, {"status", "optimal"}, {"lower_bound", 10}, {"gap", 0.0}});
  layer["alternatives"] = {point(11, 2.25, "b"), point(12, 2.5, "c")};
  Json twin = layer;
  twin["name"] = "again";
  twin["same_as"] = "conv";
  return {{"verb", "map"}, {"space", space}, {"options", {{"top", "3"}}}, {"layers", {layer, twin}}};
}
Json kernel_run() {
  const auto entry = [](double time, int block) {
    return Json{{"tuples", {{1}, {2}}}, {"block", {block}}, {"order", {0}}, {"time_ms", time}};
  };
  return {{"verb", "map"},           {"space", "cnm"},
          {"kernel", "gemv"},        {"status", "optimal"},
          {"time_ms", 0.5},          {"lower_bound_ms", 0.5},
          {"maps", {entry(0.5, 1)}}, {"top", {entry(0.5, 1), entry(0.75, 2), entry(0.875, 4)}}};
}
Json compiled() {
  return {{"verb", "compile"},
          {"space", "chip"},
          {"network", {{"name", "net"}}},
          {"options", Json::object()},
          {"status", "optimal"},
          {"objective", {{"name", "latency"}, {"value", 100}}},
          {"lower_bound", 100},
          {"gap", 0.0},
          {"decisions", {{"segments", {1}}}}};
}

// An honest result of a space, and the JSON pointers to the values that the tests forge. All pointers except
// `record` and `listed` are relative to `record`; `listed` is relative to an entry of `list`.
struct Space {
  Json honest;
  const char* record;
  const char* cost;
  const char* bound;
  const char* solution;
  const char* list;
  const char* listed;
};
const std::vector<Space> spaces = {
    {layer_run("cim"), "/layers/0", "/objective", "/lower_bound", "/mapping", "/alternatives", "/objective"},
    {layer_run("pim"), "/layers/0", "/objective", "/lower_bound", "/mapping", "/alternatives", "/objective"},
    {kernel_run(), "", "/time_ms", "/lower_bound_ms", "/maps", "/top", "/time_ms"},
    {compiled(), "", "/objective/value", "/lower_bound", "/decisions", "", ""},
};

Json& at(Json& result, const Space& space, const char* key) {
  return result[Json::json_pointer(std::string(space.record) + key)];
}
// Returns the checker's message for a result with one change; empty if the claim has no fault.
std::string said(const Space& space, const std::function<void(Json& result)>& forge) {
  Json result = space.honest;
  forge(result);
  const auto faults = claim_faults(result);
  return faults.empty() ? "" : faults.front().sentence;
}

TEST(Claim, HonestResultsHaveNoFault) {
  for (const Space& space : spaces) EXPECT_EQ(said(space, [](Json&) {}), "") << space.honest["space"];
}

TEST(Claim, BoundAndStatusAgree) {
  for (const Space& space : spaces) {
    SCOPED_TRACE(space.honest["space"]);
    for (const char* status : {"optimal", "time_limit", "work_limit", "memory_limit", "interrupted"})
      EXPECT_NE(said(space,
                     [&](Json& result) {
                       at(result, space, "/status") = status;
                       at(result, space, space.bound) = at(result, space, space.cost).get<double>() * 1.001;
                     }),
                "")
          << status;
    EXPECT_NE(said(space, [&](Json& result) { at(result, space, space.bound) = 0.25; }), "");
    for (const char* status : {"infeasible", "baseline", "best", "", "gap_reached"})
      EXPECT_NE(said(space, [&](Json& result) { at(result, space, "/status") = status; }), "") << status;
    EXPECT_NE(said(space, [&](Json& result) { at(result, space, space.solution) = Json::array(); }), "");
    // The bound of a stopped run may be below the cost, and layers may be missing.
    EXPECT_EQ(said(space,
                   [&](Json& result) {
                     at(result, space, "/status") = "time_limit";
                     at(result, space, space.bound) = at(result, space, space.cost).get<double>() / 2;
                     if (at(result, space, "").contains("gap")) at(result, space, "/gap") = 0.5;
                     if (result.contains("layers")) result["layers"].erase(1);
                   }),
              "");
  }
}

TEST(Claim, ListsAreSortedAndHaveTheRequestedLength) {
  for (const Space& space : spaces) {
    if (space.list[0] == '\0') continue;
    SCOPED_TRACE(space.honest["space"]);
    const auto list = [&](Json& result) -> Json& { return at(result, space, space.list); };
    const auto cost = [&](Json& result, std::size_t i) -> Json& {
      return list(result)[i][Json::json_pointer(space.listed)];
    };
    const std::size_t last = list(const_cast<Json&>(space.honest)).size() - 1;
    EXPECT_NE(said(space, [&](Json& r) { std::swap(list(r)[last], list(r)[last - 1]); }), "");
    EXPECT_NE(said(space, [&](Json& r) { list(r).push_back(list(r)[last]); }), "") << "twice";
    EXPECT_NE(said(space, [&](Json& r) { cost(r, last) = 0.25; }), "") << "below the bound";
    EXPECT_NE(said(space, [&](Json& r) { list(r)[last].erase(space.listed + 1); }), "") << "without a cost";
    if (space.honest.contains("options")) {
      EXPECT_NE(said(space, [](Json& r) { r["options"]["top"] = "2"; }), "");
    }
    // Even if the bound was not reached, no list entry may be below it.
    EXPECT_NE(said(space,
                   [&](Json& r) {
                     at(r, space, "/status") = "work_limit";
                     cost(r, 0) = at(r, space, space.bound).get<double>() * 0.9;
                   }),
              "");
  }
}

TEST(Claim, ProductsGapsTwinsAndFrontsAreConsistent) {
  for (const char* name : {"cim", "pim"}) {
    const Space& space = name == std::string("cim") ? spaces[0] : spaces[1];
    EXPECT_NE(said(space, [](Json& r) { r["layers"][0]["edp"] = 26; }), "");
    EXPECT_NE(said(space, [](Json& r) { r["layers"][0]["alternatives"][1]["edp"] = 26; }), "");
    EXPECT_NE(said(space, [](Json& r) { r["layers"][0]["gap"] = 0.01; }), "");
    EXPECT_NE(said(space, [](Json& r) { r["layers"][1]["same_as"] = "nobody"; }), "");
    EXPECT_NE(said(space, [](Json& r) { r["layers"][1]["dims"]["K"] = 2; }), "");
    EXPECT_NE(said(space,
                   [](Json& r) {
                     r["totals"] = {{"latency_cycles", 20}, {"energy_pj", 5}, {"edp", 1}};
                   }),
              "");
    const auto with_front = [&](const std::vector<std::pair<int, int>>& points) {
      return said(space, [&](Json& r) {
        Json layer = {{"name", "conv"}, {"status", "optimal"}, {"front", Json::array()}};
        for (const auto& [cycles, energy] : points)
          layer["front"].push_back(
              {{"latency_cycles", cycles}, {"energy_pj", energy}, {"edp", cycles * energy}});
        r["layers"] = {layer};
      });
    };
    EXPECT_EQ(with_front({{1, 3}, {2, 2}, {3, 1}}), "");
    EXPECT_NE(with_front({{1, 3}, {2, 3}}), "");
    EXPECT_NE(with_front({{1, 3}, {1, 2}}), "");
    EXPECT_NE(with_front({{2, 2}, {1, 3}}), "");
    EXPECT_NE(with_front({}), "");
  }
}

TEST(Claim, GapsMethodsAndTiesMatchTheirStatus) {
  const Space& space = spaces[0];
  const auto of_one = [&](const std::function<void(Json & layer, Json & result)>& forge) {
    return said(space, [&](Json& r) {
      r["layers"].erase(1);
      forge(r["layers"][0], r);
    });
  };
  const auto stopped = [](Json& layer, const char* status) {
    layer.update({{"status", status}, {"lower_bound", 5}, {"gap", 0.5}});
  };
  const auto of_ties = [&](const char* status, double bound) {
    return of_one([&](Json& layer, Json&) {
      layer["tie_break"] = {{"objective", "energy"}, {"status", status}, {"lower_bound", bound}};
    });
  };
  EXPECT_EQ(of_one([&](Json& layer, Json& r) {
              stopped(layer, "gap_reached");
              r["options"]["gap"] = "0.5";
            }),
            "");
  EXPECT_NE(of_one([&](Json& layer, Json&) { stopped(layer, "gap_reached"); }), "") << "no gap was asked for";
  EXPECT_NE(of_one([&](Json& layer, Json& r) {
              stopped(layer, "gap_reached");
              r["options"]["gap"] = "0.4";
            }),
            "");
  EXPECT_NE(of_one([&](Json& layer, Json&) {
              stopped(layer, "time_limit");
              layer.erase("lower_bound");
            }),
            "")
      << "a gap without a bound";
  EXPECT_NE(of_one([](Json& layer, Json&) { layer.erase("lower_bound"), layer.erase("gap"); }), "");
  EXPECT_NE(of_one([](Json& layer, Json&) { layer.erase("mapping"), layer["status"] = "time_limit"; }), "");
  EXPECT_NE(of_one([](Json& layer, Json&) { layer.erase("status"), layer.erase("gap"); }), "")
      << "a bound without a search";

  EXPECT_EQ(of_ties("optimal", 2.5), "");
  EXPECT_EQ(of_ties("time_limit", 2.25), "");
  EXPECT_NE(of_ties("optimal", 2.25), "");
  EXPECT_NE(of_ties("time_limit", 2.75), "");
  EXPECT_NE(of_ties("best", 2.5), "");
  EXPECT_NE(of_one([&](Json& layer, Json&) {
              stopped(layer, "time_limit");
              layer["tie_break"] = {{"objective", "energy"}, {"status", "optimal"}, {"lower_bound", 2.5}};
            }),
            "")
      << "ties of an objective that is not proved";

  // A baseline method cannot claim an optimum.
  EXPECT_NE(said(spaces[3], [](Json& r) { r["options"]["method"] = "cim-mlc"; }), "");
  EXPECT_NE(said(spaces[3],
                 [](Json& r) {
                   r["options"]["method"] = "cim-mlc";
                   r["status"] = "heuristic";
                 }),
            "")
      << "a bound";
  EXPECT_EQ(said(spaces[3],
                 [](Json& r) {
                   r["options"]["method"] = "cim-mlc";
                   r["status"] = "heuristic";
                   r.erase("lower_bound"), r.erase("gap");
                 }),
            "");
  EXPECT_NE(said(spaces[3],
                 [](Json& r) {
                   r["options"]["method"] = "cim-mlc";
                   r["status"] = "time_limit";
                   r.erase("lower_bound"), r.erase("gap");
                 }),
            "");
}

TEST(Claim, EachRuleOfBoundsIsCheckedSeparately) {
  const auto stopped = [](Json& r, double cost, double bound) {
    r.update({{"status", "time_limit"}, {"time_ms", cost}, {"lower_bound_ms", bound}});
  };
  EXPECT_EQ(said(spaces[2], [&](Json& r) { stopped(r, 0.5, 0.25); }), "");
  EXPECT_NE(said(spaces[2], [&](Json& r) { stopped(r, 0.45, 0.25); }), "") << "another first of the list";
  EXPECT_NE(said(spaces[2],
                 [&](Json& r) {
                   stopped(r, 0.5, 0.75);
                   r.erase("top");
                 }),
            "")
      << "a bound above the cost";
  EXPECT_NE(said(spaces[2],
                 [&](Json& r) {
                   stopped(r, 0.5, 0.5);
                   r.erase("time_ms");
                   r["top"][0]["time_ms"] = 0.25;
                 }),
            "")
      << "a list below the bound";
}

TEST(Claim, TotalsFollowFromTheLayers) {
  const auto run_of = [](const char* objective, Json totals, bool front = false) {
    Json run = layer_run("cim");
    run["objective"]["name"] = objective;
    for (Json& layer : run["layers"]) layer.erase("alternatives");
    run["layers"][1].erase("same_as");
    run["layers"][1]["repeat"] = 3;
    if (objective == std::string("edp"))
      for (Json& layer : run["layers"]) layer.update({{"objective", 25}, {"lower_bound", 25}});
    if (front) {
      Json& layer = run["layers"][1];
      layer["front"] = {{{"latency_cycles", 10}, {"energy_pj", 2.5}},
                        {{"latency_cycles", 11}, {"energy_pj", 2}}};
      for (const auto* const key :
           {"objective", "lower_bound", "gap", "latency_cycles", "energy_pj", "edp", "mapping"})
        layer.erase(key);
    }
    run["totals"] = std::move(totals);
    const auto faults = claim_faults(run);
    return faults.empty() ? "" : faults.front().sentence;
  };
  const Json latency = {{"latency_cycles", 40}, {"energy_pj", 10},   {"edp", 400},
                        {"objective", 40},      {"lower_bound", 40}, {"gap", 0.0}};
  const Json edp = {{"latency_cycles", 40}, {"energy_pj", 10},    {"edp", 400}, {"edp_sum", 100},
                    {"objective", 400},     {"lower_bound", 400}, {"gap", 0.0}};
  const Json of_front = {{"latency_cycles", 40}, {"energy_pj", 10}, {"edp", 400}};
  EXPECT_EQ(run_of("latency", latency), "");
  EXPECT_EQ(run_of("edp", edp), "");
  EXPECT_EQ(run_of("pareto", of_front, true), "");
  for (const auto& [objective, honest] : {std::pair{"latency", latency}, {"edp", edp}, {"pareto", of_front}})
    for (const auto& [key, value] : honest.items()) {
      Json forged = honest;
      forged[key] = value.get<double>() + 1;
      EXPECT_NE(run_of(objective, forged, objective == std::string("pareto")), "") << objective << ' ' << key;
    }
  // Figures that are wrong consistently, so that only one rule detects the error.
  Json other_edp = edp;
  other_edp.update({{"objective", 300}, {"lower_bound", 400}});
  other_edp.erase("gap");
  EXPECT_NE(run_of("edp", other_edp), "");
  Json other_bound = edp;
  other_bound.update({{"lower_bound", 500}, {"gap", -0.25}});
  EXPECT_NE(run_of("edp", other_bound), "");
  Json unbounded = latency;
  unbounded.erase("lower_bound");
  EXPECT_NE(run_of("latency", unbounded), "") << "a gap without a bound";
}

TEST(Claim, ValuesOfOtherTypesAreUnreadable) {
  for (const Space& space : spaces) {
    EXPECT_THROW(said(space, [&](Json& r) { at(r, space, space.bound) = "10"; }), Unreadable);
    EXPECT_THROW(said(space, [&](Json& r) { at(r, space, "/status") = 3; }), Unreadable);
  }
}

TEST(Form, DuplicateKeysAreRefused) {
  const auto parse = [](const char* text) {
    std::istringstream in(text);
    return parse_strictly(in);
  };
  EXPECT_NO_THROW(parse(R"({"a": {"b": 1}, "c": {"b": 2}})"));
  EXPECT_THROW(parse(R"({"a": {"b": 1, "b": 1}})"), Unreadable);
  EXPECT_THROW(parse(R"({"a": 1, "c": {}, "a": 2})"), Unreadable);
  EXPECT_THROW(parse("[1]"), Unreadable);
  EXPECT_THROW(parse(R"({"a": 1)"), Unreadable);
}

}  // namespace
}  // namespace nestor::check::claim_test
