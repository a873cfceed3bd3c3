// Reader of BLIF files: one flat model of .inputs, .outputs and .names (covers of the on-set or the off-set).
// Latches, subcircuits, library gates and further models are rejected.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/simd/logic_network.h"

namespace nestor::io {

Result<simd::LogicNetwork> parse_blif(std::string_view text, const std::string& file);

}  // namespace nestor::io
