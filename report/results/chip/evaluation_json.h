// Costs of a compiled network, as results have them under `evaluation` (docs/formats.md): figures of the
// whole, of each segment and of each operator.
#pragma once

#include <optional>

#include "io/files.h"
#include "model/chip/evaluation.h"
#include "model/chip/network.h"

namespace nestor::io {

Json chip_evaluation_to_json(const chip::ChipEvaluation& evaluation, const chip::ChipNetwork& network);
/// Of a batch, under `throughput`.
Json throughput_to_json(const chip::ChipEvaluation& evaluation);

/// Of the whole network, under `totals`: the keys of all spaces, its operators as the layers.
Json chip_totals_to_json(const chip::ChipEvaluation& evaluation, const chip::ChipNetwork& network,
                         std::optional<double> objective = std::nullopt,
                         std::optional<double> lower_bound = std::nullopt);

}  // namespace nestor::io
