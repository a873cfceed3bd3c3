#include "report/cim/verify/file_check.h"
#include "report/verify/optimum_check.h"

#include <algorithm>

#include "base/tables/hash_table.h"
#include "check/cim/contract.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"
#include "report/cim/verify/result_check.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/results/node_json.h"
#include "report/verify/comparison.h"
#include "report/verify/constraint_check.h"
#include "report/verify/input_check.h"
#include "report/verify/sentence.h"
#include "report/verify/smallest_tiles.h"

namespace nestor::io {
namespace {

RunClaims claims_of(const RunResult& run) {
  RunClaims claims{run.space, run, {}, &run.unmapped, &run.architecture.machine};
  for (const auto& record : run.layers) claims.layers.push_back(&record.layer);
  return claims;
}

class FileCheck {
 public:
  FileCheck(const Node& root, const RunResult& run, ResultCheck& check)
      : root_(root), run_(run), check_(check), claims_(check) {}

  void run() {
    nothing_left_out();
    options();
    unmapped();
    const auto layers = root_.find(key::layers);
    for (std::size_t i = 0; i < run_.layers.size(); ++i) {
      claims_.set_subject(sentence("layer ", i + 1, " '", run_.layers[i].layer.name, "': "));
      layer(run_.layers[i], layers->item(i));
    }
    claims_.set_subject("");
    name_what_is_not_checked();
  }

 private:
  void require(const Node& node, std::initializer_list<std::string_view> keys) {
    for (const auto key : keys)
      if (!node.find(key)) claims_.finding(sentence("has no key '", key, "'"));
  }

  // Checks that the result has all required keys.
  void nothing_left_out() {
    for (const auto key : result_keys::top)
      if (!root_.find(key) && key != std::string_view(key::network_optimum) &&
          key != std::string_view(key::constraints) &&
          (key != std::string_view(key::members) || has_members(run_)))
        claims_.finding(sentence("the result has no key '", key, "'"));
    if (const auto members = root_.find(key::members);
        members && members->text() != members_text(run_.options))
      claims_.finding(sentence("members is claimed as ", quote(members->text()),
                               ", but the options specify '", members_text(run_.options), "'"));
    if (const auto totals = root_.find(key::totals)) {
      claims_.set_subject("totals: ");
      require(*totals, {key::layers, key::mapped, key::macs, key::latency_cycles, key::energy_pj, key::edp});
      const auto all = [&](auto has) {
        return !run_.layers.empty() && std::all_of(run_.layers.begin(), run_.layers.end(), has);
      };
      const bool objectives = all([](const LayerResult& layer) { return layer.best.objective.has_value(); });
      const bool bounds = all([](const LayerResult& layer) { return layer.lower_bound.has_value(); });
      if (objectives) require(*totals, {key::objective});
      if (objectives && run_.objective.name == "edp") require(*totals, {key::edp_sum});
      if (bounds) require(*totals, {key::lower_bound});
      if (objectives && bounds && run_.totals && run_.totals->objective != 0.0) require(*totals, {key::gap});
      claims_.set_subject("");
    }
    if (const auto inputs = root_.find(key::inputs))
      for (std::size_t i = 0; i < inputs->size(); ++i) {
        claims_.set_subject(sentence("inputs[", i, "]: "));
        require(inputs->item(i), {key::role, key::name});
      }
    claims_.set_subject("");
  }

  // Checks that options are known and agree with the rest of the result.
  void options() {
    const auto read = read_run_again(claims_of(run_), claims_);
    if (!read) return;
    RunOptions said;
    if (find_option(Verb::map, "objective")->set(said, run_.objective.name)) {
      claims_.finding(sentence("objective '", run_.objective.name, "' is unknown"));
      return;
    }
    if (const auto objective = root_.find(key::objective))
      Comparison(check_).compare(node_to_json(*objective), objective_to_json(run_), key::objective);
    if (read->verb != Verb::map) return;
    given_ = read->given;
    if (given_.scope == Scope::layer)
      check_word("objective", run_.objective.name, "objective", given_, claims_);
    else if (run_.objective.name != "pareto")
      claims_.finding("objective is not pareto, but --scope network chooses from fronts");
    if (!run_.optimum && given_.scope == Scope::network && run_.complete)
      claims_.finding("the result has no key 'network_optimum'");
    auto claimed = result_to_json(run_);
    if (const auto optimum = root_.find(key::network_optimum))
      claimed[key::network_optimum] = node_to_json(*optimum);
    check_network_optimum(claimed, given_, claims_, check_);
    check_word("latency_model", run_.objective.latency_model, "latency-model", given_, claims_);
    require_roles(claims_of(run_), {key::architecture, key::layers}, claims_);
    if (!given_.fix.empty()) require_roles(claims_of(run_), {"constraints"}, claims_);
    for (const auto& fault : broken_constraints(run_, given_, run_.architecture, run_.layers))
      claims_.finding(fault);
  }

  void unmapped() {
    HashSet<std::string_view> types;
    for (const auto& op : run_.unmapped)
      if (!types.insert(op.type).second) claims_.finding(sentence("unmapped lists '", op.type, "' twice"));
  }

