#include "app/cim/map_request.h"

#include "app/map_task.h"

namespace nestor::app::cim_space {

mapper::CimRequest request_of(const io::RunOptions& options) {
  mapper::CimRequest request;
  set_request(request, options);
  request.objective.latency_model = options.latency_model;
  request.objective.kind = request.pareto ? ObjectiveKind::latency : options.objective;
  if (request.objective.kind == ObjectiveKind::blended) {
    request.objective.latency_weight = options.alpha;
    request.objective.additive_weight = options.beta;
  } else {
    request.objective.latency_weight = options.mu1;
    request.objective.additive_weight = options.mu2;
  }
  request.lp_bound = options.lp_bound;
  if (options.profile == io::Profile::embedded)
    request.embedded_workspace = static_cast<std::size_t>(options.workspace);
  return request;
}

}  // namespace nestor::app::cim_space
