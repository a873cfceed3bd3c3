#include "app/pim/recheck.h"

#include "app/pim/map_request.h"
#include "app/recheck.h"
#include "model/pim/search/admission.h"
#include "report/pim/claim_check.h"

namespace nestor::app::pim_space {

io::MaybeError recheck(const io::RunOptions& options, const io::pim::RunRecord& run, const io::Json& claims,
                       io::ResultCheck& check) {
  const auto asked = asked_to_prove(run.verb, run.options);
  if (!asked) return asked.error();
  auto request = request_of(*asked, run.machine);
  if (!request) return request.error();
  lift_limits(*request);

  const auto& machine = run.machine.machine;
  std::vector<Layer> layers;
  for (const auto& record : run.layers) {
    const auto refusal = nestor::pim::admit(record.layer.shape, machine);
    if (refusal != Refusal::none) return std::nullopt;  // already reported in the findings
    layers.push_back(record.layer);
  }
  const auto shapes = unique_shapes(layers);
  if (!shapes || layers.empty()) return std::nullopt;
  NewSearch search(options);
  const auto claimed = report::claims_of(run, claims);
  if (asked->fix_bypass) {
    const auto map =
        mapper::pim::map_with_one_table(layers, shapes->shapes, machine, *request, search.resources());
    if (map.fault != mapper::Fault::none) return NewSearch::contradiction(run.network);
    const auto claim = report::claim_of_all(run, claimed);
    const auto proof = report::proof_of_all(*shapes, map);
    report::check_claims({&claim, 1}, {&proof, 1}, false, io::unproved_claims, check);
    return std::nullopt;
  }
  const auto maps = search.map(layers, *shapes, machine, *request);
  if (!maps) return maps.error();
  report::check_claims(claimed, report::proofs_of(run, *shapes, *maps), request->pareto, io::unproved_claims,
                       check);
  recheck_ties(run.layers, *shapes, *maps, check);
  return std::nullopt;
}

}  // namespace nestor::app::pim_space
