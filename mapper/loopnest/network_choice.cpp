#include "mapper/loopnest/network_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "solver/search/tolerance.h"

namespace nestor::mapper {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Total {
  double latency = 0;
  double energy = 0;
};

/// A step along the lower hull: all copies of a layer move from one supported point to the next slower one.
struct Edge {
  std::size_t layer = 0;
  std::size_t to = 0;  ///< index of the new point
  Total change;        ///< change for one copy: more latency, less energy
};

double steepness(const Total& change) { return -change.energy / change.latency; }

/// Returns the indices of the supported points in the order of latency. The first point is the fastest, and
/// the last has the least energy.
std::vector<std::size_t> lower_hull(const std::vector<FrontPoint>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(points[a].latency, points[a].energy) < std::pair(points[b].latency, points[b].energy);
  });
  const auto change = [&](std::size_t from, std::size_t to) {
    return Total{static_cast<double>(points[to].latency - points[from].latency),
                 points[to].energy - points[from].energy};
  };
  std::vector<std::size_t> hull;
  for (const std::size_t point : order) {
    if (!hull.empty() && points[point].energy >= points[hull.back()].energy) continue;
    if (!hull.empty() && points[point].latency == points[hull.back()].latency) continue;
    while (hull.size() >= 2 &&
           steepness(change(hull.back(), point)) >= steepness(change(hull[hull.size() - 2], hull.back())))
      hull.pop_back();
    hull.push_back(point);
  }
  return hull;
}

/// Limits on the totals, with a tolerance for rounding.
struct Box {
  double latency = infinity;
  double energy = infinity;

  explicit Box(const NetworkObjective& objective) {
    const auto loose = [](double limit) { return limit + std::abs(limit) * cost_tolerance * 1e-3; };
    if (objective.latency_limit) latency = loose(*objective.latency_limit);
    if (objective.energy_limit) energy = loose(*objective.energy_limit);
  }
  bool holds(const Total& total) const { return total.latency <= latency && total.energy <= energy; }
};

/// Lower hull of the sum of several layers' fronts: a starting point and edges, steepest first.
class Chain {
 public:
  void add(const Total& first, Int copies) {
    start_.latency += first.latency * static_cast<double>(copies);
    start_.energy += first.energy * static_cast<double>(copies);
  }
  void add_edge(const Total& change) { edges_.push_back(change); }

  /// Returns the least objective inside the box of `before` plus any point of the chain, or infinity if no
  /// such point is inside. The extreme points of this set are vertices of the chain and the points where the
  /// chain crosses the box.
  double least(const NetworkObjective& objective, const Box& box, const Total& before) const {
    Total at{before.latency + start_.latency, before.energy + start_.energy};
    if (at.latency > box.latency) return infinity;
    double best = at.energy <= box.energy ? objective.value(at.latency, at.energy) : infinity;
    for (const Total& edge : edges_) {
      Total next{at.latency + edge.latency, at.energy + edge.energy};
      if (at.energy > box.energy && next.energy <= box.energy) {
        const double share = (at.energy - box.energy) / -edge.energy;
        const double latency = at.latency + share * edge.latency;
        if (latency <= box.latency) best = std::min(best, objective.value(latency, box.energy));
      }
      if (next.latency > box.latency) {
        const double share = (box.latency - at.latency) / edge.latency;
        const double energy = at.energy + share * edge.energy;
        if (energy <= box.energy) best = std::min(best, objective.value(box.latency, energy));
        return best;
      }
      at = next;
      if (at.energy <= box.energy) best = std::min(best, objective.value(at.latency, at.energy));
    }
    return best;
  }

 private:
  Total start_;
  std::vector<Total> edges_;
};

