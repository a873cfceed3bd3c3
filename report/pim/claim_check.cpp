#include "report/pim/claim_check.h"

#include <algorithm>

#include "report/keys/common.h"

namespace nestor::report {
std::vector<ClaimedOptimum> claims_of(const io::pim::RunRecord& run, const io::Json& claims) {
  std::vector<ClaimedOptimum> all;
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    const auto& layer = claims[key::layers][i];
    auto& claim = all.emplace_back(claim_of_layer(run.layers[i].layer.name));
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

std::vector<ProvedOptimum> proofs_of(const io::pim::RunRecord& run, const UniqueShapes& shapes,
                                     const std::vector<mapper::pim::PimLayerMap>& maps) {
  std::vector<ProvedOptimum> proofs;
  for (std::size_t i = 0; i < run.layers.size(); ++i)
    proofs.push_back(proof_of(maps[shapes.shape_of_layer[i]], [&](const mapper::pim::MappedPimLayer& mapped) {
      return ClaimedPoint{mapped.evaluation.latency_cycles,
                          mapped.evaluation.total_energy_pj(run.machine.machine)};
    }));
  return proofs;
}

ClaimedOptimum claim_of_all(const io::pim::RunRecord& run, std::span<const ClaimedOptimum> layers) {
  ClaimedOptimum all;
  all.subject = all.name = "all layers under one bypass table";
  all.status = Status::optimal;
  all.objective = all.lower_bound = 0;
  const auto add = [](std::optional<double>& sum, const std::optional<double>& part, double repeat) {
    sum = sum && part ? std::optional(*sum + repeat * *part) : std::nullopt;
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto repeat = static_cast<double>(run.layers[i].layer.repeat);
    add(all.objective, layers[i].objective, repeat);
    add(all.lower_bound, layers[i].lower_bound, repeat);
    if (layers[i].status != Status::optimal) all.status = layers[i].status;
  }
  // If the search over tables was stopped, the layers' bounds hold only for the best table so far. Their sum
  // is then not a bound over all tables.
  if (all.status != Status::optimal) all.lower_bound.reset();
  return all;
}

ProvedOptimum proof_of_all(const UniqueShapes& shapes, const mapper::pim::NetworkMap& map) {
  ProvedOptimum proof{map.status, map.bound, {}, {}};
  if (map.shapes.empty()) return proof;
  double sum = 0;
  for (std::size_t s = 0; s < map.shapes.size(); ++s)
    if (!map.shapes[s].best.empty())
      sum += static_cast<double>(shapes.shapes[s].repeat) * map.shapes[s].best.front().objective;
  proof.best = {sum};
  return proof;
}

}  // namespace nestor::report
