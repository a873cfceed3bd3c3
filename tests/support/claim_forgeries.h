// Results with a false claim. A falsification changes bounds, lists, statuses, costs, fronts, totals or the
// machine. forge() accepts results of any space and returns nothing if a falsification does not apply. A
// changed result is always false, so no checker may verify it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

namespace nestor::tests {

using Json = nlohmann::ordered_json;

class ClaimForger {
 public:
  /// `honest` must be optimal, with a verified proof.
  explicit ClaimForger(const Json& honest) : honest_(honest) {}

  struct Falsification {
    const char* name;
    bool (ClaimForger::*does)(Json& result, Random& random) const;
  };
  static const std::vector<Falsification>& falsifications() {
    static const std::vector<Falsification> all = {
        {"raises the bound", &ClaimForger::raises_bound},
        {"raises bound and cost", &ClaimForger::raises_bound_and_cost},
        {"lowers the bound of an optimum", &ClaimForger::lowers_bound},
        {"takes a listed solution for the best", &ClaimForger::takes_listed_for_best},
        {"exchanges entries of a list", &ClaimForger::exchanges_listed},
        {"repeats an entry of a list", &ClaimForger::repeats_listed},
        {"leaves out an entry of a list", &ClaimForger::leaves_out_listed},
        {"lists more than was asked for", &ClaimForger::lists_more},
        {"lists a cost below the bound", &ClaimForger::lists_below_bound},
        {"takes lists of another layer", &ClaimForger::takes_lists},
        {"calls it infeasible", &ClaimForger::calls_infeasible},
        {"calls it by no status", &ClaimForger::calls_by_no_status},
        {"changes a figure", &ClaimForger::changes_figure},
        {"changes a gap", &ClaimForger::changes_gap},
        {"changes a front", &ClaimForger::changes_front},
        {"changes a total", &ClaimForger::changes_total},
        {"damages the machine", &ClaimForger::damages_machine},
    };
    return all;
  }

  /// Returns nullopt if the falsification does not apply.
  std::optional<Json> forge(const Falsification& falsification, Random& random) const {
    Json result = honest_;
    if (!(this->*falsification.does)(result, random) || result == honest_) return std::nullopt;
    return result;
  }

 private:
  // Returns a random layer, or the result itself if it has no layers.
  static Json& record(Json& result, Random& random) {
    if (!result.contains("layers")) return result;
    return result["layers"][random.below(result["layers"].size())];
  }
  static Json* find(Json& object, std::initializer_list<const char*> keys) {
    for (const auto* const key : keys)
      if (object.contains(key)) return &object[key];
    return nullptr;
  }
  static Json* bound_of(Json& record) { return find(record, {"lower_bound", "lower_bound_ms"}); }
  static Json* cost_of(Json& record) {
    Json* const cost = find(record, {"objective", "time_ms"});
    if (cost == nullptr || !cost->is_object()) return cost;
    return cost->contains("value") ? &(*cost)["value"] : find(record, {"time_ms"});
  }
  static Json* list_of(Json& record) {
    Json* const list = find(record, {"alternatives", "top"});
    return list == nullptr || list->empty() ? nullptr : list;
  }
  static double listed(const Json& entry) {
    return entry.value(entry.contains("objective") ? "objective" : "time_ms", 0.0);
  }
  static double factor(Random& random) {
    constexpr std::array factors = {1.00001, 1.001, 1.5, 3.0};
    return factors.at(random.below(factors.size()));
  }
  static void scale(Json& number, double by) {
    const auto old = number.get<double>();
    if (number.is_number_integer())
      number = static_cast<std::int64_t>(old * by) + (by > 1 ? 1 : -1);
    else
      number = old * by;
  }

