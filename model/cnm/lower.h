// Lowering of a mapped kernel to CNM IR, and of CNM IR to llvcnm. The result has the same slots as the code
// of the vendor's compiler (docs/models/cnm.md, "Lowering").
#pragma once

#include "model/cnm/ir.h"
#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

/// Maximum number of requests in a tasklet's code.
inline constexpr std::size_t most_requests = 4096;
/// Number of slots of the code before main, and of adding one partial result.
inline constexpr Int start_slots = 240;
inline constexpr Int slots_per_partial_result = 4;

template <typename T>
struct Lowered {
  T value{};
  std::string fault{};  ///< reason if the lowering failed; otherwise empty
};

/// Returns the code of one tasklet under the map, which must have block and order (with_defaults). Kernels of
/// a library call have no IR: their program is a listing.
Lowered<IrKernel> lower_to_ir(const Kernel& kernel, const CnmMap& map, const System& system);

Lowered<Listing> lower_to_listing(const IrKernel& kernel, Int multiply_k);

}  // namespace nestor::cnm
