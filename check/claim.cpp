#include "check/claim.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

namespace nestor::check {
namespace {

using Pointer = Json::json_pointer;

// Where a result says what it claims, by verb and space: JSON pointers into a layer, or into the result where
// it has none. The one table of these keys.
struct ClaimKeys {
  const char* verb;
  const char* space;
  const char* name;
  const char* objective;
  const char* lower_bound;
  const char* solution;
  const char* list;         ///< of the best
  const char* listed_cost;  ///< of an entry
  bool list_has_first;      ///< the list begins with the layer's own solution
  Decimal rounding{};       ///< costs are written to this
};
constexpr Decimal picosecond{1, 9};  // in milliseconds
constexpr std::array rows = {
    ClaimKeys{"map", "cim", "/name", "/objective", "/lower_bound", "/mapping", "/alternatives", "/objective",
              false},
    ClaimKeys{"map", "pim", "/name", "/objective", "/lower_bound", "/mapping", "/alternatives", "/objective",
              false},
    ClaimKeys{"map", "cnm", "/kernel", "/time_ms", "/lower_bound_ms", "/maps", "/top", "/time_ms", true,
              picosecond},
    ClaimKeys{"compile", "chip", "/network/name", "/objective/value", "/lower_bound", "/decisions",
              "/alternatives", "/objective", false},
};
// What tells entries of a list apart.
constexpr std::array<const char*, 9> identities = {"/mapping",  "/tuples", "/block", "/order", "/half",
                                                   "/half_dim", "/bank",   "/grf",   "/layout"};
// What layers that are said to be the same have in common.
constexpr std::array<const char*, 6> shared = {"/stride", "/dilation",  "/bits",
                                               "/status", "/objective", "/lower_bound"};
// What totals add up, and how often a layer runs.
constexpr std::array<const char*, 5> summed = {"/latency_cycles", "/energy_pj", "/objective", "/lower_bound",
                                               "/time_ms"};
constexpr std::array<const char*, 2> run_factors = {"/repeat", "/groups"};
constexpr std::array<const char*, 10> statuses = {"optimal",      "gap_reached", "time_limit", "work_limit",
                                                  "memory_limit", "interrupted", "infeasible", "heuristic",
                                                  "imported",     "baseline"};
// Keys that mean the same in all spaces.
constexpr const char* status_key = "/status";
constexpr const char* gap_key = "/gap";
constexpr const char* front_key = "/front";
constexpr const char* cycles_key = "/latency_cycles";
constexpr const char* energy_key = "/energy_pj";
constexpr const char* product_key = "/edp";
constexpr const char* twin_key = "/same_as";
constexpr const char* layers_key = "/layers";
constexpr const char* totals_key = "/totals";
constexpr const char* top_option = "top";
constexpr const char* gap_option = "gap";

const Json& at(const Json& record, const char* pointer) {
  static const Json nothing;
  const Pointer place(pointer);
  return record.contains(place) ? record[place] : nothing;
}

std::optional<Decimal> number_at(const Json& record, const char* pointer) {
  const Json& number = at(record, pointer);
  if (number.is_null()) return std::nullopt;
  if (!number.is_number()) throw Unreadable(std::string(pointer + 1) + " is no number");
  return parse_decimal(number.dump());
}

const Json& list_at(const Json& record, const char* pointer) {
  static const Json empty = Json::array();
  const Json& list = at(record, pointer);
  if (!list.is_null() && !list.is_array()) throw Unreadable(std::string(pointer + 1) + " is no list");
  return list.is_null() ? empty : list;
}

// The text of an option as a number, if it was given.
std::optional<Decimal> option(const Json& result, const char* name) {
  const auto options = result.find("options");
  if (options == result.end() || !options->is_object() || !options->contains(name)) return std::nullopt;
  const Json& text = (*options)[name];
  if (!text.is_string()) throw Unreadable(std::string("option ") + name + " is no text");
  return parse_decimal(text.get<std::string>());
}

std::string text(const Decimal& number) { return to_text(number.digits, power_of_ten(number.places)); }
long double value(const Decimal& number) {
  return static_cast<long double>(number.digits) / static_cast<long double>(power_of_ten(number.places));
}

// An energy-delay product is what it is called.
std::string product_fault(const Json& point) {
  const auto cycles = number_at(point, cycles_key);
  const auto energy = number_at(point, energy_key);
  const auto product = number_at(point, product_key);
  if (!product) return "";
  if (!cycles || !energy) return "it has an energy-delay product without cycles and energy";
  const Decimal found{times(energy->digits, cycles->digits), energy->places + cycles->places};
  if (compare(found, *product) == 0) return "";
  return "its energy-delay product is " + text(*product) + ", but its cycles and energy give " + text(found);
}

// The claim of one layer, kernel or network.
class Statement {
 public:
  Statement(const Json& result, const Json& record, const ClaimKeys& keys)
      : result_(result),
        record_(record),
        keys_(keys),
        objective_(number_at(record, keys.objective)),
        bound_(number_at(record, keys.lower_bound)) {
    const Json& status = at(record, status_key);
    if (!status.is_null() && !status.is_string()) throw Unreadable("status is no word");
    if (status.is_string()) status_ = status.get<std::string>();
    has_front_ = !list_at(record, front_key).empty();
    const Json& solution = at(record, keys.solution);
    has_solution_ = has_front_ || !(solution.is_null() || solution.empty());
  }

