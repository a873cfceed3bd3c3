// Any text is a kernel that prints and reads back the same, or an error with a place.
#include <cstdlib>

#include "io/cnm/mlir.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const auto read = parse_mlir({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  const auto text = to_mlir(*read);
  const auto again = parse_mlir(text, "again");
  if (!again || to_mlir(*again) != text) std::abort();
  return 0;
}
