#include "check/claim.h"

#include <algorithm>
#include <array>
#include <set>

#include "check/claim_parts.h"

namespace nestor::check {
namespace {

constexpr Decimal picosecond{1, 9};  // a picosecond in milliseconds
// Keys of the claims, one row for each verb and space. They are defined only here.
constexpr std::array rows = {
    ClaimKeys{"map", "cim", "/name", "/objective", "/lower_bound", "/mapping", "/alternatives", "/objective",
              false, "", nullptr},
    ClaimKeys{"map", "pim", "/name", "/objective", "/lower_bound", "/mapping", "/alternatives", "/objective",
              false, "", nullptr},
    ClaimKeys{"map", "cnm", "/kernel", "/time_ms", "/lower_bound_ms", "/maps", "/top", "/time_ms", true, "",
              nullptr, picosecond},
    ClaimKeys{"compile", "chip", "/network/name", "/objective/value", "/lower_bound", "/decisions",
              "/alternatives", "/objective", false, "/evaluation", "optimal"},
};
// Keys that distinguish the entries of a list.
constexpr std::array<const char*, 9> identities = {"/mapping",  "/tuples", "/block", "/order", "/half",
                                                   "/half_dim", "/bank",   "/grf",   "/layout"};
// Keys whose values are equal in a layer with `same_as` and in the layer that it names.
constexpr std::array<const char*, 6> shared = {"/stride", "/dilation",  "/bits",
                                               "/status", "/objective", "/lower_bound"};
constexpr std::array<const char*, 9> statuses = {"optimal",    "gap_reached",  "time_limit",
                                                 "work_limit", "memory_limit", "interrupted",
                                                 "infeasible", "heuristic",    "imported"};
// The secondary objective that breaks ties between solutions of equal cost, and the key of its value. For
// kernels, the documented order of mappings, which has no value, breaks ties.
struct TieWord {
  const char* word;
  const char* figure;
};
constexpr std::array ties = {TieWord{"energy", "/energy_pj"}, TieWord{"latency", "/latency_cycles"},
                             TieWord{"order", nullptr}};
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
    if (!status.is_null() && !status.is_string()) throw Unreadable("status is not a string");
    if (status.is_string()) status_ = status.get<std::string>();
    has_front_ = !list_at(record, front_key).empty();
    const Json& solution = at(record, keys.solution);
    has_solution_ = has_front_ || !(solution.is_null() || solution.empty());
  }

  std::string fault() const {
    for (const auto check :
         {&Statement::of_status, &Statement::of_bound, &Statement::of_gap, &Statement::of_list,
          &Statement::of_front, &Statement::of_products, &Statement::of_ties})
      if (auto found = (this->*check)(); !found.empty()) return found;
    return "";
  }

 private:
  int compare_costs(const Decimal& a, const Decimal& b) const { return compare(a, b, keys_.rounding); }
  bool is(const char* status) const { return status_ == status; }
  // True if a baseline method, which proves nothing, wrote the result.
  bool is_construction() const {
    const Json& method = at(result_, method_option);
    return keys_.proves != nullptr && !method.is_null() && method != keys_.proves;
  }
  bool was_searched() const { return !status_.empty() && !is_construction(); }
  static bool is_status(const std::string& word) {
    return std::find(statuses.begin(), statuses.end(), word) != statuses.end();
  }

  std::string of_status() const {
    if (!status_.empty() && !is_status(status_))
      return "its status is " + quoted(status_) + ", which is not a status";
    if (is_construction() && !is("heuristic")) return "its method cannot have the status " + quoted(status_);
    const bool has_costs = has_solution_ || !list_at(record_, keys_.list).empty();
    if (is("infeasible") && has_costs) return "its status is infeasible, but it has a mapping";
    if (!has_solution_ && objective_ && !is_zero(*objective_)) return "it has a cost without a mapping";
    if (is("optimal") && !has_solution_) return "its status is optimal, but it has no mapping";
    if (is("optimal") && !has_front_ && !(objective_ && bound_))
      return "its status is optimal, but it has no objective or no lower bound";
    if (is("gap_reached") && !(option(result_, gap_option) && number_at(record_, gap_key)))
      return "its status is gap_reached, but no gap was requested";
    return "";
  }

  std::string of_bound() const {
    if (!bound_) return "";
    if (!was_searched()) return "it has a lower bound, but nothing was searched";
    if (!objective_ || !has_solution_) return "";
    const int order = compare_costs(*bound_, *objective_);
    if (order > 0) return "its lower bound " + text(*bound_) + " is above its cost " + text(*objective_);
    if (order < 0 && is("optimal"))
      return "its status is optimal, but its lower bound is below its objective";
    return "";
  }

