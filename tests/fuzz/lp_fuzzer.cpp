// Fuzzer of the LP reader. Any text is a linear program that survives writing, reading and solving, or causes
// an error.
#include "lp_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nestor::fuzzing::check_program(nestor::io::parse_lp({reinterpret_cast<const char*>(data), size}, "fuzz"));
  return 0;
}
