// Reader of AIGER files, text ("aag") and binary ("aig"): combinational and-inverter graphs. Latches and the
// sections for model checking are rejected. Each AND becomes a MAJ3 with the constant 0. The format has no
// XOR3 and no MAJ3, so such a network always goes through technology mapping.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/simd/logic_network.h"

namespace nestor::io {

Result<simd::LogicNetwork> parse_aiger(std::string_view text, const std::string& file);

}  // namespace nestor::io
