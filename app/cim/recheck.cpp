#include "app/cim/recheck.h"

#include "app/cim/map_request.h"
#include "app/map_task.h"
#include "app/recheck.h"
#include "report/cim/claim_check.h"

namespace nestor::app::cim_space {

io::MaybeError recheck(const io::RunOptions& options, const io::RunResult& run, io::ResultCheck& check) {
  const auto asked = asked_to_prove(run.verb, run.options);
  if (!asked) return asked.error();
  auto request = request_of(*asked);
  lift_limits(request);
  request.embedded_workspace.reset();
  if (auto error = set_constraints(*asked, run.architecture.machine, run.architecture, request)) return error;

  const auto& machine = run.architecture.machine;
  std::vector<Layer> layers;
  for (const auto& record : run.layers) {
    const auto refusal = cim::admit(record.layer.shape, machine);
    if (refusal != Refusal::none) return std::nullopt;  // already reported in the findings
    layers.push_back(record.layer);
  }
  const auto shapes = unique_shapes(layers);
  if (!shapes) return std::nullopt;
  const auto maps = NewSearch(options).map(layers, *shapes, machine, request);
  if (!maps) return maps.error();
  report::check_claims(report::claims_of(run), report::proofs_of(run, *shapes, *maps, request),
                       request.pareto, io::unproved_claims, check);
  recheck_ties(run.layers, *shapes, *maps, check);
  return std::nullopt;
}

}  // namespace nestor::app::cim_space
