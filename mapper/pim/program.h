// The integer program of a layer on a PIM machine (model/pim/mip) with a first or a proved mapping: what
// `nestor export` writes.
#pragma once

#include <memory>

#include "mapper/pim/map_layer.h"
#include "model/pim/mip/formulation.h"

namespace nestor::mapper::pim {

struct PimLayerProgram {
  nestor::pim::PimProblem problem;
  std::optional<MappedPimLayer> best;  ///< a mapping that is known
  bool is_proved = false;              ///< that it is an optimum
  double bound = no_bound;             ///< of the search, if there was one
  double seconds = 0;                  ///< that it took
  std::unique_ptr<nestor::pim::PimProgram> program;
};

/// `prove`: whether the layer is mapped by the search first; otherwise mappings by priorities give the
/// limits.
std::unique_ptr<PimLayerProgram> program_of(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                            const PimRequest& request, const Resources& resources,
                                            bool prove);

/// The same from what a written model says: `best` is the objective that gave the limits.
std::unique_ptr<PimLayerProgram> program_again(const nestor::pim::PimProblem& problem,
                                               std::optional<double> best);

/// A nest as a mapping with the layouts of fewest rows, evaluated; nothing if it is illegal or breaks
/// constraints.
std::optional<MappedPimLayer> mapped(const nestor::pim::PimProblem& problem, const Mapping& nest);

}  // namespace nestor::mapper::pim
