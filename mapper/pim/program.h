// Integer program of a layer on a PIM machine (model/pim/mip) with a first or a proved mapping, which `nestor
// export` writes.
#pragma once

#include <memory>

#include "mapper/pim/map_layer.h"
#include "model/pim/mip/formulation.h"

namespace nestor::mapper::pim {

struct PimLayerProgram {
  nestor::pim::PimProblem problem;
  std::optional<MappedPimLayer> best;  ///< a known mapping
  bool is_proved = false;              ///< the mapping is an optimum
  double bound = no_bound;             ///< from the search, if there was one
  double seconds = 0;                  ///< time of the search
  std::unique_ptr<nestor::pim::PimProgram> program;
};

/// Returns the program of a layer. With `prove`, the search maps the layer first; otherwise mappings by
/// priorities give the limits.
std::unique_ptr<PimLayerProgram> program_of(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                            const PimRequest& request, const Resources& resources,
                                            bool prove);

/// Returns the same program from the data of a written model; `best` is the objective that gave the limits.
std::unique_ptr<PimLayerProgram> program_again(const nestor::pim::PimProblem& problem,
                                               std::optional<double> best);

/// Returns the evaluated mapping of a nest, with the layouts of fewest rows; nothing if it is illegal or
/// breaks constraints.
std::optional<MappedPimLayer> mapped(const nestor::pim::PimProblem& problem, const Mapping& nest);

}  // namespace nestor::mapper::pim