  std::string fault() const {
    for (const auto check : {&Statement::of_status, &Statement::of_bound, &Statement::of_gap,
                             &Statement::of_list, &Statement::of_front, &Statement::of_products})
      if (auto found = (this->*check)(); !found.empty()) return found;
    return "";
  }

 private:
  int compare_costs(const Decimal& a, const Decimal& b) const { return compare(a, b, keys_.rounding); }
  bool is(const char* status) const { return status_ == status; }
  bool was_searched() const { return !(status_.empty() || is("baseline")); }

  std::string of_status() const {
    if (!status_.empty() && std::find(statuses.begin(), statuses.end(), status_) == statuses.end())
      return "its status is " + quoted(status_) + ", which is no status";
    const bool has_costs = has_solution_ || !list_at(record_, keys_.list).empty();
    if (is("infeasible") && has_costs) return "it is called infeasible, but there is a mapping";
    if (!has_solution_ && objective_ && !is_zero(*objective_)) return "it has a cost without a mapping";
    if (is("optimal") && !has_solution_) return "it is called optimal, but has no mapping";
    if (is("optimal") && !has_front_ && !(objective_ && bound_))
      return "it is called optimal, but has no objective or no lower bound";
    if (is("gap_reached") && !(option(result_, gap_option) && number_at(record_, gap_key)))
      return "it is said to have reached a gap, but none was asked for";
    return "";
  }

  std::string of_bound() const {
    if (!bound_) return "";
    if (!was_searched()) return "it has a lower bound, but nothing was searched";
    if (!objective_ || !has_solution_) return "";
    const int order = compare_costs(*bound_, *objective_);
    if (order > 0) return "its lower bound " + text(*bound_) + " is above its cost " + text(*objective_);
    if (order < 0 && is("optimal"))
      return "it is called optimal, but its lower bound lies below its objective";
    return "";
  }

  // Relative figures are compared on their own scale.
  std::string of_gap() const {
    const auto gap = number_at(record_, gap_key);
    if (!gap) return "";
    if (!objective_ || !bound_) return "it has a gap without a cost and a lower bound";
    constexpr long double tolerance = 1e-9L;
    const long double cost = value(*objective_);
    const long double found = cost == 0 ? 0 : (cost - value(*bound_)) / std::fabs(cost);
    if (std::fabs(value(*gap) - found) > tolerance)
      return "its gap is " + text(*gap) + ", but cost and lower bound give " +
             std::to_string(static_cast<double>(found));
    const auto allowed = option(result_, gap_option);
    if (is("gap_reached") && allowed && compare(*gap, *allowed) > 0)
      return "its gap " + text(*gap) + " is larger than the one that was asked for";
    return "";
  }

