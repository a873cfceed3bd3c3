#include "report/pim/result_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parse_number.h"
#include "check/pim/contract.h"
#include "io/layer_file.h"
#include "report/keys/common.h"
#include "report/keys/pim.h"
#include "report/pim/replay_table.h"
#include "report/verify/comparison.h"
#include "report/verify/constraint_check.h"
#include "report/verify/incumbent_check.h"
#include "report/verify/input_check.h"
#include "report/verify/optimum_check.h"
#include "report/verify/smallest_tiles.h"

namespace nestor::report {
namespace {

using io::Comparison;
using io::is_how_a_search_ends;
using io::nearly_equal;
using io::number_or;
using io::pim::LayerRecord;
using io::pim::RunRecord;

io::RunClaims claims_of(const RunRecord& run) {
  io::RunClaims claims{"pim", run, {}, &run.unmapped};
  for (const auto& record : run.layers) claims.layers.push_back(&record.layer);
  return claims;
}

// Returns the contract of a mapping of a layer, which may have padded bounds.
check::Contract contract_of(const io::Json& architecture, const RunRecord& run, Layer layer,
                            const io::pim::MappedPimPoint& point) {
  layer.shape = point.nest(layer.shape);
  return check::pim::contract_of(architecture, io::layer_to_json(layer),
                                 io::pim::mapping_to_json(*point.mapping, run.machine));
}

// The figures that a result must state for a point.
struct FoundPoint {
  io::Json json;
  Int cycles = 0;
  double energy_pj = 0;  // with leakage
};

class RunCheck {
 public:
  RunCheck(const RunRecord& run, const io::Json& claims)
      : run_(run), claims_(claims), architecture_(io::pim::machine_to_json(run.machine)) {}

  io::ResultCheck check(const io::NetworkReader& read_network) {
    words();
    io::check_claim(claims_, result_);
    for (const char* key : {key::version, "options (except objective, alpha and beta)"})
      comparison_.leave(key);
    for (const char* key : {key::options, key::inputs, key::network, key::complete, key::unmapped}) {
      comparison_.pass(key);
      if (!claims_.contains(key)) comparison_.find(fmt::format("{} is missing", key));
    }
    if (run_.layers.empty()) comparison_.find("nothing in the result could be compared: it has no layers");
    const auto verb = claims_.value(key::verb, io::Json());
    io::Json found = {{key::schema, io::result_schema}, {key::verb, verb}, {key::space, "pim"}};
    if (is_map_) {
      if (io::has_members(run_)) found[key::members] = io::members_text(run_.options);
      io::ResultHead head = run_;
      head.objective = {
          option("scope", "layer") == std::string_view("network") ? "pareto" : option("objective", "latency"),
          ""};
      found[key::objective] = io::objective_to_json(head);
      comparison_.leave("layers[].status, layers[].lower_bound (optimality not checked)");
      comparison_.leave("layers[].search");
      if (run_.objective.name == "latency" || run_.objective.name == "energy")
        comparison_.leave(std::string(io::unproved_ties));
      if (option("explain", "false") == "true") comparison_.leave("layers[].resources");
    }
    if (!is_map_ && claims_.contains(key::objective)) {  // objective of the given mappings
      comparison_.leave(key::objective);
      found[key::objective] = claims_[key::objective];
    }
    found[key::architecture] = architecture_;
    auto layers = io::Json::array();
    for (std::size_t i = 0; i < run_.layers.size(); ++i)
      layers.push_back(layer(run_.layers[i], claims_[key::layers][i], fmt::format("layers[{}].", i)));
    found[key::layers] = std::move(layers);
    if (!is_hybrid()) found[key::totals] = totals();
    if (is_map_ && run_.complete && given_.scope == io::Scope::network &&
        !claims_.contains(key::network_optimum))
      comparison_.find("network_optimum is missing");
    if (claims_.contains(key::network_optimum) && is_hybrid()) comparison_.leave(key::network_optimum);
    if (claims_.contains(key::network_optimum) && !is_hybrid()) {
      found[key::network_optimum] = claims_[key::network_optimum];
      io::Claims claims(result_);
      io::check_network_optimum(found, given_, claims, result_);
      if (found[key::network_optimum].contains(key::layers))
        io::put_optimum_totals(found[key::network_optimum], found[key::totals]);
    }
    check_table(found);
    if (claims_.contains(key::constraints)) found[key::constraints] = claims_[key::constraints];
    if (is_map_)
      for (const auto& fault : io::broken_constraints(run_, given_, run_.machine, run_.layers))
        comparison_.find(fault);
    comparison_.compare(claims_, found, "", "");
    inputs(read_network);
    result_.mappings = mappings_;
    if (is_map_) result_.optimality = io::optimality_not_checked;
    return result_;
  }

