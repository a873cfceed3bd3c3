// One layer mapped onto a PIM machine with proof: first mappings, the search of all spatial choices, a check
// of what comes out.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "heuristics/pim/baselines.h"
#include "mapper/loopnest/resources.h"
#include "model/pim/search/problem.h"
#include "model/workload/network.h"
#include "solver/engine/engine.h"

namespace nestor::mapper::pim {

using nestor::pim::PimEvaluation;
using nestor::pim::PimMapping;

struct Request {
  nestor::pim::Objective objective;
  nestor::pim::LayoutSet layouts = nestor::pim::all_layouts;
  bool pareto = false;
  Constraints constraints;
  double relative_gap = 0;
  std::size_t top = 1;
  nestor::pim::FirstMethod first = nestor::pim::FirstMethod::both;
  std::uint64_t work_limit = std::numeric_limits<std::uint64_t>::max();
  double layer_seconds = std::numeric_limits<double>::infinity();
};

using mapper::Resources;

struct MappedPoint {
  PimMapping mapping;
  PimEvaluation evaluation;
  double objective = 0;
};

struct LayerMap {
  Status status = Status::infeasible;
  double bound = 0;
  std::vector<MappedPoint> best;   ///< ascending cost, one per spatial choice
  std::vector<MappedPoint> front;  ///< of a front: ascending latency
  SearchCounts counts;
  std::uint64_t choices = 0;
  double seconds = 0;
  double first_cost = no_cost;  ///< of the mapping that the search began with
  bool heuristic = false;       ///< of a baseline: status and bound say nothing
  bool wrong = false;  ///< the search and the evaluator disagree, or a mapping is illegal: an internal error
};

/// Precondition: nestor::pim::admit(). With an observer that needs labels every spatial choice that is
/// searched is told of what docs/proofs.md needs.
LayerMap map_layer(const LayerShape& layer, const nestor::pim::Machine& machine, const Request& request,
                   const Resources& resources, EngineObserver* observer = nullptr);

/// A baseline's mapping, without a bound; none if nothing fits.
LayerMap map_baseline(const LayerShape& layer, const nestor::pim::Machine& machine, const Request& request,
                      MapMethod baseline, std::uint64_t seed);

nestor::pim::Problem problem_of(const LayerShape& layer, const nestor::pim::Machine& machine,
                                const Request& request);

/// The same of a problem; only mappings that cost less than `cutoff` count.
LayerMap map_problem(const nestor::pim::Problem& problem, const Request& request, const Resources& resources,
                     double cutoff = no_cost, EngineObserver* observer = nullptr);

}  // namespace nestor::mapper::pim