class Chooser {
 public:
  Chooser(std::span<const LayerFront> layers, const NetworkObjective& objective, const StopSource& stop,
          std::size_t most_labels)
      : layers_(layers), objective_(objective), box_(objective), stop_(stop), most_labels_(most_labels) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const auto hull = lower_hull(layers[i].points);
      fastest_.push_back(hull.front());
      for (std::size_t k = 0; k + 1 < hull.size(); ++k) {
        const Total from = total_of(i, hull[k]);
        const Total to = total_of(i, hull[k + 1]);
        edges_.push_back({i, hull[k + 1], {to.latency - from.latency, to.energy - from.energy}});
      }
    }
    std::stable_sort(edges_.begin(), edges_.end(),
                     [](const Edge& a, const Edge& b) { return steepness(a.change) > steepness(b.change); });
  }

  NetworkChoice run() {
    walk_hull();
    std::vector<Int> copies;
    for (const auto& layer : layers_) copies.push_back(layer.copies);
    const double bound = chain_of(copies).least(objective_, box_, {});
    if (!(bound >= slightly_below(best_value_))) add_copies();
    finish(bound);
    return std::move(choice_);
  }

 private:
  Total total_of(std::size_t layer, std::size_t point) const {
    const auto& at = layers_[layer].points[point];
    return {static_cast<double>(at.latency), at.energy};
  }

  /// Returns the chain for the given number of copies of each layer.
  Chain chain_of(const std::vector<Int>& copies) const {
    Chain chain;
    for (std::size_t i = 0; i < layers_.size(); ++i) chain.add(total_of(i, fastest_[i]), copies[i]);
    for (const Edge& edge : edges_)
      if (const auto count = static_cast<double>(copies[edge.layer]); count > 0)
        chain.add_edge({edge.change.latency * count, edge.change.energy * count});
    return chain;
  }

  using Counts = std::vector<std::vector<CopiesAt>>;

  Total total_of(const Counts& counts) const {
    Total total;
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (const auto& at : counts[i]) {
        total.latency += total_of(i, at.point).latency * static_cast<double>(at.copies);
        total.energy += total_of(i, at.point).energy * static_cast<double>(at.copies);
      }
    return total;
  }

  void offer(const Counts& counts) {
    const Total total = total_of(counts);
    if (!box_.holds(total)) return;
    const double value = objective_.value(total.latency, total.energy);
    if (value >= best_value_) return;
    best_value_ = value;
    best_ = counts;
    best_total_ = total;
  }

  /// Offers every vertex of the lower hull, and choices in which only some copies are moved along an edge
  /// that crosses the box.
  void walk_hull() {
    Counts counts;
    for (std::size_t i = 0; i < layers_.size(); ++i) counts.push_back({{fastest_[i], layers_[i].copies}});
    offer(counts);
    for (const Edge& edge : edges_) {
      const Total at = total_of(counts);
      const Int copies = layers_[edge.layer].copies;
      const auto moved = [&](Int some) {
        auto next = counts;
        auto& layer = next[edge.layer];
        layer.front().copies = copies - some;
        layer.push_back({edge.to, some});
        if (some == copies) layer.erase(layer.begin());
        return next;
      };
      const auto whole = moved(copies);
      const Total next = total_of(whole);
      if (box_.holds(at) != box_.holds(next)) {
        const auto within = [&](double room, double step) {
          return std::clamp<Int>(static_cast<Int>(std::clamp(room / step, 0.0, 9e15)), 0, copies);
        };
        for (const Int some : {within(box_.latency - at.latency, edge.change.latency),
                               std::min(copies, within(at.energy - box_.energy, -edge.change.energy) + 1)})
          if (some > 0 && some < copies) offer(moved(some));
      }
      counts = whole;
      offer(counts);
    }
  }

  struct Label {
    Total total;
    std::uint32_t parent = 0;
    std::uint32_t point = 0;
  };

  /// Adds the copies one by one, starting with the layers whose points differ most in energy. Totals that are
  /// dominated or cannot improve the best choice are dropped.
  void add_copies() {
    const auto spread = [&](std::size_t i) {
      double least = infinity;
      double most = 0;
      for (const auto& point : layers_[i].points) {
        least = std::min(least, point.energy);
        most = std::max(most, point.energy);
      }
      return most - least;
    };
    std::vector<std::size_t> order(layers_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return spread(a) > spread(b); });
    std::vector<Int> left;
    Int copies = 0;
    for (const auto& layer : layers_) {
      left.push_back(layer.copies);
      copies += layer.copies;
    }
    constexpr Int most_stages = 1'000'000;
    if (copies > most_stages) return give_up(Status::work_limit);
    std::vector<std::vector<Label>> stages = {{Label{}}};
    std::vector<std::size_t> layer_of;
    std::size_t kept = 1;
    for (const std::size_t layer : order)
      for (Int copy = 0; copy < layers_[layer].copies; ++copy) {
        --left[layer];
        layer_of.push_back(layer);
        auto next = extend(stages.back(), layer, chain_of(left));
        if (choice_.status != Status::optimal) return;
        kept += next.size();
        if (kept > most_labels_) return give_up(Status::work_limit);
        stages.push_back(std::move(next));
        if (stages.back().empty()) return;  // no total can improve the best choice, which is therefore proved
      }
    take_best(stages, layer_of);
  }

  std::vector<Label> extend(const std::vector<Label>& labels, std::size_t layer, const Chain& rest) {
    std::vector<Label> next;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i % 1024 == 0 && stop_.requested()) {
        give_up(stop_.status());
        return {};
      }
      for (std::size_t p = 0; p < layers_[layer].points.size(); ++p) {
        const Total one = total_of(layer, p);
        const Total total{labels[i].total.latency + one.latency, labels[i].total.energy + one.energy};
        if (rest.least(objective_, box_, total) >= slightly_below(best_value_)) continue;
        next.push_back({total, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(p)});
      }
      if (next.size() > 2 * most_labels_) next = undominated(std::move(next));
      if (next.size() > most_labels_) {
        give_up(Status::work_limit);
        return {};
      }
    }
    return undominated(std::move(next));
  }

  static std::vector<Label> undominated(std::vector<Label> labels) {
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
      return std::tuple(a.total.latency, a.total.energy, a.parent, a.point) <
             std::tuple(b.total.latency, b.total.energy, b.parent, b.point);
    });
    std::size_t kept = 0;
    for (const Label& label : labels)
      if (kept == 0 || label.total.energy < labels[kept - 1].total.energy) labels[kept++] = label;
    labels.resize(kept);
    return labels;
  }

  void take_best(const std::vector<std::vector<Label>>& stages, const std::vector<std::size_t>& layer_of) {
    const auto value = [&](const Label& label) {
      return box_.holds(label.total) ? objective_.value(label.total.latency, label.total.energy) : infinity;
    };
    const auto best = std::min_element(stages.back().begin(), stages.back().end(),
                                       [&](const Label& a, const Label& b) { return value(a) < value(b); });
    if (value(*best) >= best_value_) return;
    Counts counts(layers_.size());
    const Label* label = &*best;
    for (std::size_t stage = stages.size() - 1; stage > 0; --stage) {
      auto& layer = counts[layer_of[stage - 1]];
      const auto same = std::find_if(layer.begin(), layer.end(),
                                     [&](const CopiesAt& at) { return at.point == label->point; });
      if (same == layer.end())
        layer.push_back({label->point, 1});
      else
        ++same->copies;
      label = &stages[stage - 1][label->parent];
    }
    for (auto& layer : counts)
      std::sort(layer.begin(), layer.end(),
                [](const CopiesAt& a, const CopiesAt& b) { return a.point < b.point; });
    offer(counts);
  }

  void give_up(Status status) { choice_.status = status; }

  void finish(double bound) {
    const bool stopped = choice_.status != Status::optimal;
    const bool proved =
        std::all_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer.proved; });
    if (!std::isfinite(best_value_)) {
      if (!stopped && proved) choice_.status = Status::infeasible;
      choice_.lower_bound = proved ? bound : bound_of_any();
      return;
    }
    choice_.layers = best_;
    choice_.latency = best_total_.latency;
    choice_.energy = best_total_.energy;
    choice_.objective = best_value_;
    choice_.lower_bound = !proved ? bound_of_any() : stopped ? std::min(bound, best_value_) : best_value_;
  }

  /// Returns a bound that is valid even if fronts lack points: every copy of such a layer is assumed to have
  /// the latency and the energy of LayerFront::least.
  double bound_of_any() const {
    auto relaxed = std::vector<LayerFront>(layers_.begin(), layers_.end());
    std::vector<Int> copies;
    for (auto& layer : relaxed) {
      if (!layer.proved) layer.points = {layer.least};
      copies.push_back(layer.copies);
    }
    const double bound =
        Chooser(relaxed, objective_, stop_, most_labels_).chain_of(copies).least(objective_, box_, {});
    return std::min(bound, best_value_);
  }

  std::span<const LayerFront> layers_;
  const NetworkObjective& objective_;
  Box box_;
  const StopSource& stop_;
  std::size_t most_labels_;
  std::vector<std::size_t> fastest_;
  std::vector<Edge> edges_;
  NetworkChoice choice_;
  Counts best_;
  Total best_total_;
  double best_value_ = infinity;
};

}  // namespace

double NetworkObjective::value(double latency, double energy) const {
  switch (kind) {
    case ObjectiveKind::latency:
      return latency;
    case ObjectiveKind::energy:
      return energy;
    case ObjectiveKind::edp:
      return latency * energy;
    default:
      return latency_weight * latency + energy_weight * energy;
  }
}

NetworkChoice choose_points(std::span<const LayerFront> layers, const NetworkObjective& objective,
                            const StopSource& stop, std::size_t most_labels) {
  return Chooser(layers, objective, stop, most_labels).run();
}

}  // namespace nestor::mapper
