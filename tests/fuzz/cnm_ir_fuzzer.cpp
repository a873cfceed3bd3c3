// Fuzzer for the CNM IR reader. A text is either rejected or parsed to CNM IR that is unchanged after
// printing and reading it again. Lowering the IR never crashes.
#include <cstdlib>

#include "io/cnm/cnm_ir.h"
#include "model/cnm/lower.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const auto read = parse_cnm_ir({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  const auto again = parse_cnm_ir(to_text(*read), "again");
  if (!again || !(*again == *read)) std::abort();
  static_cast<void>(nestor::cnm::lower_to_listing(*read, 7));
  return 0;
}
