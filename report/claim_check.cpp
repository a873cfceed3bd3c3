#include "report/claim_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/keys/common.h"

namespace nestor::report {
namespace {

// True if `a` exceeds `b` by more than the rounding tolerance.
bool above(double a, double b) {
  return a - b > io::verify_tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}
bool apart(double a, double b) { return above(a, b) || above(b, a); }

// Comparison of one claim with the proof of the new search.
class LayerClaims {
 public:
  LayerClaims(const ClaimedOptimum& claimed, const ProvedOptimum& proved, io::ResultCheck& check)
      : claimed_(claimed), proved_(proved), check_(check) {}

  /// Returns false if the new search ended too early to decide.
  bool holds_or_is_refuted(bool pareto) {
    if (claimed_.status == Status::infeasible) return infeasible();
    if (proved_.status == Status::infeasible) return finding("the new search proves that no mapping exists");
    if (pareto) return front();
    return bound() && objective() && alternatives();
  }

 private:
  bool finding(const std::string& sentence) {
    check_.findings.push_back(fmt::format("{}: {}", claimed_.subject, sentence));
    return true;
  }
  bool compared() {
    ++check_.figures;
    return true;
  }

  bool is_proved() const { return proved_.status == Status::optimal; }

  bool infeasible() {
    if (!proved_.best.empty() || !proved_.front.empty())
      return finding("is claimed infeasible, but the new search found a mapping");
    return proved_.status == Status::infeasible && compared();
  }

  // Checks that no mapping costs less than the claimed bound.
  bool bound() {
    if (!claimed_.lower_bound) return true;
    if (!proved_.best.empty() && above(*claimed_.lower_bound, proved_.best.front()))
      return finding(fmt::format("lower_bound is claimed as {}, but a mapping costs {}",
                                 *claimed_.lower_bound, proved_.best.front()));
    if (!proved_.bound || above(*claimed_.lower_bound, *proved_.bound)) return false;
    return compared();
  }

  // Checks that an objective claimed as optimal is not above the optimum. An objective that is too low is
  // detected when its mapping is evaluated.
  bool objective() {
    if (!claimed_.objective || claimed_.status != Status::optimal) return true;
    if (proved_.best.empty()) return false;
    const double best = proved_.best.front();
    if (above(*claimed_.objective, best))
      return finding(fmt::format("status is claimed as optimal with {}, but a mapping costs {}",
                                 *claimed_.objective, best));
    return is_proved() && compared();
  }

  bool alternatives() {
    if (claimed_.status != Status::optimal || claimed_.alternatives.empty()) return true;
    if (!is_proved()) return false;
    if (proved_.best.size() != claimed_.alternatives.size() + 1)
      return finding(fmt::format("has {} best mappings, but the new search found {}",
                                 claimed_.alternatives.size() + 1, proved_.best.size()));
    for (std::size_t i = 1; i < proved_.best.size(); ++i)
      if (const auto& cost = claimed_.alternatives[i - 1]; cost && apart(*cost, proved_.best[i]))
        return finding(fmt::format("alternatives[{}].objective is claimed as {}, but the new search found {}",
                                   i - 1, *cost, proved_.best[i]));
    return compared();
  }

  bool front() {
    if (!is_proved()) return false;
    // A front that a limit cut short is not claimed to be complete.
    if (claimed_.status != Status::optimal) return true;
    if (proved_.front.size() != claimed_.front.size())
      return finding(fmt::format("front has {} points, but the new search found {}", claimed_.front.size(),
                                 proved_.front.size()));
    for (std::size_t i = 0; i < proved_.front.size(); ++i) {
      const auto& point = claimed_.front[i];
      const auto& found = proved_.front[i];
      if (point.latency_cycles != found.latency_cycles || !point.energy_pj ||
          apart(*point.energy_pj, *found.energy_pj))
        return finding(fmt::format("front[{}] differs from the new search", i));
    }
    return compared();
  }

  const ClaimedOptimum& claimed_;
  const ProvedOptimum& proved_;
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

std::optional<double> number_of(const io::Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

std::optional<Status> status_of(const io::Json& json) {
  for (std::size_t i = 0; i < io::statuses.words.size(); ++i)
    if (json.value(key::status, io::Json()) == io::statuses.words[i]) return io::statuses.values[i];
  return std::nullopt;
}

const io::Json& list_of(const io::Json& json, const char* key) {
  static const io::Json none = io::Json::array();
  const auto at = json.find(key);
  return at != json.end() && at->is_array() ? *at : none;
}

std::vector<ClaimedOptimum> claims_of_layers(std::span<const Layer> layers, const io::Json& claims) {
  std::vector<ClaimedOptimum> all;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto& layer = claims[key::layers][i];
    auto& claim = all.emplace_back(claim_of_layer(layers[i].name));
    claim.status = status_of(layer);
    claim.lower_bound = number_of(layer, key::lower_bound);
    claim.objective = number_of(layer, key::objective);
    for (const auto& point : list_of(layer, key::alternatives))
      claim.alternatives.push_back(number_of(point, key::objective));
    for (const auto& point : list_of(layer, key::front)) {
      const auto cycles = point.value(key::latency_cycles, io::Json());
      claim.front.push_back({cycles.is_number_integer() ? std::optional(cycles.get<Int>()) : std::nullopt,
                             number_of(point, key::energy_pj)});
    }
  }
  return all;
}

ClaimedOptimum claim_of_layer(const std::string& name) {
  ClaimedOptimum claim;
  claim.subject = fmt::format("layer '{}'", name);
  claim.name = fmt::format("'{}'", name);
  return claim;
}

void check_claims(std::span<const ClaimedOptimum> claims, std::span<const ProvedOptimum> proofs, bool pareto,
                  std::span<const std::string_view> unproved, io::ResultCheck& check) {
  std::string left_open;
  const std::size_t findings = check.findings.size();
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (!LayerClaims(claims[i], proofs[i], check).holds_or_is_refuted(pareto))
      left_open += (left_open.empty() ? "" : ", ") + claims[i].name;
  for (const auto entry : unproved) drop_entry(check, entry, left_open);
  check.optimality = io::Optimality::left_open;
  if (left_open.empty()) check.optimality = io::Optimality::proved_again;
  if (check.findings.size() > findings) check.optimality = io::Optimality::refuted;
}

}  // namespace nestor::report
