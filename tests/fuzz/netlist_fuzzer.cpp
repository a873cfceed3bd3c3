// Fuzzer for the netlist reader, which recognises Verilog, BLIF and AIGER by the first word. A text is parsed
// or rejected with a message.
#include <cstdlib>

#include "io/netlist/read_netlist.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto read = nestor::io::parse_netlist({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read && read.error().message.empty()) std::abort();
  return 0;
}
