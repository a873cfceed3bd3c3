// Lowering of a mapped kernel to CNM IR, and of CNM IR to llvcnm as the vendor's compiler writes it, slot for
// slot (docs/models/cnm.md, "Lowering").
#pragma once

#include "model/cnm/ir.h"
#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

/// Maximum number of requests in a tasklet's code.
inline constexpr std::size_t most_requests = 4096;
/// Slots of the code before main, and of adding one partial result.
inline constexpr Int start_slots = 240;
inline constexpr Int slots_per_partial_result = 4;

template <typename T>
struct Lowered {
  T value{};
  std::string fault{};  ///< why it cannot be lowered; empty if it was
};

/// Returns the code of one tasklet of the map, which must have block and order (with_defaults). Kernels of a
/// library call have no IR: their program is a listing.
Lowered<IrKernel> lower_to_ir(const Kernel& kernel, const CnmMap& map, const System& system);

Lowered<Listing> lower_to_listing(const IrKernel& kernel, Int multiply_k);

}  // namespace nestor::cnm
