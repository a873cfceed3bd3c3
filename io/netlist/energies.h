// Energies of the machines of the simd space, set with options such as `--set energy.copy=2`.
#pragma once

#include <span>
#include <string>

#include "io/error.h"
#include "model/simd/energy.h"

namespace nestor::io {

/// Reads "energy.compute=X", "energy.copy=X" and "energy.copy_step=X". The last setting of a key applies.
Result<simd::EnergyModel> read_energies(std::span<const std::string> settings);

}  // namespace nestor::io
