#include "io/cnm/kernel_library.h"

#include "io/cnm/kernel_template.h"

namespace nestor::io {

cnm::Library shipped_library() {
  return [](const cnm::LibraryRequest& request) -> std::optional<cnm::Listing> {
    const auto listing = built_in_kernel(
        request.name, {request.type, request.tasklets, request.iterations, 0, request.buffer_elems});
    if (!listing) return std::nullopt;
    return *listing;
  };
}

}  // namespace nestor::io
