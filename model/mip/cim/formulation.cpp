#include "model/mip/cim/formulation.h"

namespace nestor::cim {

MiredoProgram::MiredoProgram(const CimProblem& problem, const Mapping* known, std::optional<double> best)
    : problem_(problem), nest_(program_, problem, problem.machine, known, {}), figures_(nest_) {
  limit_ = latency_limit(best);
  figures_.add_sizes(problem.objective.kind == ObjectiveKind::eq14 && problem.objective.additive_weight != 0);
  if (problem.follows_latency()) {
    add_transfers();
    add_slot_transfers();
    add_latency();
  }
  add_objective();
}

}  // namespace nestor::cim
