// Bottlenecks in a result, as found by the mapper, and the breakdown of cycles and energy as text.
#pragma once

#include <string>
#include <string_view>

#include "mapper/cim/explain.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns a mapping with its costs in the form of results. `bounds` are the layer's bounds.
io::MappedPoint point_of(const mapper::MappedCimLayer& mapped, const Extents& bounds,
                         const Architecture& machine, cim::LatencyModel model);

/// Records in the layer the effect of changing each resource.
void explain(io::LayerResult& record, const std::vector<mapper::LayerResource>& reports,
             const NamedArchitecture& architecture, cim::LatencyModel model);

/// Returns the word for a wait in `map` and `simulate`: "inputs", "weights" or "outputs".
std::string_view wait_word(Operand operand);

/// Returns lines with the breakdown of the cycles and the energy of all layers, each only if the objective
/// depends on it, and with the fullest memories.
std::string spending_text(const io::RunResult& run);

}  // namespace nestor::report
