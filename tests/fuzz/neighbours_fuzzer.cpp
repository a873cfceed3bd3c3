// Fuzzer for the reader of other tools' networks. A text in none of these formats is ignored. Any other text
// is either rejected or parsed to a network that is unchanged after writing and reading it in nestor's
// format. Other fuzzers cover machines and mappings in these formats.
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
