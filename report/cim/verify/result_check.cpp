#include "report/cim/verify/result_check.h"

#include <cmath>

#include "report/cim/verify/point_check.h"
#include "report/cim/verify/resource_check.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/verify/comparison.h"
#include "report/verify/incumbent_check.h"
#include "sim/cim/replay.h"

namespace nestor::io {
namespace {

class ResultExaminer {
 public:
  ResultExaminer(const RunResult& result, ResultCheck& check)
      : result_(result), terms_(result), claims_(check), comparison_(check) {}

  void run() {
    if (result_.space != "cim") {
      claims_.finding(sentence("results of the space '", result_.space, "' cannot be verified yet"));
      return;
    }
    for (std::size_t i = 0; i < result_.layers.size(); ++i) {
      claims_.set_subject(sentence("layer ", i + 1, " '", result_.layers[i].layer.name, "': "));
      check_layer(result_.layers[i]);
    }
    claims_.set_subject("totals: ");
    if (result_.totals) check_totals(*result_.totals);
  }

 private:
  std::optional<check::Contract> check_mapping(const Layer& layer, const MappedPoint& point) {
    return check_point(claims_, terms_, layer, terms_.machine, point);
  }

  void check_layer(const LayerResult& layer) {
    const auto contract = check_mapping(layer.layer, layer.best);
    if (layer.ties) check_ties(*layer.ties, layer);
    if (layer.search) check_incumbents(*layer.search, layer.best.objective, claims_);
    if (contract) {
      for (const auto& [key, table] :
           {std::pair{key::usage_bits, &layer.usage_bits}, std::pair{key::traffic_bits, &layer.traffic_bits}})
        if (!table->empty()) compare(*table, contract->figures[key], key);
      if (!layer.evaluation.is_null()) compare(layer.evaluation, contract->figures, key::evaluation);
      ResourceCheck resources(claims_, terms_, result_.architecture, layer, *contract);
      if (!layer.spent_cycles.empty()) resources.spent_cycles();
      resources.resources();
      if (layer.replay_cycles || !layer.stalls.is_null()) check_replay(layer);
    }
    const std::string subject = claims_.subject();
    for (std::size_t a = 0; a < layer.alternatives.size(); ++a) {
      claims_.set_subject(sentence(subject, "alternative ", a + 1, ": "));
      check_mapping(layer.layer, layer.alternatives[a]);
    }
    for (std::size_t a = 0; a < layer.front.size(); ++a) {
      claims_.set_subject(sentence(subject, "front point ", a + 1, ": "));
      check_mapping(layer.layer, layer.front[a]);
    }
    claims_.set_subject(subject);
  }

  /// Checks the tie-breaking cost. Its optimality and its bound are claims of the search that are not checked
  /// here.
  void check_ties(const TieBreakResult& ties, const LayerResult& layer) {
    const bool energy = ties.objective == "energy";
    if (terms_.objective != (energy ? "latency" : "energy") || layer.status != Status::optimal)
      claims_.finding("tie_break requires a proved optimum of latency or energy, and names the other cost");
    std::optional<double> cost = layer.best.energy_pj;
    if (!energy && layer.best.latency_cycles) cost = static_cast<double>(*layer.best.latency_cycles);
    if (!cost) return claims_.finding("tie_break is present without a mapping");
    claims_.compared();
    const bool agree = agrees(ties.lower_bound, *cost);
    if (!agree && (ties.lower_bound > *cost || ties.status == Status::optimal))
      claims_.finding(sentence("tie_break is ", std::string(to_string(ties.status)), " with lower_bound ",
                               ties.lower_bound, ", found ", *cost));
  }

  void check_gap(const std::optional<double>& gap, long double objective, long double bound) {
    if (!gap) return;
    claims_.compared();
    const long double found = objective == 0 ? 0 : (objective - bound) / std::fabs(objective);
    // A gap is a relative figure, so the tolerance applies to its absolute error.
    if (std::fabs(static_cast<long double>(*gap) - found) > static_cast<long double>(verify_tolerance))
      claims_.finding(sentence("gap is claimed as ", *gap, ", found ", static_cast<double>(found)));
  }

  void compare(const Json& claimed, const Json& found, const char* key) {
    comparison_.compare(claimed, found, sentence(claims_.subject(), key, "."), sentence(key, "."));
  }

  void check_replay(const LayerResult& layer) {
    const auto replayed = sim::cim::replay(layer.best.nest(layer.layer.shape), result_.architecture.machine,
                                           *layer.best.mapping);
    if (replayed.status != sim::cim::ReplayStatus::complete) {
      claims_.finding("cannot be replayed to confirm replay_cycles");
      return;
    }
    claims_.count(key::replay_cycles, layer.replay_cycles, replayed.cycles);
    if (!layer.stalls.is_object()) return;
    std::size_t known = 0;
    for (std::size_t cause = 0; cause < sim::cim::stall_cause_count; ++cause) {
      const std::string name(sim::cim::name_of(static_cast<sim::cim::StallCause>(cause)));
      known += layer.stalls.contains(name) ? 1U : 0U;
      claims_.json_number("stalls for " + name, layer.stalls, name,
                          static_cast<long double>(replayed.stalls[cause]));
    }
    if (known != layer.stalls.size()) claims_.finding("stalls has a key that is not a cause");
  }

