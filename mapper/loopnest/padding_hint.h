// Hints about padding, for layers with a bound that has a large prime factor. An inexpensive search, under a
// work limit, tries bounds a few per cent larger. Every hint is proved.
#pragma once

#include <optional>

#include "base/primes.h"
#include "mapper/loopnest/map_network.h"
#include "mapper/loopnest/padding.h"

namespace nestor::mapper {

struct PaddingHint {
  static constexpr double percent = 5;
  Int bound = 1;         ///< the layer's bound with the largest prime factor
  Int prime = 1;         ///< its largest prime factor
  double objective = 0;  ///< the least cost of all bounds within `percent`
};

/// Returns a hint for the bound with the largest prime factor. Its objective is not set yet.
inline PaddingHint most_awkward_bound(const Extents& bounds) {
  PaddingHint hint;
  for (const Int bound : bounds)
    for_each_prime_factor(bound, [&](Int prime) {
      if (prime > hint.prime) hint = {bound, prime};
    });
  return hint;
}

/// Returns a hint, or nothing if no bound has a large prime factor, if padding gains less than `least_gain`,
/// or if the limits prevent a proof.
template <typename Machine, typename Request>
std::optional<PaddingHint> look_at_padding(const LayerShape& layer, const Machine& machine, Request request,
                                           const MapOf<Machine, Request>& map, const Resources& resources) {
  constexpr Int least_prime = 11;
  constexpr double least_gain = 0.05;
  constexpr double most_shapes = 4000;
  constexpr std::uint64_t most_work = 20'000;  // expansions
  if (map.heuristic || map.status != Status::optimal || map.best.empty()) return std::nullopt;
  if (request.pareto || request.padding.is_wanted()) return std::nullopt;
  PaddingHint hint = most_awkward_bound(layer.bounds);
  request.padding.percent = PaddingHint::percent;
  double shapes = 1;
  for (const Int bound : layer.bounds)
    shapes *= static_cast<double>(padded_bounds(bound, request.padding).size());
  if (hint.prime < least_prime || shapes == 1 || shapes > most_shapes) return std::nullopt;
  request.work_limit = std::min(request.work_limit, most_work);
  request.top = 1;
  const auto padded = map_layer(layer, machine, request, resources, nullptr);
  if (padded.status != Status::optimal || padded.best.empty()) return std::nullopt;
  hint.objective = padded.best.front().objective;
  const double own = map.best.front().objective;
  return own - hint.objective < least_gain * std::abs(own) ? std::nullopt : std::optional(hint);
}

/// Returns the hint, if any, for every shape of a network.
template <typename Machine, typename Request>
std::vector<std::optional<PaddingHint>> look_at_paddings(std::span<const Layer> layers,
                                                         std::span<const UniqueShape> shapes,
                                                         const Machine& machine, const Request& request,
                                                         const std::vector<MapOf<Machine, Request>>& maps,
                                                         const Resources& resources) {
  std::vector<std::optional<PaddingHint>> hints(shapes.size());
  resources.executor.run(shapes.size(), [&](std::size_t i) {
    hints[i] = look_at_padding(layers[shapes[i].first].shape, machine, request, maps[i], resources);
  });
  return hints;
}

}  // namespace nestor::mapper
