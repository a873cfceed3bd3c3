#include "model/cim/mip/formulation.h"

namespace nestor::cim {

MiredoProgram::MiredoProgram(const CimProblem& problem, const Mapping* known, std::optional<double> best)
    : problem_(problem), nest_(program_, problem, problem.machine, known, {}) {
  limit_ = latency_limit(best);
  add_sizes();
  if (problem.follows_latency()) {
    add_transfers();
    add_slot_transfers();
    add_latency();
  }
  add_objective();
}

}  // namespace nestor::cim
