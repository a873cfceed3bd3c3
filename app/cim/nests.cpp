#include "app/cim/nests.h"

#include "app/cim/cim.h"
#include "app/map_task.h"
#include "app/nest_sweep.h"
#include "app/nest_verify.h"

namespace nestor::app::cim_space {

io::Result<mapper::CimRequest> CimNests::request_of(const io::RunOptions& options,
                                                    const NamedArchitecture& /*machine*/) {
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

const SweepSpace sweep = sweep_of_nests<CimNests>();
io::Result<ExitStatus> verify(const io::RunOptions& options) { return verify_nests<CimNests>(options); }

}  // namespace nestor::app::cim_space