 private:
  // Checks verb, options and inputs, as in other loop-nest spaces.
  void words() {
    const auto run = claims_of(run_);
    io::Claims claims(result_);
    const auto read = io::read_run_again(run, claims);
    is_map_ = read && read->verb == io::Verb::map;
    is_import_ = read && read->verb == io::Verb::import_solution;
    if (is_import_) comparison_.leave(std::string("layers[].") + key::claimed_objective);
    if (read && read->verb == io::Verb::verify)
      claims.finding("verb is 'verify', expected a verb that writes such results");
    if (is_map_) given_ = read->given;
    if (is_map_) io::require_roles(run, {key::architecture, key::layers}, claims);
  }
  void inputs(const io::NetworkReader& read_network) {
    const io::IsMachine is_machine = [&](const std::string& name, std::span<const std::string> settings) {
      const auto machine = io::pim::read_machine(name, settings);
      return machine && io::pim::machine_to_json(*machine) == architecture_;
    };
    io::InputCheck(claims_of(run_), result_, read_network, is_machine).run();
  }

  bool is_hybrid() const { return run_.machine.machine.row_model == nestor::pim::RowModel::hybrid; }

  std::string option(const char* name, const char* fallback) const {
    const auto options = claims_.find(key::options);
    if (options == claims_.end() || !options->is_object()) return fallback;
    const auto at = options->find(name);
    return at != options->end() && at->is_string() ? at->get<std::string>() : fallback;
  }

  // Returns the objective of the search, or nothing for a front.
  std::optional<double> objective(const FoundPoint& point) const {
    const auto cycles = static_cast<double>(point.cycles);
    const double total = point.energy_pj;
    if (run_.objective.name == "latency") return cycles;
    if (run_.objective.name == "energy") return total;
    if (run_.objective.name == "edp") return total * cycles;
    if (run_.objective.name == "blended")
      return parse_number<double>(option("alpha", "1")).value_or(NAN) * cycles +
             parse_number<double>(option("beta", "1")).value_or(NAN) * total;
    return std::nullopt;
  }

  // Computes what the result must contain for a point.
  std::optional<FoundPoint> point(const Layer& layer, const io::pim::MappedPimPoint& claimed,
                                  const std::string& path, const std::string& keys) {
    ++mappings_;
    const LayerShape shape = claimed.nest(layer.shape);
    for (const Dim dim : all_dims)
      if (shape.bound(dim) < layer.shape.bound(dim))
        comparison_.find(fmt::format("{}padded {} is {}, less than the layer's {}", path, letter(dim),
                                     shape.bound(dim), layer.shape.bound(dim)));
    if (claimed.padded && is_map_ && !given_.is_given("pad"))
      comparison_.find(path + "padded is present without --pad");
    auto contract = contract_of(architecture_, run_, layer, claimed);
    for (const auto& fault : contract.faults) comparison_.find(path + "mapping: " + fault);
    if (!contract.faults.empty()) return std::nullopt;
    FoundPoint again{std::move(contract.figures)};
    again.cycles = again.json[key::latency_cycles].get<Int>();
    again.energy_pj = again.json[key::energy_pj].get<double>();
    again.json[key::mapping] = io::pim::mapping_to_json(*claimed.mapping, run_.machine);
    io::put_padded(again.json, claimed);
    if (is_hybrid()) {  // the contract counts rows exactly, so it cannot confirm hybrid figures
      for (const char* key : {key::latency_cycles, key::energy_pj, key::edp, key::evaluation, key::objective,
                              key::lower_bound, key::gap}) {
        again.json.erase(key);
        comparison_.leave(keys + key);
      }
      comparison_.leave(key::totals);
    }
    return again;
  }

