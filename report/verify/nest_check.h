// Check of a result of a loop-nest space. It builds the JSON that the result should be, from its mappings and
// the contract of the space (check/<space>/contract.h), and compares the two leaf by leaf. Keys that cannot
// be confirmed are listed as not checked. A space derives from NestCheck and supplies its own parts.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/parse_number.h"
#include "io/layer_file.h"
#include "model/workload/named_machine.h"
#include "report/keys/common.h"
#include "report/verify/comparison.h"
#include "report/verify/constraint_check.h"
#include "report/verify/incumbent_check.h"
#include "report/verify/input_check.h"
#include "report/verify/optimum_check.h"
#include "report/verify/smallest_tiles.h"
#include "solver/search/tolerance.h"

namespace nestor::io {

/// What a result must state about a mapping.
struct FoundPoint {
  Json figures;                     ///< of the contract
  Json json;                        ///< with the keys of a point, except the objective
  std::optional<double> objective;  ///< nothing for a front, or if the contract cannot confirm it
};

/// `contract_of` is the function of check/<space>/contract.h.
template <class Run, class Machine, auto contract_of>
class NestCheck {
 public:
  using Record = typename decltype(Run::layers)::value_type;
  using Point = decltype(Record::best);

  /// `run` was read from the result, whose JSON is `claims`. If `groups_are_mapped`, a dimension G of the
  /// machine maps the groups of a layer; otherwise they are repeats.
  NestCheck(std::string_view space, const Run& run, const NamedMachine<Machine>& machine, Json architecture,
            bool groups_are_mapped, const Json& claims)
      : run_(run),
        machine_(machine),
        architecture_(std::move(architecture)),
        claims_(claims),
        of_run_{space, run, {}, &run.unmapped, groups_are_mapped ? &machine.machine : nullptr} {
    for (const auto& record : run.layers) of_run_.layers.push_back(&record.layer);
  }
  virtual ~NestCheck() = default;

  ResultCheck check(const NetworkReader& read_network, const IsMachine& is_machine) {
    check_claim(claims_, check_);
    Json found = head();
    if (run_.layers.empty()) comparison_.find("nothing in the result could be compared: it has no layers");
    TotalsSum sum(objective_.name);
    auto layers = Json::array();
    for (std::size_t i = 0; i < run_.layers.size(); ++i)
      layers.push_back(layer(run_.layers[i], claims_[key::layers][i], fmt::format("layers[{}].", i), sum));
    found[key::layers] = std::move(layers);
    found[key::unmapped] = unmapped();
    add_totals(found, sum);
    add_to_run(found);
    if (is_map_)
      for (const auto& fault : broken_constraints(run_, given_, machine_, run_.layers))
        comparison_.find(fault);
    comparison_.compare(claims_, found, "", "");
    InputCheck(of_run_, check_, read_network, is_machine).run();
    return std::move(check_);
  }

  /// Checks only that the mappings are legal, for a run that claims no figures.
  ResultCheck check_mappings() {
    for (const auto& record : run_.layers) {
      if (!record.best.mapping) continue;
      ++check_.mappings;
      for (const auto& fault : contract(record.layer, record.best, architecture_).faults)
        comparison_.find(fmt::format("mapping of layer '{}': {}", record.layer.name, fault));
    }
    return std::move(check_);
  }

 protected:
  virtual Json mapping_json(const Point& point) const = 0;
  /// Returns the figures of a point, except the objective, from those of its contract.
  virtual Json point_figures(const Json& figures) const = 0;
  /// Returns the value of an objective that only this space has.
  virtual std::optional<double> own_objective(const FoundPoint& /*point*/) const { return std::nullopt; }
  /// False if the contract cannot confirm costs. They are then listed as not checked.
  virtual bool confirms_costs() const { return true; }
  /// Returns the smallest tiles of a layer, or no mapping if options of the space may exclude them.
  virtual Point smallest(const LayerShape& shape) const = 0;
  /// Adds the keys of a layer that only this space has. `best` is null if no mapping could be evaluated.
  virtual void add_to_layer(Json& found, const Record& record, const FoundPoint* best, const Json& claims,
                            const std::string& path) = 0;
  virtual void add_to_run(Json& /*found*/) {}

