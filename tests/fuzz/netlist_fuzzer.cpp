// Fuzzer of the netlist readers. Any text is a netlist (Verilog, BLIF or AIGER, recognised by the first word)
// or causes an error with a place.
#include <cstdlib>

#include "io/netlist/read_netlist.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto read = nestor::io::parse_netlist({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read && read.error().message.empty()) std::abort();
  return 0;
}
