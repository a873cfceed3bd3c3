#include "app/pim/nests.h"

#include "app/map_task.h"
#include "app/nest_sweep.h"
#include "app/nest_verify.h"
#include "app/pim/pim.h"

namespace nestor::app::pim_space {

io::Result<mapper::pim::PimRequest> PimNests::request_of(const io::RunOptions& options,
                                                         const Machine& machine) {
  mapper::pim::PimRequest request;
  set_request(request, options);
  if (!request.pareto) request.objective.kind = options.objective;
  if (options.objective == ObjectiveKind::blended) {
    request.objective.latency_weight = options.alpha;
    request.objective.additive_weight = options.beta;
  }
  const bool is_hybrid = machine.machine.row_model == nestor::pim::RowModel::hybrid;
  // With the hybrid formulas, one bypass table for all layers is not tested against brute force.
  if (is_hybrid && options.fix_bypass)
    return io::usage_error("--fix-bypass cannot be used with row_model hybrid: each layer has its own table");
  if (is_hybrid && !options.proof.empty())
    return io::usage_error("--proof cannot be used with row_model hybrid: nestor-check has no rules for it");
  request.layouts = options.layouts;
  return request;
}

bool PimNests::check_sum(std::span<const Layer> layers, const UniqueShapes& shapes,
                         const nestor::pim::PimMachine& machine, const Request& request,
                         const mapper::Resources& resources, std::span<const report::ClaimedOptimum> claimed,
                         io::ResultCheck& check) {
  const auto map = mapper::pim::map_with_one_table(layers, shapes.shapes, machine, request, resources);
  if (map.fault != mapper::Fault::none) return false;
  const auto claim = report::claim_of_all(layers, claimed);
  const auto proof = report::proof_of_all(shapes, map);
  report::check_claims({&claim, 1}, {&proof, 1}, false, io::unproved_claims, check);
  return true;
}

const SweepSpace sweep = sweep_of_nests<PimNests>();
io::Result<ExitStatus> verify(const io::RunOptions& options) { return verify_nests<PimNests>(options); }

}  // namespace nestor::app::pim_space
