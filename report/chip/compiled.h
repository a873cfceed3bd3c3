// A compiled network as text and JSON.
#pragma once

#include <string>

#include "io/files.h"
#include "model/chip/evaluate.h"
#include "report/results/chip/compiled_file.h"
#include "report/results/result_head.h"

namespace nestor::report {

using io::CompiledNetwork;

/// Returns a table of the operators with their bars over time, a table of the segments, and the totals.
std::string compiled_text(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation);

/// Returns the evaluation as JSON.
io::Json evaluation_json(const io::ResultHead& head, const CompiledNetwork& compiled,
                         const chip::ChipEvaluation& evaluation);

}  // namespace nestor::report
