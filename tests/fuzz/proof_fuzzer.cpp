// Fuzzer for the proof reader. The reader reads every input twice, until the end or an error, without a
// crash: once as a compressed file, and once as content that the fuzzer compresses.
#include <zstd.h>

#include <string>

#include "report/proof/proof_file.h"

namespace {

void read_all(nestor::io::ProofReader& reader, std::size_t axes) {
  if (!reader.head()) return;
  while (true) {
    const auto layer = reader.layer();
    if (!layer || !*layer) return;
    while (true) {
      const auto choice = reader.choice(axes);
      if (!choice) return;
      if (!*choice) break;
      for (std::uint64_t i = 0; i < (*choice)->nests; ++i)
        if (!reader.nest()) return;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string compressed(ZSTD_compressBound(size), '\0');
  compressed.resize(ZSTD_compress(compressed.data(), compressed.size(), data, size, 1));
  nestor::io::ProofReader behind(compressed);
  read_all(behind, 2);
  nestor::io::ProofReader bare({reinterpret_cast<const char*>(data), size});
  read_all(bare, 2);
  return 0;
}
