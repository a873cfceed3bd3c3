// Heuristics that improve the incumbent of an exact search of the cim space: a beam search, and chains of
// simulated annealing from the best known mapping. They run in parallel and do not depend on each other.
#pragma once

#include "mapper/cim/limits.h"
#include "model/cim/space/cim_space.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {

/// True if annealing improves mappings of this problem.
bool anneals(const cim::CimProblem& problem);

/// Anneals for about as long as `work` expansions take. Returns true if it has replaced the mapping and its
/// cost by better ones.
bool anneal(const cim::CimProblem& problem, std::uint64_t work, std::uint64_t seed, const StopSource& stop,
            Mapping& mapping, double& cost);

class CimIncumbents final : public IncumbentSource<CimEngine::Found> {
 public:
  /// The space must outlive the source.
  CimIncumbents(cim::CimSpace<HostStorage>& space, const Limits& limits);

  std::optional<CimEngine::Found> improve(const CimEngine::Found* best, std::uint64_t work) override;

 private:
  std::optional<CimEngine::Found> anneal(const CimEngine::Found& best, std::uint64_t work,
                                         std::uint64_t chain) const;

  cim::CimSpace<HostStorage>& space_;
  Limits limits_;
  bool anneals_;
};

}  // namespace nestor::mapper