  io::Json layer(const LayerRecord& record, const io::Json& claims, const std::string& path) {
    io::Json found = io::layer_to_json(record.layer);
    const double bound = number_or(claims, key::lower_bound, -1);
    const auto repeat = static_cast<double>(record.layer.repeat);
    if (is_map_) check_status(claims, path, found);
    if (is_import_) found[key::status] = "imported";
    if (found.value(key::status, io::Json()) == "infeasible" && !record.best.mapping)
      infeasible(record, path);
    std::optional<double> value;
    if (record.best.mapping) {
      if (const auto again = point(record.layer, record.best, path, "layers[].")) {
        found.update(again->json);
        if (is_map_ && !is_hybrid()) value = objective(*again);
        ++mapped_;
        macs_ += record.layer.repeat * product_of(record.layer.shape.bounds);
        cycles_ += record.layer.repeat * again->cycles;
        energy_ += repeat * again->energy_pj;
      }
    } else if (is_map_ && claims.contains(key::lower_bound)) {
      found[key::lower_bound] = claims[key::lower_bound];
    }
    if (record.search) {
      io::Claims of_search(result_);
      of_search.set_subject(path + "search: ");
      io::check_incumbents(*record.search, value, of_search);
    }
    if (value) {
      found[key::objective] = *value;
      objective_ += repeat * *value;
      if (!found.contains(key::status)) value.reset();  // a baseline proves nothing
    } else {
      all_objectives_ = false;
    }
    if (value) {
      found[key::lower_bound] = found[key::status] == "optimal" ? *value : bound;
      if (*value != 0) found[key::gap] = (*value - bound) / std::abs(*value);
      if (found[key::status] == "optimal") found[key::gap] = 0.0;
    }
    add_bound(number_or(found, key::lower_bound, NAN), repeat);
    if (record.ties && is_hybrid()) comparison_.leave(std::string("layers[].") + key::tie_break);
    if (record.ties && !is_hybrid()) check_ties(*record.ties, claims[key::tie_break], found, path);
    add_points(found, key::front, record.front, record, path);
    add_points(found, key::alternatives, record.alternatives, record, path);
    if (claims.contains(key::row_models)) comparison_.leave(std::string("layers[].") + key::row_models);
    if (claims.contains(key::replay_cycles) && found.contains(key::latency_cycles)) {
      found[key::replay_cycles] = found[key::latency_cycles];
      found[key::replay] = walked(record);
    }
    return found;
  }

  io::Json walked(const LayerRecord& record) const {
    return replay_json(
        sim::pim::replay(record.best.nest(record.layer.shape), run_.machine.machine, *record.best.mapping),
        run_.machine);
  }

  // Checks the tie-breaking cost. Its optimality is a claim of the search that is not checked here.
  void check_ties(const io::TieBreakResult& ties, const io::Json& claims, io::Json& found,
                  const std::string& path) {
    const bool energy = ties.objective == "energy";
    if (run_.objective.name != (energy ? "latency" : "energy") ||
        found.value(key::status, io::Json()) != "optimal")
      return comparison_.find(path + "tie_break requires a proved optimum of latency or energy");
    const char* const cost = energy ? key::energy_pj : key::latency_cycles;
    if (!found.contains(cost)) return comparison_.find(path + "tie_break is present without a mapping");
    const double least = number_or(found, cost, 0);
    if (!nearly_equal(ties.lower_bound, least) &&
        (ties.lower_bound > least || ties.status == Status::optimal))
      comparison_.find(fmt::format("{}tie_break is {} with lower_bound {}, found {}", path,
                                   to_string(ties.status), ties.lower_bound, least));
    found[key::tie_break] = claims;
  }

  void check_status(const io::Json& claims, const std::string& path, io::Json& found) {
    const auto method = option("method", "optimal");
    if (method != "optimal" && !claims.contains(key::status)) return;  // a baseline proves nothing
    const auto status = claims.value(key::status, io::Json());
    if (!is_how_a_search_ends(status))
      comparison_.find(
          fmt::format("{}status is {}, expected the final status of a search", path, status.dump()));
    found[key::status] = status;
    if (status != "optimal" && status != "infeasible")
      comparison_.leave("layers[].status (why a search ended)");
  }

  // Checks a claim of infeasibility. Fixed parts, kinds of layouts and one bypass table for all layers can
  // exclude the smallest tiles.
  void infeasible(const LayerRecord& record, const std::string& path) {
    const auto& machine = run_.machine.machine;
    const auto& shape = record.layer.shape;
    comparison_.compared();
    if (io::is_short_of_room(shape, machine)) return;
    io::pim::MappedPimPoint smallest;
    smallest.mapping.emplace().nest = io::smallest_tiles(shape, machine);
    const bool may_be = given_.fix.empty() && given_.map_method == MapMethod::optimal && !given_.fix_bypass &&
                        given_.layouts.contains(nestor::pim::LayoutKind::sequential);
    if (may_be && contract_of(architecture_, run_, record.layer, smallest).faults.empty())
      comparison_.find(
          path + "status is infeasible, but keeping all loops outside the innermost memories is a mapping");
    else
      comparison_.leave(fmt::format("layers[].status of '{}' (infeasible)", record.layer.name));
  }

