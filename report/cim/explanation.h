// Bottlenecks in a result, as the mapper found them, and the breakdown of cycles and energy as text.
#pragma once

#include <string>
#include <string_view>

#include "mapper/cim/explain.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// One mapping with its costs as a result has it; `bounds` are the layer's own.
io::MappedPoint point_of(const mapper::MappedCimLayer& mapped, const Extents& bounds,
                         const Architecture& machine, cim::LatencyModel model);

/// What binds the layer.
void explain(io::LayerResult& record, const std::vector<mapper::LayerResource>& reports,
             const NamedArchitecture& architecture, cim::LatencyModel model);

/// What is waited for, in `map` and in `simulate`: "inputs", "weights", "outputs".
std::string_view wait_word(Operand operand);

/// What the cycles (and, where it counts, the energy) of all layers go into, and which memories are fullest;
/// one line each.
std::string spending_text(const io::RunResult& run);

}  // namespace nestor::report
