// Fuzzer for the architecture reader. A text is either rejected or parsed to an architecture that is
// unchanged after writing and reading it again.
#include <cstdlib>

#include "io/cim/architecture_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const auto read = parse_architecture({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  const auto again = parse_architecture(to_text(architecture_to_json(*read)), "again.json");
  if (!again || !(again->machine == read->machine)) std::abort();
  return 0;
}
