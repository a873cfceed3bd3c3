#include "mapper/cim/incumbents.h"

#include <algorithm>
#include <array>
#include <new>

#include "heuristics/cim/annealing/nest_annealer.h"
#include "mapper/loopnest/beam_incumbents.h"
#include "model/loopnest/rules/legality.h"

namespace nestor::mapper {
namespace {

using Found = CimEngine::Found;

constexpr std::size_t chains = 2;
constexpr std::uint64_t evaluations_per_expansion = 8;

}  // namespace

// For energy alone, the beams are as good without annealing: their bounds are tight.
bool anneals(const cim::CimProblem& problem) {
  return cim::NestMoves::apply_to(problem) && !cim::InwardBranch::answers(problem);
}

bool anneal(const cim::CimProblem& problem, std::uint64_t work, std::uint64_t seed, const StopSource& stop,
            Mapping& mapping, double& cost) {
  return cim::anneal(problem, {.evaluations = work * evaluations_per_expansion, .seed = seed, .stop = &stop},
                     mapping, cost);
}

CimIncumbents::CimIncumbents(cim::CimSpace<HostStorage>& space, const Limits& limits)
    : space_(space), limits_(limits), anneals_(anneals(space.problem())) {}

std::optional<Found> CimIncumbents::improve(const Found* best, std::uint64_t work) {
  const cim::CimProblem& problem = space_.problem();
  // The engine may know only a cost to beat, without its mapping.
  const bool is_known = best != nullptr && is_well_formed(problem.layer, problem.machine, best->solution);
  const double cost = best != nullptr ? best->cost : no_cost;
  const auto start =
      is_known ? nest::find_choice(space_.choices(), best->solution.spatial) : std::optional<std::size_t>();
  std::array<std::optional<Found>, 1 + chains> results;
  limits_.executor.run(is_known && anneals_ ? results.size() : 1, [&](std::size_t task) {
    try {
      results[task] = task == 0 ? improve_by_beams(space_, limits_.memory, cost, start, work, limits_.stop)
                                : anneal(*best, work, task);
    } catch (const std::bad_alloc&) {  // memory outside the budget ran out
      results[task].reset();
    }
  });
  return *std::min_element(results.begin(), results.end(),
                           [](const auto& a, const auto& b) { return a && (!b || a->cost < b->cost); });
}

std::optional<Found> CimIncumbents::anneal(const Found& best, std::uint64_t work, std::uint64_t chain) const {
  Found found = best;
  if (!mapper::anneal(space_.problem(), work, work + chain, limits_.stop, found.solution, found.cost))
    return std::nullopt;
  const auto choice = nest::find_choice(space_.choices(), found.solution.spatial);
  if (!choice) return std::nullopt;
  found.branch = *choice;
  return found;
}

}  // namespace nestor::mapper