  std::string of_gap() const {
    const auto gap = number_at(record_, gap_key);
    if (!gap) return "";
    if (!objective_ || !bound_) return "it has a gap without a cost and a lower bound";
    if (auto fault = gap_fault(*gap, *objective_, *bound_); !fault.empty()) return fault;
    const auto allowed = option(result_, gap_option);
    if (is("gap_reached") && allowed && compare(*gap, *allowed) > 0)
      return "its gap " + text(*gap) + " is larger than the requested gap";
    return "";
  }

  // Checks that a list begins with the best entry, is sorted, without duplicates and no longer than
  // requested, and has no cost below the bound.
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
        return "its list contains a cost of " + text(*cost) + ", below its lower bound " + text(*bound_);
      if (before && compare_costs(*cost, *before) < 0)
        return "its list contains a cost of " + text(*cost) + " after " + text(*before);
      if (!seen.insert(identity(entry)).second) return "its list contains a mapping twice";
      before = cost;
    }
    const auto asked = option(result_, top_option);
    if (asked && compare({static_cast<Wide>(seen.size()), 0}, *asked) > 0)
      return "it lists " + std::to_string(seen.size()) + " mappings, but " + text(*asked) + " were requested";
    const auto first = number_at(list[0], keys_.listed_cost);
    if (keys_.list_has_first && objective_ && first && compare_costs(*first, *objective_) != 0)
      return "the first entry of its list has a different cost from its mapping";
    return "";
  }

  // Checks that each point is slower and takes less energy than the previous one, so that no point covers
  // another.
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
        return "its front is not in order of increasing cycles and decreasing energy";
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

  // Checks the tie-breaking cost, which may only be claimed if the objective is proved optimal.
  std::string of_ties() const {
    const Json& tie = at(record_, tie_key);
    if (tie.is_null()) return "";
    if (!is("optimal")) return "it has a tie_break, but its status is not optimal";
    const Json& word = at(tie, "/objective");
    const Json& status = at(tie, status_key);
    const auto known =
        std::find_if(ties.begin(), ties.end(), [&](const TieWord& of) { return word == of.word; });
    if (known == ties.end()) return "its tie_break names no secondary objective";
    if (!status.is_string() || !is_status(status.get<std::string>()))
      return "its tie_break has no valid status";
    const auto bound = number_at(tie, "/lower_bound");
    if (known->figure == nullptr)
      return bound ? "its tie_break has a lower bound, but its objective is order" : "";
    const auto figure = number_at(record_, (std::string(keys_.figures) + known->figure).c_str());
    if (!bound || !figure) return "its tie_break has no cost or no lower bound";
    const int order = compare(*bound, *figure);
    if (order > 0 || (order < 0 && status == "optimal"))
      return "its tie_break is " + status.get<std::string>() + " with a lower bound of " + text(*bound) +
             ", but the secondary cost is " + text(*figure);
    return "";
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

// Returns the bounds of the nest of one group. Layers that differ only in the number of groups share one
// nest.
Json bounds_of_group(const Json& layer) {
  Json bounds = at(layer, "/dims");
  const Json& groups = at(layer, "/groups");
  if (!bounds.is_object() || !groups.is_number_integer() || groups.get<std::int64_t>() < 1) return bounds;
  for (const auto* const dim : {"K", "C"})
    if (const auto bound = bounds.find(dim); bound != bounds.end() && bound->is_number_integer())
      *bound = bound->get<std::int64_t>() / groups.get<std::int64_t>();
  return bounds;
}

// Checks that a layer with `same_as` has the shape and the claim of the earlier layer that it names.
std::string twin_fault(const Json& layers, std::size_t i) {
  const Json& layer = layers[i];
  const Json& twin = at(layer, twin_key);
  if (twin.is_null()) return "";
  for (std::size_t j = 0; j < i; ++j) {
    if (at(layers[j], "/name") != twin) continue;
    if (bounds_of_group(layers[j]) != bounds_of_group(layer))
      return "its same_as names '" + twin.get<std::string>() + "', whose bounds differ";
    for (const auto* const key : shared)
      if (at(layers[j], key) != at(layer, key))
        return "its same_as names '" + twin.get<std::string>() + "', but they differ in " + (key + 1);
    return "";
  }
  return "its same_as does not name an earlier layer";
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
  Parts parts;
  const Json& layers = list_at(result, layers_key);
  for (std::size_t i = 0; i < (has_layers ? layers.size() : 1); ++i) {
    const Json& record = has_layers ? layers[i] : result;
    if (!record.is_object()) throw Unreadable("a layer is not an object");
    parts.push_back(&record);
    auto sentence = Statement(result, record, *row).fault();
    if (sentence.empty() && has_layers) sentence = twin_fault(layers, i);
    if (!sentence.empty()) faults.push_back({name_of(record, *row), sentence});
  }
  if (auto sentence = totals_fault(result, parts, *row); !sentence.empty())
    faults.push_back({"totals", sentence});
  return faults;
}

}  // namespace nestor::check
