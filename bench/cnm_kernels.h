// Kernels of the cnm space for benchmarks, and an empty library.
#pragma once

#include <optional>

#include "mapper/cnm/map_kernel.h"

namespace nestor::bench {

inline const cnm::Library no_library = [](const cnm::LibraryRequest&) {
  return std::optional<cnm::Listing>();
};

/// Returns the kernel that adds two vectors of i32 elements.
inline cnm::Kernel vector_sum(Int elements) {
  using cnm::Type;
  cnm::Kernel kernel;
  kernel.name = "va";
  kernel.extents = {elements};
  kernel.reduction = {false};
  for (const char* name : {"a", "b", "c"})
    kernel.operands.push_back({name, Type::i32, {elements}, {{{1}, 0}}, name[0] == 'c', false});
  kernel.region = {{cnm::RegionStep::Kind::operation, cnm::Op::add, Type::i32, "addi", {0, 1}}};
  kernel.yields = {3};
  return kernel;
}

}  // namespace nestor::bench
