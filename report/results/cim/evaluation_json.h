// The `evaluation` object of a layer (docs/formats.md, "Result"), as written by `evaluate` and `import`.
// Results of `map` contain its usage and traffic.
#pragma once

#include "io/files.h"
#include "model/cim/evaluate.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

/// Returns the figures of both latency models. Energies exclude leakage, but EDP includes it
/// (docs/models/cim.md, section 7).
Json evaluation_to_json(const cim::CimEvaluation& evaluation, const NamedArchitecture& architecture);

}  // namespace nestor::io
