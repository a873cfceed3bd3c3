// Fuzzer of other tools' networks. Any text is a network that survives a round trip in our own format, causes
// an error with a place, or is not such a file. Other fuzzers cover machines and mappings in these formats.
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
