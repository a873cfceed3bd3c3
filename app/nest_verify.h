// nestor verify in the loop-nest spaces: checks the claims of a result file, or that given mappings are legal
// and canonical. Without --recheck, it uses only the checks of the space, the contracts of check and the
// replay, and none of the code that produced the claims. `Space` is a traits type (app/cim/nests.h,
// app/pim/nests.h).
#pragma once

#include "app/map_task.h"
#include "app/nest_inputs.h"
#include "app/recheck.h"
#include "app/verification.h"
#include "report/results/node_json.h"

namespace nestor::app {

/// Adds the findings of a new search to `check`, and removes from `not_checked` the entries that the search
/// resolves. `claims` is the JSON of the result from which `run` was read.
template <typename Space>
io::MaybeError recheck(const io::RunOptions& options, const typename Space::Run& run, const io::Json& claims,
                       io::ResultCheck& check) {
  const auto asked = asked_to_prove(run.verb, run.options);
  if (!asked) return asked.error();
  const auto& machine = run.machine.machine;
  auto request = Space::request_of(*asked, run.machine);
  if (!request) return request.error();
  if (auto error = set_constraints(*asked, machine, run.machine, *request)) return error;
  lift_limits(*request);

  std::vector<Layer> layers;
  for (const auto& record : run.layers) {
    const auto refusal = Space::admit(record.layer.shape, machine);
    if (refusal != Refusal::none) return std::nullopt;  // already reported in the findings
    layers.push_back(record.layer);
  }
  const auto shapes = unique_shapes(layers);
  if (!shapes || layers.empty()) return std::nullopt;
  NewSearch search(options);
  const auto claimed = report::claims_of_layers(layers, claims);
  if constexpr (Space::has_bypass_tables) {
    if (asked->fix_bypass) {
      if (!Space::check_sum(layers, *shapes, machine, *request, search.resources(), claimed, check))
        return NewSearch::contradiction(run.network);
      return std::nullopt;
    }
  }
  const auto maps = search.map(layers, *shapes, machine, *request);
  if (!maps) return maps.error();
  // The new search had the latency model of the options, whatever model the result claims.
  typename Space::Run searched;
  searched.machine = run.machine;
  Space::set_latency_model(searched, *asked);
  const auto cost = [&](const auto& mapped, const Layer& layer) {
    return cost_of(Space::point_of(mapped, layer, searched), run.machine);
  };
  report::check_claims(claimed, report::proofs_of(layers, *shapes, *maps, cost), request->pareto,
                       io::unproved_claims, check);
  recheck_ties(run.layers, *shapes, *maps, check);
  return std::nullopt;
}

/// Checks all claims of a result file. Other inputs contain only mappings to check.
template <typename Space>
io::Result<io::ResultCheck> check_nests(const io::RunOptions& options) {
  if (options.inputs.empty()) {
    if (auto error = refuse_recheck_of_mappings(options)) return *error;
    const auto run = read_mapped_layers<Space>(options, io::Verb::verify);
    if (!run) return run.error();
    return Space::check_mappings(*run);
  }
  if (auto error = check_mapped_inputs(options, io::Verb::verify, Space::kind)) return *error;
  const auto document = io::Document::read(options.inputs.front(), io::result_limits);
  if (!document) return document.error();
  const auto run = Space::read_run(document->root());
  if (!run) return run.error();
  const auto claims = io::node_to_json(document->root());
  auto check = Space::check_result(*run, claims, read_network_of);
  if (!options.recheck) return check;
  if (auto error = recheck<Space>(options, *run, claims, check)) return *error;
  return check;
}

template <typename Space>
io::Result<ExitStatus> verify_nests(const io::RunOptions& options) {
  const auto check = check_nests<Space>(options);
  if (!check) return check.error();
  // Mappings without a result claim no figures.
  const auto* const good = check->figures == 0 ? "legal and canonical" : "confirmed";
  return report_check(options, *check, io::unproved_claims, good, "mapping");
}

}  // namespace nestor::app
