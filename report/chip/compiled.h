// A compiled network as text and JSON.
#pragma once

#include <optional>
#include <string>

#include "io/fields.h"
#include "io/options.h"
#include "model/chip/evaluate.h"
#include "report/results/chip/compiled_file.h"
#include "report/results/result_head.h"

namespace nestor::report {

using io::CompiledNetwork;

/// Returns a table of the operators with their bars over time, a table of the segments, and the totals.
std::string compiled_text(const CompiledNetwork& compiled, const chip::ChipEvaluation& evaluation);

// Parts of results: the keys up to the network, and those from the decisions on.
void describe_compiled(io::Fields& fields, io::ResultHead& head, io::Verb verb,
                       const CompiledNetwork& compiled);
void describe_schedule(io::Fields& fields, const CompiledNetwork& compiled,
                       const chip::ChipEvaluation& evaluation, std::optional<double> objective = std::nullopt,
                       std::optional<double> lower_bound = std::nullopt);

/// Returns the evaluation as JSON.
io::Json evaluation_json(io::ResultHead head, const CompiledNetwork& compiled,
                         const chip::ChipEvaluation& evaluation);
io::Json evaluation_schema();

}  // namespace nestor::report
