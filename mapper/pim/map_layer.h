// Mapper of one layer of the pim space: finds initial mappings, searches all spatial choices, and checks the
// result. Other methods replace the search by a baseline or a beam search.
#pragma once

#include "mapper/loopnest/layer_map.h"
#include "mapper/loopnest/request.h"
#include "mapper/loopnest/resources.h"
#include "model/pim/search/problem.h"
#include "model/workload/network.h"
#include "solver/engine/engine.h"

namespace nestor::mapper::pim {

using nestor::pim::PimEvaluation;
using nestor::pim::PimMapping;

struct PimRequest : NestRequest {
  NestObjective objective;
  nestor::pim::LayoutSet layouts = nestor::pim::all_layouts;
};

using mapper::Resources;

using MappedPimLayer = MappedNest<PimMapping, PimEvaluation>;
using PimLayerMap = NestMap<MappedPimLayer>;

/// Maps a layer by the request's method. The layer must have passed nestor::pim::admit(). An observer that
/// needs labels receives the data that docs/proofs.md requires for every spatial choice that is searched.
PimLayerMap map_layer(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                      const PimRequest& request, const Resources& resources,
                      EngineObserver* observer = nullptr);

nestor::pim::PimProblem problem_of(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                   const PimRequest& request);

/// Searches a problem; mappings that cost `cutoff` or more are ignored.
PimLayerMap map_problem(const nestor::pim::PimProblem& problem, const PimRequest& request,
                        const Resources& resources, double cutoff = no_cost,
                        EngineObserver* observer = nullptr);

}  // namespace nestor::mapper::pim
