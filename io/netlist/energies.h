// Reader of the energies of simd machines, which options such as `--set energy.copy=2` set.
#pragma once

#include <span>
#include <string>

#include "io/error.h"
#include "io/fields.h"
#include "model/simd/energy.h"

namespace nestor::io {

/// Reads "energy.compute=X", "energy.copy=X" and "energy.copy_step=X". The last setting of a key applies.
Result<simd::EnergyModel> read_energies(std::span<const std::string> settings);
/// Returns the JSON Schema of these values.
Json simd_machine_schema();

}  // namespace nestor::io
