// The claim of a pim result about all layers, and its proof. With one bypass table for all layers
// (--fix-bypass), only the sum over the layers is proved, not each layer.
#pragma once

#include "mapper/pim/one_table.h"
#include "report/claim_check.h"

namespace nestor::report {

/// `claims` are the claims of `layers`.
ClaimedOptimum claim_of_all(std::span<const Layer> layers, std::span<const ClaimedOptimum> claims);
ProvedOptimum proof_of_all(const UniqueShapes& shapes, const mapper::pim::NetworkMap& map);

}  // namespace nestor::report