  /// Returns what the result must state about a mapping onto a machine, or nothing if the mapping is illegal.
  std::optional<FoundPoint> point(const Layer& layer, const Point& claimed, const Json& architecture,
                                  const std::string& path, const std::string& keys) {
    ++check_.mappings;
    const LayerShape shape = claimed.nest(layer.shape);
    for (const Dim dim : all_dims)
      if (shape.bound(dim) < layer.shape.bound(dim))
        comparison_.find(fmt::format("{}padded {} is {}, less than the layer's {}", path, letter(dim),
                                     shape.bound(dim), layer.shape.bound(dim)));
    if (claimed.padded && is_map_ && !given_.is_given("pad"))
      comparison_.find(path + "padded is present without --pad");
    auto [faults, figures] = contract(layer, claimed, architecture);
    for (const auto& fault : faults) comparison_.find(path + "mapping: " + fault);
    if (!faults.empty()) return std::nullopt;
    FoundPoint found{std::move(figures), {}, std::nullopt};
    found.json = point_figures(found.figures);
    found.json[key::mapping] = mapping_json(claimed);
    put_padded(found.json, claimed);
    if (confirms_costs()) {
      found.objective = objective(found);
      return found;
    }
    for (const char* key : {key::latency_cycles, key::energy_pj, key::edp, key::evaluation, key::objective,
                            key::lower_bound, key::gap}) {
      found.json.erase(key);
      comparison_.leave(keys + key);
    }
    return found;
  }

  /// Adds the resources of a layer. `check` is the ResourceCheck of the space.
  template <class Check>
  void add_resources(Json& found, const Record& record, const Check& check, const std::string& path) {
    if (!record.resources.empty()) {
      found[key::resources] = check.resources(path);
      comparison_.leave("layers[].resources (whether all are listed; bounds of their searches)");
    } else if (is_map_ && given_.explain && record.same_as.empty()) {
      comparison_.find(path + "resources is missing");
    }
  }

  /// Returns the value of a weight among the options, or `otherwise`.
  double weight(std::string_view name, double otherwise) const {
    for (const auto& [option, text] : run_.options)
      if (option == name) return parse_number<double>(text).value_or(NAN);
    return otherwise;
  }

  const Run& run_;
  const NamedMachine<Machine>& machine_;
  const Json architecture_;
  const Json& claims_;
  RunOptions given_;           ///< of map
  ResultObjective objective_;  ///< of the options, or of the given mappings
  bool is_map_ = false;
  ResultCheck check_;
  Comparison comparison_{check_};

 private:
  auto contract(Layer layer, const Point& point, const Json& architecture) const {
    layer.shape = point.nest(layer.shape);
    return contract_of(architecture, layer_to_json(layer), mapping_json(point));
  }

  std::optional<double> objective(const FoundPoint& point) const {
    const auto cycles = point.json[key::latency_cycles].template get<double>();
    const auto energy = point.json[key::energy_pj].template get<double>();
    if (objective_.name == "latency") return cycles;
    if (objective_.name == "energy") return energy;
    if (objective_.name == "edp") return point.json[key::edp].template get<double>();
    if (objective_.name == "blended") return weight("alpha", 1) * cycles + weight("beta", 1) * energy;
    return own_objective(point);
  }

  // Checks verb, options and objective, and returns the head of the result.
  Json head() {
    Claims claims(check_);
    const auto read = read_run_again(of_run_, claims);
    is_map_ = read && read->verb == Verb::map;
    is_import_ = read && read->verb == Verb::import_solution;
    if (read && read->verb == Verb::verify)
      claims.finding("verb is 'verify', expected a verb that writes such results");
    for (const char* key : {key::version, key::verb, "options (except objective, latency model and weights)"})
      comparison_.leave(key);
    RunHead expected = run_;
    expected.space = of_run_.space;
    auto& [name, latency_model, value] = expected.objective;
    const auto* const objective_option = find_option(Verb::map, "objective");
    const auto* const model_option = find_option(Verb::map, "latency-model");
    value = nullptr;
    if (!model_option->is_for(of_run_.space)) latency_model.clear();
    if (is_map_) {
      given_ = read->given;
      name = given_.scope == Scope::network ? "pareto" : objective_option->get(given_);
      if (!latency_model.empty()) latency_model = model_option->get(given_);
      require_roles(of_run_, {key::architecture, key::layers}, claims);
      if (!given_.fix.empty()) require_roles(of_run_, {key::constraints}, claims);
    } else {  // the objective of the given mappings
      RunOptions said;
      if (claims_.contains(key::objective) && objective_option->set(said, name))
        claims.finding(fmt::format("objective '{}' is unknown", name));
      comparison_.leave(key::objective);
    }
    objective_ = expected.objective;
    return run_head_to_json(expected, architecture_);
  }

