#include "app/pim/map_request.h"

#include "app/map_task.h"

namespace nestor::app::pim_space {

io::Result<mapper::pim::PimRequest> request_of(const io::RunOptions& options,
                                               const io::pim::NamedPimMachine& machine, io::RunHead* run) {
  mapper::pim::PimRequest request;
  set_request(request, options);
  if (!request.pareto) request.objective.kind = options.objective;
  if (options.objective == ObjectiveKind::blended) {
    request.objective.latency_weight = options.alpha;
    request.objective.additive_weight = options.beta;
  }
  if (machine.machine.row_model == nestor::pim::RowModel::hybrid && !options.proof.empty())
    return io::usage_error("--proof cannot be used with row_model hybrid: nestor-check has no rules for it");
  request.layouts = options.layouts;
  if (auto error = set_constraints(options, machine.machine, machine, request, run)) return *error;
  return request;
}

}  // namespace nestor::app::pim_space
