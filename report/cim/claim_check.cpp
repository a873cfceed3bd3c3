#include "report/cim/claim_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/cim/explanation.h"

namespace nestor::report {
namespace {

using mapper::LayerMap;

// Whether a lies above b by more than rounding does.
bool above(double a, double b) {
  return a - b > io::verify_tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}
bool apart(double a, double b) { return above(a, b) || above(b, a); }

bool is_proved(const LayerMap& map) { return map.status == Status::optimal; }

// One layer's claims against what the new search proved of it.
class LayerClaims {
 public:
  LayerClaims(const io::LayerResult& claimed, const LayerMap& proved, const Architecture& machine,
              cim::LatencyModel model, io::ResultCheck& check)
      : claimed_(claimed), proved_(proved), machine_(machine), model_(model), check_(check) {}

  /// False if the new search ended too early to tell.
  bool holds_or_is_refuted(bool pareto) {
    if (claimed_.status == Status::infeasible) return infeasible();
    if (proved_.status == Status::infeasible) return finding("no mapping exists, says the new search");
    if (pareto) return front();
    return bound() && objective() && alternatives();
  }

 private:
  bool finding(const std::string& sentence) {
    check_.findings.push_back(fmt::format("layer '{}': {}", claimed_.layer.name, sentence));
    return true;
  }
  bool compared() {
    ++check_.figures;
    return true;
  }

  bool infeasible() {
    if (!proved_.best.empty() || !proved_.front.empty())
      return finding("is claimed infeasible, but the new search has a mapping");
    return proved_.status == Status::infeasible && compared();
  }

  // No mapping costs less than what is claimed.
  bool bound() {
    if (!claimed_.lower_bound) return true;
    if (!proved_.best.empty() && above(*claimed_.lower_bound, proved_.best.front().objective))
      return finding(fmt::format("lower_bound is claimed as {}, but a mapping costs {}",
                                 *claimed_.lower_bound, proved_.best.front().objective));
    if (!proved_.bound || above(*claimed_.lower_bound, *proved_.bound)) return false;
    return compared();
  }

  // An objective below every mapping's is caught where the mapping is evaluated, too.
  bool objective() {
    if (!claimed_.best.objective || claimed_.status != Status::optimal) return true;
    if (proved_.best.empty()) return false;
    const double best = proved_.best.front().objective;
    if (above(*claimed_.best.objective, best))
      return finding(fmt::format("status is claimed as optimal with {}, but a mapping costs {}",
                                 *claimed_.best.objective, best));
    return is_proved(proved_) && compared();
  }

  bool alternatives() {
    if (claimed_.status != Status::optimal || claimed_.alternatives.empty()) return true;
    if (!is_proved(proved_)) return false;
    if (proved_.best.size() != claimed_.alternatives.size() + 1)
      return finding(fmt::format("has {} best mappings, the new search {}", claimed_.alternatives.size() + 1,
                                 proved_.best.size()));
    for (std::size_t i = 1; i < proved_.best.size(); ++i)
      if (const auto& cost = claimed_.alternatives[i - 1].objective;
          cost && apart(*cost, proved_.best[i].objective))
        return finding(fmt::format("alternatives[{}].objective is claimed as {}, the new search has {}",
                                   i - 1, *cost, proved_.best[i].objective));
    return compared();
  }

  bool front() {
    if (!is_proved(proved_)) return false;
    // A front that a limit cut short claims nothing of what it lacks.
    if (claimed_.status != Status::optimal) return true;
    if (proved_.front.size() != claimed_.front.size())
      return finding(
          fmt::format("front has {} points, the new search {}", claimed_.front.size(), proved_.front.size()));
    for (std::size_t i = 0; i < proved_.front.size(); ++i) {
      const auto& point = claimed_.front[i];
      const auto found = report::point_of(proved_.front[i], claimed_.layer.shape.bounds, machine_, model_);
      if (point.latency_cycles != found.latency_cycles || !point.energy_pj ||
          apart(*point.energy_pj, *found.energy_pj))
        return finding(fmt::format("front[{}] is not the new search's", i));
    }
    return compared();
  }

  const io::LayerResult& claimed_;
  const LayerMap& proved_;
  const Architecture& machine_;
  cim::LatencyModel model_;
  io::ResultCheck& check_;
};

void drop_entry(io::ResultCheck& check, std::string_view entry, const std::string& left_open) {
  const auto found = std::find(check.not_checked.begin(), check.not_checked.end(), entry);
  if (found == check.not_checked.end()) return;
  if (left_open.empty())
    check.not_checked.erase(found);
  else
    *found = fmt::format("{} of {}: the new search was stopped", entry, left_open);
}

}  // namespace

void check_claims(const io::RunResult& run, const UniqueShapes& shapes,
                  const std::vector<mapper::LayerMap>& maps, const mapper::Request& request,
                  io::ResultCheck& check) {
  std::string left_open;
  const std::size_t findings = check.findings.size();
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const auto& map = maps[shapes.shape_of_layer[i]];
    if (!LayerClaims(run.layers[i], map, run.architecture.machine, request.objective.latency_model, check)
             .holds_or_is_refuted(request.pareto))
      left_open += fmt::format("{}'{}'", left_open.empty() ? "" : ", ", run.layers[i].layer.name);
  }
  for (const auto entry : io::unproved_claims) drop_entry(check, entry, left_open);
  check.optimality = io::optimality_left_open;
  if (left_open.empty()) check.optimality = "proved again by the search";
  if (check.findings.size() > findings) check.optimality = "refuted by the search";
}

}  // namespace nestor::report