  Json unmapped() {
    std::set<std::string_view> types;
    for (const auto& op : run_.unmapped)
      if (!types.insert(op.type).second) comparison_.find(fmt::format("unmapped lists '{}' twice", op.type));
    return unmapped_to_json(run_.unmapped);
  }

  // Adds totals and the choice of points for the network. Without legal mappings, nothing can be summed.
  void add_totals(Json& found, const TotalsSum& sum) {
    if (!confirms_costs() || has_fault_) {
      comparison_.leave(key::totals);
      if (!claims_.contains(key::totals)) comparison_.find("totals is missing");
      if (claims_.contains(key::network_optimum)) comparison_.leave(key::network_optimum);
      return;
    }
    found[key::totals] = measured_totals_to_json(sum.totals());
    if (!is_map_) return;
    put_network_optimum(found, run_);
    Claims claims(check_);
    check_network_optimum(found, given_, claims, check_);
    if (run_.complete && given_.scope == Scope::network && !run_.optimum)
      comparison_.find("network_optimum is missing");
  }

  Json layer(const Record& record, const Json& claims, const std::string& path, TotalsSum& sum) {
    Json found = layer_to_json(record.layer);
    add_status(found, record, claims, path);
    std::optional<FoundPoint> best;
    if (record.best.mapping) {
      best = point(record.layer, record.best, architecture_, path, "layers[].");
      if (!best) return without_figures(claims);
      found.update(best->json);
    }
    std::optional<double> value;
    if (best && (is_map_ || is_import_)) value = best->objective;
    if (value) found[key::objective] = *value;
    if (is_import_ && claims.contains(key::claimed_objective)) {
      found[key::claimed_objective] = claims[key::claimed_objective];
      comparison_.leave(std::string("layers[].") + key::claimed_objective);
    }
    add_bound(found, value, claims);
    if (!record.same_as.empty()) found[key::same_as] = record.same_as;
    add_search(found, record, value, claims, path);
    if (record.ties) add_ties(found, *record.ties, claims, path);
    for (const auto& [key, points] :
         {std::pair{key::front, &record.front}, std::pair{key::alternatives, &record.alternatives}})
      if (!add_points(found, key, *points, record.layer, path)) return without_figures(claims);
    if (!record.front.empty()) comparison_.leave(std::string(unproved_front));
    if (given_.top > 1) comparison_.leave(std::string(unproved_alternatives));
    add_to_layer(found, record, best ? &*best : nullptr, claims, path);

    const Json& bound = found.value(key::lower_bound, Json());
    sum.add_layer(record.layer, value, bound.is_number() ? std::optional(bound.get<double>()) : std::nullopt);
    if (confirms_costs() && (best || !record.front.empty())) {  // of a front, the fastest point
      const Json& counted = best ? found : found[key::front][0];
      sum.add_mapping(record.layer, counted[key::latency_cycles].template get<Int>(),
                      counted[key::energy_pj].template get<double>());
    }
    return found;
  }

  // Accepts the figures of a layer with an illegal mapping, which is a finding, because they have no
  // contract.
  Json without_figures(const Json& claims) {
    has_fault_ = true;
    return claims;
  }

  void add_status(Json& found, const Record& record, const Json& claims, const std::string& path) {
    if (is_import_) found[key::status] = to_string(Status::imported);
    if (!is_searched()) return;  // a baseline proves nothing
    const Json status = claims.value(key::status, Json());
    found[key::status] = status;
    const bool has_mapping = record.best.mapping || !record.front.empty();
    comparison_.leave(std::string(unproved_optimality));
    check_.optimality = Optimality::not_checked;
    if (!is_how_a_search_ends(status) || status == to_string(Status::imported))
      comparison_.find(
          fmt::format("{}status is {}, expected the final status of a search", path, status.dump()));
    if (status == to_string(Status::infeasible)) {
      if (!has_mapping) check_infeasible(record, path);
      return;
    }
    if (status != to_string(Status::optimal))
      comparison_.leave("layers[].status (why a search ended)");
    else if (objective_.name == "latency" || objective_.name == "energy")
      comparison_.leave(std::string(unproved_ties));
    if (!has_mapping)
      comparison_.leave(fmt::format("layers[].status of '{}' (it has no mapping)", record.layer.name));
  }

