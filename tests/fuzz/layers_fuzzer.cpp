// Fuzzer for the layer reader. A text is either rejected or parsed to a list of layers that is unchanged
// after writing and reading it again.
#include <cstdlib>

#include "io/layer_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor::io;
  const auto read = parse_layers({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!read) return 0;
  const auto again = parse_layers(to_text(network_to_json(*read)), "again.json");
  if (!again || !(again->layers == read->layers)) std::abort();
  return 0;
}