  // From the best on: in order, each once, none below the bound, no more than asked for.
  std::string of_list() const {
    const Json& list = list_at(record_, keys_.list);
    if (list.empty()) return "";
    std::set<std::string> seen;
    std::optional<Decimal> before = objective_;
    if (!keys_.list_has_first) seen.insert(identity(record_));
    for (const Json& entry : list) {
      const auto cost = number_at(entry, keys_.listed_cost);
      if (!cost) return "an entry of its list has no cost";
      if (bound_ && compare_costs(*cost, *bound_) < 0)
        return "its list has a cost of " + text(*cost) + ", below its lower bound " + text(*bound_);
      if (before && compare_costs(*cost, *before) < 0)
        return "its list has a cost of " + text(*cost) + " after " + text(*before);
      if (!seen.insert(identity(entry)).second) return "its list has a mapping twice";
      before = cost;
    }
    const auto asked = option(result_, top_option);
    if (asked && compare({static_cast<Wide>(seen.size()), 0}, *asked) > 0)
      return "it lists " + std::to_string(seen.size()) + " mappings, but " + text(*asked) + " were asked for";
    if (keys_.list_has_first && objective_ &&
        compare_costs(*number_at(list[0], keys_.listed_cost), *objective_) != 0)
      return "the first of its list does not have the cost of its mapping";
    return "";
  }

  // Slower and cheaper from point to point: none covers another.
  std::string of_front() const {
    const Json* before = nullptr;
    for (const Json& point : list_at(record_, front_key)) {
      const auto figure = [](const Json& of, const char* key) {
        const auto number = number_at(of, key);
        if (!number) throw Unreadable("a point of a front has no cost");
        return *number;
      };
      for (const char* key : {cycles_key, energy_key}) figure(point, key);
      if (before != nullptr && (compare(figure(point, cycles_key), figure(*before, cycles_key)) <= 0 ||
                                compare(figure(point, energy_key), figure(*before, energy_key)) >= 0))
        return "a point of its front is not slower and cheaper than the one before";
      before = &point;
    }
    return "";
  }

  std::string of_products() const {
    std::string fault = product_fault(record_);
    for (const auto* const key : {keys_.list, front_key})
      for (const Json& point : list_at(record_, key))
        if (fault.empty()) fault = product_fault(point);
    return fault;
  }

  static bool is_zero(const Decimal& number) { return number.digits == 0; }
  static std::string identity(const Json& entry) {
    std::string all;
    for (const auto* const key : identities) all += at(entry, key).dump() + ' ';
    return all;
  }