  bool raises_bound(Json& result, Random& random) const {
    Json& layer = record(result, random);
    Json* const bound = bound_of(layer);
    if (bound == nullptr) return false;
    constexpr std::array statuses = {"optimal", "time_limit", "work_limit", "interrupted"};
    layer["status"] = statuses.at(random.below(statuses.size()));
    layer.erase("gap");
    scale(*bound, factor(random));
    return true;
  }
  bool raises_bound_and_cost(Json& result, Random& random) const {
    Json& layer = record(result, random);
    if (bound_of(layer) == nullptr || cost_of(layer) == nullptr) return false;
    scale(*bound_of(layer), factor(random));
    *cost_of(layer) = *bound_of(layer);
    return true;
  }
  bool lowers_bound(Json& result, Random& random) const {
    Json& layer = record(result, random);
    if (bound_of(layer) == nullptr) return false;
    scale(*bound_of(layer), 1 / factor(random));
    return true;
  }
  // Exchanges the best entry with a costlier entry of the list, including figures, mapping and bound.
  bool takes_listed_for_best(Json& result, Random& random) const {
    Json& layer = record(result, random);
    Json* const list = list_of(layer);
    if (list == nullptr) return false;
    Json& other = (*list)[random.below(list->size())];
    if (listed(other) <= cost_of(layer)->get<double>() * (1 + 1e-6)) return false;
    const Json keys = other;
    for (const auto& [key, value] : keys.items())
      if (layer.contains(key)) std::swap(layer[key], other[key]);
    if (layer.contains("maps")) layer["maps"][0].update(other);
    *bound_of(layer) = *cost_of(layer);
    return true;
  }
  bool exchanges_listed(Json& result, Random& random) const {
    Json* const list = list_of(record(result, random));
    if (list == nullptr || list->size() < 2) return false;
    Json& a = (*list)[random.below(list->size())];
    Json& b = (*list)[random.below(list->size())];
    if (std::abs(listed(a) - listed(b)) <= 1e-6 * listed(a)) return false;
    std::swap(a, b);
    return true;
  }
  bool repeats_listed(Json& result, Random& random) const {
    Json* const list = list_of(record(result, random));
    if (list == nullptr) return false;
    const auto at = random.below(list->size());
    list->insert(list->begin() + static_cast<std::ptrdiff_t>(at), Json((*list)[at]));
    if (result.contains("options")) result["options"]["top"] = "99";
    return true;
  }
  // Removes an entry that costs less than the last one.
  bool leaves_out_listed(Json& result, Random& random) const {
    Json* const list = list_of(record(result, random));
    if (list == nullptr || list->size() < 2) return false;
    const auto at = random.below(list->size() - 1);
    if (listed((*list)[at]) >= listed(list->back()) * (1 - 1e-6)) return false;
    list->erase(at);
    return true;
  }
  bool lists_more(Json& result, Random& random) const {
    if (list_of(record(result, random)) == nullptr || !result.contains("options")) return false;
    result["options"]["top"] = "1";
    return true;
  }
  bool lists_below_bound(Json& result, Random& random) const {
    Json& layer = record(result, random);
    Json* const list = list_of(layer);
    if (list == nullptr) return false;
    Json& entry = (*list)[random.below(list->size())];
    layer["status"] = random.chance(0.5) ? "optimal" : "work_limit";
    scale(entry[entry.contains("objective") ? "objective" : "time_ms"], 0.5);
    return true;
  }
  bool takes_lists(Json& result, Random& random) const {
    Json& a = record(result, random);
    Json& b = record(result, random);
    Json* const of_a = list_of(a);
    Json* const of_b = list_of(b);
    if (of_a == nullptr || of_b == nullptr || *of_a == *of_b) return false;
    std::swap(*of_a, *of_b);
    return true;
  }
  bool calls_infeasible(Json& result, Random& random) const {
    Json& layer = record(result, random);
    layer["status"] = "infeasible";
    if (random.chance(0.5) || !result.contains("layers")) return true;
    result.erase("totals");
    for (const auto* const key :
         {"mapping", "objective", "lower_bound", "gap", "alternatives", "front", "latency_cycles",
          "energy_pj", "edp", "usage_bits", "traffic_bits", "spent_cycles", "evaluation", "dataflow"})
      layer.erase(key);
    return true;
  }
  bool calls_by_no_status(Json& result, Random& random) const {
    constexpr std::array words = {"best", "", "Optimal", "gap_reached"};
    record(result, random)["status"] = words.at(random.below(words.size()));
    return true;
  }
  bool changes_figure(Json& result, Random& random) const {
    Json& layer = record(result, random);
    std::vector<Json*> points = {&layer};
    for (const auto* const key : {"alternatives", "front", "top", "maps"})
      if (layer.contains(key))
        for (Json& point : layer[key]) points.push_back(&point);
    Json& point = *points[random.below(points.size())];
    constexpr std::array keys = {"latency_cycles", "energy_pj", "edp", "time_ms", "objective"};
    const auto* const key = keys.at(random.below(keys.size()));
    if (!point.contains(key) || !point[key].is_number()) return false;
    scale(point[key], random.chance(0.5) ? factor(random) : 1 / factor(random));
    return true;
  }
  bool changes_gap(Json& result, Random& random) const {
    Json& layer = record(result, random);
    if (!layer.contains("gap")) return false;
    layer["gap"] = layer["gap"].get<double>() + 0.001;
    return true;
  }
  bool changes_front(Json& result, Random& random) const {
    Json& layer = record(result, random);
    if (!layer.contains("front") || layer["front"].size() < 2) return false;
    Json& front = layer["front"];
    const auto at = static_cast<std::ptrdiff_t>(random.below(front.size() - 1));
    switch (random.below(3)) {
      case 0:
        front.erase(static_cast<std::size_t>(at));
        break;
      case 1:
        std::swap(front[static_cast<std::size_t>(at)], front[static_cast<std::size_t>(at) + 1]);
        break;
      default:
        front.insert(front.begin() + at, Json(front[static_cast<std::size_t>(at)]));
    }
    return true;
  }
  bool changes_total(Json& result, Random& random) const {
    if (!result.contains("totals")) return false;
    constexpr std::array keys = {"latency_cycles", "energy_pj", "edp", "objective", "lower_bound"};
    const auto* const key = keys.at(random.below(keys.size()));
    if (!result["totals"].contains(key)) return false;
    scale(result["totals"][key], factor(random));
    return true;
  }
  // Changes the machine so that no reader accepts it.
  bool damages_machine(Json& result, Random& random) const {
    std::vector<Json*> objects = {&result["architecture"]};
    for (std::size_t at = 0; at < objects.size(); ++at)
      for (auto& [key, value] : objects[at]->items()) {
        // Skips tables that accept any key.
        if (value.is_object() && key != "ops" && key != "calls" && key != "barrier" && key != "alu_ops")
          objects.push_back(&value);
        if (value.is_array())
          for (Json& entry : value)
            if (entry.is_object()) objects.push_back(&entry);
      }
    Json& object = *objects[random.below(objects.size())];
    const auto at = random.below(object.size() + 1);
    if (at == object.size()) {
      object["unheard_of"] = 1;
      return true;
    }
    auto entry = object.begin();
    std::advance(entry, static_cast<std::ptrdiff_t>(at));
    Json& value = entry.value();
    if (entry.key() == "source") return false;
    if (value.is_number())
      value = value.is_number_integer() ? Json(-1) : Json(-value.get<double>() - 1);
    else if (value.is_boolean() || value.is_string())
      value =
          value.is_string() && entry.key() == "name" ? Json("") : Json(entry.key() == "type" ? "" : "zzz");
    else if (value.is_array())
      value = Json::array();
    else
      return false;
    // An empty list in `dim_once` means the same as no list.
    return entry.key() != "dim_once" && entry.key() != "source";
  }

  const Json& honest_;
};

}  // namespace nestor::tests
