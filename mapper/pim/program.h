// Integer program of a layer on a PIM machine (model/mip/pim) with a heuristic or a proved mapping, for
// `nestor export`.
#pragma once

#include <memory>

#include "mapper/pim/map_layer.h"
#include "model/mip/pim/formulation.h"

namespace nestor::mapper::pim {

struct PimLayerProgram {
  nestor::pim::PimProblem problem;
  std::optional<MappedPimLayer> best;  ///< known mapping, if any
  bool is_proved = false;              ///< the mapping is an optimum
  double bound = no_bound;             ///< bound of the search, if one ran
  double seconds = 0;                  ///< time of the search
  std::unique_ptr<nestor::pim::PimProgram> program;
};

/// Returns the program of a layer. With `prove`, the search maps the layer first; otherwise only initial
/// mappings are built. The best mapping determines the limits of the program.
std::unique_ptr<PimLayerProgram> program_of(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                            const PimRequest& request, const Resources& resources,
                                            bool prove);

/// Rebuilds the program from the data of an exported model. `best` is the objective that determined the
/// limits of the exported program.
std::unique_ptr<PimLayerProgram> program_again(const nestor::pim::PimProblem& problem,
                                               std::optional<double> best);

/// Returns the evaluated mapping with the loops of `nest` and the layouts that choose_layouts() finds.
/// Returns nothing if the mapping is illegal or violates constraints.
std::optional<MappedPimLayer> mapped(const nestor::pim::PimProblem& problem, const Mapping& nest);

}  // namespace nestor::mapper::pim
