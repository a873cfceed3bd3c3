// The `evaluation` object of a layer (docs/formats.md, "Result"): what `evaluate` and `map` write.
#pragma once

#include "io/files.h"
#include "model/cim/evaluate.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

/// Figures of both latency models; energies without leakage, EDP with it (section 7).
Json evaluation_to_json(const cim::CimEvaluation& evaluation, const NamedArchitecture& architecture);

}  // namespace nestor::io
