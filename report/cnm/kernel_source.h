// A kernel inside a result, so that the result stands alone: MLIR or llvcnm as text; what assembly came down
// to as a list of items, ["slots", 240] or ["loop", 16, [...]]. Read back, it gives the same estimate.
#pragma once

#include "app/cnm/kernel_input.h"
#include "io/document.h"

namespace nestor::app::cnm_space {

io::Json source_json(const KernelInput& input, const cnm::System& system);

io::Result<KernelInput> kernel_from(const io::Node& source, const cnm::System& system);

}  // namespace nestor::app::cnm_space
