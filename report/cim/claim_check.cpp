#include "report/cim/claim_check.h"

#include "report/cim/explanation.h"

namespace nestor::report {

std::vector<ClaimedOptimum> claims_of(const io::RunResult& run) {
  std::vector<ClaimedOptimum> claims;
  for (const auto& record : run.layers) {
    auto& claim = claims.emplace_back(claim_of_layer(record.layer.name));
    claim.status = record.status;
    claim.lower_bound = record.lower_bound;
    claim.objective = record.best.objective;
    for (const auto& point : record.alternatives) claim.alternatives.push_back(point.objective);
    for (const auto& point : record.front) claim.front.push_back({point.latency_cycles, point.energy_pj});
  }
  return claims;
}

std::vector<ProvedOptimum> proofs_of(const io::RunResult& run, const UniqueShapes& shapes,
                                     const std::vector<mapper::CimLayerMap>& maps,
                                     const mapper::CimRequest& request) {
  std::vector<ProvedOptimum> proofs;
  for (std::size_t i = 0; i < run.layers.size(); ++i)
    proofs.push_back(proof_of(maps[shapes.shape_of_layer[i]], [&](const mapper::MappedCimLayer& mapped) {
      const auto point = point_of(mapped, run.layers[i].layer.shape.bounds, run.architecture.machine,
                                  request.objective.latency_model);
      return ClaimedPoint{point.latency_cycles, point.energy_pj};
    }));
  return proofs;
}

}  // namespace nestor::report
