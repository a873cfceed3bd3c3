// Fuzzer for the AIGER reader. A text is either rejected with a message or parsed to a network whose function
// is unchanged after mapping, writing and reading.
#include "io/netlist/aiger_reader.h"

#include "netlist_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nestor::fuzzing::check_network(
      nestor::io::parse_aiger({reinterpret_cast<const char*>(data), size}, "fuzz"));
  return 0;
}
