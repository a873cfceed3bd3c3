// A compiled network as text and JSON.
#pragma once

#include <string>

#include "io/files.h"
#include "model/chip/evaluate.h"
#include "report/results/chip/compiled_file.h"

namespace nestor::report {

using io::CompiledNetwork;

/// Returns a table of the operators with their bars over time, a table of the segments, and the totals.
std::string compiled_text(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation);

/// Returns the evaluation as JSON, "nestor.compile-evaluation/1".
io::Json evaluation_json(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation);

}  // namespace nestor::report
