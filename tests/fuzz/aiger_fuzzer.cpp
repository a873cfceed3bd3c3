// Fuzzer of the AIGER reader. Any text is a network that survives mapping, writing and reading, or causes an
// error.
#include "io/netlist/aiger_reader.h"

#include "netlist_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nestor::fuzzing::check_network(
      nestor::io::parse_aiger({reinterpret_cast<const char*>(data), size}, "fuzz"));
  return 0;
}
