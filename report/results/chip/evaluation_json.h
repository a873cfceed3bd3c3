// Costs of a compiled network in the form of `evaluation` in results (docs/formats.md): figures of the whole
// network, of each segment and of each operator.
#pragma once

#include <optional>

#include "io/fields.h"
#include "model/chip/evaluation.h"
#include "model/chip/network.h"

namespace nestor::io {

void describe_evaluation(Fields& fields, const chip::ChipEvaluation& evaluation,
                         const chip::ChipNetwork& network);
Json chip_evaluation_to_json(const chip::ChipEvaluation& evaluation, const chip::ChipNetwork& network);
/// Reads from an evaluation where and how each operator runs. All other figures have their defaults.
chip::ChipEvaluation read_placements(const Json& evaluation);
/// The figures of a batch, for `throughput`.
void describe_throughput(Fields& fields, const chip::ChipEvaluation& evaluation);

/// Returns the figures of the whole network, for `totals`. The keys are those of all spaces; operators take
/// the place of layers.
Json chip_totals_to_json(const chip::ChipNetwork& network, Int latency_cycles, double energy_pj,
                         std::optional<double> objective = std::nullopt,
                         std::optional<double> lower_bound = std::nullopt);

}  // namespace nestor::io
