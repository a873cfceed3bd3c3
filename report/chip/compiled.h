// A compiled network as text and JSON.
#pragma once

#include <string>

#include "io/files.h"
#include "model/chip/evaluate.h"
#include "report/results/chip/compiled_file.h"

namespace nestor::report {

using io::CompiledNetwork;

/// Returns operators as bars, segments and totals.
std::string compiled_text(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation);

/// Returns "nestor.compile-evaluation/1".
io::Json evaluation_json(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation);

}  // namespace nestor::report
