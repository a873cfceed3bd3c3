// Energies of the machine of the simd space, as `--set energy.copy=2` changes them.
#pragma once

#include <span>
#include <string>

#include "io/error.h"
#include "model/simd/energy.h"

namespace nestor::io {

/// Settings "energy.compute=X", "energy.copy=X" and "energy.copy_step=X", the last one of equals.
Result<simd::EnergyModel> read_energies(std::span<const std::string> settings);

}  // namespace nestor::io