  bool is_searched() const { return is_map_ && has_bounds(given_.map_method); }

  // Checks a claim of infeasibility. Fixed parts of mappings (--fix) can exclude the smallest tiles.
  void check_infeasible(const Record& record, const std::string& path) {
    comparison_.compared();
    if (is_short_of_room(record.layer.shape, machine_.machine)) return;
    const Point tiles = smallest(record.layer.shape);
    if (tiles.mapping && given_.fix.empty() && given_.map_method == MapMethod::optimal &&
        contract(record.layer, tiles, architecture_).faults.empty())
      comparison_.find(
          path + "status is infeasible, but keeping all loops outside the innermost memories is a mapping");
    else
      comparison_.leave(fmt::format("layers[].status of '{}' (infeasible)", record.layer.name));
  }

  // Adds the bound, which equals a proved optimum, and the gap, which follows from the claims.
  void add_bound(Json& found, const std::optional<double>& value, const Json& claims) const {
    if (!is_searched()) return;
    if (!value) {
      if (claims.contains(key::lower_bound)) found[key::lower_bound] = claims[key::lower_bound];
      return;
    }
    const double bound = number_or(claims, key::lower_bound, -1);
    found[key::lower_bound] = found[key::status] == to_string(Status::optimal) ? *value : bound;
    found[key::gap] = gap_between(number_or(claims, key::objective, *value), bound);
  }

  void add_search(Json& found, const Record& record, const std::optional<double>& value, const Json& claims,
                  const std::string& path) {
    if (!record.search && (!is_map_ || claims.contains(key::same_as))) return;
    Json& search = found[key::search] = claims.value(key::search, Json::object());
    for (const char* const key : {key::nodes, key::labels, key::pruned, key::seconds, key::incumbents})
      if (!search.contains(key)) search[key] = nullptr;  // becomes a finding
    comparison_.leave("layers[].search");
    if (!record.search) return;
    Claims incumbents(check_);
    incumbents.set_subject(path + "search: ");
    check_incumbents(*record.search, value, incumbents);
  }

  // Checks the tie-breaking cost. Its optimality is a claim of the search that is not checked here.
  void add_ties(Json& found, const TieBreakResult& ties, const Json& claims, const std::string& path) {
    found[key::tie_break] = claims[key::tie_break];
    if (!confirms_costs()) return comparison_.leave(std::string("layers[].") + key::tie_break);
    const bool energy = ties.objective == "energy";
    if (objective_.name != (energy ? "latency" : "energy") ||
        found.value(key::status, Json()) != to_string(Status::optimal))
      return comparison_.find(
          path + "tie_break requires a proved optimum of latency or energy, and names the other cost");
    const char* const cost = energy ? key::energy_pj : key::latency_cycles;
    if (!found.contains(cost)) return comparison_.find(path + "tie_break is present without a mapping");
    comparison_.compared();
    const double least = number_or(found, cost, 0);
    if (!nearly_equal(ties.lower_bound, least) &&
        (ties.lower_bound > least || ties.status == Status::optimal))
      comparison_.find(fmt::format("{}tie_break is {} with lower_bound {}, found {}", path,
                                   to_string(ties.status), ties.lower_bound, least));
  }

  // Adds points with their figures. Their order is part of the claim. Returns false if a mapping is illegal.
  bool add_points(Json& found, const char* key, const std::vector<Point>& claimed, const Layer& layer,
                  const std::string& path) {
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      auto again = point(layer, claimed[i], architecture_, fmt::format("{}{}[{}].", path, key, i),
                         fmt::format("layers[].{}[].", key));
      if (!again) return false;
      if (again->objective) again->json[key::objective] = *again->objective;
      found[key].push_back(std::move(again->json));
    }
    return true;
  }

  RunClaims of_run_;
  bool is_import_ = false;
  bool has_fault_ = false;  ///< true if a mapping is illegal
};

}  // namespace nestor::io
