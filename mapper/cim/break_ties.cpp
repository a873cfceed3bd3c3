#include "mapper/cim/break_ties.h"

#include "mapper/cim/check.h"

namespace nestor::mapper {
namespace {

constexpr auto no_spatial_choice = std::numeric_limits<std::size_t>::max();

// Replaces the best mapping by a mapping with the same objective and a lower other cost.
void adopt(const cim::CimProblem& problem, const cim::CimProblem& tied, const CimEngine::Found& found,
           std::size_t most, CimLayerMap& map) {
  MappedCimLayer other;
  map.fail(check(tied, found.solution, other));
  if (!costs_agree(found.cost, other.objective)) map.fail(Fault::wrong_cost);
  MappedCimLayer mapped;
  map.fail(check(problem, found.solution, mapped));
  if (!costs_agree(mapped.objective, map.best.front().objective)) map.fail(Fault::wrong_cost);
  put_first(map.best, mapped, most,
            [](const MappedCimLayer& layer) -> const SpatialFactors& { return layer.mapping.spatial; });
  map.bound = map.best.front().objective;
}

}  // namespace

void break_ties(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                EngineObserver* observer, CimLayerMap& map) {
  const auto& first = map.best.front();
  const auto tied = tied_problem(problem, first.evaluation.cycles(problem.objective.latency_model),
                                 first.evaluation.energy_pj);
  if (!tied) return;
  const auto begin = StopSource::Clock::now();
  MappedCimLayer start;
  map.fail(check(*tied, first.mapping, start));
  SilentPart apart(observer);
  const auto outcome = prove(*tied, limits, tie_options(options, map.search.counts.expanded), &apart,
                             {CimEngine::Found{start.objective, no_spatial_choice, first.mapping}});
  map.ties = {tied->objective.kind, tie_status(outcome.status, options, outcome.counts), outcome.bound,
              outcome.counts, seconds_since(begin)};
  if (!outcome.best.empty() && outcome.best.front().branch != no_spatial_choice)
    adopt(problem, *tied, outcome.best.front(), options.keep_best, map);
}

}  // namespace nestor::mapper
