// What binds: the mapper's findings as records of a result, and as text.
#pragma once

#include "mapper/cim/explain.h"
#include "report/results/result_file.h"

namespace nestor::report {

/// One mapping with its costs as a result has it; `bounds` are the layer's own.
io::MappedPoint point_of(const mapper::MappedCimLayer& mapped, const Extents& bounds,
                         const Architecture& machine, cim::LatencyModel model);

std::vector<io::ResourceRecord> resource_records(const std::vector<mapper::LayerResource>& reports,
                                                 const LayerShape& layer,
                                                 const NamedArchitecture& architecture,
                                                 cim::LatencyModel model);

/// What the cycles (and, where it counts, the energy) of all layers go into, and which memories are fullest;
/// one line each.
std::string spending_text(const io::RunResult& run);

/// Every explained layer: its resources, how far they are used, what more of each would gain.
std::string explanation_text(const io::RunResult& run);

}  // namespace nestor::report
