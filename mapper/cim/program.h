// Mixed-integer program of a layer (model/mip/cim) with a heuristic or a proved mapping, for `nestor export`.
#pragma once

#include <memory>

#include "mapper/cim/map_layer.h"
#include "model/mip/cim/formulation.h"

namespace nestor::mapper {

struct CimProgram {
  cim::CimProblem problem;
  std::optional<MappedCimLayer> best;  ///< known mapping, if any
  bool is_proved = false;              ///< the mapping is an optimum
  double bound = no_bound;             ///< bound of the search, if one ran
  double seconds = 0;                  ///< time of the search
  std::unique_ptr<cim::MiredoProgram> program;
};

/// Returns the program of a layer. With `prove`, the search maps the layer first; otherwise the greedy
/// heuristic does. The mapping found determines the limits of the program. Padding, fronts and edp are not
/// supported.
std::unique_ptr<CimProgram> program_of(const LayerShape& layer, const Architecture& machine,
                                       const CimRequest& request, const Resources& resources, bool prove);

/// Rebuilds the program from the data of an exported model. `best` is the objective that determined the
/// limits of the exported program.
std::unique_ptr<CimProgram> program_again(const cim::CimProblem& problem, std::optional<double> best);

}  // namespace nestor::mapper
