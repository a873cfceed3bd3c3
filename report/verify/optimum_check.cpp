#include "report/verify/optimum_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/checked_reader.h"
#include "report/keys/common.h"
#include "report/verify/sentence.h"

namespace nestor::io {
namespace {

struct Point {
  double latency = 0;
  double energy = 0;
};

struct ReadLayer {
  std::string name;
  double repeat = 1;
  std::vector<Point> front;
};

class OptimumCheck {
 public:
  OptimumCheck(Json& result, const RunOptions& given, Claims& claims, ResultCheck& check)
      : optimum_(result.at(key::network_optimum)), given_(given), claims_(claims), check_(check) {
    for (const Json& layer : result.at(key::layers)) {
      auto& read = layers_.emplace_back();
      read.name = layer.value(key::name, "");
      read.repeat = layer.value(key::repeat, 1.0) * layer.value(key::groups, 1.0);
      if (layer.contains(key::front))
        for (const Json& point : layer[key::front])
          read.front.push_back({point.value(key::latency_cycles, 0.0), point.value(key::energy_pj, 0.0)});
    }
  }

  void run() {
    claims_.set_subject("network_optimum: ");
    if (given_.scope != Scope::network) claims_.finding("requires --scope network");
    const auto word = find_option(Verb::map, "objective")->get(given_);
    if (optimum_.value(key::objective, "") != word)
      claims_.finding(sentence("objective is claimed as '", optimum_.value(key::objective, ""),
                               "', but the options specify '", word, "'"));
    if (optimum_.contains(key::layers))
      check_choice();
    else if (optimum_.contains(key::value))
      claims_.finding("has a value, but no layers with chosen points");
    claims_.set_subject("");
  }

 private:
  double value(const Point& total) const {
    switch (given_.objective) {
      case ObjectiveKind::latency:
        return total.latency;
      case ObjectiveKind::energy:
        return total.energy;
      case ObjectiveKind::edp:
        return total.latency * total.energy;
      default:
        return given_.alpha * total.latency + given_.beta * total.energy;
    }
  }

  void check_choice() {
    const Json& chosen = optimum_[key::layers];
    if (chosen.size() != layers_.size()) return claims_.finding("layers differ from those of the network");
    Point total;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (chosen[i].value(key::name, "") != layers_[i].name)
        claims_.finding(sentence("layer ", i + 1, " has a different name in the network"));
      double copies = 0;
      for (const Json& point : chosen[i].value(key::points, Json::array())) {
        const auto index = point.value(key::front_index, std::size_t{0});
        const auto some = point.value(key::copies, 0.0);
        if (index < 1 || index > layers_[i].front.size() || !(some >= 1))
          return claims_.finding(sentence("layer ", i + 1, " chooses a point that is not in its front"));
        copies += some;
        total.latency += some * layers_[i].front[index - 1].latency;
        total.energy += some * layers_[i].front[index - 1].energy;
      }
      claims_.amount(key::copies, copies, static_cast<long double>(layers_[i].repeat));
    }
    optimum_[key::latency_cycles] = total.latency;
    optimum_[key::energy_pj] = total.energy;
    optimum_[key::edp] = total.energy * total.latency;
    optimum_[key::value] = value(total);
    check_limits(total);
    check_bound(value(total));
  }

  void check_limits(const Point& total) {
    for (const auto& text : given_.figure_limits) {
      const auto equals = text.find('=');
      if (equals == std::string::npos) continue;
      const double most = to_number(text.substr(equals + 1)).value_or(0);
      const double has = text.starts_with("latency") ? total.latency : total.energy;
      if (has > most * (1 + verify_tolerance)) claims_.finding(sentence("exceeds --limit ", text));
    }
  }

  void check_bound(double found) {
    const double bound = optimum_.value(key::lower_bound, -std::numeric_limits<double>::infinity());
    if (bound > found * (1 + verify_tolerance)) claims_.finding("lower_bound exceeds the value");
    if (optimum_.value(key::status, "") != to_string(Status::optimal)) return;
    optimum_[key::lower_bound] = found;
    if (!given_.figure_limits.empty()) {
      check_.not_checked.emplace_back("network_optimum.status (whether a better choice meets the limits)");
      return;
    }
    claims_.compared();
    if (const double best = best_of_weights(); best < found * (1 - verify_tolerance))
      claims_.finding(sentence("is claimed as optimal with ", found, ", but a better choice has ", best));
  }

  // Returns the best value of all choices that minimise energy plus a weight times latency. The weights are
  // 0, those at which a layer changes its point, one between each two neighbours of these, and one beyond the
  // last. For each weight, every layer is optimised separately.
  double best_of_weights() const {
    std::vector<double> weights = {0};
    for (const auto& layer : layers_)
      for (std::size_t i = 0; i < layer.front.size(); ++i)
        for (std::size_t j = i + 1; j < layer.front.size(); ++j) {
          const double latency = layer.front[j].latency - layer.front[i].latency;
          const double energy = layer.front[i].energy - layer.front[j].energy;
          if (latency * energy > 0) weights.push_back(energy / latency);
        }
    std::sort(weights.begin(), weights.end());
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
    const auto count = weights.size();
    for (std::size_t i = 0; i + 1 < count; ++i) weights.push_back((weights[i] + weights[i + 1]) / 2);
    weights.push_back(weights[count - 1] * 2 + 1);
    double best = std::numeric_limits<double>::infinity();
    for (const double weight : weights) best = std::min(best, value(total_at(weight)));
    return best;
  }

  Point total_at(double weight) const {
    Point total;
    for (const auto& layer : layers_) {
      const Point* least = nullptr;
      const auto weighed = [&](const Point& point) { return weight * point.latency + point.energy; };
      for (const auto& point : layer.front)
        if (least == nullptr || weighed(point) < weighed(*least)) least = &point;
      if (least == nullptr) continue;
      total.latency += layer.repeat * least->latency;
      total.energy += layer.repeat * least->energy;
    }
    return total;
  }

  Json& optimum_;
  const RunOptions& given_;
  Claims& claims_;
  ResultCheck& check_;
  std::vector<ReadLayer> layers_;
};

}  // namespace

void check_network_optimum(Json& result, const RunOptions& given, Claims& claims, ResultCheck& check) {
  if (result.contains(key::network_optimum)) OptimumCheck(result, given, claims, check).run();
}

}  // namespace nestor::io