  const Json& result_;
  const Json& record_;
  const ClaimKeys& keys_;
  std::optional<Decimal> objective_;
  std::optional<Decimal> bound_;
  std::string status_;
  bool has_front_ = false;
  bool has_solution_ = false;
};

// The bounds of the nest of one group. Layers that differ only in how many groups they have share one.
Json bounds_of_group(const Json& layer) {
  Json bounds = at(layer, "/dims");
  const Json& groups = at(layer, "/groups");
  if (!bounds.is_object() || !groups.is_number_integer() || groups.get<std::int64_t>() < 1) return bounds;
  for (const auto* const dim : {"K", "C"})
    if (const auto bound = bounds.find(dim); bound != bounds.end() && bound->is_number_integer())
      *bound = bound->get<std::int64_t>() / groups.get<std::int64_t>();
  return bounds;
}

// A layer that is said to be the same as one before it has its shape and its claim.
std::string twin_fault(const Json& layers, std::size_t i) {
  const Json& layer = layers[i];
  const Json& twin = at(layer, twin_key);
  if (twin.is_null()) return "";
  for (std::size_t j = 0; j < i; ++j) {
    if (at(layers[j], "/name") != twin) continue;
    if (bounds_of_group(layers[j]) != bounds_of_group(layer))
      return "it is said to be the same as '" + twin.get<std::string>() + "', but has other bounds";
    for (const auto* const key : shared)
      if (at(layers[j], key) != at(layer, key))
        return "it is said to be the same as '" + twin.get<std::string>() + "', but has another " + (key + 1);
    return "";
  }
  return "it is said to be the same as a layer that does not come before it";
}

Decimal sum(const Decimal& a, const Decimal& b) {
  const int places = std::max(a.places, b.places);
  return {plus(times(a.digits, power_of_ten(places - a.places)),
               times(b.digits, power_of_ten(places - b.places))),
          places};
}

Wide times_run(const Json& layer) {
  Wide runs = 1;
  for (const auto* const factor : run_factors)
    if (const auto count = number_at(layer, factor)) runs = times(runs, count->in(1));
  return runs;
}

// A total that is the sum over layers, each as often as it runs.
std::string sum_fault(const Json& totals, const char* total, const Json& layers, const char* key) {
  const auto claimed = number_at(totals, total);
  if (!claimed) return "";
  Decimal found;
  for (const Json& layer : layers)
    if (const auto figure = number_at(layer, key))
      found = sum(found, {times(figure->digits, times_run(layer)), figure->places});
  if (compare(found, *claimed) == 0) return "";
  return std::string("its total of ") + (total + 1) + " is " + text(*claimed) + ", but its layers make " +
         text(found);
}

// The EDP of a network is its total energy times its total latency. By the inequality of Cauchy and Schwarz
// it is at least the square of the sum of the roots of its layers' bounds; edp_sum adds up their own EDPs.
std::string edp_fault(const Json& totals, const Json& layers) {
  if (auto fault = sum_fault(totals, "/edp_sum", layers, "/objective"); !fault.empty()) return fault;
  const auto objective = number_at(totals, "/objective");
  const auto product = number_at(totals, product_key);
  if (objective && product && compare(*objective, *product) != 0)
    return "its total of objective is " + text(*objective) + ", but its total of edp is " + text(*product);
  if (!number_at(totals, "/lower_bound")) return "";
  double roots = 0;
  for (const Json& layer : layers)
    if (const Json& bound = at(layer, "/lower_bound"); bound.is_number())
      roots += static_cast<double>(times_run(layer)) * std::sqrt(std::max(bound.get<double>(), 0.0));
  const double claimed = at(totals, "/lower_bound").get<double>();
  constexpr double tolerance = 1e-9;
  if (std::abs(claimed - roots * roots) <= tolerance * roots * roots) return "";
  return "its total of lower_bound is not what the bounds of its layers make";
}

std::string totals_fault(const Json& result, const Json& layers) {
  const Json& totals = at(result, totals_key);
  if (totals.is_null()) return "";
  const bool edp = at(result, "/objective") == "edp";
  for (const auto* const key : summed) {
    const bool own =
        edp && (std::string_view(key) == "/objective" || std::string_view(key) == "/lower_bound");
    if (auto fault = own ? "" : sum_fault(totals, key, layers, key); !fault.empty()) return fault;
  }
  if (edp)
    if (auto fault = edp_fault(totals, layers); !fault.empty()) return fault;
  return product_fault(totals);
}

std::string name_of(const Json& record, const ClaimKeys& keys) {
  for (const auto* const key : {keys.name, "/name"})
    if (const Json& name = at(record, key); name.is_string()) return name.get<std::string>();
  return "";
}

}  // namespace

int compare(const Decimal& a, const Decimal& b, const Decimal& within) {
  const int places = std::max({a.places, b.places, within.places});
  const Wide left = times(a.digits, power_of_ten(places - a.places));
  const Wide right = times(b.digits, power_of_ten(places - b.places));
  const Wide tolerance = std::max(times(within.digits, power_of_ten(places - within.places)),
                                  std::max({left, -left, right, -right}) / 1'000'000'000);
  const Wide difference = left - right;
  return difference > tolerance ? 1 : difference < -tolerance ? -1 : 0;
}

std::vector<ClaimFault> claim_faults(const Json& result) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const ClaimKeys& keys) {
    return result.value("verb", Json()) == keys.verb && result.value("space", Json()) == keys.space;
  });
  std::vector<ClaimFault> faults;
  if (row == rows.end()) return faults;
  const bool has_layers = result.contains("layers");
  const Json& layers = list_at(result, layers_key);
  for (std::size_t i = 0; i < (has_layers ? layers.size() : 1); ++i) {
    const Json& record = has_layers ? layers[i] : result;
    if (!record.is_object()) throw Unreadable("a layer is no object");
    auto sentence = Statement(result, record, *row).fault();
    if (sentence.empty() && has_layers) sentence = twin_fault(layers, i);
    if (!sentence.empty()) faults.push_back({name_of(record, *row), sentence});
  }
  if (auto sentence = totals_fault(result, layers); !sentence.empty()) faults.push_back({"totals", sentence});
  return faults;
}

}  // namespace nestor::check
