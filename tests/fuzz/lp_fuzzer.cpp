// Fuzzer for the LP reader. A text is either rejected or parsed to a linear program that passes the checks of
// lp_fuzzing.h: writing, reading and solving it.
#include "lp_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nestor::fuzzing::check_program(nestor::io::parse_lp({reinterpret_cast<const char*>(data), size}, "fuzz"));
  return 0;
}