  struct Sum {
    bool roots = false;  ///< true: sum of square roots
    long double value = 0;
    bool complete = true;  ///< true if every layer has the figure
    void add(const std::optional<double>& figure, Int repeat) {
      complete = complete && figure.has_value();
      const auto each = static_cast<long double>(figure.value_or(0));
      value += (roots ? std::sqrt(std::max(each, 0.0L)) : each) * static_cast<long double>(repeat);
    }
  };

  /// Checks the sums of the layers' claims, which have been checked individually.
  void check_totals(const ResultTotals& totals) {
    Wide mapped = 0;
    Wide macs = 0;
    Wide cycles = 0;
    long double energy = 0;
    const bool edp = terms_.objective == "edp";
    Sum objective;
    Sum bound{.roots = edp};
    for (const LayerResult& layer : result_.layers) {
      objective.add(layer.best.objective, layer.layer.repeat);
      bound.add(layer.lower_bound, layer.layer.repeat);
      const auto* const point = layer.counted();
      if (point == nullptr) continue;
      ++mapped;
      Wide work = layer.layer.repeat;
      for (const Int extent : layer.layer.shape.bounds) work *= extent;
      macs += work;
      cycles += Wide{layer.layer.repeat} * point->latency_cycles.value_or(0);
      energy += static_cast<long double>(layer.layer.repeat) *
                static_cast<long double>(point->energy_pj.value_or(0));
    }
    claims_.count(key::layers, totals.layers, static_cast<Wide>(result_.layers.size()));
    claims_.count(key::mapped, totals.mapped, mapped);
    claims_.count(key::macs, totals.macs, macs);
    if (result_.optimum && !result_.optimum->layers.empty()) return check_totals_of_choice(totals);
    claims_.count(key::latency_cycles, totals.latency_cycles, cycles);
    claims_.amount(key::energy_pj, totals.energy_pj, energy);
    claims_.amount(key::edp, totals.edp, energy * static_cast<long double>(cycles));
    if (totals.edp_sum && !edp) claims_.finding("edp_sum requires the objective edp");
    if (edp) {
      check_total(key::edp_sum, totals.edp_sum, objective);
      objective.value = energy * static_cast<long double>(cycles);
      bound.value *= bound.value;
    }
    check_total(key::objective, totals.objective, objective);
    check_total(key::lower_bound, totals.lower_bound, bound);
    if (objective.complete && bound.complete)
      check_gap(totals.gap, objective.value, bound.value);
    else if (totals.gap)
      claims_.finding("claims a gap, but not every layer has an objective and a bound");
  }

  /// Checks the totals of a choice of points. The points' own figures are checked with the fronts.
  void check_totals_of_choice(const ResultTotals& totals) {
    const NetworkOptimum& chosen = *result_.optimum;
    claims_.count(key::latency_cycles, totals.latency_cycles, chosen.latency_cycles);
    claims_.amount(key::energy_pj, totals.energy_pj, chosen.energy_pj);
    claims_.amount(
        key::edp, totals.edp,
        static_cast<long double>(chosen.energy_pj) * static_cast<long double>(chosen.latency_cycles));
    const auto same = [&](std::string_view what, const std::optional<double>& claimed,
                          const std::optional<double>& found) {
      if (claimed.has_value() != found.has_value())
        claims_.finding(
            sentence(what, claimed ? " is claimed, but the network's optimum has none" : " is missing"));
      else if (claimed)
        claims_.amount(what, *claimed, static_cast<long double>(*found));
    };
    same(key::objective, totals.objective, chosen.value);
    same(key::lower_bound, totals.lower_bound, chosen.lower_bound);
    if (chosen.value && chosen.lower_bound && *chosen.value != 0 && !totals.gap)
      claims_.finding("gap is missing");
    else if (chosen.value && chosen.lower_bound && *chosen.value != 0)
      check_gap(totals.gap, *chosen.value, *chosen.lower_bound);
    else if (totals.gap)
      claims_.finding("claims a gap, but the network's optimum has no value and bound");
    if (totals.edp_sum) claims_.finding("edp_sum requires layers that are optimised separately");
  }

  void check_total(std::string_view what, const std::optional<double>& claimed, const Sum& found) {
    if (!claimed) return;
    if (found.complete)
      claims_.amount(what, *claimed, found.value);
    else
      claims_.finding(sentence(what, " is claimed as ", *claimed, ", but not every layer has one"));
  }

  const RunResult& result_;
  const Terms terms_;
  Claims claims_;
  Comparison comparison_;
};

}  // namespace

ResultCheck check_result(const RunResult& result) {
  ResultCheck check;
  check_claim(result_to_json(result), check);
  ResultExaminer(result, check).run();
  return check;
}

}  // namespace nestor::io