  void layer(const LayerResult& record, const Node& node) {
    const bool is_map = run_.verb == "map";
    const bool pareto = run_.objective.name == "pareto";
    const bool searched = is_map && has_bounds(given_.map_method);
    if (searched && !record.status) claims_.finding("has no key 'status'");
    const bool imported = run_.verb == "import";
    if (imported != (record.status == Status::imported))
      claims_.finding(imported ? "status is not 'imported'"
                               : "status is 'imported', but nothing was imported");
    if (!searched && !imported && record.status) claims_.finding("has a status, but nothing was searched");
    if (!searched && record.lower_bound) claims_.finding("has a lower bound, but nothing was searched");
    if (is_map && record.same_as.empty()) require(node, {key::search});
    if (record.search)
      require(*node.find(key::search), {key::nodes, key::labels, key::pruned, key::seconds, key::incumbents});
    if (record.best.mapping) {
      require(node, {key::latency_cycles, key::energy_pj, key::edp, key::usage_bits, key::traffic_bits});
      if (is_map) require(node, {key::spent_cycles});
      if (is_map && !pareto) require(node, {key::objective});
      if (run_.verb == "evaluate") require(node, {key::evaluation});
      if (run_.verb == "simulate") require(node, {key::replay_cycles, key::stalls});
      if (is_map && given_.explain && record.same_as.empty()) require(node, {key::resources});
    } else if (!pareto && is_map && record.status != Status::infeasible && record.status) {
      check_.not_checked.push_back(
          sentence("layers[].status of '", record.layer.name, "' (it has no mapping)"));
    }
    if (record.best.objective && record.lower_bound) require(node, {key::gap});
    if (record.best.padded && is_map && !given_.is_given("pad")) claims_.finding("is padded without --pad");
    points(record, node);
    if (record.status == Status::infeasible) infeasible(record);
  }

  void points(const LayerResult& record, const Node& node) {
    for (const std::string_view key : {key::alternatives, key::front})
      if (const auto list = node.find(key))
        for (std::size_t i = 0; i < list->size(); ++i) {
          require(list->item(i), {key::latency_cycles, key::energy_pj, key::edp, key::mapping});
          if (key == key::alternatives) require(list->item(i), {key::objective});
        }
    HashSet<std::pair<Resource::Kind, std::string>> resources;
    for (const auto& report : record.resources) {
      const auto& [kind, name] = report.resource;
      if (!resources.insert({kind, name}).second)
        claims_.finding(sentence("lists the resource ", resource_kinds.word(kind), " ", name, " twice"));
    }
  }

  // Checks a claim of infeasibility. Fixed parts of mappings (--fix) can exclude the smallest tiles.
  void infeasible(const LayerResult& record) {
    const auto& machine = run_.architecture.machine;
    const auto& shape = record.layer.shape;
    claims_.compared();
    if (is_short_of_room(shape, machine)) return;
    const Json smallest = mapping_to_json(smallest_tiles(shape, machine), run_.architecture);
    const bool is_legal = check::cim::contract_of(architecture_to_json(run_.architecture),
                                                  layer_to_json(record.layer), smallest)
                              .faults.empty();
    if (is_legal && given_.fix.empty() && given_.map_method == MapMethod::optimal)
      claims_.finding(
          "is claimed infeasible, but the mapping with all loops outside the innermost memories is legal");
    else
      check_.not_checked.push_back(sentence("layers[].status of '", record.layer.name, "' (infeasible)"));
  }

  void name_what_is_not_checked() {
    auto& list = check_.not_checked;
    const auto any = [&](auto has) { return std::any_of(run_.layers.begin(), run_.layers.end(), has); };
    list.emplace_back("version");
    list.emplace_back("verb");
    if (run_.verb != "map") list.emplace_back("objective");
    list.emplace_back("options (except objective, latency model and weights)");
    if (any([](const auto& layer) { return layer.status || layer.lower_bound; })) {
      list.emplace_back(unproved_optimality);
      if (run_.verb == "map") check_.optimality = io::optimality_not_checked;
    }
    if (any([](const auto& layer) {
          return layer.status && layer.status != Status::optimal && layer.status != Status::infeasible;
        }))
      list.emplace_back("layers[].status (why a search ended)");
    if (any([](const auto& layer) { return layer.search.has_value(); })) list.emplace_back("layers[].search");
    const bool may_tie = run_.objective.name == "latency" || run_.objective.name == "energy";
    if (run_.verb == "map" && may_tie &&
        any([](const auto& layer) { return layer.status == Status::optimal; }))
      list.emplace_back(unproved_ties);
    if (any([](const auto& layer) { return !layer.front.empty(); })) list.emplace_back(unproved_front);
    if (given_.top > 1) list.emplace_back(unproved_alternatives);
    if (any([](const auto& layer) { return !layer.resources.empty(); }))
      list.emplace_back("layers[].resources (whether all are listed; bounds of their searches)");
  }

  Node root_;
  const RunResult& run_;
  ResultCheck& check_;
  Claims claims_;
  RunOptions given_;
};

}  // namespace

Result<ResultCheck> check_result_file(std::string_view text, const std::string& file,
                                      const NetworkReader& read_network) {
  const auto document = Document::parse(text, file, result_limits);
  if (!document) return document.error();
  if (auto error = check_schema(document->root())) return *error;
  Reading reading;
  const auto run = read_result_node(document->root(), reading);
  if (reading.failed()) return reading.error();
  auto check = check_result(run);
  if (run.space != "cim") return check;
  FileCheck(document->root(), run, check).run();
  const IsMachine is_machine = [&](const std::string& name, std::span<const std::string> settings) {
    const auto read = read_architecture(name, settings);
    return read && architecture_to_json(*read) == architecture_to_json(run.architecture);
  };
  InputCheck(claims_of(run), check, read_network, is_machine).run();
  if (check.figures == 0) check.findings.emplace_back("nothing in the result could be compared");
  return check;
}

}  // namespace nestor::io
