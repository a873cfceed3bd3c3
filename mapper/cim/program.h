// The mixed-integer program of a layer (model/cim/mip) with a first or a proved mapping: what `nestor export`
// writes.
#pragma once

#include <memory>

#include "mapper/cim/map_layer.h"
#include "model/cim/mip/formulation.h"

namespace nestor::mapper {

struct CimProgram {
  cim::CimProblem problem;
  std::optional<MappedCimLayer> best;  ///< a mapping that is known
  bool is_proved = false;              ///< that it is an optimum
  double bound = no_bound;             ///< of the search, if there was one
  double seconds = 0;                  ///< that it took
  std::unique_ptr<cim::MiredoProgram> program;
};

/// `prove`: whether the layer is mapped by the search first; otherwise a mapping by priorities gives the
/// limits. `request` has no padding and is not of a front, nor of edp.
std::unique_ptr<CimProgram> program_of(const LayerShape& layer, const Architecture& machine,
                                       const CimRequest& request, const Resources& resources, bool prove);

/// The same from what a written model says: `best` is the objective that gave the limits.
std::unique_ptr<CimProgram> program_again(const cim::CimProblem& problem, std::optional<double> best);

}  // namespace nestor::mapper
