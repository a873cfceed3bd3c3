// Fuzzer for the reader of PIM machines. A text is either rejected or parsed to a machine that is unchanged
// after writing and reading it again.
#include <cstdlib>

#include "io/pim/machine_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const auto read = pim::parse_machine({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  const auto again = pim::parse_machine(to_text(pim::machine_to_json(*read)), "again.json");
  if (!again || !(again->machine == read->machine)) std::abort();
  return 0;
}
