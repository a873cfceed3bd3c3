#include "app/cim/map_request.h"

namespace nestor::app::cim_space {

mapper::CimRequest request_of(const io::RunOptions& options) {
  mapper::CimRequest request;
  request.method = options.map_method;
  request.objective.latency_model = options.latency_model;
  request.pareto = options.pareto;
  request.objective.kind = options.objective;
  if (options.factors == io::Factors::flexible) request.flexible = FlexibleFactors{};
  request.padding = options.pad / 100;
  if (options.objective == ObjectiveKind::blended) {
    request.objective.latency_weight = options.alpha;
    request.objective.additive_weight = options.beta;
  } else {
    request.objective.latency_weight = options.mu1;
    request.objective.additive_weight = options.mu2;
  }
  request.lp_bound = options.lp_bound;
  request.relative_gap = options.gap;
  request.seed = static_cast<std::uint64_t>(options.seed);
  request.top = static_cast<std::size_t>(options.top);
  if (options.work_limit > 0) request.work_limit = static_cast<std::uint64_t>(options.work_limit);
  request.layer_seconds = options.layer_time_limit;
  if (options.profile == io::Profile::embedded)
    request.embedded_workspace = static_cast<std::size_t>(options.workspace);
  return request;
}

}  // namespace nestor::app::cim_space
