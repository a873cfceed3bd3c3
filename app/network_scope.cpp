#include "app/network_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/checked_reader.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::app {
namespace {

using mapper::FrontPoint;

double own_edp(const FrontPoint& point) { return static_cast<double>(point.latency) * point.energy; }

mapper::LayerFront front_of(const LayerPoints& layer, Int copies) {
  mapper::LayerFront front;
  front.copies = copies;
  front.points = layer.points;
  front.proved = layer.status == Status::optimal;
  return front;
}

// Takes the next `repeat` copies of a shape from `left`. The layers of the shape must take theirs in order.
std::vector<io::NetworkOptimum::Point> take_copies(std::vector<mapper::CopiesAt>& left, Int repeat) {
  std::vector<io::NetworkOptimum::Point> taken;
  while (repeat > 0 && !left.empty()) {
    auto& at = left.front();
    const Int some = std::min(at.copies, repeat);
    taken.push_back({at.point, some});
    repeat -= some;
    at.copies -= some;
    if (at.copies == 0) left.erase(left.begin());
  }
  return taken;
}

}  // namespace

io::Result<mapper::NetworkObjective> network_objective(const io::RunOptions& options) {
  mapper::NetworkObjective objective{
      .kind = options.objective, .latency_weight = options.alpha, .energy_weight = options.beta};
  for (const std::string& text : options.figure_limits) {
    const auto equals = text.find('=');
    const auto word = std::string_view(text).substr(0, equals);
    const double value =
        equals == std::string::npos ? -1 : io::to_number(text.substr(equals + 1)).value_or(-1);
    const bool is_latency = word == "latency";
    if ((!is_latency && word != "energy") || !(value >= 0))
      return io::usage_error(fmt::format("--limit is {}{}, expected latency=CYCLES or energy=PJ",
                                         io::quote(text), io::suggestion(word, {"latency", "energy"})));
    auto& limit = is_latency ? objective.latency_limit : objective.energy_limit;
    if (limit) return io::usage_error(fmt::format("--limit {} is given twice", word));
    limit = value;
  }
  return objective;
}

io::NetworkOptimum choose_for_network(std::span<const LayerPoints> layers, const UniqueShapes& shapes,
                                      const io::RunOptions& options,
                                      const mapper::NetworkObjective& objective,
                                      const mapper::Resources& resources) {
  io::NetworkOptimum optimum;
  optimum.objective = io::find_option(io::Verb::map, "objective")->get(options);
  std::vector<mapper::LayerFront> fronts;
  for (const auto& shape : shapes.shapes) {
    const auto& layer = layers[shape.first];
    if (layer.status != Status::optimal) optimum.status = layer.status;
    if (layer.points.empty()) return optimum;
    fronts.push_back(front_of(layer, shape.repeat));
  }
  StopSource stop(resources.deadline);
  stop.watch(resources.interrupted);
  auto choice = mapper::choose_points(fronts, objective, stop);
  if (optimum.status == Status::optimal) optimum.status = choice.status;
  if (std::isfinite(choice.lower_bound)) optimum.lower_bound = choice.lower_bound;
  if (choice.layers.empty()) return optimum;
  optimum.value = choice.objective;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    auto points = take_copies(choice.layers[shapes.shape_of_layer[i]], layers[i].repeat);
    for (const auto& [front_index, copies] : points) {
      const auto& point = layers[i].points[front_index];
      io::add_product(optimum.latency_cycles, point.latency, copies);
      optimum.energy_pj += point.energy * static_cast<double>(copies);
    }
    optimum.layers.push_back({layers[i].name, std::move(points)});
  }
  optimum.value = objective.value(static_cast<double>(optimum.latency_cycles), optimum.energy_pj);
  if (optimum.status == Status::optimal) optimum.lower_bound = optimum.value;
  return optimum;
}

bool has_points(std::span<const LayerPoints> layers) {
  return std::none_of(layers.begin(), layers.end(),
                      [](const LayerPoints& layer) { return layer.points.empty(); });
}

io::Error limits_not_kept(std::span<const LayerPoints> layers, const mapper::NetworkObjective& objective) {
  std::vector<mapper::LayerFront> fronts;
  for (const auto& layer : layers) fronts.push_back(front_of(layer, layer.repeat));
  const auto least_of = [&](ObjectiveKind kind, std::optional<double> latency_limit) {
    return mapper::choose_points(fronts, {.kind = kind, .latency_limit = latency_limit}, StopSource());
  };
  const auto fastest = least_of(ObjectiveKind::latency, std::nullopt);
  if (objective.latency_limit && fastest.latency > *objective.latency_limit)
    return io::infeasible_error(
        fmt::format("no choice of mappings meets --limit latency={}: the minimum is {:.0f} cycles",
                    *objective.latency_limit, fastest.latency));
  const auto least = least_of(ObjectiveKind::energy, objective.latency_limit);
  return io::infeasible_error(fmt::format(
      "no choice of mappings meets --limit energy={}{}: the minimum is {} pJ, in {:.0f} cycles",
      objective.energy_limit.value_or(0),
      objective.latency_limit ? fmt::format(" with latency={}", *objective.latency_limit) : std::string(),
      least.energy, least.latency));
}

std::string network_optimum_text(const io::NetworkOptimum& optimum, std::span<const LayerPoints> layers) {
  if (optimum.layers.empty())
    return fmt::format("\nNo choice for the network ({}).\n", to_string(optimum.status));
  io::Table table({{"layer", io::Align::left}, {"copies"}, {"point"}, {"cycles"}, {"energy"}});
  double own_latency = 0;
  double own_energy = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const auto& [front_index, copies] : optimum.layers[i].points) {
      const auto& point = layers[i].points[front_index];
      table.add_row({layers[i].name, fmt::format("{}", copies),
                     fmt::format("{} of {}", front_index + 1, layers[i].points.size()),
                     io::count_text(point.latency), io::energy_text(point.energy)});
    }
    const auto& own = *std::min_element(layers[i].points.begin(), layers[i].points.end(),
                                        [](const auto& a, const auto& b) { return own_edp(a) < own_edp(b); });
    own_latency += static_cast<double>(own.latency * layers[i].repeat);
    own_energy += own.energy * static_cast<double>(layers[i].repeat);
  }
  table.add_rule();
  table.add_row(
      {"network", "", "", io::count_text(optimum.latency_cycles), io::energy_text(optimum.energy_pj)});
  const double edp = optimum.energy_pj * static_cast<double>(optimum.latency_cycles);
  auto text = fmt::format("\nLeast {} of the network ({}), EDP {} pJ*cycles\n\n{}", optimum.objective,
                          to_string(optimum.status), io::figure_text(edp), table.to_string());
  if (optimum.objective == "edp" && edp > 0)
    text +=
        fmt::format("\nThe least EDP of every layer would give {} pJ*cycles, {:.2f} % more.\n",
                    io::figure_text(own_latency * own_energy), 100 * (own_latency * own_energy / edp - 1));
  return text;
}

}  // namespace nestor::app
