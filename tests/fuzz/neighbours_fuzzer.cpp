// Any text is a network of another tool that reads back the same in our own format, an error with a place, or
// no such file; machines and mappings in those formats come by the fuzzers of ours.
#include <cstdlib>

#include "io/neighbours/neighbours.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const auto read = neighbours::parse_network({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read || !*read) return 0;
  const auto again = parse_layers(to_text(network_to_json(**read)), "again.json");
  if (!again || !(again->layers == (*read)->layers)) std::abort();
  return 0;
}