  // Adds points with their figures. Their order is part of the claim.
  void add_points(io::Json& found, const char* key, const std::vector<io::pim::MappedPimPoint>& claimed,
                  const LayerRecord& record, const std::string& path) {
    const bool front = std::string_view(key) == key::front;
    if (claimed.empty() && (front || option("top", "1") == "1")) return;
    comparison_.leave(fmt::format("layers[].{} (whether {})", key,
                                  front ? "points are missing" : "better ones are missing"));
    if (claimed.empty()) return;
    const auto keys = fmt::format("layers[].{}[].", key);
    auto& list = found[key] = io::Json::array();
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      const auto place = fmt::format("{}{}[{}].", path, key, i);
      auto again = point(record.layer, claimed[i], place, keys);
      if (!again) return;
      auto json = again->json;
      if (!front && !is_hybrid()) json[key::objective] = objective(*again).value_or(0);
      list.push_back(std::move(json));
    }
  }

  // Checks that every mapping stores exactly the operands that the table states.
  void check_table(io::Json& found) {
    const auto table = claims_.find(key::bypass_table);
    if (given_.fix_bypass && table == claims_.end()) comparison_.find("bypass_table is missing");
    if (table == claims_.end()) return;
    nestor::pim::StoredPairs stored{};
    for (std::size_t m = 0; m < run_.machine.memory_names.size(); ++m)
      for (const Operand operand : all_operands) {
        const bool in_all =
            !run_.layers.empty() &&
            std::all_of(run_.layers.begin(), run_.layers.end(), [&](const LayerRecord& record) {
              return record.best.mapping && record.best.mapping->stored[m].contains(operand);
            });
        if (in_all) stored[m].insert(operand);
      }
    found[key::bypass_table] = io::pim::bypass_table_to_json(stored, run_.machine);
    for (std::size_t i = 0; i < run_.layers.size(); ++i)
      if (const auto& mapping = run_.layers[i].best.mapping)
        for (const auto& fault : check::pim::bypass_faults(
                 architecture_, io::pim::mapping_to_json(*mapping, run_.machine), found[key::bypass_table]))
          comparison_.find(fmt::format("layers[{}].mapping: {}", i, fault));
  }

  void add_bound(double bound, double repeat) {
    if (std::isnan(bound)) all_bounds_ = false;
    bound_ += repeat * (run_.objective.name == "edp" ? std::sqrt(std::max(bound, 0.0)) : bound);
  }

  // The EDP of a network is its total energy times its total latency.
  io::Json totals() const {
    const double edp = energy_ * static_cast<double>(cycles_);
    io::Json json = {{key::layers, run_.layers.size()}, {key::mapped, mapped_},    {key::macs, macs_},
                     {key::latency_cycles, cycles_},    {key::energy_pj, energy_}, {key::edp, edp}};
    if (run_.layers.empty()) return json;
    const bool of_edp = run_.objective.name == "edp";
    const double objective = of_edp ? edp : objective_;
    const double bound = of_edp ? bound_ * bound_ : bound_;
    if (all_objectives_) json[key::objective] = objective;
    if (all_bounds_) json[key::lower_bound] = bound;
    if (all_objectives_ && all_bounds_ && objective != 0)
      json[key::gap] = (objective - bound) / std::abs(objective);
    if (all_objectives_ && of_edp) json[key::edp_sum] = objective_;
    return json;
  }

  const RunRecord& run_;
  const io::Json& claims_;
  const io::Json architecture_;
  io::RunOptions given_;
  io::ResultCheck result_;
  Comparison comparison_{result_};
  bool is_map_ = false;
  bool is_import_ = false;
  bool all_objectives_ = true;
  bool all_bounds_ = true;
  Int mappings_ = 0;
  Int mapped_ = 0;
  Int macs_ = 0;
  Int cycles_ = 0;
  double energy_ = 0;
  double objective_ = 0;
  double bound_ = 0;
};

}  // namespace

io::ResultCheck check_pim_result(const RunRecord& run, const io::Json& claims,
                                 const io::NetworkReader& read_network) {
  return RunCheck(run, claims).check(read_network);
}

io::ResultCheck check_pim_mappings(const RunRecord& run) {
  io::ResultCheck check;
  const auto architecture = io::pim::machine_to_json(run.machine);
  for (const auto& record : run.layers) {
    ++check.mappings;
    for (const auto& fault : contract_of(architecture, run, record.layer, record.best).faults)
      check.findings.push_back(fmt::format("mapping of layer '{}': {}", record.layer.name, fault));
  }
  return check;
}

}  // namespace nestor::report
