// Fuzzer for the .npy reader. The input is either rejected or parsed to an array with as many elements as its
// shape requires.
#include <cstdlib>

#include "io/chip/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  const auto read = io::parse_npy({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  Int count = 1;
  for (const Int extent : read->shape) count *= extent;
  if (static_cast<Int>(read->values.size()) != count) std::abort();
  return 0;
}
